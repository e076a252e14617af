package providers

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"
	"time"
)

const (
	firstBackOff  = 500 * time.Millisecond
	minRetryAfter = 10 * time.Millisecond
	maxRetryAfter = 60 * time.Second
)

// parseRetryAfter reads Retry-After: whole seconds in ASCII digits, or an HTTP
// date (RFC 9110, 10.2.3). A date counts from the answer's own Date when that
// is within a day of now, which takes clock skew out, else from now; one in
// the past is 0. Anything else is as good as absent. A number too great to
// hold gives the greatest duration, not "absent".
func parseRetryAfter(h http.Header, now time.Time) (time.Duration, bool) {
	v := strings.Trim(h.Get("Retry-After"), " \t")
	if v == "" {
		return 0, false
	}
	if secs, ok := parseSeconds(v); ok {
		return secs, true
	}
	at, err := http.ParseTime(v)
	if err != nil {
		return 0, false
	}
	from := now
	if sent, err := http.ParseTime(h.Get("Date")); err == nil && sent.Sub(now).Abs() < 24*time.Hour {
		from = sent
	}
	return max(at.Sub(from), 0), true
}

func parseSeconds(v string) (time.Duration, bool) {
	const limit = math.MaxInt64 / int64(time.Second)
	var n int64
	for i := 0; i < len(v); i++ {
		if v[i] < '0' || v[i] > '9' {
			return 0, false
		}
		if n <= limit {
			n = n*10 + int64(v[i]-'0')
		}
	}
	if n > limit {
		return math.MaxInt64, true
	}
	return time.Duration(n) * time.Second, true
}

// withRetries calls try until it succeeds, fails for good, or has been
// repeated retries times. Between two tries it waits 0.5 s, 1 s, 2 s and so
// on, or as long as the provider asked. It returns the number of tries.
//
// A provider that asks for more than 60 s, and a wait that would pass the
// caller's deadline, end it at once. The caller's own end is never retried.
func withRetries(ctx context.Context, clock Clock, retries int, try func(context.Context) error) (int, error) {
	for attempt := 1; ; attempt++ {
		err := try(ctx)
		if err == nil {
			return attempt, nil
		}
		if ctx.Err() != nil {
			return attempt, canceled(ctx)
		}
		e := asError(err)
		if e == nil || !e.Retryable() || attempt > retries {
			return attempt, err
		}
		wait := firstBackOff << (attempt - 1)
		if e.HasRetryAfter {
			wait = max(e.RetryAfter, minRetryAfter)
			if wait > maxRetryAfter {
				return attempt, &Error{Kind: KindWait, Err: err, Detail: fmt.Sprintf(
					"%v; it asks for a wait of %s, allowed are 60 s: try again later", err, seconds(wait))}
			}
		}
		if deadline, ok := ctx.Deadline(); ok && clock.Now().Add(wait).After(deadline) {
			return attempt, fmt.Errorf("%w; the next attempt would start after the deadline", err)
		}
		if clock.Sleep(ctx, wait) != nil {
			return attempt, canceled(ctx)
		}
	}
}

// seconds prints a wait without pretending to know an absurd one exactly.
func seconds(d time.Duration) string {
	if d > 1000*time.Hour {
		return "over 1000 hours"
	}
	return d.Round(time.Second).String()
}

// canceled is the error for a caller that went away. Its cause stays in the
// chain, because with a cancel cause the context's error does not.
func canceled(ctx context.Context) error {
	detail := "the request was cancelled"
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		detail = "the deadline of the caller passed"
	}
	return &Error{Kind: KindCancelled, Detail: detail, Err: &cancelCause{ctx.Err(), context.Cause(ctx)}}
}

// cancelCause makes both the context's error and its cause findable.
type cancelCause struct{ err, cause error }

func (c *cancelCause) Error() string   { return c.err.Error() }
func (c *cancelCause) Unwrap() []error { return []error{c.err, c.cause} }
