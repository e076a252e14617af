package ai

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/nodetest"
	vendors "github.com/ironflow/ironflow/providers/builtin"
)

// model is a chat server whose answers a test gives, by the number of the
// request from 1: a whole body, or the content of a good answer.
type model struct {
	address string
	mu      sync.Mutex
	bodies  []string
}

// say is a good answer with this content.
func say(content string) string { return sayAs(strconv.Quote(content), "stop") }

func sayAs(content, finish string) string {
	return fmt.Sprintf(`{"choices":[{"message":{"role":"assistant","content":%s},"finish_reason":%q}],"model":"m-1","usage":{"prompt_tokens":4,"completion_tokens":2,"total_tokens":6}}`, content, finish)
}

func newModel(t *testing.T, answer func(n int) (status int, body string)) *model {
	t.Helper()
	m := &model{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		m.mu.Lock()
		m.bodies = append(m.bodies, string(body))
		n := len(m.bodies)
		m.mu.Unlock()
		status, text := answer(n)
		w.WriteHeader(status)
		_, _ = io.WriteString(w, text)
	}))
	t.Cleanup(s.Close)
	m.address = s.URL
	return m
}

func always(body string) func(int) (int, string) {
	return func(int) (int, string) { return 200, body }
}

// asked is the n-th request from 1.
func (m *model) asked(t *testing.T, n int) (messages []struct{ Role, Content string }, body string) {
	t.Helper()
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.bodies) < n {
		t.Fatalf("%d requests, want at least %d", len(m.bodies), n)
	}
	var in struct {
		Messages []struct{ Role, Content string }
	}
	if err := json.Unmarshal([]byte(m.bodies[n-1]), &in); err != nil {
		t.Fatal(err)
	}
	return in.Messages, m.bodies[n-1]
}

func (m *model) requests() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return len(m.bodies)
}

func llm(t *testing.T, m *model, params, ctx map[string]any) (*nodetest.Bench, map[string]any, error) {
	t.Helper()
	b := bench(t, m.address)
	p := map[string]any{"provider": "openai", "model": "m"}
	for k, v := range params {
		if p[k] = v; v == nil {
			delete(p, k)
		}
	}
	out, err := b.Run(llmNode(vendors.Vendors()), p, ctx)
	return b, out, err
}

func TestLLM(t *testing.T) {
	m := newModel(t, always(say("The tide turns.")))
	_, out, err := llm(t, m, map[string]any{"prompt": "What of ${ctx.thing}?", "system": "Be ${ctx.how}.", "max_tokens": 50}, map[string]any{"thing": "the tide", "how": "brief"})
	if err != nil {
		t.Fatal(err)
	}
	for key, v := range map[string]string{
		"llm_text": `"The tide turns."`, "llm_model": `"m"`, "llm_finish_reason": `"stop"`, "llm_success": "true",
		"llm_usage": `{"input_tokens":4,"output_tokens":2,"total_tokens":6}`,
	} {
		want(t, out, key, v)
	}
	if len(out) != 5 {
		t.Errorf("published %v", out)
	}
	messages, body := m.asked(t, 1)
	if len(messages) != 2 || messages[0].Role != "system" || messages[0].Content != "Be brief." || messages[1].Role != "user" || messages[1].Content != "What of the tide?" {
		t.Errorf("messages %+v", messages)
	}
	for _, part := range []string{`"temperature":0`, `"max_tokens":50`, `"stream":false`} {
		if !strings.Contains(body, part) {
			t.Errorf("body %s has no %s", body, part)
		}
	}
}

func TestLLMParameters(t *testing.T) {
	m := newModel(t, always(say("x")))
	_, out, err := llm(t, m, map[string]any{
		"messages": []any{
			map[string]any{"role": "user", "content": "1 ${ctx.a}"}, map[string]any{"role": "assistant", "content": "${ctx.data}"}, map[string]any{"role": "user", "content": "3"},
		},
		"output_key": "chat", "send_temperature": false, "max_tokens": 7, "max_tokens_field": "max_completion_tokens",
	}, map[string]any{"a": "b", "data": map[string]any{"n": 1}})
	if err != nil {
		t.Fatal(err)
	}
	want(t, out, "chat_text", `"x"`)
	messages, body := m.asked(t, 1)
	if len(messages) != 3 || messages[0].Content != "1 b" || messages[1].Role != "assistant" || messages[1].Content != `{"n":1}` {
		t.Errorf("messages %+v", messages)
	}
	if !strings.Contains(body, `"max_completion_tokens":7`) || strings.Contains(body, `"max_tokens"`) || strings.Contains(body, "temperature") {
		t.Errorf("body %s", body)
	}
	if _, _, err = llm(t, m, map[string]any{"prompt": "x", "temperature": 0.5}, nil); err != nil {
		t.Fatal(err)
	}
	if _, body = m.asked(t, 2); !strings.Contains(body, `"temperature":0.5`) {
		t.Errorf("body %s", body)
	}
}

func factsSchema() map[string]any {
	return map[string]any{
		"type": "object", "required": []any{"facts"}, "additionalProperties": false,
		"properties": map[string]any{"facts": map[string]any{
			"type": "array", "minItems": 1, "items": map[string]any{"type": "object", "required": []any{"text"},
				"properties": map[string]any{"text": map[string]any{"type": "string", "minLength": 3}, "n": map[string]any{"enum": []any{1, 2}}}},
		}},
	}
}

func TestLLMSchema(t *testing.T) {
	const good = `{"facts":[{"text":"The tide turns.","n":2}]}`
	for name, content := range map[string]string{
		"bare": good, "white space around, as grammars leave it": " \n" + good + "\t \n\n", "fence": "```json\n" + good + "\n```", "plain fence": "```\n" + good + "\n```\n",
		"thinking": "\n<think>\nhm { </thin\n</think>\n\n" + good, "thinking and fence": "<think></think>```json\n" + good + "```",
	} {
		t.Run(name, func(t *testing.T) {
			m := newModel(t, always(say(content)))
			_, out, err := llm(t, m, map[string]any{"prompt": "Facts?", "response_schema": factsSchema()}, nil)
			if err != nil {
				t.Fatal(err)
			}
			want(t, out, "llm_json", good)
			messages, body := m.asked(t, 1)
			if len(messages) != 2 || messages[0].Role != "system" || !strings.Contains(messages[0].Content, `JSON Schema:`+"\n"+`{"additionalProperties":false`) {
				t.Errorf("messages %+v", messages)
			}
			if !strings.Contains(body, `"type":"json_schema"`) || !strings.Contains(body, `"strict":false`) {
				t.Errorf("body %s", body)
			}
		})
	}
	t.Run("kept apart from the system message", func(t *testing.T) {
		m := newModel(t, always(say(good)))
		_, _, err := llm(t, m, map[string]any{"prompt": "Facts?", "system": "Be brief.", "response_schema": factsSchema(), "response_format": "none"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		messages, body := m.asked(t, 1)
		if len(messages) != 2 || !strings.HasPrefix(messages[0].Content, "Be brief.\n\nAnswer with one JSON document") || strings.Contains(body, "response_format") {
			t.Errorf("%s", body)
		}
	})
	t.Run("insisted on", func(t *testing.T) {
		m := newModel(t, always(say(good)))
		_, _, err := llm(t, m, map[string]any{"prompt": "Facts?", "response_schema": factsSchema(), "response_format": "json_schema"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if messages, _ := m.asked(t, 1); len(messages) != 1 {
			t.Errorf("messages %+v", messages)
		}
	})
	t.Run("any JSON", func(t *testing.T) {
		m := newModel(t, always(say(`[1,{"a":null}]`)))
		_, out, err := llm(t, m, map[string]any{"prompt": "x", "response_format": "json_object"}, nil)
		if err != nil {
			t.Fatal(err)
		}
		want(t, out, "llm_json", `[1,{"a":null}]`)
		if messages, body := m.asked(t, 1); !strings.Contains(messages[0].Content, "JSON") || !strings.Contains(body, `"type":"json_object"`) {
			t.Errorf("%s", body)
		}
	})
	t.Run("refused by the server", func(t *testing.T) {
		m := newModel(t, func(n int) (int, string) {
			if n < 3 {
				return 400, `{"error":{"param":"response_format","message":"no"}}`
			}
			return 200, say(good)
		})
		b, out, err := llm(t, m, map[string]any{"prompt": "x", "response_schema": factsSchema()}, nil)
		if err != nil {
			t.Fatal(err)
		}
		want(t, out, "llm_json", good)
		if log := b.Log.String(); !strings.Contains(log, "refuses response_format") || m.requests() != 3 {
			t.Errorf("%d requests, log %s", m.requests(), log)
		}
	})
}

// TestLLMAnswersThatAreNone: each is an error of its own, shows nothing of what
// the model wrote, and nothing is published.
func TestLLMAnswersThatAreNone(t *testing.T) {
	const secret = "SECRETMARKER"
	schema := map[string]any{"response_schema": factsSchema()}
	for _, tt := range []struct {
		name   string
		params map[string]any
		body   string
		want   string
	}{
		{"cut", nil, sayAs(`"`+secret+`"`, "length"), "cut at the limit on tokens; raise max_tokens"},
		{"spent on reasoning", nil, sayAs(`""`, "length"), "before the answer began"},
		{"empty", nil, sayAs(`null`, "stop"), "the answer is empty"},
		{"filtered", nil, sayAs(`"`+secret+`"`, "content_filter"), "content filter"},
		{"refused", nil, `{"choices":[{"message":{"content":null,"refusal":"` + secret + `"},"finish_reason":"stop"}]}`, "the model refused"},
		{"tool", nil, sayAs(`null`, "tool_calls"), "tool"},
		{"unclosed thinking", nil, say("<think>" + secret), "within or right behind the model's reasoning"},
		{"thinking alone", nil, say("<think>" + secret + "</think>\n"), "within or right behind the model's reasoning"},
		{"no JSON", schema, say(secret), "not valid JSON (line 1, column 1)"},
		{"prose around", schema, say("Here: {} " + secret), "not valid JSON"},
		{"cut JSON", schema, say(`{"facts":["` + secret), "not valid JSON"},
		{"duplicate document", schema, say(`{} {}`), "not valid JSON"},
		{"wrong type", schema, say(`["` + secret + `"]`), `response_schema: a value has type "array", want "object"`},
		{"missing", schema, say(`{}`), `response_schema: a required member is missing: ["facts"]`},
		{"more", schema, say(`{"facts":[{"text":"abc"}],"` + secret + `":1}`), "response_schema: a member is there that additionalProperties does not allow"},
		{"too few", schema, say(`{"facts":[]}`), "response_schema at /properties/facts: the rule minItems is broken"},
		{"deep", schema, say(`{"facts":[{"text":"abc"},{"text":7}]}`), `response_schema at /properties/facts/items/properties/text: a value has type "integer", want "string"`},
		{"short", schema, say(`{"facts":[{"text":"a"}]}`), "response_schema at /properties/facts/items/properties/text: the rule minLength is broken"},
		{"enum", schema, say(`{"facts":[{"text":"abc","n":"` + secret + `"}]}`), "response_schema at /properties/facts/items/properties/n: the rule enum is broken"},
		{"looks like the library's words", map[string]any{"response_schema": map[string]any{"type": "integer"}}, say(`"` + secret + ` has type \"` + secret + `: \""`), `a value has type "string", want "integer"`},
		{"one of several", map[string]any{"response_schema": map[string]any{"anyOf": []any{map[string]any{"type": "integer"}, map[string]any{"type": "array"}}}}, say(`{"` + secret + `":1}`), "the rule anyOf is broken"},
		{"nothing allowed", map[string]any{"response_schema": map[string]any{"properties": map[string]any{"a": false}}}, say(`{"a":"` + secret + `"}`), "at /properties/a: the rule not is broken"},
		{"null", map[string]any{"response_schema": map[string]any{"type": "string"}}, say(`null`), `a value has type "null", want "string"`},
		{"number", map[string]any{"response_schema": map[string]any{"minimum": 5}}, say(`4`), "the rule minimum is broken"},
		{"names of the model", map[string]any{"response_schema": map[string]any{"additionalProperties": map[string]any{"pattern": "^x"}}},
			say(`{"` + secret + `":"` + secret + `"}`), "response_schema at /additionalProperties: the rule pattern is broken"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m := newModel(t, always(tt.body))
			params := map[string]any{"prompt": "x"}
			for k, v := range tt.params {
				params[k] = v
			}
			b, out, err := llm(t, m, params, nil)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), `asking the model "m" failed: provider openai: `) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
			if strings.Contains(fmt.Sprintf("%v %+v %#v", err, err, err), secret) || strings.Contains(b.Log.String(), secret) {
				t.Errorf("the error shows the answer: %+v", err)
			}
			if out != nil {
				t.Errorf("published %v", out)
			}
			if m.requests() != 1 {
				t.Errorf("%d requests, want 1", m.requests())
			}
		})
	}
}

// TestLLMBadInput: no request is made.
func TestLLMBadInput(t *testing.T) {
	m := newModel(t, always(say("x")))
	for _, tt := range []struct {
		name   string
		params map[string]any
		want   string
	}{
		{"no provider", map[string]any{"prompt": "x", "provider": nil}, `provider: is required: who has the model ("openai", "ollama" or "oauth")`},
		{"local", map[string]any{"prompt": "x", "provider": "local"}, `want one of "openai", "ollama" or "oauth"`},
		{"neither", nil, "prompt: is required, or else messages"},
		{"both", map[string]any{"prompt": "x", "messages": []any{map[string]any{"role": "user", "content": "x"}}}, "cannot be combined"},
		{"empty prompt", map[string]any{"prompt": "${ctx.nothing}"}, "prompt: is empty"},
		{"blank system", map[string]any{"prompt": "x", "system": " ${ctx.nothing}"}, "system: is empty"},
		{"no messages", map[string]any{"messages": []any{}}, "messages"},
		{"role", map[string]any{"messages": []any{map[string]any{"role": "robot", "content": "x"}}}, `"robot"`},
		{"no content", map[string]any{"messages": []any{map[string]any{"role": "user"}}}, "content"},
		{"blank content", map[string]any{"messages": []any{map[string]any{"role": "user", "content": "x"}, map[string]any{"role": "user", "content": "${ctx.nothing}"}}}, "content of message 2 is empty"},
		{"misspelt member", map[string]any{"messages": []any{map[string]any{"role": "user", "content": "x", "rôle": "x"}}}, "rôle"},
		{"temperature", map[string]any{"prompt": "x", "temperature": 3}, "got 3, allowed: 0..2"},
		{"max_tokens", map[string]any{"prompt": "x", "max_tokens": 0}, "got 0, allowed: 1..10000000"},
		{"schema asked for without one", map[string]any{"prompt": "x", "response_format": "json_schema"}, "set response_schema"},
		{"schema of no type", map[string]any{"prompt": "x", "response_schema": map[string]any{"type": "text"}}, `response_schema: is no valid JSON Schema: response_schema.type is "text", allowed are`},
		{"rule of a wrong type", map[string]any{"prompt": "x", "response_schema": map[string]any{"properties": map[string]any{"a": map[string]any{"minimum": "1"}}}}, `is no valid JSON Schema: a string cannot stand at`},
		{"type within", map[string]any{"prompt": "x", "response_schema": map[string]any{"properties": map[string]any{"type": map[string]any{"anyOf": []any{map[string]any{"type": []any{"string", "float"}}}}}}}, `response_schema.properties.type.anyOf[0].type is "float"`},
		{"draft 2019-09", map[string]any{"prompt": "x", "response_schema": map[string]any{"$schema": "https://json-schema.org/draft/2019-09/schema"}}, `is of the draft "https://json-schema.org/draft/2019-09/schema", allowed are`},
		{"schema elsewhere", map[string]any{"prompt": "x", "response_schema": map[string]any{"$ref": "https://schemas.test/x.json"}}, "a schema elsewhere is not loaded"},
		{"schema in a file", map[string]any{"prompt": "x", "response_schema": map[string]any{"$ref": "file:///etc/passwd"}}, "a schema elsewhere is not loaded"},
		{"pattern", map[string]any{"prompt": "x", "response_schema": map[string]any{"pattern": "(?=x)"}}, "response_schema: is no valid JSON Schema"},
		{"oauth without a model", map[string]any{"prompt": "x", "provider": "oauth", "model": nil}, "model: is required"},
		{"cache size alone", map[string]any{"prompt": "x", "cache_max_bytes": 5}, "needs cache_dir"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, out, err := llm(t, m, tt.params, nil)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
			if out != nil {
				t.Errorf("published %v", out)
			}
		})
	}
	if m.requests() != 0 {
		t.Errorf("%d requests were made", m.requests())
	}
}

func TestLLMSchemaReferences(t *testing.T) {
	m := newModel(t, always(say(`{"a":{"a":{}}}`)))
	schema := map[string]any{
		"$schema": "http://json-schema.org/draft-07/schema#", "definitions": map[string]any{"node": map[string]any{"type": "object", "properties": map[string]any{"a": map[string]any{"$ref": "#/definitions/node"}}}},
		"$ref": "#/definitions/node",
	}
	if _, out, err := llm(t, m, map[string]any{"prompt": "x", "response_schema": schema}, nil); err != nil {
		t.Error(err)
	} else {
		want(t, out, "llm_json", `{"a":{"a":{}}}`)
	}
}

// TestLLMCache: a second run asks nothing; an answer that does not fit is not
// kept.
func TestLLMCache(t *testing.T) {
	m := newModel(t, func(n int) (int, string) {
		if n == 1 {
			return 200, say(`{"facts":[]}`)
		}
		return 200, say(`{"facts":[{"text":"abc"}]}`)
	})
	dir := t.TempDir()
	ask := func() error {
		_, out, err := llm(t, m, map[string]any{"prompt": "x", "response_schema": factsSchema(), "cache_dir": dir}, nil)
		if err == nil {
			want(t, out, "llm_json", `{"facts":[{"text":"abc"}]}`)
			want(t, out, "llm_usage", `{"input_tokens":4,"output_tokens":2,"total_tokens":6}`)
		}
		return err
	}
	if err := ask(); err == nil {
		t.Error("an answer that does not fit was taken")
	}
	for range 2 {
		if err := ask(); err != nil {
			t.Error(err)
		}
	}
	if m.requests() != 2 {
		t.Errorf("%d requests, want 2", m.requests())
	}
	files := 0
	if err := filepath.WalkDir(dir, func(_ string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files++
		}
		return err
	}); err != nil || files != 1 {
		t.Errorf("%d files, %v", files, err)
	}
}

// TestChatterLocal: for a node that also works without a model, the parameters
// of a call belong to the providers that have one.
func TestChatterLocal(t *testing.T) {
	node := nodes.Node{Spec: nodes.Spec{Name: "x", Params: newChatter(vendors.Vendors(), true).params()}}
	for provider, want := range map[string]int{"local": 3, "openai": 0, "ollama": 1} {
		problems := nodes.Check(&node.Spec, map[string]any{"provider": provider, "temperature": 0.5, "model": "m", "max_tokens_field": "max_tokens"})
		if len(problems) != want {
			t.Errorf("%s: %v, want %d", provider, problems, want)
		}
		for _, p := range problems {
			if p.Severity != nodes.Warning {
				t.Errorf("%s: %v", provider, p)
			}
		}
	}
}
