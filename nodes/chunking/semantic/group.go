package semantic

import (
	"strings"

	"github.com/ironflow/ironflow/nodes/chunking"
)

// Shortcut answers for text that needs no vectors: blank text has no chunks, and
// text of at most one sentence is one chunk, unchanged from its first byte to
// its last. Otherwise done is false.
func Shortcut(text string, sentences []chunking.Span) (texts []string, spans []chunking.Span, done bool) {
	switch {
	case strings.TrimSpace(text) == "":
		return nil, nil, true
	case len(sentences) <= 1:
		return []string{text}, []chunking.Span{{Start: 0, Stop: len(text)}}, true
	}
	return nil, nil, false
}

// Group makes chunks of sentences: a cut i ends a chunk after sentence i (from
// zero). A chunk's span reaches from the first byte of its first sentence to the
// last byte of its last. Its text is the sentences joined by one space if joined
// is true, else the slice of text itself.
//
// Sentences must be in order; cuts must rise. A cut that would leave a chunk
// without sentences is passed over.
func Group(text string, sentences []chunking.Span, cuts []int, joined bool) (texts []string, spans []chunking.Span) {
	last := len(sentences) - 1
	if last < 0 {
		return nil, nil
	}
	texts = make([]string, 0, len(cuts)+1)
	spans = make([]chunking.Span, 0, len(cuts)+1)
	first := 0
	emit := func(end int) {
		members := sentences[first : end+1]
		span := chunking.Span{Start: members[0].Start, Stop: members[len(members)-1].Stop}
		spans = append(spans, span)
		if joined {
			texts = append(texts, strings.Join(chunking.Slices(text, members), " "))
		} else {
			texts = append(texts, span.Slice(text))
		}
		first = end + 1
	}
	for _, cut := range cuts {
		if first <= cut && cut < last {
			emit(cut)
		}
	}
	emit(last)
	return texts, spans
}
