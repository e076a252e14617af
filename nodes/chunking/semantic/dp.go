package semantic

import (
	"fmt"
	"math"

	"github.com/ironflow/ironflow/nodes/chunking"
)

// sizeWeight is what a chunk of twice the target, or of none, costs, in standard
// deviations of the dissimilarity at a cut.
const sizeWeight = 8

// DPOptions steers [DP]. At least one of the two must be given.
type DPOptions struct {
	// Target is the wanted length of a chunk in the unit of the spans, above 0;
	// 0 takes half of Max.
	Target float64
	// Max is the most that a chunk of several sentences may be long, in the same
	// unit, from 1 on; 0 takes twice the target.
	Max int
}

// resolve fills in the value that is left out.
func (o DPOptions) resolve() (DPOptions, float64, error) {
	switch {
	case o.Target < 0 || math.IsNaN(o.Target) || math.IsInf(o.Target, 0):
		return o, 0, &chunking.OptionError{Param: "target_size", Value: o.Target, Allowed: "a number above 0"}
	case o.Max < 0:
		return o, 0, &chunking.OptionError{Param: "max_size", Value: o.Max, Allowed: "a number from 1 on"}
	case o.Target == 0 && o.Max == 0:
		return o, 0, &chunking.OptionError{Param: "target_size", Value: 0, Allowed: `a number from 1 on, or max_size, with detector "dp"`}
	}
	limit := float64(o.Max)
	if o.Target == 0 {
		o.Target = float64(o.Max) / 2
	}
	if o.Max == 0 {
		limit = 2 * o.Target
	}
	return o, limit, nil
}

// DPResult is what [DP] found.
type DPResult struct {
	// Gap is the standardized dissimilarity of the 3 sentences left and right of
	// each gap.
	Gap []float64
	// Cost is the cost of the whole division.
	Cost float64
	// Cuts are the gaps chosen, rising.
	Cuts []int
}

// DP divides the text into chunks of about the target length, cutting where
// neighbouring sentences differ most: it minimises, by dynamic programming, the
// sum over chunks of 8 (length/target - 1)^2 minus the dissimilarity at each cut.
// Of equal divisions the one with the shorter last chunk wins.
//
// Spans place each sentence in the unit that target and maximum are given in; a
// chunk's length reaches from its first sentence's start to its last one's stop.
// They must rise and be as many as rows. Time is O(n x sentences in the maximum),
// memory O(n).
//
// Errors are a [*chunking.OptionError], a [*VectorError], or a number of spans
// other than that of the vectors.
func DP(m Matrix, spans []chunking.Span, o DPOptions) (DPResult, error) {
	if _, _, err := o.resolve(); err != nil {
		return DPResult{}, err
	}
	if err := sameCount(len(spans), "spans", m); err != nil {
		return DPResult{}, err
	}
	u, err := newUnitRows(m)
	if err != nil {
		return DPResult{}, err
	}
	r, _, err := dpOf(u, spans, o)
	return r, err
}

func dpOf(u *unitRows, spans []chunking.Span, o DPOptions) (DPResult, dpCost, error) {
	o, limit, err := o.resolve()
	if err != nil {
		return DPResult{}, dpCost{}, err
	}
	if u.len() == 0 {
		return DPResult{}, dpCost{}, nil
	}
	r := DPResult{Gap: standardize(u.gapCurves(3)[0])}
	cost := dpCost{spans: spans, target: o.Target}
	n := len(spans)
	best := make([]float64, n) // cost of the sentences up to this one
	from := make([]int, n)     // first sentence of the chunk that ends there
	for last := range n {
		best[last] = math.Inf(1)
		for first := last; first >= 0; first-- {
			if first < last && float64(spans[last].Stop-spans[first].Start) > limit {
				break
			}
			c := cost.of(first, last)
			if first > 0 {
				c += best[first-1] - r.Gap[first-1]
			}
			if c < best[last] {
				best[last], from[last] = c, first
			}
		}
	}
	r.Cost, r.Cuts = best[n-1], traceCuts(from)
	return r, cost, nil
}

// dpCost is the cost of a chunk by its length.
type dpCost struct {
	spans  []chunking.Span
	target float64
}

func (c dpCost) of(first, last int) float64 {
	d := float64(c.spans[last].Stop-c.spans[first].Start)/c.target - 1
	return sizeWeight * d * d
}

// traceCuts follows the first sentences of the best last chunks back from the end
// and returns the gaps before them, rising.
func traceCuts(from []int) []int {
	count := 0
	for last := len(from) - 1; last >= 0 && from[last] > 0; last = from[last] - 1 {
		count++
	}
	if count == 0 {
		return nil
	}
	cuts := make([]int, count)
	for last := len(from) - 1; from[last] > 0; last = from[last] - 1 {
		count--
		cuts[count] = from[last] - 1
	}
	return cuts
}

func sameCount(got int, what string, m Matrix) error {
	if got != m.rows {
		return fmt.Errorf("%d %s for %d vectors; give one for each sentence", got, what, m.rows)
	}
	return nil
}
