package providertest

import (
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"testing"
	"time"

	"github.com/ironflow/ironflow/providers"
)

func testStatuses(t *testing.T, s Subject) {
	retried := map[int]bool{408: true, 429: true, 500: true, 502: true, 503: true, 504: true, 529: true}
	for _, status := range []int{300, 301, 302, 303, 304, 305, 307, 308, 399, 400, 401, 402, 403, 404, 405, 408, 409, 410, 413, 415, 418, 422, 425, 429,
		451, 499, 500, 501, 502, 503, 504, 505, 507, 511, 520, 529, 530, 599} {
		t.Run(strconv.Itoa(status), func(t *testing.T) {
			// The body is a good answer: a wrong status makes it worthless.
			h := newHarness(t, s, func(r Request) reply { return reply{status: status, body: s.Answer(vectorsOf(r.Input))} })
			job := h.job("1")
			job.BatchRetries = 2
			got, err := h.embed(job)
			pe := mustFail(t, got, err, providers.KindStatus)
			if pe.Status != status {
				t.Errorf("status %d in the error", pe.Status)
			}
			mustSay(t, err, fmt.Sprintf("HTTP status %d", status), "inputs 1..1 of 1")
			want := 1
			switch {
			case retried[status]:
				want = 3
				mustSay(t, err, "after 3 attempts")
			case status == 401 && s.UsesToken:
				want = 2
			}
			if n := len(h.seen()); n != want {
				t.Errorf("%d requests, want %d", n, want)
			}
		})
	}
	for _, status := range []int{200, 201, 203, 206, 299} {
		h := newHarness(t, s, func(r Request) reply { return reply{status: status, body: s.Answer(vectorsOf(r.Input))} })
		if got, err := h.embed(h.job("1")); err != nil {
			t.Errorf("status %d: %v", status, err)
		} else {
			checkOrder(t, got, 1)
		}
	}
}

// testRetryAfter checks the header's forms. A wait below 0 means that the
// request is not repeated.
func testRetryAfter(t *testing.T, s Subject) {
	const backOff, refuse = 500 * time.Millisecond, time.Duration(-1)
	date := func(d time.Duration, format string) func(time.Time) string {
		return func(now time.Time) string { return now.Add(d).UTC().Format(format) }
	}
	text := func(v string) func(time.Time) string { return func(time.Time) string { return v } }
	for _, c := range []struct {
		name  string
		value func(now time.Time) string
		skew  time.Duration // of the server's clock
		want  time.Duration
	}{
		{"seconds", text("7"), 0, 7 * time.Second},
		{"zero", text("0"), 0, 10 * time.Millisecond},
		{"leading zeros", text("0003"), 0, 3 * time.Second},
		{"spaces around", text(" 5 "), 0, 5 * time.Second},
		{"exactly a minute", text("60"), 0, time.Minute},
		{"over a minute", text("61"), 0, refuse},
		{"greater than an int64", text("99999999999999999999999"), 0, refuse},
		{"negative", text("-1"), 0, backOff},
		{"plus sign", text("+1"), 0, backOff},
		{"fraction", text("1.5"), 0, backOff},
		{"exponent", text("1e1"), 0, backOff},
		{"list", text("1, 2"), 0, backOff},
		{"full-width digits", text("１"), 0, backOff},
		{"words", text("soon"), 0, backOff},
		{"empty", text(""), 0, backOff},
		{"date", date(20*time.Second, http.TimeFormat), 0, 20 * time.Second},
		{"date of RFC 850", date(20*time.Second, "Monday, 02-Jan-06 15:04:05 GMT"), 0, 20 * time.Second},
		{"date of asctime", date(20*time.Second, time.ANSIC), 0, 20 * time.Second},
		{"date in the past", date(-time.Hour, http.TimeFormat), 0, 10 * time.Millisecond},
		{"date too far off", date(61*time.Second, http.TimeFormat), 0, refuse},
		{"date by a clock that is an hour ahead", date(time.Hour+20*time.Second, http.TimeFormat), time.Hour, 20 * time.Second},
		{"date beside an absurd Date", date(20*time.Second, http.TimeFormat), -1000 * time.Hour, 20 * time.Second},
	} {
		t.Run(c.name, func(t *testing.T) {
			var clock *Clock
			h := newHarness(t, s, func(r Request) reply {
				if r.N > 1 {
					return reply{body: s.Answer(vectorsOf(r.Input))}
				}
				header := http.Header{"Retry-After": {c.value(clock.Now())}, "Date": {clock.Now().Add(c.skew).UTC().Format(http.TimeFormat)}}
				return reply{status: 429, header: header}
			})
			clock = h.clock
			job := h.job("1")
			job.BatchRetries = 1
			got, err := h.embed(job)
			if c.want == refuse {
				mustFail(t, got, err, providers.KindWait)
				mustSay(t, err, "60 s", "HTTP status 429")
				if len(h.seen()) != 1 || len(clock.Sleeps()) != 0 {
					t.Errorf("%d requests, waits %v", len(h.seen()), clock.Sleeps())
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if w := clock.Sleeps(); len(w) != 1 || w[0] != c.want {
				t.Errorf("waits %v, want [%v]", w, c.want)
			}
		})
	}
}

func testBackOff(t *testing.T, s Subject) {
	for retries, want := range map[int][]time.Duration{
		0: nil,
		1: {500 * time.Millisecond},
		5: {500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second},
	} {
		h := newHarness(t, s, func(Request) reply { return reply{status: 503} })
		job := h.job("1")
		job.BatchRetries = retries
		got, err := h.embed(job)
		mustFail(t, got, err, providers.KindStatus)
		if w := h.clock.Sleeps(); !reflect.DeepEqual(w, want) {
			t.Errorf("batch_retries %d: waits %v, want %v", retries, w, want)
		}
		if n := len(h.seen()); n != retries+1 {
			t.Errorf("batch_retries %d: %d requests", retries, n)
		}
	}
	t.Run("asked for after a back-off", func(t *testing.T) {
		h := newHarness(t, s, func(r Request) reply {
			switch r.N {
			case 1:
				return reply{status: 500}
			case 2:
				return reply{status: 503, header: http.Header{"Retry-After": {"3"}}}
			case 3:
				return reply{status: 502}
			}
			return reply{body: s.Answer(vectorsOf(r.Input))}
		})
		job := h.job("1")
		job.BatchRetries = 3
		if _, err := h.embed(job); err != nil {
			t.Fatal(err)
		}
		want := []time.Duration{500 * time.Millisecond, 3 * time.Second, 2 * time.Second}
		if w := h.clock.Sleeps(); !reflect.DeepEqual(w, want) {
			t.Errorf("waits %v, want %v", w, want)
		}
	})
}

// testResending checks that only the failing batch is sent again, and that a
// batch that fails for good leaves nothing.
func testResending(t *testing.T, s Subject) {
	h := newHarness(t, s, func(r Request) reply {
		if r.N == 2 || r.N == 3 {
			return reply{status: 503}
		}
		return reply{body: s.Answer(vectorsOf(r.Input))}
	})
	job := h.job(number(6)...)
	job.BatchSize, job.BatchRetries = 2, 2
	got, err := h.embed(job)
	if err != nil {
		t.Fatal(err)
	}
	checkOrder(t, got, 6)
	var firsts []string
	for _, r := range h.seen() {
		firsts = append(firsts, r.Input[0])
	}
	if want := []string{"t1", "t3", "t3", "t3", "t5"}; !reflect.DeepEqual(firsts, want) {
		t.Errorf("batches began with %v, want %v", firsts, want)
	}
	bodies := h.seen()
	if bodies[1].Body != bodies[2].Body || bodies[2].Body != bodies[3].Body {
		t.Error("a repeated request differs from the first")
	}

	h = newHarness(t, s, func(r Request) reply {
		if r.Input[0] == "t3" {
			return reply{status: 400}
		}
		return reply{body: s.Answer(vectorsOf(r.Input))}
	})
	job = h.job(number(6)...)
	job.BatchSize = 2
	got, err = h.embed(job)
	mustFail(t, got, err, providers.KindStatus)
	mustSay(t, err, "embedding inputs 3..4 of 6 (batch 2 of 3) failed")
	if n := len(h.seen()); n != 2 {
		t.Errorf("%d requests, want 2: the third batch is not sent", n)
	}
}

func testBreakingConnections(t *testing.T, s Subject) {
	t.Run("cut in the body", func(t *testing.T) {
		h := newHarness(t, s, func(r Request) reply { return reply{body: s.Answer(vectorsOf(r.Input)), cut: true} })
		job := h.job("1")
		job.BatchRetries = 2
		got, err := h.embed(job)
		mustFail(t, got, err, providers.KindConnection)
		if n := len(h.seen()); n != 1 {
			t.Errorf("%d requests, want 1", n)
		}
	})
	t.Run("nobody there, then up", func(t *testing.T) {
		h := newHarness(t, s, good(s))
		job := h.job("1")
		job.BatchRetries = 1
		api := unusedAddress(t)
		job.Params = s.Params("http://"+api+s.Base, h.server.URL+"/token")
		h.clock.OnSleep = func() { serveAt(t, api, h.mux(good(s))) }
		got, err := h.embed(job)
		if err != nil {
			t.Fatal(err)
		}
		checkOrder(t, got, 1)
	})
	t.Run("nobody there", func(t *testing.T) {
		h := newHarness(t, s, good(s))
		job := h.job("1")
		job.BatchRetries = 2
		job.Params = s.Params("http://"+unusedAddress(t)+s.Base, h.server.URL+"/token")
		got, err := h.embed(job)
		mustFail(t, got, err, providers.KindConnect)
		mustSay(t, err, "could not connect", "after 3 attempts")
	})
}
