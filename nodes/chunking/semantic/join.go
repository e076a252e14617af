package semantic

import "gonum.org/v1/gonum/floats"

// keepMin joins chunks under the minimum with the more similar neighbour that
// leaves the maximum kept; of equals with the next one. What no neighbour has room
// for stays small.
func (s *shaper) keepMin(chunks []chunk, joinLimit float64) []chunk {
	if s.o.MinSize == 0 || len(chunks) < 2 {
		return chunks
	}
	var out []chunk
	for k := 0; k < len(chunks); k++ {
		c := chunks[k]
		chunks[k].sum = nil
		for s.isSmall(&c) {
			var before, after *chunk
			var withBefore, withAfter chunk
			if len(out) > 0 {
				if withBefore = s.merge(out[len(out)-1], c); s.mayJoin(&withBefore, joinLimit) {
					before = &out[len(out)-1]
				}
			}
			if k+1 < len(chunks) {
				if withAfter = s.merge(c, chunks[k+1]); s.mayJoin(&withAfter, joinLimit) {
					after = &chunks[k+1]
				}
			}
			if before != nil && after != nil {
				if s.similarity(&c, before) > s.similarity(&c, after) {
					after = nil
				} else {
					before = nil
				}
			}
			if before == nil && after == nil {
				break
			}
			other, joined := after, withAfter
			if before != nil {
				other, joined = before, withBefore
			}
			joined.sum = addSums(c.sum, other.sum)
			if before != nil {
				out = out[:len(out)-1]
			} else {
				k++
			}
			c = joined
		}
		if len(out) > 0 {
			out[len(out)-1].sum = nil // Only the neighbours' sums are kept.
		}
		out = append(out, c)
	}
	return out
}

// merge is the chunk of two neighbours.
func (s *shaper) merge(a, b chunk) chunk {
	c := chunk{first: a.first, last: b.last, span: a.span}
	c.span.Stop = b.span.Stop
	c.length = a.length + b.length
	if s.o.Additive && a.span.Stop < b.span.Start {
		c.length += s.o.Unit.Count(s.text[a.span.Stop:b.span.Start])
	}
	c.counted, c.grown = a.counted, a.grown+c.length-a.length
	if b.counted > a.counted {
		c.counted, c.grown = b.counted, b.grown+c.length-b.length
	}
	return c
}

// isSmall says that a chunk is under the minimum. A chunk that grows by joins is
// counted again only when it may have reached it.
func (s *shaper) isSmall(c *chunk) bool {
	least := s.o.MinSize
	switch {
	case s.exact():
		return c.length < least
	case c.span.Len()+c.last-c.first < least:
		return true
	case c.counted > 0 && c.counted < least && c.counted+2*c.grown < least:
		return true
	}
	c.counted, c.grown = s.o.Unit.Count(s.textOf(*c)), 0
	return c.counted < least
}

// mayJoin says that a joined chunk keeps the maximum, or the detector's own limit.
func (s *shaper) mayJoin(c *chunk, joinLimit float64) bool {
	if s.o.MaxSize > 0 {
		return s.fits(c)
	}
	return joinLimit == 0 || float64(c.length) <= joinLimit
}

// similarity is the cosine of the sums of two chunks' unit vectors, 0 where one
// has no direction.
func (s *shaper) similarity(a, b *chunk) float64 {
	s.sumUp(a)
	s.sumUp(b)
	cos, _ := cosineOf(a.sum, b.sum)
	return cos
}

func (s *shaper) sumUp(c *chunk) {
	if c.sum != nil {
		return
	}
	c.sum = make([]float64, s.u.m.dim)
	for i := c.first; i <= c.last; i++ {
		s.u.addTo(c.sum, i)
	}
}

// addSums returns the sum of both, or nil where one is not known; it uses a.
func addSums(a, b []float64) []float64 {
	if a == nil || b == nil {
		return nil
	}
	floats.Add(a, b)
	return a
}
