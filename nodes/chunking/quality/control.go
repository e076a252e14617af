package quality

import (
	"math"

	"github.com/ironflow/ironflow/nodes/chunking"
	"github.com/ironflow/ironflow/nodes/chunking/pack"
	"github.com/ironflow/ironflow/nodes/chunking/unit"
)

// ControlText is a document for [PackedControl].
type ControlText struct {
	Text string
	// Sentences are its sentences, in order, as spans of bytes.
	Sentences []chunking.Span
}

// PackedControl packs whole sentences, as many as fit into a limit, and chooses
// the limit so that the mean size of all chunks comes as close as can be to the
// one given: what a chunker does better than this at the same mean size, it does
// by where it cuts. All sizes count characters.
//
// A sentence above the limit stands alone. Only one above largest, the largest
// chunk of that chunker, is cut as pack.Recursive does it, so that no text with
// sentences of a page, such as a table, decides the comparison.
//
// It returns the chunks of each text as spans of bytes, and the limit. Sizes below
// 1 count as 1. Time is linear in the text.
func PackedControl(texts []ControlText, mean float64, largest int) (chunks [][]chunking.Span, limit int, err error) {
	c := &packer{}
	total := 0
	for _, t := range texts {
		sentences, err := cutAbove(t, max(1, largest))
		if err != nil {
			return nil, 0, err
		}
		places := chunking.Positions(t.Text, sentences)
		c.texts = append(c.texts, packText{sentences, places})
		if n := len(places); n > 0 {
			total = max(total, places[n-1].StopChar-places[0].StartChar)
		}
	}
	// The mean rises with the limit, but for small steps back.
	low, high := 1, max(1, total)
	for low < high {
		if middle := (low + high) / 2; c.mean(middle) < mean {
			low = middle + 1
		} else {
			high = middle
		}
	}
	if low > 1 && math.Abs(c.mean(low-1)-mean) <= math.Abs(c.mean(low)-mean) {
		low--
	}
	chunks = make([][]chunking.Span, len(texts))
	for i, t := range c.texts {
		t.each(low, func(first, last int) {
			chunks[i] = append(chunks[i], chunking.Span{Start: t.sentences[first].Start, Stop: t.sentences[last].Stop})
		})
	}
	return chunks, low, nil
}

// cutAbove returns the sentences of a text with those above a size cut.
func cutAbove(t ControlText, size int) ([]chunking.Span, error) {
	counter, err := unit.New("chars", "")
	if err != nil {
		return nil, err
	}
	var out []chunking.Span
	for _, s := range t.Sentences {
		if s.Stop-s.Start <= size || counter.Count(s.Slice(t.Text)) <= size {
			out = append(out, s)
			continue
		}
		pieces, err := pack.Recursive(s.Slice(t.Text), pack.RecursiveOptions{Size: size, Unit: counter})
		if err != nil {
			return nil, err
		}
		for _, p := range pieces {
			out = append(out, chunking.Span{Start: s.Start + p.Start, Stop: s.Start + p.Stop})
		}
	}
	return out, nil
}

type packer struct{ texts []packText }

type packText struct {
	sentences []chunking.Span
	places    []chunking.Position
}

// each calls chunk with the first and the last sentence of every chunk.
func (t packText) each(limit int, chunk func(first, last int)) {
	first := 0
	for i := range t.places {
		if i > first && t.places[i].StopChar-t.places[first].StartChar > limit {
			chunk(first, i-1)
			first = i
		}
	}
	if first < len(t.places) {
		chunk(first, len(t.places)-1)
	}
}

// mean returns the mean size of the chunks.
func (c *packer) mean(limit int) float64 {
	size, count := 0, 0
	for _, t := range c.texts {
		t.each(limit, func(first, last int) {
			size += t.places[last].StopChar - t.places[first].StartChar
			count++
		})
	}
	return share(size, count)
}
