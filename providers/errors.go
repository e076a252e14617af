package providers

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// ErrorKind is the class of a failure.
type ErrorKind int

const (
	// KindConfig is a missing or invalid setting; no request was made.
	KindConfig ErrorKind = iota + 1
	// KindInput is a text that cannot be sent; no request was made.
	KindInput
	// KindConnect is a connection that could not be opened. Retried.
	KindConnect
	// KindTimeout is a request that met its own time limit. Retried.
	KindTimeout
	// KindConnection is a connection that broke during the exchange.
	KindConnection
	// KindCancelled is a caller that went away or met its deadline.
	KindCancelled
	// KindRefused is a request or answer that the transport's policy refused:
	// a redirect, an address, an encoding.
	KindRefused
	// KindTooLarge is an answer over the limit on response bodies.
	KindTooLarge
	// KindStatus is an answer whose status is outside 200..299.
	KindStatus
	// KindAnswer is an answer with a good status that does not hold what was
	// asked for.
	KindAnswer
	// KindWait is a provider that asked for a longer wait than is allowed.
	KindWait
)

// String returns the kind as a short word for log fields.
func (k ErrorKind) String() string {
	names := [...]string{"", "config", "input", "connect", "timeout", "connection",
		"cancelled", "refused", "too_large", "status", "answer", "wait"}
	if k > 0 && int(k) < len(names) {
		return names[k]
	}
	return fmt.Sprintf("kind %d", int(k))
}

// Error is a failure in the provider layer. Its text consists of our own words,
// numbers, names from the configuration, the normalised origin and a code from
// a closed list: nothing that a server wrote.
type Error struct {
	Kind     ErrorKind
	Provider string // the vendor's name; may be empty
	Origin   string // scheme://host:port; may be empty
	Status   int    // the HTTP status; 0 when there was none
	Code     string // from the closed list; may be empty
	// RequestID is the id that the provider gave the request, if it consists
	// of at most 80 letters, digits, dashes and underscores and holds no known
	// secret. It is a header value and so not part of the text.
	RequestID string
	// Detail is our description, Hint the next step to take.
	Detail string
	Hint   string
	// RetryAfter is how long the provider asked to wait; valid when
	// HasRetryAfter is true.
	RetryAfter    time.Duration
	HasRetryAfter bool
	// Permanent marks a failure that repeating cannot cure although its status
	// says so, such as an exhausted quota.
	Permanent bool
	// Transient marks a failure of a kind that is otherwise not repeated, and
	// that may pass, such as an answer that was cut while it was streamed.
	Transient bool
	// FormatRefused marks an answer whose status and body say that the server
	// does not want to be asked for a form of answer.
	FormatRefused bool
	// Err is the cause, with a text that is safe to print; may be nil.
	Err error
}

// Error returns the text described at the type.
func (e *Error) Error() string {
	var b strings.Builder
	if e.Provider != "" {
		b.WriteString("provider " + e.Provider)
		if e.Origin != "" {
			b.WriteString(" (" + e.Origin + ")")
		}
		b.WriteString(": ")
	}
	b.WriteString(e.sentence())
	if e.Hint != "" {
		b.WriteString("; " + e.Hint)
	}
	return b.String()
}

func (e *Error) sentence() string {
	if e.Detail != "" && e.Status == 0 {
		return e.Detail
	}
	if e.Status != 0 {
		s := fmt.Sprintf("HTTP status %d", e.Status)
		if e.Code != "" {
			s += " (" + e.Code + ")"
		}
		if e.Detail != "" {
			s = e.Detail + ": " + s
		}
		return s
	}
	if e.Err != nil {
		return e.Err.Error()
	}
	return e.Kind.String()
}

// Format prints the same text for every verb and flag, so that no verb walks
// into the fields.
func (e *Error) Format(f fmt.State, verb rune) { formatError(f, verb, e) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// Retryable reports whether the same request may succeed later.
func (e *Error) Retryable() bool {
	if e.Permanent {
		return false
	}
	if e.Transient {
		return true
	}
	switch e.Kind {
	case KindConnect, KindTimeout:
		return true
	case KindStatus:
		switch e.Status {
		case http.StatusRequestTimeout, http.StatusTooManyRequests, http.StatusInternalServerError,
			http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout, 529:
			return true
		}
	}
	return false
}

// BatchError says which batch of a job failed. Positions are 1-based and count
// over the whole job.
type BatchError struct {
	Batch, Batches     int // batch number and their total
	First, Last, Total int // input range and the number of inputs
	Attempts           int // requests made for this batch
	// Longest is the position of the longest input of the batch and
	// LongestBytes its length, when a server found an input too long and did
	// not say which; else 0.
	Longest, LongestBytes int
	Err                   error
}

// Error names the range, the batch and the cause.
func (e *BatchError) Error() string {
	attempts := ""
	if e.Attempts > 1 {
		attempts = fmt.Sprintf(" after %d attempts", e.Attempts)
	}
	longest := ""
	if e.Longest != 0 {
		longest = fmt.Sprintf("; the longest is input %d with %d bytes", e.Longest, e.LongestBytes)
	}
	return fmt.Sprintf("embedding inputs %d..%d of %d (batch %d of %d) failed%s: %v%s",
		e.First, e.Last, e.Total, e.Batch, e.Batches, attempts, e.Err, longest)
}

// Format prints the same text for every verb and flag.
func (e *BatchError) Format(f fmt.State, verb rune) { formatError(f, verb, e) }

// Unwrap returns the cause.
func (e *BatchError) Unwrap() error { return e.Err }

func formatError(f fmt.State, verb rune, err error) {
	text := err.Error()
	if verb == 'q' {
		text = strconv.Quote(text)
	}
	_, _ = io.WriteString(f, text)
}

// asError returns the provider error in err's chain, or nil.
func asError(err error) *Error {
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return nil
}
