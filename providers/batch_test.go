package providers

import (
	"math"
	"net/http"
	"strings"
	"testing"
	"time"
)

// FuzzPlanBatches checks the properties of a plan: all inputs, in order, every
// batch within both limits, and none that could have taken one more.
func FuzzPlanBatches(f *testing.F) {
	f.Add("a,bb,ccc,dddd,eeeee", "p", 2, 7)
	f.Add("", "", 1, 1)
	f.Fuzz(func(t *testing.T, joined, prefix string, size, extra int) {
		texts := strings.Split(joined, ",")
		if size < 1 || size > 2048 || extra < 0 || extra > 1<<20 {
			return
		}
		maxBytes := extra
		for _, x := range texts {
			maxBytes = max(maxBytes, len(x)+len(prefix))
		}
		bytes := func(s span) (n int) {
			for _, x := range texts[s.lo:s.hi] {
				n += len(x) + len(prefix)
			}
			return n
		}
		next := 0
		plan := planBatches(texts, prefix, size, maxBytes)
		for i, s := range plan {
			if s.lo != next || s.hi <= s.lo {
				t.Fatalf("plan %v", plan)
			}
			next = s.hi
			if s.hi-s.lo > size || bytes(s) > maxBytes {
				t.Fatalf("batch %v has %d bytes", s, bytes(s))
			}
			if i+1 < len(plan) && s.hi-s.lo < size && bytes(span{s.lo, s.hi + 1}) <= maxBytes {
				t.Fatalf("batch %v could have taken one more", s)
			}
		}
		if next != len(texts) {
			t.Fatalf("plan %v leaves inputs out", plan)
		}
	})
}

// FuzzRetryAfter checks that no header gives a negative wait, and that digits
// alone decide between seconds and date.
func FuzzRetryAfter(f *testing.F) {
	for _, s := range []string{"7", "-1", "Wed, 21 Oct 2015 07:28:00 GMT", "99999999999999999999", "1.5", " 3"} {
		f.Add(s, s)
	}
	now := time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)
	f.Fuzz(func(t *testing.T, value, date string) {
		d, ok := parseRetryAfter(http.Header{"Retry-After": {value}, "Date": {date}}, now)
		if d < 0 || !ok && d != 0 {
			t.Fatalf("%q gives %v", value, d)
		}
		trimmed := strings.Trim(value, " \t")
		if digits := trimmed != "" && strings.Trim(trimmed, "0123456789") == ""; digits && !ok {
			t.Fatalf("%q was not read", value)
		}
	})
}

func TestClassify(t *testing.T) {
	for _, c := range []struct {
		status    int
		body      string
		code      string
		permanent bool
	}{
		{429, `{"error":{"code":"rate_limit_exceeded","type":"tokens"}}`, "rate_limit_exceeded", false},
		{429, `{"error":{"type":"insufficient_quota"}}`, "insufficient_quota", true},
		{429, `{"error":{"code":"other","type":"insufficient_quota"}}`, "insufficient_quota", true},
		{429, `{"error":{"message":"insufficient_quota"}}`, "", false},
		{500, `{"error":{"message":"Input Too Long"}}`, "context_length_exceeded", true},
		{503, `{"error":"input too long"}`, "", false},
		{500, `{"error":{"type":"server_error","code":500}}`, "server_error", false},
		{500, `{"error":{"type":"invalid_request_error"}}`, "invalid_request_error", true},
		{502, `{"error":{"type":"invalid_request_error"}}`, "invalid_request_error", false},
		{401, `{"error":"invalid_client","error_description":"x"}`, "invalid_client", false},
		{400, `{"error":["a"]}`, "", false},
		{400, `{"error":null}`, "", false},
		{400, `{"error":{"code":"<script>"}}`, "", false},
		{400, `[]`, "", false},
		{400, ``, "", false},
		{400, strings.Repeat(" ", maxClassified) + `{"error":{"code":"server_error"}}`, "", false},
	} {
		got := classify(c.status, c.body)
		if got.code != c.code || got.permanent != c.permanent {
			t.Errorf("%d %.80s: %+v, want %q %v", c.status, c.body, got, c.code, c.permanent)
		}
	}
}

func TestRequestID(t *testing.T) {
	for id, want := range map[string]string{
		"req_0a-B9": "req_0a-B9", "": "", "a b": "", "a<b": "", "é": "",
		strings.Repeat("a", 80): strings.Repeat("a", 80), strings.Repeat("a", 81): "",
	} {
		if got := requestID(http.Header{"X-Request-Id": {id}}); got != want {
			t.Errorf("%q gives %q", id, got)
		}
	}
	sent := http.Header{"Authorization": {"Bearer sk-0123456789"}}
	if got := requestID(withoutEcho(http.Header{"X-Request-Id": {"sk-0123456789"}}, sent)); got != "" {
		t.Errorf("an echoed credential passed: %q", got)
	}
	if got := requestID(withoutEcho(http.Header{"X-Request-Id": {"req_1"}}, sent)); got != "req_1" {
		t.Errorf("a good id was dropped: %q", got)
	}
}

func TestNormalizeRows(t *testing.T) {
	data := []float64{3, 4, 0, 0, -1e308, 1e308, 5e-324, 0}
	normalizeRows(data, 2)
	want := []float64{0.6, 0.8, 0, 0, -math.Sqrt2 / 2, math.Sqrt2 / 2, 1, 0}
	for i := range want {
		if math.Abs(data[i]-want[i]) > 1e-15 {
			t.Errorf("number %d is %v, want %v", i, data[i], want[i])
		}
	}
	normalizeRows(nil, 0)
}
