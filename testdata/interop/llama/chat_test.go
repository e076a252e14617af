//go:build interop

package llama

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ironflow/ironflow/providers"
	"github.com/ironflow/ironflow/testdata/interop/stand"
	"github.com/ironflow/ironflow/transport"
)

// chatter starts the instruct model behind a proxy that counts.
func chatter(t *testing.T, ctx int) (*stand.Server, *providers.Set, *stand.Watch) {
	t.Helper()
	model, _ := stand.ChatModel(t)
	server, url := serve(t, options{model: model, ctx: ctx})
	return server, stand.NewSet(t, transport.Policy{}), stand.NewWatch(t, url, nil)
}

func question(w *stand.Watch, text string, tokens int) providers.ChatJob {
	zero := 0.0
	return providers.ChatJob{
		Provider: "openai", Params: map[string]any{"base_url": w.URL + "/v1"}, Model: "smol",
		Messages: []providers.Message{{Role: providers.RoleUser, Content: text}}, MaxTokens: tokens, Temperature: &zero,
	}
}

// TestChat: temperature 0 arrives as 0.
func TestChat(t *testing.T) {
	_, s, w := chatter(t, 512)
	var texts []string
	for range 2 {
		got, err := s.Chat(t.Context(), question(w, "Say hello.", 60))
		if err != nil {
			t.Fatal(err)
		}
		if got.Text == "" || got.Finish != providers.FinishStop && got.Finish != providers.FinishLength || got.Usage == nil || got.Usage.OutputTokens == 0 || got.Usage.InputTokens < 10 {
			t.Errorf("finish %q, usage %+v", got.Finish, got.Usage)
		}
		texts = append(texts, got.Text)
	}
	if texts[0] != texts[1] {
		t.Errorf("at temperature 0 the answers are %q", texts)
	}
	seen := w.Seen()
	if len(seen) != 2 || !strings.Contains(seen[0].Request, `"temperature":0`) {
		t.Errorf("%d requests, the first: %s", len(seen), seen[0].Request)
	}
	report.Add(t, "llama.cpp", version, "`temperature=0`, asked twice", seen[0].Said()+", the same answer twice", "0 is sent as 0; text, usage and finish reason are read")
}

const personSchema = `{ type = "object", additionalProperties = false, required = { "name", "age" },
    properties = { name = { type = "string", minLength = 1, maxLength = 40 }, age = { type = "integer", minimum = 0, maximum = 150 } } }`

func askFlow(schema string, tokens int) string {
	return fmt.Sprintf(`
local flow = Flow.new("f")
flow:step("ask", nodes.llm({
  provider = "openai", model = "smol", max_tokens = %d,
  prompt = "Extract the person as JSON with name and age: ${ctx.text}",
  response_schema = %s,
}))
return flow`, tokens, schema)
}

// TestSchema runs the node llm with a JSON schema.
func TestSchema(t *testing.T) {
	_, _, w := chatter(t, 1024)
	got := ironflow.Flow(t, []string{"OPENAI_BASE_URL=" + w.URL + "/v1"}, askFlow(personSchema, 60),
		"--set", "text=Anna Berg is 41 years old and mends clocks.", "--quiet", "--print", "llm_json")
	var person struct {
		Name string
		Age  *int
	}
	got.JSON(t, &person)
	if person.Name == "" || person.Age == nil || *person.Age > 150 {
		t.Errorf("got %s", got.Stdout)
	}
	seen := w.Seen()
	if len(seen) != 1 || !strings.Contains(seen[0].Request, `"json_schema"`) {
		t.Errorf("%d requests", len(seen))
	}
	report.Add(t, "llama.cpp", version, "node `llm` with a JSON schema", seen[0].Said()+", JSON of that schema", "one request; the answer is checked and published as data")
}

// TestSchemaFaults: a 200 that is not what was asked for publishes nothing.
func TestSchemaFaults(t *testing.T) {
	_, _, w := chatter(t, 1024)
	for _, c := range []struct {
		what, schema string
		tokens       int
		wants        []string
		requests     int
		said         string
	}{
		{"schema, `max_tokens` too small", personSchema, 4, []string{"cut", "max_tokens"}, 1, `200, half a JSON text, finish_reason "length"`},
		{"schema with a keyword that the server ignores (`not`)", `{ type = "object", required = { "n" }, additionalProperties = false,
    properties = { n = { type = "integer", minimum = 0, maximum = 9, ["not"] = { type = "integer" } } } }`, 60, []string{"schema"}, 1, "200, JSON that breaks the schema"},
		{"unresolvable `$ref`", `{ ["$ref"] = "#/$defs/none" }`, 60, []string{"$defs/none"}, 0, "not asked"},
	} {
		got := ironflow.Flow(t, []string{"OPENAI_BASE_URL=" + w.URL + "/v1"}, askFlow(c.schema, c.tokens), "--set", "text=Anna Berg is 41.", "--quiet")
		seen := w.Seen()
		if got.Code == 0 {
			t.Errorf("%s: no error", c.what)
			continue
		}
		for _, want := range append(c.wants, "ask") {
			if !strings.Contains(got.Stderr, want) {
				t.Errorf("%s: the error does not say %q:\n%s", c.what, want, got.Stderr)
			}
		}
		if len(seen) != c.requests {
			t.Errorf("%s: %d requests, want %d", c.what, len(seen), c.requests)
		}
		report.Add(t, "llama.cpp", version, c.what, c.said, stand.LastLine(got.Stderr))
	}
}

// TestChatTooLong: more messages than the context holds.
func TestChatTooLong(t *testing.T) {
	_, s, w := chatter(t, 512)
	job := question(w, strings.Repeat("long word ", 600), 10)
	job.Retries = 2
	_, err := s.Chat(t.Context(), job)
	seen := w.Seen()
	if err == nil || len(seen) != 1 || !strings.Contains(err.Error(), "(context_length_exceeded)") || !strings.Contains(err.Error(), "make them shorter") {
		t.Fatalf("%d requests, %v", len(seen), err)
	}
	report.Add(t, "llama.cpp", version, "messages longer than the context", seen[0].Said(), "not retried: "+err.Error())
}

// TestRefusedFormat: a form of answer that the server does not know.
func TestRefusedFormat(t *testing.T) {
	_, s, w := chatter(t, 1024)
	w.EditRequest = func(body string) string {
		return strings.Replace(body, `"type":"json_object"`, `"type":"yaml"`, 1)
	}
	job := question(w, "Give me a JSON object with one member.", 30)
	job.Format.Kind, job.Retries = providers.FormatJSONObject, 2
	got, err := s.Chat(t.Context(), job)
	seen := w.Seen()
	if err != nil || len(seen) != 2 || seen[0].Status != 400 || got.FormatUsed != providers.ModeNone || len(got.Notes) == 0 {
		t.Fatalf("%d requests, %v", len(seen), err)
	}
	report.Add(t, "llama.cpp", version, "a `response_format` that it does not know", seen[0].Said(), "asked once more without it; note: "+got.Notes[0].String())
}

// streamed makes the server stream although IronFlow does not ask for it.
func streamed(body string) string {
	var fields map[string]any
	if json.Unmarshal([]byte(body), &fields) != nil {
		return body
	}
	fields["stream"] = true
	fields["stream_options"] = map[string]any{"include_usage": true}
	out, _ := json.Marshal(fields)
	return string(out)
}

// TestStream reads the server's own stream: it is the answer without one.
func TestStream(t *testing.T) {
	_, s, w := chatter(t, 512)
	job := question(w, "Name three rivers of Europe.", 60)
	plain, err := s.Chat(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	w.Seen()
	w.EditRequest = streamed
	got, err := s.Chat(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	seen := w.Seen()
	if !strings.Contains(seen[0].Answer, "data: [DONE]") || !strings.Contains(seen[0].Answer, `"choices":[]`) {
		t.Fatalf("the server did not stream as it was seen to: %.300s", seen[0].Answer)
	}
	if got.Text != plain.Text || got.Finish != plain.Finish || got.Usage == nil || got.Usage.OutputTokens != plain.Usage.OutputTokens {
		t.Errorf("streamed %q %q %+v, plain %q %q %+v", got.Text, got.Finish, got.Usage, plain.Text, plain.Finish, plain.Usage)
	}
	report.Add(t, "llama.cpp", version, "a stream with usage", "200, first `content` null, usage in a last chunk without choices, [DONE]", "text, finish reason and usage as without a stream")
}

// TestKilled ends the server in the middle of an answer, streamed or not.
func TestKilled(t *testing.T) {
	for _, stream := range []bool{true, false} {
		server, s, w := chatter(t, 2048)
		if stream {
			w.EditRequest = streamed
		}
		job := question(w, "Write a very long story about a lighthouse keeper and his dog.", 1500)
		killed := make(chan struct{})
		go func() {
			defer close(killed)
			for start := time.Now(); w.Streaming() < 2000 && time.Since(start) < 20*time.Second; time.Sleep(20 * time.Millisecond) {
				if !stream && time.Since(start) > time.Second {
					break
				}
			}
			server.Kill()
		}()
		got, err := s.Chat(t.Context(), job)
		<-killed
		seen := w.Seen()
		var pe *providers.Error
		if err == nil || !errors.As(err, &pe) {
			t.Fatalf("stream %v: a killed server gave %+v, %v", stream, got, err)
		}
		if stream && (len(seen) == 0 || len(seen[0].Answer) < 2000 || strings.Contains(seen[0].Answer, "[DONE]")) {
			t.Errorf("the server was not killed in the middle of its stream")
		}
		what := "killed while it answers"
		if stream {
			what = "killed while it streams"
		}
		report.Add(t, "llama.cpp", version, what, "the connection ends without an end mark", err.Error())
	}
}
