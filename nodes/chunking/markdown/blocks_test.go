package markdown

import (
	"slices"
	"strings"
	"testing"
)

func TestBlocks(t *testing.T) {
	const fence, table = "~~~go\nx := 1\n\ny := 2\n~~~", "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |"
	indented := strings.ReplaceAll(fence, "\n", "\n  ")
	for name, c := range map[string]struct {
		text string
		want []string // kind and text
	}{
		"none":          {"# Title\n\nA text | with a bar.\n\n    indented code\n", nil},
		"empty":         {"", nil},
		"both":          {"Text.\n\n" + fence + "\n\nMore.\n\n" + table + "\n\nEnd.\n", []string{"fence " + fence, "table " + table}},
		"at the ends":   {table + "\n\n" + fence, []string{"table " + table, "fence " + fence}},
		"not closed":    {"Text.\n\n```\ncode\n\nmore\n\n", []string{"fence ```\ncode\n\nmore"}},
		"in a list":     {"* item\n\n  " + indented + "\n\n* item\n", []string{"fence   " + indented}},
		"table in code": {"```\n" + table + "\n```\n", []string{"fence ```\n" + table + "\n```"}},
	} {
		var got []string
		for _, b := range Blocks(c.text) {
			got = append(got, map[Kind]string{Fence: "fence ", Table: "table "}[b.Kind]+b.Span.Slice(c.text))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
	// More than is parsed at a time.
	many := strings.Repeat("A paragraph of some words.\n\n"+fence+"\n\n"+table+"\n\n", 4000)
	blocks := Blocks(many)
	if len(blocks) != 8000 {
		t.Fatalf("%d blocks, want 8000", len(blocks))
	}
	for i, b := range blocks {
		if want := []string{fence, table}[i%2]; b.Span.Slice(many) != want {
			t.Fatalf("block %d: %q", i, b.Span.Slice(many))
		}
	}
}
