package semantic

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"
)

// Explanation says why a text was cut where it was.
type Explanation struct {
	// Detector is the name of the detector.
	Detector string
	// Curves have one value per gap; the first is the one that the candidates'
	// strength is read from.
	Curves []Curve
	// Candidates are the gaps that could have been cuts, and all that are, from
	// left to right, with the reason why each was kept or dropped.
	Candidates []Peak
	// Cutoff is the strength that a candidate of savgol had to reach, or one of
	// depth to exceed.
	Cutoff float64
	// Cost is that of the whole division, for dp and topic.
	Cost float64
}

// Curve is a line of values over the gaps.
type Curve struct {
	Name   string
	Values []float64
}

func explainSavgol(r Result) *Explanation {
	return &Explanation{
		Detector:   DetectorSavgol,
		Curves:     []Curve{{"smoothed", r.Smoothed}, {"distance", r.Distance}},
		Candidates: slices.Clone(r.Peaks),
		Cutoff:     r.Cutoff,
	}
}

func explainDepth(r DepthResult) *Explanation {
	return &Explanation{
		Detector:   DetectorDepth,
		Curves:     []Curve{{"depth", r.Depth}, {"gap", r.Gap}},
		Candidates: slices.Clone(r.Candidates),
		Cutoff:     r.Cutoff,
	}
}

// explainGains explains a division of least cost by what each cut saves.
func explainGains(detector string, cost float64, cuts []int, gains, gap []float64) *Explanation {
	e := &Explanation{Detector: detector, Cost: cost, Curves: []Curve{{"gain", gains}, {"gap", gap}}}
	for _, g := range union(cuts, maxima(gains)) {
		p := Peak{Gap: g, Strength: gains[g]}
		_, p.Kept = slices.BinarySearch(cuts, g)
		switch {
		case p.Kept && p.Strength >= 0:
			p.Reason = fmt.Sprintf("the text costs %.6g more without this cut", p.Strength)
		case p.Kept:
			p.Reason = fmt.Sprintf("the text would cost %.6g less without this cut, but the chunk would be too long", -p.Strength)
		case p.Strength > 0:
			p.Reason = "another division is cheaper"
		default:
			p.Reason = fmt.Sprintf("a cut here costs %.6g more", -p.Strength)
		}
		e.Candidates = append(e.Candidates, p)
	}
	return e
}

// after brings in what the sizes changed.
func (e *Explanation) after(s *shaper, chunks []chunk, strength []float64) *Explanation {
	var final []int
	for i, c := range chunks[:len(chunks)-1] {
		if c.last < chunks[i+1].first {
			final = append(final, c.last)
		}
	}
	var candidates []Peak
	known := e.Candidates
	for _, g := range union(gapsOf(known), final) {
		p := Peak{Gap: g, Strength: strength[g]}
		if len(known) > 0 && known[0].Gap == g {
			p, known = known[0], known[1:]
		}
		switch _, cut := slices.BinarySearch(final, g); {
		case cut && !p.Kept:
			p.Kept = true
			p.Reason = fmt.Sprintf("cut because the chunk was over max_size %d", s.o.MaxSize)
		case !cut && p.Kept:
			p.Kept = false
			p.Reason = fmt.Sprintf("dropped because a chunk beside it was under min_size %d", s.o.MinSize)
		}
		candidates = append(candidates, p)
	}
	e.Candidates = candidates
	return e
}

// union merges two rising lists.
func union(a, b []int) []int {
	out := slices.Concat(a, b)
	slices.Sort(out)
	return slices.Compact(out)
}

// dpGains returns for each gap what a cut there saves: at a cut, the cost without
// it less the cost with it; elsewhere the cost of its chunk less that of its two
// parts.
func dpGains(r DPResult, cost dpCost) []float64 {
	gains := make([]float64, len(r.Gap))
	eachGap(len(r.Gap), r.Cuts, func(gap, first, last int) {
		gains[gap] = cost.of(first, last) - cost.of(first, gap) - cost.of(gap+1, last) + r.Gap[gap]
	})
	return gains
}

// eachGap visits every gap with the chunk that there is without it: its own one,
// or for a cut the two beside it.
func eachGap(gaps int, cuts []int, visit func(gap, first, last int)) {
	edges := append(append([]int{-1}, cuts...), gaps)
	for k := 0; k+1 < len(edges); k++ {
		for gap := edges[k] + 1; gap < edges[k+1]; gap++ {
			visit(gap, edges[k]+1, edges[k+1])
		}
		if k+2 < len(edges) {
			visit(edges[k+1], edges[k]+1, edges[k+2])
		}
	}
}

// topicGains returns the same for the cost of segments.
func topicGains(c *topicCost, cuts []int) []float64 {
	gaps := c.u.len() - 1
	gains := make([]float64, gaps)
	// The costs of a chunk's beginnings and ends, and of the whole.
	low, high := -1, -1
	var whole float64
	var beginning, end []float64
	eachGap(gaps, cuts, func(gap, first, last int) {
		if first != low || last != high {
			low, high = first, last
			beginning, end = c.parts(first, last)
			whole = beginning[last-first]
		}
		gains[gap] = whole - beginning[gap-first] - end[gap+1-first]
	})
	return gains
}

// parts returns, for each sentence from first to last, the cost of the segment
// from first to it and of that from it to last.
func (c *topicCost) parts(first, last int) (beginning, end []float64) {
	beginning, end = make([]float64, last-first+1), make([]float64, last-first+1)
	for _, forward := range []bool{true, false} {
		counts := map[int32]int32{}
		sum := make([]float64, c.u.m.dim)
		fit := 0.0
		for k := range beginning {
			at := first + k
			if !forward {
				at = last - k
			}
			for _, e := range c.entries[c.firstEntry[at]:c.firstEntry[at+1]] {
				fit += c.termFit(counts[e.term]+e.count) - c.termFit(counts[e.term])
				counts[e.term] += e.count
			}
			c.u.addTo(sum, at)
			square := floats.Dot(sum, sum)
			if forward {
				beginning[k] = c.segment(first, at, fit, square)
			} else {
				end[at-first] = c.segment(at, last, fit, square)
			}
		}
	}
	return beginning, end
}
