package semantic

import (
	"slices"
	"testing"

	"github.com/ironflow/ironflow/nodes/chunking"
	"github.com/ironflow/ironflow/nodes/chunking/sentence"
)

func TestShortcut(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
		done bool
	}{
		{"", nil, true},
		{" \n\u00a0\u3000", nil, true},
		{"  just words\n", []string{"  just words\n"}, true},
		{" One sentence.  ", []string{" One sentence.  "}, true},
		{"One. Two.", nil, false},
	} {
		texts, spans, done := Shortcut(c.text, sentence.ASCII(c.text))
		if done != c.done || !slices.Equal(texts, c.want) || !slices.Equal(chunking.Slices(c.text, spans), c.want) {
			t.Errorf("Shortcut(%q) = %q, %v, %v", c.text, texts, spans, done)
		}
	}
}

func TestGroup(t *testing.T) {
	text := " One.\n\nTwo!  Three?\tFour"
	sentences := sentence.ASCII(text)
	for _, c := range []struct {
		cuts          []int
		joined, slice []string
	}{
		{nil, []string{" One. Two! Three? Four"}, []string{text}},
		{[]int{1}, []string{" One. Two!", "Three? Four"}, []string{" One.\n\nTwo!", "Three?\tFour"}},
		{[]int{0, 1, 2}, []string{" One.", "Two!", "Three?", "Four"}, []string{" One.", "Two!", "Three?", "Four"}},
		{[]int{-1, 2, 2, 3, 9}, []string{" One. Two! Three?", "Four"}, []string{" One.\n\nTwo!  Three?", "Four"}},
	} {
		texts, spans := Group(text, sentences, c.cuts, true)
		if !slices.Equal(texts, c.joined) || !slices.Equal(chunking.Slices(text, spans), c.slice) {
			t.Errorf("Group joined at %v = %q, %v", c.cuts, texts, spans)
		}
		if texts, _ := Group(text, sentences, c.cuts, false); !slices.Equal(texts, c.slice) {
			t.Errorf("Group at %v = %q", c.cuts, texts)
		}
	}
	if texts, spans := Group("", nil, nil, true); len(texts) != 0 || len(spans) != 0 {
		t.Errorf("no sentences: %q, %v", texts, spans)
	}
}
