package semantic

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// Distances returns the distance at each gap: one minus the mean cosine of the
// pairs of neighbouring sentences at most half of simWindow gaps away, pairs
// with a zero vector left out, 0 where no pair is left. Values lie in 0..2.
//
// An even simWindow is raised by one, one below 3 counts as 3. Fewer than two
// rows have no gaps and give nil. A number that is not finite is a
// [*VectorError].
func Distances(m Matrix, simWindow int) ([]float64, error) {
	cos, err := cosines(m)
	if err != nil || len(cos) == 0 {
		return nil, err
	}
	half := min(oddWindow(max(simWindow, 3))/2, len(cos))
	distance := make([]float64, len(cos))
	var sum exactSum
	pairs := 0
	slide := func(p, sign int) {
		if c := cos[p]; !math.IsNaN(c) {
			sum.add(float64(sign) * c)
			pairs += sign
		}
	}
	for p := 0; p < half; p++ {
		slide(p, 1)
	}
	for i := range distance {
		if p := i + half; p < len(cos) {
			slide(p, 1)
		}
		if p := i - half - 1; p >= 0 {
			slide(p, -1)
		}
		if pairs > 0 {
			distance[i] = 1 - sum.hi/float64(pairs)
		}
	}
	return distance, nil
}

// cosines returns the cosine of each pair of neighbouring rows, in -1..1, and
// NaN where a row of the pair is zero.
func cosines(m Matrix) ([]float64, error) {
	if m.rows == 0 {
		return nil, nil
	}
	if m.dim == 0 {
		return nil, &VectorError{Row: 0, Problem: "has no numbers"}
	}
	var rows [2]scaledRow
	if err := rows[0].load(m, 0); err != nil {
		return nil, err
	}
	cos := make([]float64, m.rows-1)
	for p := range cos {
		left, right := &rows[p%2], &rows[(p+1)%2]
		if err := right.load(m, p+1); err != nil {
			return nil, err
		}
		if left.norm == 0 || right.norm == 0 {
			cos[p] = math.NaN()
			continue
		}
		c := floats.Dot(left.values, right.values) / (left.norm * right.norm)
		cos[p] = max(-1, min(1, c))
	}
	return cos, nil
}

// exactSum adds in twice the precision of a float64. A window that slides by
// adding and taking away then holds the same sum as one added up afresh, in
// constant time per step whatever its width.
type exactSum struct{ hi, lo float64 }

// add uses Knuth's two-sum: the rounding error of hi+x is kept in lo.
func (s *exactSum) add(x float64) {
	total := s.hi + x
	part := total - s.hi
	s.lo += (s.hi - (total - part)) + (x - part)
	s.hi = total + s.lo
	s.lo -= s.hi - total
}

// oddWindow raises an even width by one.
func oddWindow(w int) int { return w | 1 }

// clampWindow fits an odd width to m samples: at most m and odd, at least 3
// unless there are fewer samples.
func clampWindow(w, m int) int {
	w = min(w, m)
	if w%2 == 0 {
		w--
	}
	return min(max(w, 3), m)
}
