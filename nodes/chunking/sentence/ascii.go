// Package sentence finds where sentences begin and end.
package sentence

import (
	"strings"

	"github.com/ironflow/ironflow/nodes/chunking"
)

// ASCII finds sentences by punctuation alone: a '.', '!' or '?' that is followed
// by ASCII white space (space, tab, line feed, carriage return, form feed) or by
// the end of the text ends a sentence and belongs to it. ASCII white space after
// it belongs to no sentence; an unterminated tail is a sentence; pieces that are
// nothing but Unicode white space are left out.
//
// Abbreviations are not known: "e.g. this" has an end after "e.g.". White space
// before the first sentence stays with it, as does what follows an unterminated
// last one. Only bytes below 128 are looked at, so spans of valid UTF-8 keep
// code points whole.
func ASCII(text string) []chunking.Span {
	var spans []chunking.Span
	start := 0
	add := func(stop int) {
		if strings.TrimSpace(text[start:stop]) != "" {
			spans = append(spans, chunking.Span{Start: start, Stop: stop})
		}
	}
	for i := 0; i < len(text); {
		if !isTerminator(text[i]) || i+1 < len(text) && !isSpace(text[i+1]) {
			i++
			continue
		}
		i++
		add(i)
		for i < len(text) && isSpace(text[i]) {
			i++
		}
		start = i
	}
	if start < len(text) {
		add(len(text))
	}
	return spans
}

func isTerminator(c byte) bool { return c == '.' || c == '!' || c == '?' }

func isSpace(c byte) bool {
	return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f'
}
