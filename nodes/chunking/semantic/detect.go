package semantic

import (
	"fmt"
	"math"

	"github.com/ironflow/ironflow/nodes/chunking"
)

// Options steers [Detect]. Even values of both windows count as one more.
type Options struct {
	// SimWindow is how many gaps a distance averages over; below 3 counts as 3.
	SimWindow int
	// SGWindow is the smoothing window in gaps, 1 to 501.
	SGWindow int
	// PolyOrder is the degree of the smoothing polynomial, 1 to 10.
	PolyOrder int
	// Threshold is the share of candidate peaks admitted, 0 to 1: 0 admits the
	// strongest and its equals, 1 all of them.
	Threshold float64
	// MinDistance is the least distance of two cuts in gaps, 0 for none.
	MinDistance int
}

// Largest values of the options.
const (
	MaxSGWindow  = 501
	MaxPolyOrder = 10
)

// DefaultOptions returns windows of 3 and 11, order 3, threshold 0.5 and
// distance 2.
func DefaultOptions() Options {
	return Options{SimWindow: 3, SGWindow: 11, PolyOrder: 3, Threshold: 0.5, MinDistance: 2}
}

// Check returns a [*chunking.OptionError] for the first option out of range.
func (o Options) Check() error {
	switch {
	case o.SGWindow < 1 || o.SGWindow > MaxSGWindow:
		return &chunking.OptionError{Param: "sg_window", Value: o.SGWindow, Allowed: fmt.Sprintf("1 to %d", MaxSGWindow)}
	case o.PolyOrder < 1 || o.PolyOrder > MaxPolyOrder:
		return &chunking.OptionError{Param: "poly_order", Value: o.PolyOrder, Allowed: fmt.Sprintf("1 to %d", MaxPolyOrder)}
	case math.IsNaN(o.Threshold) || o.Threshold < 0 || o.Threshold > 1:
		return &chunking.OptionError{Param: "threshold", Value: o.Threshold, Allowed: "0 to 1"}
	case o.MinDistance < 0:
		return &chunking.OptionError{Param: "min_distance", Value: o.MinDistance, Allowed: "a number of gaps from 0 on"}
	}
	return nil
}

// Result is what a detector found, with everything that explains it.
type Result struct {
	// Distance is the distance at each gap, in 0..2; its length is the number
	// of sentences minus one.
	Distance []float64
	// Smoothed is the same curve after smoothing.
	Smoothed []float64
	// Peaks are the candidates from left to right, kept or not.
	Peaks []Peak
	// Cutoff is the strength a peak had to reach; 0 without candidates.
	Cutoff float64
	// Cuts are the gaps of the kept peaks, rising.
	Cuts []int
}

// Detect finds topic changes with the Savitzky-Golay detector: the distances of
// [Distances] are smoothed by [Smooth], the maxima that [Peaks] finds are
// candidates, and [Keep] chooses among them. Fewer than about six sentences,
// flat curves and noise on a flat curve give no cut.
//
// Errors are a [*chunking.OptionError] or a [*VectorError].
func Detect(m Matrix, o Options) (Result, error) {
	if err := o.Check(); err != nil {
		return Result{}, err
	}
	return detect(m, o)
}

func detect(m Matrix, o Options) (Result, error) {
	distance, err := Distances(m, o.SimWindow)
	if err != nil {
		return Result{}, err
	}
	r := Result{Distance: distance}
	if r.Smoothed, err = Smooth(distance, o.SGWindow, o.PolyOrder); err != nil {
		return Result{}, err
	}
	gaps, err := Peaks(r.Smoothed, o.SGWindow, o.PolyOrder)
	if err != nil {
		return Result{}, err
	}
	strengths := make([]float64, len(gaps))
	for i, g := range gaps {
		strengths[i] = r.Smoothed[g]
	}
	r.Peaks, r.Cutoff = Keep(gaps, strengths, o.Threshold, o.MinDistance)
	for _, p := range r.Peaks {
		if p.Kept {
			r.Cuts = append(r.Cuts, p.Gap)
		}
	}
	return r, nil
}
