package nodes_test

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/nodes"
)

func TestPublishedKeys(t *testing.T) {
	tests := []struct {
		name     string
		raw      map[string]any
		want     string
		complete bool
	}{
		{"defaults", nil, "_mark_cut out out_count out_size out_success out_title", true},
		{"own key", map[string]any{"output_key": "p"}, "_mark_cut p p_count p_size p_success p_title", true},
		{"other group", map[string]any{"mode": "split"}, "_mark_cut out out_count out_success out_title", true},
		{"unknown group", map[string]any{"mode": "${ctx.m}"}, "_mark_cut out out_count out_size out_success out_title", true},
		{"no text", map[string]any{"output_key": int64(3)}, "", false},
	}
	for _, tt := range tests {
		keys, complete := nodes.PublishedKeys(sample(), tt.raw, "cut")
		if got := strings.Join(keys, " "); got != tt.want || complete != tt.complete {
			t.Errorf("%s: got %q, %v, want %q, %v", tt.name, got, complete, tt.want, tt.complete)
		}
	}
	open := &nodes.Spec{Name: "o", OpenOutputs: true, Params: []nodes.Param{{Name: "output_key", Type: nodes.String, Role: nodes.OutputKey, Interpolate: true, Help: "x"}},
		Outputs: []nodes.OutputSpec{{Type: nodes.Any, Help: "x"}}}
	for raw, want := range map[string]string{"": "", "k": "k k_success", "${ctx.k}": "", `\${ctx.k}`: "${ctx.k} ${ctx.k}_success"} {
		params := map[string]any{"output_key": raw}
		if raw == "" {
			params = nil
		}
		keys, complete := nodes.PublishedKeys(open, params, "s")
		if got := strings.Join(keys, " "); got != want || complete {
			t.Errorf("open %q: got %q, %v, want %q", raw, got, complete, want)
		}
	}
}

func TestReads(t *testing.T) {
	got := nodes.Reads(sample(), map[string]any{
		"source_key": "http.items[0].text", "title": "${ctx.a} ${ctx.b.c}", "plain": "${ctx.never}", "test": "ctx.flag == true",
		"data": map[string]any{"x": []any{"${ctx.d}"}}, "size": "${ctx.n}",
	})
	want := []nodes.Read{
		{"data", "d", "d"}, {"size", "n", "n"}, {"source_key", "http.items[0].text", "http"},
		{"test", "flag", "flag"}, {"title", "a", "a"}, {"title", "b", "b"},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	spec := &nodes.Spec{Name: "s", Params: []nodes.Param{
		{Name: "text_key", Type: nodes.String, Role: nodes.Source, Default: "document", Help: "x"},
		{Name: "columns", Type: nodes.Object, Role: nodes.Source, Help: "x"},
		{Name: "list", Type: nodes.Array, Role: nodes.Source, Help: "x"},
	}}
	got = nodes.Reads(spec, map[string]any{"columns": map[string]any{"b": "two", "a": "one.x"}, "list": []any{"${ctx.k}", "three"}})
	want = []nodes.Read{{"columns", "one.x", "one"}, {"columns", "two", "two"}, {"list", "k", "k"}, {"list", "three", "three"}, {"text_key", "document", "document"}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	// Mistakes read nothing; Check reports them.
	if got := nodes.Reads(sample(), map[string]any{"title": "${ctx", "nope": "x", "test": "??", "source_key": int64(1)}); len(got) != 0 {
		t.Errorf("got %v", got)
	}
}

func TestNearest(t *testing.T) {
	names := []string{"size", "overlap", "delimiters", "output_key", "source_key", "ai_chunk", "ai_chunk_merge", "ai_embed"}
	for _, tt := range []struct {
		name string
		want []string
	}{
		{"sise", []string{"size"}},
		{"SIZE", []string{"size"}},
		{"szie", []string{"size"}},
		{"outputkey", []string{"output_key"}},
		{"sourcekey", []string{"source_key"}},
		{"chunk", []string{"ai_chunk", "ai_chunk_merge"}},
		{"ai_chunks", []string{"ai_chunk"}},
		{"x", nil},
		{"", nil},
		{strings.Repeat("long", 40), nil},
	} {
		if got := nodes.Nearest(tt.name, names); !slices.Equal(got, tt.want) {
			t.Errorf("Nearest(%q) = %q, want %q", tt.name, got, tt.want)
		}
	}
	if got := nodes.DidYouMean("zzz", []string{"b", "a"}); got != "; allowed: a, b" {
		t.Error(got)
	}
	if got := nodes.DidYouMean("zzz", nil); got != "" {
		t.Error(got)
	}
	if got := nodes.QuoteList([]string{"a", "b", "c"}, "or"); got != `"a", "b" or "c"` {
		t.Error(got)
	}
}

func TestPrintable(t *testing.T) {
	for in, want := range map[string]string{
		"plain\ttext\nline": "plain\ttext\nline",
		"\x1b[31mred":       `\x1b[31mred`,
		"a\rb\x00\x7f":      `a\x0db\x00\x7f`,
		"bell\u0085\u009b":  `bell\u0085\u009b`,
		"bad\xff\xc3":       `bad\xff\xc3`,
		"kept \uFFFD ü 漢":   "kept \uFFFD ü 漢",
	} {
		got := nodes.Printable(in)
		if got != want || nodes.Printable(got) != got {
			t.Errorf("Printable(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestSecretName(t *testing.T) {
	for name, want := range map[string]bool{
		"Authorization": true, "X-Api-Key": true, "apikey": true, "OPENAI_API_KEY": true, "GITHUB_TOKEN": true, "Cookie": true,
		"X-Auth-Token": true, "db_password": true, "X-Signature": true, "client_secret": true,
		"Idempotency-Key": false, "Content-Type": false, "X-Author": false, "Accept": false, "X-Keywords": false, "MAX_TOKENS": false, "": false,
	} {
		if got := nodes.SecretName(name); got != want {
			t.Errorf("SecretName(%q) = %v", name, got)
		}
	}
}
