package quality

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/ironflow/ironflow/nodes/chunking"
	"github.com/ironflow/ironflow/nodes/chunking/semantic"
)

// Scatter cuts a text into exactly the given number of segments such that the
// directions of the vectors scatter least within them: it minimises, over all
// such divisions, the sum over segments of
//
//	m - |sum u|^2 / m
//
// with m units in the segment and u their vectors at length 1 (a vector of zeros
// stays). That is the squared distance of the units to the mean of their segment,
// so it asks one thing only: whether vectors of one topic lie together. It has to
// be told the number of segments, so it measures vectors, and is no chunker.
//
// Of equal divisions the one with the shorter last segment wins. Time is
// O(n^2 (dimensions + segments)), memory O(n (dimensions + segments)).
//
// A number of segments that the rows cannot be cut into is a
// [*chunking.OptionError], a number that is not finite a [*semantic.VectorError].
func Scatter(m semantic.Matrix, segments int) (Segmentation, error) {
	n := m.Rows()
	if segments < 1 || segments > n {
		return Segmentation{}, &chunking.OptionError{Param: "segments", Value: segments, Allowed: fmt.Sprintf("1 to the number of vectors, %d", n)}
	}
	u, err := unitVectors(m)
	if err != nil {
		return Segmentation{}, err
	}
	// best[k][j] is the least cost of the units up to j in k+1 segments, from[k][j]
	// the first unit of the last of them.
	best, from := make([][]float64, segments), make([][]int32, segments)
	for k := range best {
		best[k], from[k] = make([]float64, n), make([]int32, n)
	}
	square := make([]float64, n) // |sum u|^2 of the segment from each unit to the last
	for last := range n {
		for k := range best {
			best[k][last] = math.Inf(1)
		}
		own, cosines := floats.Dot(u.Row(last), u.Row(last)), 0.0
		for first := last; first >= 0; first-- {
			if first < last {
				cosines += floats.Dot(u.Row(first), u.Row(last))
			}
			square[first] += own + float64(2*cosines)
			size := float64(last - first + 1)
			cost := size - square[first]/size
			if first == 0 {
				best[0][last] = cost
				continue
			}
			for k := 1; k < segments && k <= first; k++ {
				if c := best[k-1][first-1] + cost; c < best[k][last] {
					best[k][last], from[k][last] = c, int32(first)
				}
			}
		}
	}
	s := Segmentation{Units: n, Cuts: make([]int, segments-1)}
	for k, last := segments-1, n-1; k > 0; k-- {
		last = int(from[k][last]) - 1
		s.Cuts[k-1] = last
	}
	return s, nil
}

// unitVectors scales every row to length 1.
func unitVectors(m semantic.Matrix) (semantic.Matrix, error) {
	u := semantic.NewMatrix(m.Rows(), m.Dim())
	for i := range m.Rows() {
		row := u.Row(i)
		largest := 0.0
		for j, x := range m.Row(i) {
			if math.IsNaN(x) || math.IsInf(x, 0) {
				return u, &semantic.VectorError{Row: i, Problem: fmt.Sprintf("number %d is %v; all must be finite", j+1, x)}
			}
			largest = max(largest, math.Abs(x))
		}
		if largest == 0 {
			continue
		}
		// Divided first, so that no square overflows or vanishes.
		for j, x := range m.Row(i) {
			row[j] = x / largest
		}
		floats.Scale(1/math.Sqrt(floats.Dot(row, row)), row)
	}
	return u, nil
}
