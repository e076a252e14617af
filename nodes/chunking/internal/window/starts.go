package window

import (
	"sort"

	"github.com/ironflow/ironflow/nodes/chunking"
)

const (
	// sentenceBlock is how much text is split into sentences at a time, in bytes.
	sentenceBlock = 1 << 18
	// settled is how far behind a sentence the text has to go on for its
	// beginning to be certain.
	settled = 512
)

// Starts finds where sentences begin in a text that is read from front to back.
// The text is split in blocks, each beginning with a sentence of the block
// before, so that memory does not grow with the text.
type Starts struct {
	text     string
	clusters *Clusters
	split    func(string) []chunking.Span
	list     []int // rising; what lies before base is dropped
	next     int   // the beginning of the next block
	done     bool
}

// NewStarts reads text, which has to be valid UTF-8, by split.
func NewStarts(text string, c *Clusters, split func(string) []chunking.Span) *Starts {
	return &Starts{text: text, clusters: c, split: split}
}

// upTo reads on until every start up to i is known, and drops those before base.
func (s *Starts) upTo(base, i int) {
	for size := sentenceBlock; !s.done && s.next <= i; {
		stop := ceilRune(s.text, min(len(s.text), s.next+size))
		spans := s.split(s.text[s.next:stop])
		last := len(spans)
		if stop == len(s.text) {
			s.done = true
		} else {
			for last--; last > 0 && s.next+spans[last].Start > stop-settled; {
				last--
			}
			if last <= 0 {
				size *= 2
				continue
			}
		}
		drop := sort.SearchInts(s.list, base)
		s.list = append(s.list[:0], s.list[drop:]...)
		for _, span := range spans[:last] {
			if at := s.next + span.Start; s.clusters.Boundary(at) {
				s.list = append(s.list, at)
			}
		}
		if s.done {
			s.next = len(s.text)
		} else {
			s.next += spans[last].Start
		}
		size = sentenceBlock
	}
}

// last returns the last start b with after < b <= limit, or [None].
func (s *Starts) last(after, limit int) int {
	if k := sort.SearchInts(s.list, limit+1) - 1; k >= 0 && s.list[k] > after {
		return s.list[k]
	}
	return None
}

// Sentences keeps sentences whole where they fit, whatever else lies between
// them, and cuts the others by Text. It implements [Breaks].
type Sentences struct {
	Text
	Starts *Starts
	// Overlap is how many sentences are repeated at most.
	Overlap int
}

// Best implements [Breaks].
func (s *Sentences) Best(w Window) int {
	limit := max(w.Limit, w.Reach)
	s.Starts.upTo(w.Start, limit)
	if b := s.Starts.last(w.After, limit); b != None {
		return min(b, w.Limit)
	}
	return s.Text.Best(w)
}

// Rewind implements [Breaks]: as many whole sentences as still fit with the one
// that follows.
func (s *Sentences) Rewind(o Overlap) int {
	s.Starts.upTo(o.Start, o.Ink)
	list := s.Starts.list
	k := sort.SearchInts(list, o.Ink)
	if k == len(list) && o.Ink < len(s.Source) || k < len(list) && list[k] != o.Ink {
		return o.Stop // cut inside a sentence
	}
	stop := len(s.Source)
	for limit := o.Ink + 1; ; limit = o.Ink + 2*(limit-o.Ink) {
		s.Starts.upTo(o.Start, limit)
		if list = s.Starts.list; list[len(list)-1] > o.Ink {
			stop = list[sort.SearchInts(list, o.Ink+1)]
			break
		}
		if s.Starts.done || !o.Fits(o.Ink, min(len(s.Source), ceilRune(s.Source, limit))) {
			break
		}
	}
	stop = trimRight(s.Source, o.Ink, stop)
	k = sort.SearchInts(list, o.Ink)
	for first := max(0, k-s.Overlap); first < k; first++ {
		if list[first] >= o.From && o.Fits(list[first], stop) {
			return list[first]
		}
	}
	return o.Stop
}
