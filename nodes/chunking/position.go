package chunking

import (
	"slices"
	"strings"
)

// Position is where a [Span] lies in characters and lines.
type Position struct {
	// StartChar and StopChar count code points from zero, StopChar exclusive.
	StartChar, StopChar int
	// StartLine is the line of the first character, StopLine that of the last
	// one, both counted from one. A line ends with "\n", which belongs to it; an
	// empty span has StopLine equal to StartLine.
	StartLine, StopLine int
}

// Positions returns the position of each span, in the order given. The text must
// be valid UTF-8 and the spans must lie in it on code point boundaries; they may
// overlap. It reads the text once for the starts and once for the stops, so time
// is linear in text and spans (spans that are not in order are sorted first).
func Positions(text string, spans []Span) []Position {
	out := make([]Position, len(spans))
	starts := walkOrder(spans, func(s Span) int { return s.Start })
	at := cursor{text: text, line: 1}
	for k := range spans {
		i := starts.index(k)
		at.moveTo(spans[i].Start)
		out[i].StartChar, out[i].StartLine = at.char, at.line
	}
	stops := walkOrder(spans, func(s Span) int { return s.Stop })
	at = cursor{text: text, line: 1}
	for k := range spans {
		i := stops.index(k)
		s := spans[i]
		at.moveTo(s.Stop)
		out[i].StopChar, out[i].StopLine = at.char, at.line
		if s.Start == s.Stop {
			out[i].StopLine = out[i].StartLine
		} else if text[s.Stop-1] == '\n' {
			out[i].StopLine--
		}
	}
	return out
}

// cursor counts characters and line ends while it moves forward.
type cursor struct {
	text             string
	byte, char, line int
}

func (c *cursor) moveTo(offset int) {
	passed := c.text[c.byte:offset]
	c.char += countChars(passed)
	c.line += strings.Count(passed, "\n")
	c.byte = offset
}

// order is the permutation in which spans are walked; nil is the given order.
type order []int

func (o order) index(k int) int {
	if o == nil {
		return k
	}
	return o[k]
}

func walkOrder(spans []Span, key func(Span) int) order {
	byKey := func(a, b Span) int { return key(a) - key(b) }
	if slices.IsSortedFunc(spans, byKey) {
		return nil
	}
	o := make(order, len(spans))
	for i := range o {
		o[i] = i
	}
	slices.SortStableFunc(o, func(a, b int) int { return byKey(spans[a], spans[b]) })
	return o
}
