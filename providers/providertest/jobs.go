package providertest

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/providers"
)

func testOrder(t *testing.T, s Subject) {
	for _, size := range []int{1, 2, 3, 7, 100} {
		h := newHarness(t, s, good(s))
		job := h.job(number(7)...)
		job.BatchSize = size
		got, err := h.embed(job)
		if err != nil {
			t.Fatal(err)
		}
		checkOrder(t, got, 7)
		if n := (7 + size - 1) / size; len(h.seen()) != n {
			t.Errorf("batch_size %d: %d requests, want %d", size, len(h.seen()), n)
		}
	}
}

// testBatches checks the greedy cut by count and by bytes.
func testBatches(t *testing.T, s Subject) {
	text := func(number, bytes int) string { return strings.Repeat("a", bytes-1) + fmt.Sprint(number) }
	for _, c := range []struct {
		name        string
		texts       []string
		prefix      string
		size, bytes int
		want        []int // inputs of each batch
	}{
		{"by count", number(5), "", 2, 1000, []int{2, 2, 1}},
		{"by bytes", []string{text(1, 4), text(2, 4), text(3, 4)}, "", 100, 8, []int{2, 1}},
		{"exactly full, then one more byte", []string{text(1, 5), text(2, 5), text(3, 6), text(4, 5)}, "", 100, 10, []int{2, 1, 1}},
		{"greedy, not balanced", []string{text(1, 9), text(2, 1), text(3, 1), text(4, 9)}, "", 100, 10, []int{2, 2}},
		{"whichever comes first", []string{text(1, 1), text(2, 1), text(3, 9), text(4, 2)}, "", 2, 10, []int{2, 1, 1}},
		{"the prefix counts", []string{text(1, 2), text(2, 2), text(3, 2)}, "p: ", 100, 10, []int{2, 1}},
		{"one text of exactly the limit", []string{text(1, 10)}, "", 100, 10, []int{1}},
		{"bytes, not characters", []string{"éé1", "éé2"}, "", 100, 9, []int{1, 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHarness(t, s, func(r Request) reply {
				v := make([]string, len(r.Input))
				for i := range v {
					v[i] = "[1]"
				}
				return reply{body: s.Answer(v)}
			})
			job := h.job(c.texts...)
			job.BatchSize, job.BatchMaxBytes, job.Prefix = c.size, c.bytes, c.prefix
			var progress [][2]int
			job.Progress = func(done, total int) { progress = append(progress, [2]int{done, total}) }
			if _, err := h.embed(job); err != nil {
				t.Fatal(err)
			}
			var sizes []int
			var sent []string
			for i, r := range h.seen() {
				sizes = append(sizes, len(r.Input))
				sent = append(sent, r.Input...)
				if progress[i] != [2]int{i + 1, len(c.want)} {
					t.Errorf("progress %d is %v", i, progress[i])
				}
			}
			if !reflect.DeepEqual(sizes, c.want) {
				t.Errorf("batches of %v inputs, want %v", sizes, c.want)
			}
			for i, text := range c.texts {
				if sent[i] != c.prefix+text {
					t.Errorf("input %d was sent as %q", i+1, sent[i])
				}
			}
		})
	}
}

// testInputs checks that bad inputs are found before any request.
func testInputs(t *testing.T, s Subject) {
	for _, c := range []struct {
		name  string
		texts []string
		edit  func(*providers.EmbedJob)
		kind  providers.ErrorKind
		says  []string
	}{
		{"empty text", []string{"a", ""}, nil, providers.KindInput, []string{"input 2 of 2", "empty"}},
		{"white space", []string{" \t\n\u00a0", "b"}, nil, providers.KindInput, []string{"input 1 of 2"}},
		{"invalid UTF-8", []string{"a", "b", "c\xff"}, nil, providers.KindInput, []string{"input 3 of 3", "UTF-8"}},
		{"invalid prefix", []string{"a"}, func(j *providers.EmbedJob) { j.Prefix = "\xc3" }, providers.KindInput, []string{"prefix", "UTF-8"}},
		{"text over the limit", []string{"a", "12345678901"}, func(j *providers.EmbedJob) { j.BatchMaxBytes = 10 },
			providers.KindInput, []string{"input 2 of 2", "11 bytes", "batch_max_bytes is 10"}},
		{"text over the limit with its prefix", []string{"1234567890"}, func(j *providers.EmbedJob) { j.BatchMaxBytes, j.Prefix = 10, "p" },
			providers.KindInput, []string{"input 1 of 1", "11 bytes with its prefix"}},
		{"batch_size", []string{"a"}, func(j *providers.EmbedJob) { j.BatchSize = 2049 }, providers.KindConfig, []string{"batch_size is 2049", "1..2048"}},
		{"batch_max_bytes", []string{"a"}, func(j *providers.EmbedJob) { j.BatchMaxBytes = -1 }, providers.KindConfig, []string{"batch_max_bytes", "1..52428800"}},
		{"batch_retries", []string{"a"}, func(j *providers.EmbedJob) { j.BatchRetries = 6 }, providers.KindConfig, []string{"batch_retries", "0..5"}},
		{"batch_concurrency", []string{"a"}, func(j *providers.EmbedJob) { j.BatchConcurrency = 17 }, providers.KindConfig, []string{"batch_concurrency", "1..16"}},
		{"dimensions", []string{"a"}, func(j *providers.EmbedJob) { j.Dimensions = -1 }, providers.KindConfig, []string{"dimensions"}},
		{"timeout", []string{"a"}, func(j *providers.EmbedJob) { j.Timeout = -1 }, providers.KindConfig, []string{"timeout"}},
		{"encoding_format", []string{"a"}, func(j *providers.EmbedJob) { j.EncodingFormat = "int8" }, providers.KindConfig, []string{"encoding_format", `"base64"`}},
		{"unknown provider", []string{"a"}, func(j *providers.EmbedJob) { j.Provider = "nobody" }, providers.KindConfig, []string{`"nobody"`, "allowed are"}},
		{"no provider", []string{"a"}, func(j *providers.EmbedJob) { j.Provider = "" }, providers.KindConfig, []string{"provider"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHarness(t, s, good(s))
			job := h.job(c.texts...)
			if c.edit != nil {
				c.edit(&job)
			}
			got, err := h.embed(job)
			mustFail(t, got, err, c.kind)
			mustSay(t, err, c.says...)
			if len(h.seen()) != 0 || h.tokens != 0 {
				t.Errorf("%d requests were made", len(h.seen())+h.tokens)
			}
		})
	}
	t.Run("no text", func(t *testing.T) {
		h := newHarness(t, s, good(s))
		got, err := h.embed(h.job())
		if err != nil || got.Count != 0 || got.Dim != 0 || len(got.Data) != 0 || got.Model != "" {
			t.Errorf("got %+v, %v", got, err)
		}
		if len(h.seen()) != 0 || h.tokens != 0 {
			t.Error("a request was made for no text")
		}
	})
}

// testRequest compares a request with its golden form.
func testRequest(t *testing.T, s Subject) {
	h := newHarness(t, s, func(Request) reply { return reply{body: s.Answer([]string{"[1,2]", "[3,4]"})} })
	job := h.job("a<b>&c", "é\u2028")
	job.Dimensions, job.EncodingFormat = 2, "base64"
	if _, err := h.embed(job); err != nil {
		t.Fatal(err)
	}
	r := h.seen()[0]
	if r.Method != "POST" || r.URI != s.Base+s.Path {
		t.Errorf("%s %s, want POST %s", r.Method, r.URI, s.Base+s.Path)
	}
	if r.Body != s.Body {
		t.Errorf("body\n%s\nwant\n%s", r.Body, s.Body)
	}
	for name, want := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json", "Authorization": s.Credential,
		"Cookie": "", "Referer": "", "Idempotency-Key": "",
	} {
		if got := r.Header.Get(name); got != want {
			t.Errorf("header %s is %q, want %q", name, got, want)
		}
	}
	if sent := strings.Contains(s.Body, "encoding_format"); sent != s.Vendor().SendsEncodingFormat {
		t.Errorf("encoding_format is sent = %v, the vendor declares %v", sent, !sent)
	}
	t.Run("default model", func(t *testing.T) {
		h := newHarness(t, s, good(s))
		job := h.job("1")
		job.Model = ""
		got, err := h.embed(job)
		if err != nil {
			t.Fatal(err)
		}
		if want := s.Vendor().EmbedModel; want == "" || h.seen()[0].Model != want || got.Model != want {
			t.Errorf("model %q sent, %q returned, want %q", h.seen()[0].Model, got.Model, want)
		}
		if strings.Contains(h.seen()[0].Body, "dimensions") || strings.Contains(h.seen()[0].Body, "encoding_format") {
			t.Errorf("body says what nobody asked for: %s", h.seen()[0].Body)
		}
	})
}

// testResults checks what comes with the vectors, and normalising.
func testResults(t *testing.T, s Subject) {
	h := newHarness(t, s, func(r Request) reply {
		v := []string{"[3,4]", "[0,0]", "[1e200,1e200]"}
		return reply{body: s.Answer(v[r.N-1 : r.N])}
	})
	job := h.job("a", "b", "c")
	job.BatchSize, job.Normalize = 1, true
	got, err := h.embed(job)
	if err != nil {
		t.Fatal(err)
	}
	want := []float64{0.6, 0.8, 0, 0, 0.7071067811865475, 0.7071067811865475}
	for i := range want {
		if d := got.Data[i] - want[i]; d > 1e-15 || d < -1e-15 {
			t.Errorf("number %d is %v, want %v", i, got.Data[i], want[i])
		}
	}
	// Each answer of a Subject reports 4 tokens of input and the model "m-1".
	if got.Usage == nil || got.Usage.InputTokens != 12 || got.Model != "m" || got.ReportedModel != "m-1" {
		t.Errorf("usage %+v, model %q, reported %q", got.Usage, got.Model, got.ReportedModel)
	}
}
