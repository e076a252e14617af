package ai

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/chunking/agentic/adversary"
	agenticrules "github.com/ironflow/ironflow/nodes/chunking/agentic/rules"
	"github.com/ironflow/ironflow/nodes/chunking/agentic/script"
	"github.com/ironflow/ironflow/nodes/chunking/agentic/suite"
	"github.com/ironflow/ironflow/nodes/chunking/verify"
	vendors "github.com/ironflow/ironflow/providers/builtin"
)

// playing serves a scripted model on loopback, in the format of OpenAI.
func playing(t *testing.T, m *script.Model) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		var in struct {
			Temperature *float64
			Messages    []struct{ Role, Content string }
		}
		if err := json.Unmarshal(body, &in); err != nil || len(in.Messages) != 2 || in.Temperature == nil || *in.Temperature != 0 {
			t.Errorf("a request that is none: %v %s", err, body)
			w.WriteHeader(http.StatusBadRequest)
			return
		}
		said := m.Answer(in.Messages[0].Content, in.Messages[1].Content)
		message := map[string]any{"role": "assistant", "content": said.Text}
		if said.Refused {
			message = map[string]any{"role": "assistant", "content": nil, "refusal": "No."}
		}
		finish := "stop"
		if said.Cut {
			finish = "length"
		}
		_ = json.NewEncoder(w).Encode(map[string]any{
			"model":   "test",
			"choices": []any{map[string]any{"index": 0, "message": message, "finish_reason": finish}},
			"usage":   map[string]any{"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15},
		})
	}))
	t.Cleanup(s.Close)
	return s.URL
}

// TestAgenticAdversaries plays a sample of the attacks against the node, through
// a server: what is published keeps the rules, and the report counts.
func TestAgenticAdversaries(t *testing.T) {
	reg := nodes.NewRegistry()
	if err := Register(reg, vendors.Vendors()); err != nil {
		t.Fatal(err)
	}
	node, ok := reg.Lookup("ai_chunk_agentic")
	if !ok {
		t.Fatal("there is no such node")
	}
	cases, err := suite.Cases()
	if err != nil {
		t.Fatal(err)
	}
	attacks := append(adversary.Attacks(), adversary.Mixed(adversary.Attacks()))
	for i, a := range attacks {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			c := &cases[[]int{2, 6, 20, 27, 28, 31}[i%6]]
			m := adversary.Play(a, c.Sentences(), c.Answers[0].Statements, i%2 == 0, uint64(i))
			inputs := make([]any, len(c.Inputs))
			for k, in := range c.Inputs {
				inputs[k] = map[string]any{"chunk_id": in.ID, "text": in.Text}
			}
			params := map[string]any{"source_key": "document", "output_key": "parts", "document_id": "doc", "provider": "openai", "batch_max_bytes": 400}
			out, err := bench(t, playing(t, m)).Run(*node, params, map[string]any{"document": inputs})
			if err != nil {
				t.Fatal(err)
			}
			p, err := suite.ReadPublished(out, "parts", c.Document())
			if err != nil {
				t.Fatal(err)
			}
			broken, err := agenticrules.Check(c.Document(), p.Chunks, verify.Options{Language: "auto"})
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range broken {
				t.Errorf("%s: a rule is broken: %v", c.ID, v)
			}
			for _, v := range adversary.NewOracle(c.Inputs).Violations(p.Chunks) {
				t.Errorf("%s: the oracle: %s", c.ID, v)
			}
			if p.Counts["covered"] != p.Counts["sentences"] || p.Counts["sentences"] != len(c.Sentences()) {
				t.Errorf("%s: %d of %d sentences covered, the document has %d", c.ID, p.Counts["covered"], p.Counts["sentences"], len(c.Sentences()))
			}
			if p.Counts["calls"] != m.Calls() {
				t.Errorf("%s: the report counts %d calls, the server %d", c.ID, p.Counts["calls"], m.Calls())
			}
		})
	}
}
