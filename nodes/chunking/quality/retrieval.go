package quality

import (
	"cmp"
	"slices"

	"github.com/ironflow/ironflow/nodes/chunking"
)

// Passage is a stretch of one document of a collection: a chunk, or a reference
// that answers a question.
type Passage struct {
	// Document is the number of the document.
	Document int
	// Span is where the passage lies in it, in characters (code points), Stop
	// exclusive.
	Span chunking.Span
}

// chars returns the length of the passage.
func (p Passage) chars() int { return max(0, p.Span.Stop-p.Span.Start) }

// overlap returns what p and q share; it is empty if they share no character.
func (p Passage) overlap(q Passage) Passage {
	both := chunking.Span{Start: max(p.Span.Start, q.Span.Start), Stop: min(p.Span.Stop, q.Span.Stop)}
	if p.Document != q.Document || both.Stop <= both.Start {
		return Passage{}
	}
	return Passage{Document: p.Document, Span: both}
}

// RetrievalScores says how well retrieved chunks cover the references of a
// question; each lies in 0..1, higher is better.
type RetrievalScores struct {
	// Recall is the share of the references' characters that lie in a chunk.
	Recall float64
	// Precision is the share of the chunks' characters that lie in a reference.
	Precision float64
	// IoU is what references and chunks share, over both together.
	IoU float64
}

// ScoreRetrieval compares the chunks that were retrieved for a question with its
// references. With r the characters of the references, c the sum of the chunks'
// lengths, and b the characters of references that lie in at least one chunk:
//
//	recall = b / r    precision = b / c    IoU = b / (c + r - b)
//
// A character that several chunks repeat counts in c each time, since each time
// somebody has to read it; in b and r it counts once. What has no characters
// scores 0.
//
// The measures are those of Smith and Troynikov, Evaluating Chunking Strategies
// for Retrieval (Chroma, 2024), which are written down there for tokens and
// computed, as here, on characters. Unlike there a chunk that only touches a
// reference, without sharing a character, does not meet it.
func ScoreRetrieval(references, retrieved []Passage) RetrievalScores {
	wanted, found := size(union(references)), size(shared(references, retrieved))
	read := size(retrieved)
	return RetrievalScores{
		Recall:    share(found, wanted),
		Precision: share(found, read),
		IoU:       share(found, read+wanted-found),
	}
}

// PrecisionOmega returns the precision of a search that finds exactly the chunks
// that hold a part of a reference, the best that any search can do with these
// chunks: the characters of the references that lie in a chunk, over those
// chunks and what no chunk holds of the references, each character counted once.
// It is 0..1; large chunks score low, since they bring much beside the references.
// The name and the measure are Chroma's, see [ScoreRetrieval].
func PrecisionOmega(references, chunks []Passage) float64 {
	var met []Passage
	for _, c := range chunks {
		if slices.ContainsFunc(references, func(r Passage) bool { return c.overlap(r).chars() > 0 }) {
			met = append(met, c)
		}
	}
	found := size(shared(references, met))
	return share(found, size(union(met))+size(union(references))-found)
}

// RecallWithin returns the share of the references' characters that a reader has
// seen who reads the ranked chunks, the best first, up to so many characters; the
// chunk that exceeds them is read up to that point. Unlike the recall of k chunks
// it does not favour large ones. It is 0..1.
func RecallWithin(references, ranked []Passage, chars int) float64 {
	var read []Passage
	for _, c := range ranked {
		if chars <= 0 {
			break
		}
		c.Span.Stop = min(c.Span.Stop, c.Span.Start+chars)
		chars -= c.chars()
		read = append(read, c)
	}
	return ScoreRetrieval(references, read).Recall
}

// ChunkSizes returns the number of chunks, their mean and their largest length in
// characters.
func ChunkSizes(chunks []Passage) (count int, mean float64, largest int) {
	for _, c := range chunks {
		largest = max(largest, c.chars())
	}
	return len(chunks), share(size(chunks), len(chunks)), largest
}

// shared returns the stretches of references that lie in at least one chunk, each
// character once.
func shared(references, chunks []Passage) []Passage {
	var both []Passage
	for _, c := range chunks {
		for _, r := range references {
			if o := c.overlap(r); o.chars() > 0 {
				both = append(both, o)
			}
		}
	}
	return union(both)
}

// union returns passages that hold the same characters and share none.
func union(passages []Passage) []Passage {
	sorted := slices.Clone(passages)
	slices.SortFunc(sorted, func(a, b Passage) int {
		return cmp.Or(a.Document-b.Document, a.Span.Start-b.Span.Start)
	})
	var out []Passage
	for _, p := range sorted {
		if last := len(out) - 1; last >= 0 && out[last].Document == p.Document && p.Span.Start <= out[last].Span.Stop {
			out[last].Span.Stop = max(out[last].Span.Stop, p.Span.Stop)
			continue
		}
		out = append(out, p)
	}
	return out
}

// size returns the sum of the lengths.
func size(passages []Passage) int {
	n := 0
	for _, p := range passages {
		n += p.chars()
	}
	return n
}

func share(part, whole int) float64 {
	if whole == 0 {
		return 0
	}
	return float64(part) / float64(whole)
}
