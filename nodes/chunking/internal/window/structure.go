package window

import "sort"

// Mark is a break that the structure of a document gives.
type Mark struct {
	At int
	// Rank is the greater, the bigger the units are that the mark divides. 0 is
	// for marks that divide what belongs together.
	Rank uint8
}

// Outline is the structure of a document, read from front to back.
type Outline interface {
	// Marks returns the marks up to offset i, rising; those before base may be
	// missing.
	Marks(base, i int) []Mark
	// Whole returns the unit around offset i that must not be cut there: start <
	// i < stop.
	Whole(i int) (start, stop int, ok bool)
	// Room is that of [Breaks], which knows the size.
	Room(ink int) int
}

// Structure takes the breaks of an outline and, where it has none, those of the
// text. It implements [Breaks].
type Structure struct {
	Text
	Outline Outline
}

// Room implements [Breaks].
func (s *Structure) Room(ink, _ int) int { return s.Outline.Room(ink) }

// Best implements [Breaks]: the mark of the highest rank, else the best break of
// the text behind the last mark, else that mark.
func (s *Structure) Best(w Window) int {
	limit := max(w.Limit, w.Reach)
	marks := s.Outline.Marks(w.Start, limit)
	if start, _, ok := s.Outline.Whole(w.Limit); ok {
		if start <= w.After {
			return MoreRoom
		}
		limit = start
	}
	best, rank, weak := None, uint8(0), None
	for k := sort.Search(len(marks), func(k int) bool { return marks[k].At > w.After }); k < len(marks) && marks[k].At <= limit; k++ {
		m := marks[k]
		if m.At < w.Limit && !s.Clusters.Boundary(m.At) {
			continue
		}
		if m.Rank == 0 {
			weak = m.At
		} else if m.Rank >= rank {
			best, rank = m.At, m.Rank
		}
	}
	if best != None {
		return min(best, w.Limit)
	}
	w.Limit, w.Reach = min(w.Limit, limit), min(w.Reach, limit)
	w.After = max(w.After, weak)
	if w.After >= w.Limit {
		return min(weak, w.Limit)
	}
	if b := s.Text.Best(w); b != None {
		return b
	}
	return w.Limit
}

// Rewind implements [Breaks]: units of the rank that the chunk was cut at, or of
// the next lower one of which the overlap has room for a unit. What must stay
// whole is not begun in its middle.
func (s *Structure) Rewind(o Overlap) int {
	if _, stop, ok := s.Outline.Whole(o.From); ok {
		o.From = stop
	}
	if o.From >= o.Stop || trimRight(s.Source, o.From, o.Stop) == o.From {
		return o.Stop
	}
	marks := s.Outline.Marks(o.Start, o.Ink)
	first := sort.Search(len(marks), func(k int) bool { return marks[k].At >= o.From })
	stop := sort.Search(len(marks), func(k int) bool { return marks[k].At >= o.Stop })
	end := sort.Search(len(marks), func(k int) bool { return marks[k].At >= o.Ink })
	inside := marks[first:stop]
	if end == len(marks) || marks[end].At != o.Ink { // cut between two marks
		if len(inside) > 0 {
			o.From = inside[len(inside)-1].At
		}
		return s.Text.Rewind(o)
	}
	if len(inside) == 0 {
		return s.Text.Rewind(o)
	}
	rank := uint8(0)
	for _, m := range inside {
		rank = max(rank, m.Rank)
	}
	rank = min(rank, marks[end].Rank)
	for _, m := range inside {
		if m.Rank >= rank && s.Clusters.Boundary(m.At) {
			return m.At
		}
	}
	return o.Stop
}
