package chunking

import (
	"fmt"
	"unicode/utf8"
)

// FixedOptions says how [Fixed] cuts.
type FixedOptions struct {
	// Size is the most bytes of one chunk, at least 1. A single character that
	// is wider stays whole.
	Size int
	// Delimiters is a set of characters to cut at; empty cuts at Size alone.
	Delimiters string
	// Prefix cuts before a delimiter instead of after it.
	Prefix bool
	// Overlap is how many bytes of a chunk the next one repeats at most: 0 to
	// Size-1.
	Overlap int
}

func (o FixedOptions) check() error {
	if o.Size < 1 {
		return &OptionError{Param: "size", Value: o.Size, Allowed: "a number of bytes from 1 on"}
	}
	if o.Overlap < 0 || o.Overlap >= o.Size {
		return &OptionError{Param: "overlap", Value: o.Overlap, Allowed: fmt.Sprintf("0 to %d, less than size (%d)", o.Size-1, o.Size)}
	}
	return nil
}

// Fixed cuts text into chunks of at most o.Size bytes.
//
// From p on: what is left is one chunk if it fits. Otherwise the window reaches
// to p+Size, moved back between two characters, and the chunk ends after the
// last delimiter in the window (before it with Prefix), or where the window ends
// if there is no delimiter or the last one is the window's first character.
//
// With an overlap the next chunk starts at the larger of one character after
// this one's start and its end minus Overlap, moved forward between two
// characters; the chunk that reaches the end of the text is the last.
//
// Errors are an [*OptionError] or an [*InvalidUTF8Error]. Empty text gives no
// chunks.
func Fixed(text string, o FixedOptions) ([]Span, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	set, err := newDelimiterSet(o.Delimiters)
	if err != nil {
		return nil, err
	}
	if err := CheckUTF8(text); err != nil {
		return nil, err
	}
	spans := make([]Span, 0, len(text)/o.Size+1)
	window := windowSearch{set: set, text: text, at: -1}
	for p := 0; p < len(text); {
		if len(text)-p <= o.Size {
			spans = append(spans, Span{Start: p, Stop: len(text)})
			break
		}
		limit := floorBoundary(text, p+o.Size)
		if limit <= p {
			limit = p + charWidth(text, p)
		}
		stop := limit
		if at, width := window.last(p, limit); at > p {
			stop = at
			if !o.Prefix {
				stop += width
			}
		}
		spans = append(spans, Span{Start: p, Stop: stop})
		// The text goes on behind stop here, unless its last character alone is
		// wider than Size; then no room is left to overlap and the loop ends.
		p = ceilBoundary(text, max(p+1, stop-o.Overlap))
	}
	return spans, nil
}

// windowSearch finds the last delimiter of windows whose bounds never fall. It
// reads each byte once, even when windows overlap or hold no delimiter: what
// was read already is summed up by the last delimiter seen.
type windowSearch struct {
	set       *delimiterSet
	text      string
	read      int // everything before it has been searched
	at, width int // last delimiter before read, -1 if none
}

func (w *windowSearch) last(lo, hi int) (at, width int) {
	if w.set.empty {
		return -1, 0
	}
	if from := max(lo, w.read); from < hi {
		if at, width := w.set.last(w.text, from, hi); at >= 0 {
			w.at, w.width = at, width
		}
		w.read = hi
	}
	if w.at < lo {
		return -1, 0
	}
	return w.at, w.width
}

// floorBoundary moves i back to the start of a character.
func floorBoundary(text string, i int) int {
	for i < len(text) && i > 0 && !utf8.RuneStart(text[i]) {
		i--
	}
	return i
}

// ceilBoundary moves i forward to the start of a character or the end.
func ceilBoundary(text string, i int) int {
	for i < len(text) && !utf8.RuneStart(text[i]) {
		i++
	}
	return i
}

// charWidth is the number of bytes of the character at i.
func charWidth(text string, i int) int {
	_, size := utf8.DecodeRuneInString(text[i:])
	return size
}
