package providertest

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"testing"
	"time"

	"github.com/ironflow/ironflow/providers"
)

func testCancellation(t *testing.T, s Subject) {
	reason := fmt.Errorf("the run ended")
	check := func(t *testing.T, got *providers.Embeddings, err error) {
		t.Helper()
		mustFail(t, got, err, providers.KindCancelled)
		for _, target := range []error{context.Canceled, reason} {
			if !errors.Is(err, target) {
				t.Errorf("%v is not in the chain of %v", target, err)
			}
		}
	}
	t.Run("in a request", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		never := make(chan struct{})
		h := newHarness(t, s, func(Request) reply {
			cancel(reason)
			return reply{wait: never}
		})
		job := h.job("1")
		job.BatchRetries = 5
		start := time.Now()
		got, err := h.set.Embed(ctx, job)
		check(t, got, err)
		if d := time.Since(start); d > time.Second {
			t.Errorf("returned after %v", d)
		}
		if n := len(h.seen()); n != 1 {
			t.Errorf("%d requests, want 1", n)
		}
	})
	t.Run("in a wait", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		h := newHarness(t, s, func(Request) reply { return reply{status: 503} })
		h.clock.OnSleep = func() { cancel(reason) }
		job := h.job("1")
		job.BatchRetries = 5
		got, err := h.set.Embed(ctx, job)
		check(t, got, err)
		if n := len(h.seen()); n != 1 {
			t.Errorf("%d requests, want 1", n)
		}
	})
	t.Run("before it starts", func(t *testing.T) {
		ctx, cancel := context.WithCancelCause(t.Context())
		cancel(reason)
		h := newHarness(t, s, good(s))
		got, err := h.set.Embed(ctx, h.job("1"))
		check(t, got, err)
	})
}

func testDeadlines(t *testing.T, s Subject) {
	never := make(chan struct{})
	t.Run("of one request", func(t *testing.T) {
		h := newHarness(t, s, func(r Request) reply {
			if r.N == 1 {
				return reply{wait: never}
			}
			return reply{body: s.Answer(vectorsOf(r.Input))}
		})
		job := h.job("1")
		job.Timeout, job.BatchRetries = 300*time.Millisecond, 1
		got, err := h.embed(job)
		if err != nil {
			t.Fatal(err)
		}
		checkOrder(t, got, 1)
		job.BatchRetries = 0
		h2 := newHarness(t, s, func(Request) reply { return reply{wait: never} })
		job.Params = h2.job().Params
		got, err = h2.embed(job)
		mustFail(t, got, err, providers.KindTimeout)
	})
	t.Run("of the caller", func(t *testing.T) {
		h := newHarness(t, s, func(Request) reply { return reply{wait: never} })
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		job := h.job("1")
		job.BatchRetries = 5
		got, err := h.set.Embed(ctx, job)
		mustFail(t, got, err, providers.KindCancelled)
		if !errors.Is(err, context.DeadlineExceeded) || len(h.seen()) != 1 {
			t.Errorf("%d requests, %v", len(h.seen()), err)
		}
	})
	t.Run("nearer than the wait", func(t *testing.T) {
		for _, after := range []string{"", "40"} {
			h := newHarness(t, s, func(Request) reply { return reply{status: 503, header: http.Header{"Retry-After": {after}}} })
			ctx, cancel := context.WithDeadline(t.Context(), h.clock.Now().Add(30*time.Second))
			job := h.job("1")
			job.BatchRetries = 5
			h.clock.Advance(29*time.Second + 800*time.Millisecond)
			got, err := h.set.Embed(ctx, job)
			cancel()
			mustFail(t, got, err, providers.KindStatus)
			mustSay(t, err, "after the deadline")
			if len(h.seen()) != 1 || len(h.clock.Sleeps()) != 0 {
				t.Errorf("%d requests, waits %v", len(h.seen()), h.clock.Sleeps())
			}
		}
	})
	t.Run("absurd wait", func(t *testing.T) {
		h := newHarness(t, s, func(Request) reply {
			return reply{status: 503, header: http.Header{"Retry-After": {strconv.FormatInt(math.MaxInt64, 10)}}}
		})
		job := h.job("1")
		job.BatchRetries = 1
		got, err := h.embed(job)
		mustFail(t, got, err, providers.KindWait)
	})
}
