package app

import (
	"slices"
	"testing"

	"github.com/ironflow/ironflow/nodes/chunking/quality"
	"github.com/ironflow/ironflow/nodes/value"
)

// TestCutsOfChunks: the lines are 0..4, 5..9 and 10..14.
func TestCutsOfChunks(t *testing.T) {
	text := newSegText(quality.Document{Sentences: []string{"aaaa", " b\nbb ", "cccc"}, Truth: quality.FromLengths(2, 1)})
	if text.text != "aaaa\nb bb\ncccc" || !slices.Equal(text.sentences(), []string{"aaaa", "b bb", "cccc"}) {
		t.Fatalf("%q", text.text)
	}
	for _, c := range []struct {
		name  string
		spans []value.Span
		want  []int
	}{
		{"one chunk", []value.Span{{Start: 0, Stop: 14}}, nil},
		{"at the ends of lines", []value.Span{{Start: 0, Stop: 4}, {Start: 5, Stop: 9}, {Start: 10, Stop: 14}}, []int{0, 1}},
		{"behind the line break", []value.Span{{Start: 0, Stop: 5}, {Start: 5, Stop: 10}, {Start: 10, Stop: 14}}, []int{0, 1}},
		{"inside, nearer to the start", []value.Span{{Start: 0, Stop: 6}, {Start: 6, Stop: 14}}, []int{0}},
		{"inside, in the middle", []value.Span{{Start: 0, Stop: 7}, {Start: 7, Stop: 14}}, []int{0}},
		{"inside, nearer to the end", []value.Span{{Start: 0, Stop: 8}, {Start: 8, Stop: 14}}, []int{1}},
		{"both at one gap", []value.Span{{Start: 0, Stop: 3}, {Start: 3, Stop: 6}, {Start: 6, Stop: 14}}, []int{0}},
		{"inside the first line and the last", []value.Span{{Start: 0, Stop: 1}, {Start: 1, Stop: 13}, {Start: 13, Stop: 14}}, nil},
		{"overlap", []value.Span{{Start: 0, Stop: 9}, {Start: 5, Stop: 14}}, []int{1}},
	} {
		if got := text.cuts(c.spans); !slices.Equal(got.Cuts, c.want) || got.Check() != nil {
			t.Errorf("%s: %v, want %v", c.name, got.Cuts, c.want)
		}
	}
}

func TestParseSetting(t *testing.T) {
	for text, want := range map[string]map[string]any{
		"a=1":               {"a": "1"},
		"a=1, b=x=y":        {"a": "1", "b": "x=y"},
		`d=\n,.,e=`:         {"d": `\n,.`, "e": ""},
		"delimiters=,,x=2":  {"delimiters": ",", "x": "2"},
		"mode=semantic,q=ä": {"mode": "semantic", "q": "ä"},
	} {
		got, err := parseSetting(text)
		if err != nil || len(got) != len(want) {
			t.Errorf("%q: %v, %v", text, got, err)
			continue
		}
		for key, v := range want {
			if got[key] != v {
				t.Errorf("%q: %s is %q, want %q", text, key, got[key], v)
			}
		}
	}
	for _, text := range []string{"", "a", "=1", "a=1,a=2", ",a=1"} {
		if got, err := parseSetting(text); err == nil {
			t.Errorf("%q: %v, want an error", text, got)
		}
	}
}
