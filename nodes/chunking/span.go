package chunking

import (
	"unicode"
	"unicode/utf8"

	"github.com/ironflow/ironflow/nodes/value"
)

// Span is a piece of a text: zero-based byte offsets, Stop exclusive. It is the
// span that context values hold, so that nodes pass it on without copying.
type Span = value.Span

// Slices returns the chunks that spans mark in text. They share text's memory.
func Slices(text string, spans []Span) []string {
	out := make([]string, len(spans))
	for i, s := range spans {
		out[i] = s.Slice(text)
	}
	return out
}

// DropBlank leaves out the spans that hold nothing but Unicode white space
// (empty ones too) and keeps the order of the others. The input is not changed;
// it is returned as it is when nothing has to go. Time is linear in the text for
// spans that overlap, as long as their starts do not fall.
func DropBlank(text string, spans []Span) []Span {
	ink := nextInk{text: text, at: -1}
	kept := 0
	for _, s := range spans {
		if ink.from(s.Start) < s.Stop {
			kept++
		}
	}
	if kept == len(spans) {
		return spans
	}
	out := make([]Span, 0, kept)
	ink = nextInk{text: text, at: -1}
	for _, s := range spans {
		if ink.from(s.Start) < s.Stop {
			out = append(out, s)
		}
	}
	return out
}

// nextInk finds the next character that is not white space, and remembers the
// last answer so that overlapping spans do not read one run of blanks again.
type nextInk struct {
	text  string
	asked int
	at    int // first non-blank at or after asked; len(text) if none; -1 before the first call
}

func (n *nextInk) from(start int) int {
	if n.at >= 0 && n.asked <= start && start <= n.at {
		return n.at
	}
	n.asked = start
	n.at = len(n.text)
	for i := start; i < len(n.text); {
		r, size := rune(n.text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(n.text[i:])
		}
		if !unicode.IsSpace(r) {
			n.at = i
			break
		}
		i += size
	}
	return n.at
}
