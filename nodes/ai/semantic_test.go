package ai

import (
	"strings"
	"testing"

	vendors "github.com/ironflow/ironflow/providers/builtin"
)

// twoTopics gives sentences about tea one axis and all others the other.
func twoTopics(text string) string {
	if strings.Contains(text, "tea") {
		return "[1,0]"
	}
	return "[0,1]"
}

func document() string {
	return strings.Repeat("The tea is strong. ", 8) + "\n\n" + strings.TrimSpace(strings.Repeat("The rail is worn.  ", 8))
}

func TestSemantic(t *testing.T) {
	address, requests := server(t, twoTopics)
	node := semanticNode(vendors.Vendors())
	tea, rail := strings.TrimSpace(strings.Repeat("The tea is strong. ", 8)), strings.TrimSpace(strings.Repeat("The rail is worn. ", 8))
	t.Run("joined with one space", func(t *testing.T) {
		out, err := bench(t, address).Run(node, map[string]any{"source_key": "doc", "provider": "openai"}, map[string]any{"doc": document()})
		if err != nil {
			t.Fatal(err)
		}
		want(t, out, "semantic", `["`+tea+`","`+rail+`"]`)
		want(t, out, "semantic_count", "2")
		want(t, out, "semantic_success", "true")
		if _, ok := out["semantic_explain"]; ok {
			t.Error("explained without being asked")
		}
	})
	t.Run("slices of the source, batches are no boundaries", func(t *testing.T) {
		params := map[string]any{"source_key": "doc", "provider": "openai", "text": "source", "explain": true, "batch_size": 5}
		out, err := bench(t, address).Run(node, params, map[string]any{"doc": document()})
		if err != nil {
			t.Fatal(err)
		}
		chunks, spans := plain(t, out["semantic"]).([]any), plain(t, out["semantic_spans"]).([]any)
		for i, c := range chunks {
			s := spans[i].(map[string]any)
			if slice := document()[int(s["start"].(float64)):int(s["stop"].(float64))]; slice != c {
				t.Errorf("chunk %d is %q, its span is %q", i+1, c, slice)
			}
		}
		if len(chunks) != 2 || chunks[0] != tea {
			t.Errorf("chunks %q", chunks)
		}
		explain := plain(t, out["semantic_explain"]).(map[string]any)
		if explain["sentences"] != 16.0 || len(explain["distance"].([]any)) != 15 || len(explain["smoothed"].([]any)) != 15 {
			t.Errorf("explain %v", explain)
		}
		candidate := explain["candidates"].([]any)[0].(map[string]any)
		if candidate["gap"] != 7.0 || candidate["kept"] != true || candidate["reason"] == "" {
			t.Errorf("candidate %v", candidate)
		}
	})
	t.Run("shortcuts make no request", func(t *testing.T) {
		before := requests.Load()
		for doc, chunks := range map[string]string{
			"": `[]`, " \n\t ": `[]`, " one sentence without an end ": `[" one sentence without an end "]`, "One sentence.": `["One sentence."]`,
		} {
			out, err := bench(t, address).Run(node, map[string]any{"source_key": "doc", "provider": "openai"}, map[string]any{"doc": doc})
			if err != nil {
				t.Fatal(err)
			}
			want(t, out, "semantic", chunks)
		}
		if requests.Load() != before {
			t.Error("a request was made")
		}
	})
}

func TestSemanticErrors(t *testing.T) {
	address, requests := server(t, func(text string) string {
		if strings.Contains(text, "odd") {
			return "[1]"
		}
		return "[1,0]"
	})
	node := semanticNode(vendors.Vendors())
	for _, tt := range []struct {
		name   string
		params map[string]any
		doc    any
		want   string
		sent   int64
	}{
		{"an array", map[string]any{}, []any{"a"}, "want a string", 0},
		{"even beyond the range", map[string]any{"sg_window": 502}, "A. B.", "sg_window: got 502, allowed: 1..501", 0},
		{"order", map[string]any{"poly_order": 0}, "A. B.", "poly_order: got 0, allowed: 1..10", 0},
		{"threshold", map[string]any{"threshold": 1.5}, "A. B.", "threshold: got 1.5, allowed: 0..1", 0},
		{"a sentence over the budget", map[string]any{"batch_max_bytes": 5}, "A. Much too long.", "batch_max_bytes", 0},
		{"mixed dimensions", map[string]any{}, "A. An odd one.", "provider openai", 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			before := requests.Load()
			tt.params["source_key"], tt.params["provider"] = "doc", "openai"
			out, err := bench(t, address).Run(node, tt.params, map[string]any{"doc": tt.doc})
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

func TestSemanticDetectors(t *testing.T) {
	address, _ := server(t, twoTopics)
	node := semanticNode(vendors.Vendors())
	for _, tt := range []struct {
		name   string
		params map[string]any
		count  string
		longer int // no chunk may have more characters; 0 = any
	}{
		{"topic", map[string]any{"detector": "topic", "min_distance": 1}, "2", 0},
		{"dp", map[string]any{"detector": "dp", "target_size": 150}, "2", 300},
		{"auto with a target is dp", map[string]any{"detector": "auto", "target_size": 150}, "2", 300},
		{"auto is topic", map[string]any{"detector": "auto"}, "2", 0},
		{"a hard limit on savgol", map[string]any{"max_size": 60}, "", 60},
		{"a limit below one sentence", map[string]any{"detector": "topic", "max_size": 7}, "", 7},
		{"a limit in tokens", map[string]any{"detector": "dp", "target_size": 12, "max_size": 20, "unit": "tokens"}, "", 0},
		{"overlap", map[string]any{"detector": "dp", "target_size": 150, "overlap": 1}, "2", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.params["source_key"], tt.params["provider"], tt.params["explain"] = "doc", "openai", true
			if tt.params["detector"] == nil {
				tt.params["text"] = "source"
			}
			out, err := bench(t, address).Run(node, tt.params, map[string]any{"doc": document()})
			if err != nil {
				t.Fatal(err)
			}
			if tt.count != "" {
				want(t, out, "semantic_count", tt.count)
			}
			spans := plain(t, out["semantic_spans"]).([]any)
			for i, c := range plain(t, out["semantic"]).([]any) {
				s := spans[i].(map[string]any)
				if got := document()[int(s["start"].(float64)):int(s["stop"].(float64))]; got != c {
					t.Errorf("chunk %d is %q, its span gives %q", i+1, c, got)
				}
				if tt.longer > 0 && len(c.(string)) > tt.longer {
					t.Errorf("chunk %d has %d characters, more than %d", i+1, len(c.(string)), tt.longer)
				}
			}
			explain := plain(t, out["semantic_explain"]).(map[string]any)
			if len(explain["curve"].([]any)) != 15 || explain["detector"] == "" {
				t.Errorf("explain %v", explain)
			}
		})
	}
	for _, tt := range []struct {
		params map[string]any
		want   string
	}{
		{map[string]any{"target_size": 100}, `target_size: has no effect with detector="savgol"`},
		{map[string]any{"detector": "topic", "target_size": 100}, `target_size: has no effect with detector="topic"`},
		{map[string]any{"detector": "topic", "threshold": 0.1}, `threshold: has no effect with detector="topic"`},
		{map[string]any{"detector": "dp"}, "target_size"},
		{map[string]any{"detector": "dp", "target_size": 100, "max_size": 50}, "target_size: got 100, allowed: at most max_size (50)"},
		{map[string]any{"min_size": 60, "max_size": 50}, "min_size: got 60, allowed: at most max_size (50)"},
		{map[string]any{"detector": "best"}, `want one of "savgol", "depth", "dp", "topic" or "auto"`},
	} {
		tt.params["source_key"], tt.params["provider"] = "doc", "openai"
		_, err := bench(t, address).Run(node, tt.params, map[string]any{"doc": document()})
		if err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%v: error %v, want one with %q", tt.params, err, tt.want)
		}
	}
}
