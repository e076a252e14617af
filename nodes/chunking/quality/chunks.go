package quality

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ironflow/ironflow/nodes/chunking"
)

// ChunkedText is a document with the chunks that were made of it.
type ChunkedText struct {
	// Text is the document, valid UTF-8.
	Text string
	// Chunks are the chunks as they are embedded and stored, Spans where each lies
	// in Text, in bytes; one for each chunk. They may overlap and leave gaps.
	Chunks []string
	Spans  []chunking.Span
	// Limited are the texts that a limit holds for, such as the chunks with the
	// header of a table before them; nil is the chunks.
	Limited []string
}

// Parts are what a reader loses when a chunk border goes through it: spans of a
// document in bytes. White space at both ends of a part does not count.
type Parts struct {
	Sentences, Fences, Tables []chunking.Span
}

// ChunkScores is what [ScoreChunks] counts.
type ChunkScores struct {
	// Sizes are the sizes of the chunks in the unit asked for, in order.
	Sizes []int
	// Over is the number of chunks above the limit.
	Over int
	// Ink is the number of characters of the document that are not white space,
	// Covered how many of them lie in a chunk, Repeated how often a chunk holds one
	// that an earlier chunk holds already.
	Ink, Covered, Repeated int
	// Sentences, Fences and Tables say how many there are and how many of them no
	// chunk holds whole.
	Sentences, Fences, Tables Cut
	// Duplicates is the number of chunks that have the same words in the same order
	// as an earlier one, whatever the white space.
	Duplicates int
}

// Cut says how many of a number of parts no chunk holds whole.
type Cut struct {
	Of, Cut int
}

// ChunkCounter says how to measure chunks.
type ChunkCounter struct {
	// Size measures a chunk for Sizes; required.
	Size func(chunk string) int
	// Limited measures it, or its text in ChunkedText.Limited, for the limit;
	// required with a Limit above 0.
	Limited func(chunk string) int
	Limit   int

	seen map[string]struct{} // the words of earlier chunks
}

// ScoreChunks measures the chunks of one document: what can be said about them
// without a question. Duplicates count across all documents that the counter is
// used for. Time is linear in the text and the chunks but for sorting.
func (c *ChunkCounter) ScoreChunks(t ChunkedText, parts Parts) ChunkScores {
	var s ChunkScores
	if c.seen == nil {
		c.seen = map[string]struct{}{}
	}
	limited := t.Limited
	if limited == nil {
		limited = t.Chunks
	}
	for i, chunk := range t.Chunks {
		s.Sizes = append(s.Sizes, c.Size(chunk))
		if c.Limit > 0 && c.Limited(limited[i]) > c.Limit {
			s.Over++
		}
		words := strings.Join(strings.Fields(chunk), " ")
		if _, ok := c.seen[words]; ok {
			s.Duplicates++
		}
		c.seen[words] = struct{}{}
	}
	spans := sortedSpans(t.Spans)
	s.Ink, s.Covered, s.Repeated = coverage(t.Text, spans)
	s.Sentences = cutBy(spans, t.Text, parts.Sentences)
	s.Fences = cutBy(spans, t.Text, parts.Fences)
	s.Tables = cutBy(spans, t.Text, parts.Tables)
	return s
}

// Add adds the counts of another document.
func (s *ChunkScores) Add(other ChunkScores) {
	s.Sizes = append(s.Sizes, other.Sizes...)
	s.Over += other.Over
	s.Ink += other.Ink
	s.Covered += other.Covered
	s.Repeated += other.Repeated
	s.Duplicates += other.Duplicates
	for _, pair := range [][2]*Cut{{&s.Sentences, &other.Sentences}, {&s.Fences, &other.Fences}, {&s.Tables, &other.Tables}} {
		pair[0].Of += pair[1].Of
		pair[0].Cut += pair[1].Cut
	}
}

// Coverage is the share of the characters that are not white space that lie in a
// chunk, 1 for a document without any.
func (s ChunkScores) Coverage() float64 {
	if s.Ink == 0 {
		return 1
	}
	return share(s.Covered, s.Ink)
}

// Share is the share of parts that are cut, 0 where there are none.
func (c Cut) Share() float64 { return share(c.Cut, c.Of) }

// Median returns the median: the mean of the middle two of an even number, 0 for
// none.
func Median(values []int) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	middle := len(sorted) / 2
	if len(sorted)%2 == 1 {
		return float64(sorted[middle])
	}
	return float64(sorted[middle-1]+sorted[middle]) / 2
}

func sortedSpans(spans []chunking.Span) []chunking.Span {
	sorted := slices.Clone(spans)
	slices.SortFunc(sorted, func(a, b chunking.Span) int {
		return cmp.Or(a.Start-b.Start, a.Stop-b.Stop)
	})
	return sorted
}

// coverage counts characters that are not white space.
func coverage(text string, sorted []chunking.Span) (ink, covered, repeated int) {
	inkOf := func(start, stop int) int {
		n := 0
		for i := start; i < stop; {
			r, size := utf8.DecodeRuneInString(text[i:])
			if !unicode.IsSpace(r) {
				n++
			}
			i += size
		}
		return n
	}
	until := 0
	for _, s := range sorted {
		if s.Start > until {
			ink += inkOf(until, s.Start)
		}
		if again := min(s.Stop, until); again > s.Start {
			repeated += inkOf(s.Start, again)
		}
		if from := max(s.Start, until); s.Stop > from {
			n := inkOf(from, s.Stop)
			ink += n
			covered += n
		}
		until = max(until, s.Stop)
	}
	return ink + inkOf(until, len(text)), covered, repeated
}

// cutBy counts the parts that no span holds whole.
func cutBy(sorted []chunking.Span, text string, parts []chunking.Span) Cut {
	trimmed := make([]chunking.Span, 0, len(parts))
	for _, p := range parts {
		body := p.Slice(text)
		p.Stop = p.Start + len(strings.TrimRightFunc(body, unicode.IsSpace))
		p.Start += len(body) - len(strings.TrimLeftFunc(body, unicode.IsSpace))
		if p.Start < p.Stop {
			trimmed = append(trimmed, p)
		}
	}
	c := Cut{Of: len(trimmed)}
	next, reach := 0, 0 // the furthest stop of the spans that start at a part or before it
	for _, p := range sortedSpans(trimmed) {
		for next < len(sorted) && sorted[next].Start <= p.Start {
			reach = max(reach, sorted[next].Stop)
			next++
		}
		if reach < p.Stop {
			c.Cut++
		}
	}
	return c
}
