package semantic

import (
	"fmt"
	"math"
	"slices"
)

const (
	// flatness is the largest step that still counts as level; noise on a flat
	// curve stays below it.
	flatness = 1e-12
	// levelSlope is how near to zero the slope at a peak has to be.
	levelSlope = 0.1
	// shortestPeakWindow is the least window for the derivatives.
	shortestPeakWindow = 5
)

// Peak is a candidate for a cut.
type Peak struct {
	// Gap is the zero-based number of the sentence before the peak.
	Gap int
	// Strength is the height of the smoothed curve there.
	Strength float64
	// Kept says that the peak became a cut.
	Kept bool
	// Reason says in words why it was kept or dropped.
	Reason string
}

// Smooth returns the curve after Savitzky-Golay smoothing with a window fitted
// to its length, or a copy of it when it is too short for polyOrder.
func Smooth(curve []float64, sgWindow, polyOrder int) ([]float64, error) {
	w := clampWindow(oddWindow(sgWindow), len(curve))
	if w < 3 || w <= polyOrder {
		return slices.Clone(curve), nil
	}
	return SavGol(curve, w, polyOrder, 0)
}

// Peaks returns the gaps, in rising order, where the smoothed curve has a
// positive interior maximum with a slope near zero and negative curvature. A
// flat top gives its centre, the left one of two. A curve too short for the
// window (at least 5) and polyOrder has no peaks.
func Peaks(smoothed []float64, sgWindow, polyOrder int) ([]int, error) {
	m := len(smoothed)
	w := clampWindow(max(oddWindow(sgWindow), shortestPeakWindow), m)
	if w < 3 || w <= polyOrder {
		return nil, nil
	}
	slope, err := SavGol(smoothed, w, polyOrder, 1)
	if err != nil {
		return nil, err
	}
	curvature, err := SavGol(smoothed, w, polyOrder, 2)
	if err != nil {
		return nil, err
	}
	var peaks []int
	for first := 0; first < m; {
		last := first
		for last+1 < m && math.Abs(smoothed[last+1]-smoothed[first]) <= flatness {
			last++
		}
		centre := first + (last-first)/2
		if first > 0 && last < m-1 &&
			smoothed[first] > smoothed[first-1]+flatness &&
			smoothed[last] > smoothed[last+1]+flatness &&
			smoothed[centre] > flatness &&
			math.Abs(slope[centre]) < levelSlope &&
			slices.Min(curvature[first:last+1]) < -flatness {
			peaks = append(peaks, centre)
		}
		first = last + 1
	}
	return peaks, nil
}

// Keep decides which candidates become cuts. A peak is kept when its strength
// reaches the percentile 1-threshold of all strengths, which is returned as
// cutoff, and its gap is at least minDistance after the last one kept, from left
// to right. Gaps must rise and have one strength each; threshold lies in 0..1.
// Without candidates the cutoff is 0.
func Keep(gaps []int, strengths []float64, threshold float64, minDistance int) (peaks []Peak, cutoff float64) {
	if len(gaps) == 0 {
		return nil, 0
	}
	cutoff = percentile(strengths, 1-threshold)
	peaks = make([]Peak, len(gaps))
	lastKept := -1
	for i, gap := range gaps {
		p := Peak{Gap: gap, Strength: strengths[i]}
		switch {
		case p.Strength < cutoff:
			p.Reason = fmt.Sprintf("strength below the cutoff %.6g", cutoff)
		case lastKept >= 0 && gap-lastKept < minDistance:
			p.Reason = fmt.Sprintf("only %d after the last kept peak, min_distance is %d", gap-lastKept, minDistance)
		default:
			p.Kept = true
			p.Reason = fmt.Sprintf("strength reaches the cutoff %.6g", cutoff)
			lastKept = gap
		}
		peaks[i] = p
	}
	return peaks, cutoff
}

// percentile interpolates linearly at q*(k-1) among the k sorted values. The
// result never passes the neighbour above it: rounding must not put the cutoff
// over values that are all equal.
func percentile(values []float64, q float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	x := q * float64(len(sorted)-1)
	lo := min(int(x), len(sorted)-1)
	hi := min(lo+1, len(sorted)-1)
	f := x - float64(lo)
	between := float64(sorted[lo]*(1-f)) + float64(sorted[hi]*f)
	return min(max(between, sorted[lo]), sorted[hi])
}
