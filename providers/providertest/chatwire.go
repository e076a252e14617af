package providertest

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/providers"
)

// goldenChat is the job whose body a [ChatSubject] gives.
func goldenChat(h *harness) providers.ChatJob {
	job := h.chatJob()
	job.Messages = []providers.Message{
		{Role: providers.RoleSystem, Content: "a<b>&c"}, {Role: providers.RoleUser, Content: "é\u2028"}, {Role: providers.RoleAssistant, Content: "x"},
	}
	job.Temperature, job.MaxTokens = ptr(0.0), 7
	job.Format = providers.ResponseFormat{
		Kind: providers.FormatJSONSchema, Name: "facts",
		Schema: json.RawMessage(`{"type":"object","properties":{"z":{"type":"string"},"a":{"enum":["<"]}},"required":["z","a"],"additionalProperties":false}`),
	}
	return job
}

// testChatRequest compares a request with its golden form.
func testChatRequest(t *testing.T, s Subject) {
	h := newHarness(t, s, goodChat(s))
	got, err := h.chat(goldenChat(h))
	checkSaid(t, got, err)
	r := h.seen()[0]
	if r.Method != "POST" || r.URI != s.Base+s.Chat.Path {
		t.Errorf("%s %s, want POST %s", r.Method, r.URI, s.Base+s.Chat.Path)
	}
	if r.Body != s.Chat.Body {
		t.Errorf("body\n%s\nwant\n%s", r.Body, s.Chat.Body)
	}
	for name, want := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json", "Authorization": s.Credential,
		"Cookie": "", "Referer": "", "Idempotency-Key": "",
	} {
		if got := r.Header.Get(name); got != want {
			t.Errorf("header %s is %q, want %q", name, got, want)
		}
	}
	if got.Model != "m" || got.ReportedModel != "m-1" || got.Calls != 1 || got.Retries != 0 || got.Cached || got.FormatUsed != providers.ModeJSONSchema {
		t.Errorf("result %+v", got)
	}
	if u := got.Usage; u == nil || u.InputTokens != 4 || u.OutputTokens != 2 || u.TotalTokens != 6 {
		t.Errorf("usage %+v, want 4, 2 and 6 tokens", u)
	}
	for _, c := range []struct {
		name          string
		edit          func(*providers.ChatJob)
		holds, misses string
	}{
		{"nothing asked for", func(*providers.ChatJob) {}, `"stream":false`, "temperature"},
		{"nothing asked for, tokens", func(*providers.ChatJob) {}, `"model":"m"`, "num_predict"},
		{"nothing asked for, form", func(*providers.ChatJob) {}, `"messages":[`, "format"},
		{"temperature 0", func(j *providers.ChatJob) { j.Temperature = ptr(0.0) }, `"temperature":0`, "max_tokens"},
		{"temperature 0.7", func(j *providers.ChatJob) { j.Temperature = ptr(0.7) }, `"temperature":0.7`, "max_completion_tokens"},
		{"temperature 2", func(j *providers.ChatJob) { j.Temperature = ptr(2.0) }, `"temperature":2`, "null"},
		{"another name for the limit", func(j *providers.ChatJob) {
			j.MaxTokens, j.MaxTokensField = 9, providers.FieldMaxCompletionTokens
		}, `"` + s.Chat.TokenField + `":9`, `"max_tokens"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHarness(t, s, goodChat(s))
			job := h.chatJob()
			c.edit(&job)
			got, err := h.chat(job)
			checkSaid(t, got, err)
			if body := h.seen()[0].Body; !strings.Contains(body, c.holds) || strings.Contains(body, c.misses) {
				t.Errorf("body %s, want %s in it and no %s", body, c.holds, c.misses)
			}
		})
	}
	t.Run("default model", func(t *testing.T) {
		h := newHarness(t, s, goodChat(s))
		job := h.chatJob()
		job.Model = ""
		got, err := h.chat(job)
		if s.Vendor().ChatModel == "" {
			mustFail(t, got, err, providers.KindConfig)
			mustSay(t, err, "set model")
			if err := h.set.CheckChat(job.Provider, job.Params, ""); err == nil {
				t.Error("the preflight finds no missing model")
			}
			return
		}
		checkSaid(t, got, err)
		if h.seen()[0].Model != s.Vendor().ChatModel {
			t.Errorf("model %q was asked", h.seen()[0].Model)
		}
	})
}

// testChatInputs checks that mistakes are found before any request.
func testChatInputs(t *testing.T, s Subject) {
	message := func(m ...providers.Message) func(*providers.ChatJob) {
		return func(j *providers.ChatJob) { j.Messages = m }
	}
	schema := func(name, schema string) func(*providers.ChatJob) {
		return func(j *providers.ChatJob) {
			j.Format = providers.ResponseFormat{Kind: providers.FormatJSONSchema, Name: name, Schema: json.RawMessage(schema)}
		}
	}
	user := providers.Message{Role: "user", Content: "x"}
	for _, c := range []struct {
		name string
		edit func(*providers.ChatJob)
		kind providers.ErrorKind
		says []string
	}{
		{"no message", message(), providers.KindInput, []string{"no message"}},
		{"empty message", message(user, providers.Message{Role: "system"}), providers.KindInput, []string{"message 2 of 2 (system)", "empty"}},
		{"white space", message(providers.Message{Role: "user", Content: " \n\u00a0"}), providers.KindInput, []string{"message 1 of 1"}},
		{"role", message(providers.Message{Role: "tool", Content: "x"}), providers.KindInput, []string{`role "tool"`, `"assistant"`}},
		{"no role", message(providers.Message{Content: "x"}), providers.KindInput, []string{`role ""`}},
		{"UTF-8", message(providers.Message{Role: "user", Content: "x\xff"}), providers.KindInput, []string{"UTF-8"}},
		{"max_tokens", func(j *providers.ChatJob) { j.MaxTokens = -1 }, providers.KindConfig, []string{"max_tokens is -1"}},
		{"max_tokens_field", func(j *providers.ChatJob) { j.MaxTokensField = "n" }, providers.KindConfig, []string{`max_tokens_field is "n"`, `"max_completion_tokens"`}},
		{"temperature", func(j *providers.ChatJob) { j.Temperature = ptr(2.5) }, providers.KindConfig, []string{"temperature is 2.5", "0..2"}},
		{"temperature NaN", func(j *providers.ChatJob) { j.Temperature = ptr(math.NaN()) }, providers.KindConfig, []string{"temperature"}},
		{"retries", func(j *providers.ChatJob) { j.Retries = 6 }, providers.KindConfig, []string{"call_retries is 6", "0..5"}},
		{"timeout", func(j *providers.ChatJob) { j.Timeout = -1 }, providers.KindConfig, []string{"timeout"}},
		{"cache size", func(j *providers.ChatJob) { j.CacheMaxBytes = -1 }, providers.KindConfig, []string{"cache_max_bytes"}},
		{"mode", func(j *providers.ChatJob) { j.FormatMode = "yaml" }, providers.KindConfig, []string{`response_format is "yaml"`, `"json_object"`}},
		{"form", func(j *providers.ChatJob) { j.Format.Kind = "yaml" }, providers.KindConfig, []string{`"yaml"`}},
		{"schema that is none", schema("a", `[1]`), providers.KindConfig, []string{"not a JSON object"}},
		{"schema cut", schema("a", `{"type":`), providers.KindConfig, []string{"not a JSON object"}},
		{"schema name", schema("a b", `{}`), providers.KindConfig, []string{"name of the schema"}},
		{"schema asked for without one", func(j *providers.ChatJob) { j.FormatMode = "json_schema" }, providers.KindConfig, []string{"response_schema"}},
		{"unknown provider", func(j *providers.ChatJob) { j.Provider = "nobody" }, providers.KindConfig, []string{`"nobody"`, "allowed are", s.Vendor().Name}},
		{"no provider", func(j *providers.ChatJob) { j.Provider = "" }, providers.KindConfig, []string{"set provider", s.Vendor().Name}},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHarness(t, s, goodChat(s))
			job := h.chatJob()
			c.edit(&job)
			got, err := h.chat(job)
			mustFail(t, got, err, c.kind)
			mustSay(t, err, c.says...)
			if len(h.seen()) != 0 || h.tokens != 0 {
				t.Errorf("%d requests were made", len(h.seen())+h.tokens)
			}
		})
	}
}
