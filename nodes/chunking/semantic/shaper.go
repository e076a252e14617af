package semantic

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/ironflow/ironflow/nodes/chunking"
)

// shaper fits the chunks of a text to its sizes.
type shaper struct {
	text      string
	sentences []chunking.Span
	u         *unitRows
	o         SegmentOptions
	// places puts each sentence into the unit: starts and stops such that the
	// length of neighbours is the last one's stop less the first one's start. Nil
	// without a size.
	places []chunking.Span
}

// chunk is a run of sentences, or a piece of one.
type chunk struct {
	first, last int // sentences, last inclusive
	span        chunking.Span
	// length is the size by places; for a piece of a sentence its own count.
	length int
	// counted is the size when it was last counted, grown what came in since, by
	// places.
	counted, grown int
	// sum is the sum of the unit vectors; nil until it is asked for.
	sum []float64
}

func newShaper(text string, sentences []chunking.Span, u *unitRows, o SegmentOptions) *shaper {
	s := &shaper{text: text, sentences: sentences, u: u, o: o}
	if o.Unit == nil {
		return s
	}
	s.places = make([]chunking.Span, len(sentences))
	at, end := 0, 0
	for i, span := range sentences {
		if o.Additive && i > 0 && end < span.Start {
			at += o.Unit.Count(text[end:span.Start])
		}
		start := at
		at += o.Unit.Count(span.Slice(text))
		s.places[i] = chunking.Span{Start: start, Stop: at}
		end = span.Stop
	}
	return s
}

// chunksOf returns the chunks between cuts.
func (s *shaper) chunksOf(cuts []int) []chunk {
	chunks := make([]chunk, 0, len(cuts)+1)
	first := 0
	for _, cut := range cuts {
		chunks = append(chunks, s.whole(first, cut))
		first = cut + 1
	}
	return append(chunks, s.whole(first, len(s.sentences)-1))
}

// whole is the chunk of the sentences first to last.
func (s *shaper) whole(first, last int) chunk {
	c := chunk{first: first, last: last, span: chunking.Span{Start: s.sentences[first].Start, Stop: s.sentences[last].Stop}}
	if s.places != nil {
		c.length = s.places[last].Stop - s.places[first].Start
	}
	return c
}

// textOf returns the text that a chunk gets.
func (s *shaper) textOf(c chunk) string {
	if !s.o.Joined || c.first == c.last {
		return c.span.Slice(s.text)
	}
	var b strings.Builder
	for i := c.first; i <= c.last; i++ {
		span := s.sentences[i]
		if i > c.first {
			b.WriteByte(' ')
		}
		b.WriteString(s.text[max(span.Start, c.span.Start):min(span.Stop, c.span.Stop)])
	}
	return b.String()
}

// exact says that lengths are sizes, so that nothing has to be counted.
func (s *shaper) exact() bool { return s.o.Additive && !s.o.Joined }

// fits says that a chunk keeps the maximum. What is longer than twice the maximum
// is not counted: no unit differs that much from the sum of its sentences.
func (s *shaper) fits(c *chunk) bool {
	most := s.o.MaxSize
	switch {
	case s.exact():
		return c.length <= most
	case c.span.Len()+c.last-c.first <= most:
		return true
	case c.first < c.last && c.length > 2*most:
		return false
	}
	c.counted, c.grown = s.o.Unit.Count(s.textOf(*c)), 0
	return c.counted <= most
}

// keepMax cuts chunks over the maximum.
func (s *shaper) keepMax(chunks []chunk, f finding) ([]chunk, error) {
	if s.o.MaxSize == 0 {
		return chunks, nil
	}
	var out []chunk
	var gaps *gapChooser
	// A stack of what is still to be looked at, the leftmost on top.
	stack := slices.Clone(chunks)
	slices.Reverse(stack)
	for len(stack) > 0 {
		c := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		switch {
		case s.fits(&c):
			out = append(out, c)
		case c.first == c.last:
			pieces, err := s.pieces(c)
			if err != nil {
				return nil, err
			}
			out = append(out, pieces...)
		default:
			if gaps == nil {
				gaps = newGapChooser(f.strength, f.peaks, s.o.Savgol.MinDistance)
			}
			cut := gaps.strongest(c.first, c.last-1)
			stack = append(stack, s.whole(cut+1, c.last), s.whole(c.first, cut))
		}
	}
	return out, nil
}

// pieces cuts a sentence that is too long.
func (s *shaper) pieces(c chunk) ([]chunk, error) {
	spans, err := s.o.CutSentence(c.span.Slice(s.text))
	if err != nil {
		return nil, fmt.Errorf("sentence %d (counted from 1): %w", c.first+1, err)
	}
	if len(spans) == 0 {
		return nil, fmt.Errorf("sentence %d (counted from 1) has %d bytes and was cut into nothing", c.first+1, c.span.Len())
	}
	out := make([]chunk, len(spans))
	end := 0
	for i, span := range spans {
		if span.Start < end || span.Stop <= span.Start || span.Stop > c.span.Len() {
			return nil, errors.New("pieces of a long sentence must be in order, not empty, and lie within it")
		}
		end = span.Stop
		p := c
		p.span = chunking.Span{Start: c.span.Start + span.Start, Stop: c.span.Start + span.Stop}
		p.length = s.o.Unit.Count(p.span.Slice(s.text))
		p.counted, p.grown = p.length, 0
		out[i] = p
	}
	return out, nil
}

// emit makes the result, repeating sentences for the overlap.
func (s *shaper) emit(chunks []chunk) Segments {
	out := Segments{
		Texts:     make([]string, len(chunks)),
		Spans:     make([]chunking.Span, len(chunks)),
		Sentences: make([]chunking.Span, len(chunks)),
	}
	previous := -1 // first sentence of the chunk before, with what it repeats
	for i, c := range chunks {
		if i > 0 && s.o.Overlap > 0 {
			c = s.reachBack(c, previous)
		}
		previous = c.first
		out.Texts[i], out.Spans[i] = s.textOf(c), c.span
		out.Sentences[i] = chunking.Span{Start: c.first, Stop: c.last + 1}
	}
	return out
}

// reachBack returns c with the last sentences of the chunk before it in front: as
// many whole ones as the overlap says and the maximum leaves room for, and never
// all that the chunk before begins with.
func (s *shaper) reachBack(c chunk, beforeFirst int) chunk {
	if c.span.Start != s.sentences[c.first].Start {
		return c // The cut lies inside a sentence.
	}
	lowest := min(max(c.first-s.o.Overlap, beforeFirst+1), c.first)
	with := func(first int) chunk {
		longer := c
		longer.first, longer.span.Start = first, s.sentences[first].Start
		if s.places != nil {
			longer.length += s.places[c.first].Start - s.places[first].Start
		}
		return longer
	}
	if s.o.MaxSize == 0 {
		return with(lowest)
	}
	return with(lowest + sort.Search(c.first-lowest, func(k int) bool {
		longer := with(lowest + k)
		return s.fits(&longer)
	}))
}
