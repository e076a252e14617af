package ai

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/nodetest"
	"github.com/ironflow/ironflow/nodes/value"
	vendors "github.com/ironflow/ironflow/providers/builtin"
)

// server answers embedding requests; vector makes the vector of a text.
func server(t *testing.T, vector func(text string) string) (address string, requests *atomic.Int64) {
	t.Helper()
	requests = &atomic.Int64{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		requests.Add(1)
		body, _ := io.ReadAll(r.Body)
		var in struct{ Input []string }
		_ = json.Unmarshal(body, &in)
		items := make([]string, len(in.Input))
		for i, text := range in.Input {
			items[i] = fmt.Sprintf(`{"index":%d,"embedding":%s}`, i, vector(text))
		}
		fmt.Fprintf(w, `{"data":[%s],"usage":{"prompt_tokens":%d,"total_tokens":%d}}`, strings.Join(items, ","), len(in.Input), len(in.Input))
	}))
	t.Cleanup(s.Close)
	return s.URL, requests
}

// bench is a bench with all vendors, whose openai address is the server's.
func bench(t testing.TB, address string) *nodetest.Bench {
	b := nodetest.New(t)
	b.Vars["OPENAI_BASE_URL"] = address + "/v1"
	b.UseVendors(vendors.Vendors()...)
	return b
}

func plain(t *testing.T, v any) any {
	t.Helper()
	text, err := value.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out any
	if err := json.Unmarshal(text, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func want(t *testing.T, out map[string]any, key, jsonText string) {
	t.Helper()
	got, ok := out[key]
	if !ok {
		t.Errorf("%s is not published", key)
		return
	}
	var w any
	if err := json.Unmarshal([]byte(jsonText), &w); err != nil {
		t.Fatal(err)
	}
	if g := plain(t, got); !reflect.DeepEqual(g, w) {
		t.Errorf("%s = %v, want %v", key, g, w)
	}
}

func TestSpecs(t *testing.T) {
	reg := nodes.NewRegistry()
	if err := Register(reg, vendors.Vendors()); err != nil {
		t.Fatal(err)
	}
	for _, n := range reg.List() {
		nodetest.CheckSpec(t, &n.Spec)
	}
}

func TestEmbed(t *testing.T) {
	address, requests := server(t, func(text string) string { return fmt.Sprintf("[%d,3]", len(text)) })
	node := embedNode(vendors.Vendors())
	for _, tt := range []struct {
		name   string
		params map[string]any
		ctx    map[string]any
		want   map[string]string
	}{
		{"an array keeps its order", map[string]any{"source_key": "texts", "batch_size": 2},
			map[string]any{"texts": []any{"a", "bbb", "cc"}},
			map[string]string{"embed": "[[1,3],[3,3],[2,3]]", "embed_count": "3", "embed_dimension": "2",
				"embed_success": "true", "embed_model": `"text-embedding-3-small"`, "embed_embeddings": "[[1,3],[3,3],[2,3]]",
				"embed_usage": `{"input_tokens":3,"total_tokens":3}`}},
		{"a string", map[string]any{"source_key": "text"}, map[string]any{"text": "four"},
			map[string]string{"embed": "[[4,3]]", "embed_count": "1"}},
		{"the earlier name of the source", map[string]any{"input_key": "text", "output_key": "v"}, map[string]any{"text": "four"},
			map[string]string{"v": "[[4,3]]"}},
		{"a path", map[string]any{"source_key": "doc.parts[1]"}, map[string]any{"doc": map[string]any{"parts": []any{"a", "bb"}}},
			map[string]string{"embed": "[[2,3]]"}},
		{"a field of objects", map[string]any{"source_key": "rows", "text_field": "body"},
			map[string]any{"rows": []any{map[string]any{"body": "x"}, map[string]any{"body": "yy"}}},
			map[string]string{"embed": "[[1,3],[2,3]]"}},
		{"unit length", map[string]any{"source_key": "text", "normalize": true}, map[string]any{"text": "four"},
			map[string]string{"embed": "[[0.8,0.6]]"}},
		{"a prefix", map[string]any{"source_key": "text", "prefix": "q: "}, map[string]any{"text": "four"},
			map[string]string{"embed": "[[7,3]]"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.params["provider"] = "openai"
			out, err := bench(t, address).Run(node, tt.params, tt.ctx)
			if err != nil {
				t.Fatal(err)
			}
			for k, v := range tt.want {
				want(t, out, k, v)
			}
		})
	}
	t.Run("nothing to embed makes no request", func(t *testing.T) {
		before := requests.Load()
		for _, empty := range []any{[]any{}, map[string]any{}} {
			out, err := bench(t, address).Run(node, map[string]any{"source_key": "texts", "provider": "openai"}, map[string]any{"texts": empty})
			if err != nil {
				t.Fatal(err)
			}
			want(t, out, "embed", "[]")
			want(t, out, "embed_count", "0")
			want(t, out, "embed_dimension", "0")
		}
		if requests.Load() != before {
			t.Error("a request was made")
		}
	})
}

func TestEmbedErrors(t *testing.T) {
	address, requests := server(t, func(string) string { return "[1,2]" })
	node := embedNode(vendors.Vendors())
	for _, tt := range []struct {
		name   string
		params map[string]any
		ctx    map[string]any
		want   string
		sent   int64
	}{
		{"unknown provider", map[string]any{"source_key": "t", "provider": "opnai"}, nil, `did you mean "openai"`, 0},
		{"both names of the source", map[string]any{"source_key": "t", "input_key": "t", "provider": "openai"}, nil, "give only one of them", 0},
		{"no such key", map[string]any{"source_key": "txts", "provider": "openai"}, map[string]any{"texts": "x"}, `did you mean "texts"`, 0},
		{"wrong type", map[string]any{"source_key": "t", "provider": "openai"}, map[string]any{"t": true}, "holds true, want a string or an array of strings", 0},
		{"wrong element", map[string]any{"source_key": "t", "provider": "openai"}, map[string]any{"t": []any{"a", nil}}, "element 2 is null, want a string", 0},
		{"object without text_field", map[string]any{"source_key": "t", "provider": "openai"}, map[string]any{"t": []any{map[string]any{"a": "b"}}}, "name the member with text_field", 0},
		{"field missing", map[string]any{"source_key": "t", "provider": "openai", "text_field": "x"}, map[string]any{"t": []any{map[string]any{"a": "b"}}}, `element 1 has no string in its member "x"`, 0},
		{"blank text", map[string]any{"source_key": "t", "provider": "openai"}, map[string]any{"t": []any{"a", "\n\t "}}, "text 2 is empty or white space alone", 0},
		{"text over the budget", map[string]any{"source_key": "t", "provider": "openai", "batch_max_bytes": 4}, map[string]any{"t": []any{"a", "bcdef"}}, "batch_max_bytes", 0},
		{"batch_size out of range", map[string]any{"source_key": "t", "provider": "openai", "batch_size": 2049}, nil, "got 2049, allowed: 1..2048", 0},
		{"timeout zero", map[string]any{"source_key": "t", "provider": "openai", "timeout": 0}, nil, "got 0, allowed: above 0", 0},
		{"dimension not kept", map[string]any{"source_key": "t", "provider": "openai", "dimensions": 7}, map[string]any{"t": "x"}, "dimensions", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := requests.Load()
			out, err := bench(t, address).Run(node, tt.params, tt.ctx)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
			if out != nil {
				t.Errorf("published %v", out)
			}
			if got := requests.Load() - before; got != tt.sent {
				t.Errorf("%d requests, want %d", got, tt.sent)
			}
		})
	}
}

// TestProviderParameters: a key in the flow is never printed, and a parameter
// of another provider is a warning.
func TestProviderParameters(t *testing.T) {
	address, _ := server(t, func(string) string { return "[1,2]" })
	node := embedNode(vendors.Vendors())
	b := bench(t, address)
	out, err := b.Run(node, map[string]any{"source_key": "t", "provider": "openai", "api_key": "sk-very-secret-key", "ollama_host": "127.0.0.1"}, map[string]any{"t": "x"})
	if err != nil || out == nil {
		t.Fatal(err)
	}
	if got := b.Env.Redactor.Redact("the key is sk-very-secret-key"); strings.Contains(got, "sk-very") {
		t.Errorf("the redactor did not learn the key: %s", got)
	}
	problems := nodes.Check(&node.Spec, map[string]any{"source_key": "t", "provider": "openai", "ollama_host": "127.0.0.1"})
	if len(problems) != 1 || problems[0].Severity != nodes.Warning || !strings.Contains(problems[0].Message, `provider="ollama"`) {
		t.Errorf("problems: %v", problems)
	}
	problems = nodes.Check(&node.Spec, map[string]any{"source_key": "t", "provider": "openai", "api_key": map[string]any{"k": "sk-very-secret-key"}})
	if len(problems) != 1 || strings.Contains(problems[0].String(), "very-secret") {
		t.Errorf("problems: %v", problems)
	}
}

func TestProgress(t *testing.T) {
	address, _ := server(t, func(string) string { return "[1,2]" })
	b := bench(t, address)
	_, err := b.Run(embedNode(vendors.Vendors()), map[string]any{"source_key": "t", "provider": "openai", "batch_size": 1}, map[string]any{"t": []any{"a", "b"}})
	if err != nil {
		t.Fatal(err)
	}
	want := []nodetest.Report{{Done: 1, Total: 2, Unit: "batch"}, {Done: 2, Total: 2, Unit: "batch"}}
	if got := b.Reports(); !reflect.DeepEqual(got, want) {
		t.Errorf("reports %v, want %v", got, want)
	}
}

// TestDefaultProvider: the model inside the binary is the default, and what the
// environment suggests changes nothing.
func TestDefaultProvider(t *testing.T) {
	address, requests := server(t, func(string) string { return "[1,2]" })
	b := bench(t, address)
	b.Vars["OPENAI_API_KEY"] = "sk-0123456789"
	for range 2 {
		out, err := b.Run(embedNode(vendors.Vendors()), map[string]any{"source_key": "t"}, map[string]any{"t": []any{"The tide turns.", "High water."}})
		if err != nil {
			t.Fatal(err)
		}
		want(t, out, "embed_dimension", "512")
		want(t, out, "embed_model", `"hybrid"`)
	}
	if requests.Load() != 0 {
		t.Error("a request was made")
	}
	out, err := b.Run(semanticNode(vendors.Vendors()), map[string]any{"source_key": "t", "detector": "topic"}, map[string]any{"t": document()})
	if err != nil {
		t.Fatal(err)
	}
	want(t, out, "semantic_count", "2")
}

// TestCache: a second run sends nothing, one new text sends one text.
func TestCache(t *testing.T) {
	address, requests := server(t, func(text string) string { return fmt.Sprintf("[%d,3]", len(text)) })
	dir := t.TempDir()
	run := func(texts ...any) map[string]any {
		out, err := bench(t, address).Run(embedNode(vendors.Vendors()), map[string]any{"source_key": "t", "provider": "openai", "cache_dir": dir}, map[string]any{"t": texts})
		if err != nil {
			t.Fatal(err)
		}
		return out
	}
	run("a", "bb")
	want(t, run("a", "bb"), "embed", "[[1,3],[2,3]]")
	if got := requests.Load(); got != 1 {
		t.Errorf("%d requests for the same texts twice, want 1", got)
	}
	want(t, run("a", "ccc", "bb"), "embed", "[[1,3],[3,3],[2,3]]")
	if got := requests.Load(); got != 2 {
		t.Errorf("%d requests after one new text, want 2", got)
	}
}
