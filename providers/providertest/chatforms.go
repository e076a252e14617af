package providertest

import (
	"encoding/json"
	"strings"
	"sync"
	"testing"

	"github.com/ironflow/ironflow/providers"
)

// aSchema is a form of answer for tests.
func aSchema() providers.ResponseFormat {
	return providers.ResponseFormat{
		Kind: providers.FormatJSONSchema, Name: "facts",
		Schema: json.RawMessage(`{"type":"object","properties":{"facts":{"type":"array"}},"required":["facts"]}`),
	}
}

// form is the form that a request asks for, as a mode.
func (c ChatSubject) form(r Request) string {
	switch {
	case strings.Contains(r.Body, c.SchemaMark):
		return providers.ModeJSONSchema
	case strings.Contains(r.Body, c.ObjectMark):
		return providers.ModeJSONObject
	case strings.Contains(r.Body, c.NoMark):
		return "?"
	}
	return providers.ModeNone
}

// testForms checks what the modes ask for.
func testForms(t *testing.T, s Subject) {
	object := providers.ResponseFormat{Kind: providers.FormatJSONObject}
	for _, c := range []struct {
		name   string
		format providers.ResponseFormat
		mode   string
		want   string
	}{
		{"none wanted", providers.ResponseFormat{}, "", providers.ModeNone},
		{"schema", aSchema(), "", providers.ModeJSONSchema},
		{"schema, auto", aSchema(), "auto", providers.ModeJSONSchema},
		{"schema, insisted on", aSchema(), "json_schema", providers.ModeJSONSchema},
		{"schema, object", aSchema(), "json_object", providers.ModeJSONObject},
		{"schema, none", aSchema(), "none", providers.ModeNone},
		{"object", object, "auto", providers.ModeJSONObject},
		{"object, none", object, "none", providers.ModeNone},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHarness(t, s, goodChat(s))
			job := h.chatJob()
			job.Format, job.FormatMode = c.format, c.mode
			got, err := h.chat(job)
			checkSaid(t, got, err)
			if form := s.Chat.form(h.seen()[0]); form != c.want || got.FormatUsed != c.want {
				t.Errorf("asked for %q, result says %q, want %q: %s", form, got.FormatUsed, c.want, h.seen()[0].Body)
			}
		})
	}
}

// refusals are answers of servers that do not want to be asked for a form.
func refusals() map[string]reply {
	return map[string]reply{
		"OpenAI":             {status: 400, body: `{"error":{"message":"Invalid parameter: 'response_format' of type 'json_schema' is not supported with this model.","type":"invalid_request_error","param":"response_format","code":null}}`},
		"llama.cpp, type":    {status: 400, body: `{"error":{"code":400,"message":"response_format type must be one of \"text\" or \"json_object\", but got: json_schema","type":"invalid_request_error"}}`},
		"llama.cpp, schema":  {status: 400, body: `{"error":{"code":400,"message":"JSON schema conversion failed:\nUnresolved ref","type":"invalid_request_error"}}`},
		"pydantic":           {status: 422, body: `{"detail":[{"loc":["body","response_format","type"],"msg":"unexpected value; permitted: 'json_object'"}]}`},
		"not implemented":    {status: 501, body: `{"error":{"message":"not implemented"}}`},
		"Ollama, schema":     {status: 500, body: `{"error":"invalid JSON schema in format"}`},
		"Ollama, form":       {status: 500, body: `{"error":"invalid format: \"\\\"yaml\\\"\"; expected \"json\" or a valid JSON Schema object"}`},
		"stream of one line": {status: 200, body: `{"error":"invalid JSON schema in format"}`},
	}
}

// testFormsRefused checks that a refused form is asked for once for each
// address and model, and only where the job leaves it open.
func testFormsRefused(t *testing.T, s Subject) {
	for name, refusal := range refusals() {
		for _, last := range []string{providers.ModeJSONObject, providers.ModeNone} {
			t.Run(name+", takes "+last, func(t *testing.T) {
				h := newHarness(t, s, func(r Request) reply {
					if form := s.Chat.form(r); form == providers.ModeNone || form == last {
						return reply{body: s.Chat.Answer(quoted(said), "stop")}
					}
					return refusal
				})
				job := h.chatJob()
				job.Format, job.Retries = aSchema(), 2
				first := 2
				if last == providers.ModeNone {
					first = 3
				}
				for calls := range 3 {
					got, err := h.chat(job)
					checkSaid(t, got, err)
					if n := len(h.seen()); n != first+calls {
						t.Fatalf("%d requests after %d calls, want %d", n, calls+1, first+calls)
					}
					if got.FormatUsed != last || got.Retries != 0 || (len(got.Notes) > 0) != (calls == 0) {
						t.Errorf("call %d: %+v", calls, got)
					}
				}
				// Another model at the same address is asked anew.
				job.Model = "other"
				got, err := h.chat(job)
				checkSaid(t, got, err)
				if n := len(h.seen()); n != 2*first+2 {
					t.Errorf("%d requests, want %d", n, 2*first+2)
				}
			})
		}
		for _, mode := range []string{providers.ModeJSONSchema, providers.ModeJSONObject} {
			t.Run(name+", "+mode+" insisted on", func(t *testing.T) {
				h := newHarness(t, s, func(Request) reply { return refusal })
				job := h.chatJob()
				job.Format, job.FormatMode, job.Retries = aSchema(), mode, 2
				got, err := h.chat(job)
				if got != nil || err == nil {
					t.Errorf("%+v, %v", got, err)
				}
				if n := len(h.seen()); n != 1 {
					t.Errorf("%d requests, want 1", n)
				}
			})
		}
	}
	for name, rep := range map[string]reply{
		"a bad request of another sort": {status: 400, body: `{"error":{"message":"bad temperature","type":"invalid_request_error","param":"temperature"}}`},
		"too long":                      {status: 400, body: `{"error":{"message":"maximum context length; response_format","code":"context_length_exceeded"}}`},
		"wrong key":                     {status: 401, body: `{"error":{"message":"response_format"}}`},
		"wrong model":                   {status: 501, body: `{"error":{"message":"This server does not support completions. Start it without --embeddings"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t, s, func(Request) reply { return rep })
			job := h.chatJob()
			job.Format = aSchema()
			got, err := h.chat(job)
			mustFail(t, got, err, providers.KindStatus)
			for _, r := range h.seen() {
				if s.Chat.form(r) != providers.ModeJSONSchema {
					t.Errorf("the form was given up: %s", r.Body)
				}
			}
		})
	}
	t.Run("refused always", func(t *testing.T) {
		h := newHarness(t, s, func(Request) reply { return refusals()["OpenAI"] })
		job := h.chatJob()
		job.Format = aSchema()
		got, err := h.chat(job)
		mustFail(t, got, err, providers.KindStatus)
		mustSay(t, err, "after 3 attempts", "HTTP status 400")
	})
	t.Run("many at once", func(t *testing.T) {
		h := newHarness(t, s, func(r Request) reply {
			if s.Chat.form(r) == providers.ModeNone {
				return reply{body: s.Chat.Answer(quoted(said), "stop")}
			}
			return refusals()["OpenAI"]
		})
		job := h.chatJob()
		job.Format = aSchema()
		var wg sync.WaitGroup
		for range 8 {
			wg.Go(func() {
				if got, err := h.chat(job); err != nil || got.Text != said {
					t.Errorf("%+v, %v", got, err)
				}
			})
		}
		wg.Wait()
	})
}
