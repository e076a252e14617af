package window

import (
	"strings"

	"github.com/ironflow/ironflow/nodes/chunking"
)

// Sentence cuts before each sentence that Split finds in the neighbourhood of
// the window's end, or, if there is none, in the window.
type Sentence struct {
	// Split returns the sentences of a text without the white space between
	// them.
	Split func(text string) []chunking.Span
}

const (
	// near is how much of a window is searched first, in bytes.
	near = 192
	// context is how much text around a place Split needs to decide.
	context = 64
)

func (s Sentence) last(t *Text, start, after, limit int) int {
	text := t.Source
	if !hasTerminator(text[after:limit]) {
		return None
	}
	stop := ceilRune(text, min(len(text), limit+context))
	low := after
	if limit-after > 2*near {
		low = limit - near
	}
	for {
		begin := t.wordStart(start, low-context)
		b := None
		for _, span := range s.Split(text[begin:stop]) {
			if at := begin + span.Start; at > low && at <= limit && span.Start > 0 {
				b = at
			}
		}
		if b != None || low == after {
			return b
		}
		low = after
	}
}

// wordStart moves i back to the start of a word or character, but not before
// start.
func (t *Text) wordStart(start, i int) int {
	if i <= start {
		return start
	}
	low := max(start, i-context)
	if k := strings.LastIndexAny(t.Source[low:i], " \n\t"); k >= 0 {
		return low + k + 1
	}
	i = floorRune(t.Source, i)
	return max(start, t.Clusters.Floor(i))
}

func hasTerminator(text string) bool {
	for i := len(text) - 1; i >= 0; i-- {
		switch c := text[i]; {
		case c == '.' || c == '!' || c == '?' || c == '\n' || c >= 0x80:
			return true
		}
	}
	return false
}
