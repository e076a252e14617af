package semantic

import (
	"math"

	"gonum.org/v1/gonum/floats"
)

// unitRows gives the rows of a matrix at unit length without a second matrix:
// only the factor of each row is kept. A row of zeros stays zero.
type unitRows struct {
	m      Matrix
	factor []float64
	// scaled holds the rows whose squares overflow or vanish, at unit length.
	scaled map[int][]float64
}

// newUnitRows reports the first row with a number that is not finite.
func newUnitRows(m Matrix) (*unitRows, error) {
	if m.rows > 0 && m.dim == 0 {
		return nil, &VectorError{Row: 0, Problem: "has no numbers"}
	}
	u := &unitRows{m: m, factor: make([]float64, m.rows)}
	var row scaledRow
	for i := range u.factor {
		if err := row.load(m, i); err != nil {
			return nil, err
		}
		if row.norm == 0 {
			continue
		}
		u.factor[i] = 1 / row.norm
		if &row.values[0] != &m.Row(i)[0] {
			if u.scaled == nil {
				u.scaled = map[int][]float64{}
			}
			copied := make([]float64, m.dim)
			floats.AddScaled(copied, 1/row.norm, row.values)
			u.scaled[i], u.factor[i] = copied, 1
		}
	}
	return u, nil
}

func (u *unitRows) len() int { return len(u.factor) }

func (u *unitRows) isZero(i int) bool { return u.factor[i] == 0 }

// row returns numbers and the factor that brings them to unit length.
func (u *unitRows) row(i int) ([]float64, float64) {
	if u.scaled != nil {
		if values, ok := u.scaled[i]; ok {
			return values, 1
		}
	}
	return u.m.Row(i), u.factor[i]
}

// addTo adds row i at unit length to sum.
func (u *unitRows) addTo(sum []float64, i int) {
	if values, factor := u.row(i); factor != 0 {
		floats.AddScaled(sum, factor, values)
	}
}

// dot is the cosine of rows i and j; 0 with a row of zeros.
func (u *unitRows) dot(i, j int) float64 {
	a, fa := u.row(i)
	b, fb := u.row(j)
	if fa == 0 || fb == 0 {
		return 0
	}
	return floats.Dot(a, b) * fa * fb
}

// meanCosine is the mean cosine of all pairs of different rows, pairs with a row
// of zeros counting as 0. The square of the sum of all rows holds every pair
// twice and every row with itself once, so no pair is looked at.
func (u *unitRows) meanCosine() float64 {
	n := u.len()
	if n < 2 {
		return 0
	}
	sum := make([]float64, u.m.dim)
	own := 0
	for i := range n {
		if !u.isZero(i) {
			own++
		}
		u.addTo(sum, i)
	}
	return (floats.Dot(sum, sum) - float64(own)) / (float64(n)*float64(n) - float64(n))
}

// noSum is the square of a norm below which a sum of unit vectors is nothing but
// the rounding of vectors that cancel out.
const noSum = 1e-24

// cosineOf two sums of unit vectors; ok is false if one of them is zero.
func cosineOf(a, b []float64) (cos float64, ok bool) {
	aa, bb := floats.Dot(a, a), floats.Dot(b, b)
	if aa < noSum || bb < noSum {
		return 0, false
	}
	return max(-1, min(1, floats.Dot(a, b)/math.Sqrt(aa*bb))), true
}

// gapCurves returns, for each of the rising widths, the dissimilarity of both
// sides of each gap: one minus the cosine of the sums of up to that many unit
// vectors on the left and on the right, 0 where a sum is zero. Sums grow from the
// gap outwards, so a text read backwards gives the same curve backwards.
func (u *unitRows) gapCurves(widths ...int) [][]float64 {
	n := u.len()
	curves := make([][]float64, len(widths))
	for k := range curves {
		curves[k] = make([]float64, max(n-1, 0))
	}
	left, right := make([]float64, u.m.dim), make([]float64, u.m.dim)
	for gap := range n - 1 {
		clear(left)
		clear(right)
		k := 0
		for step := 0; k < len(widths); step++ {
			if i := gap - step; i >= 0 {
				u.addTo(left, i)
			}
			if i := gap + 1 + step; i < n {
				u.addTo(right, i)
			}
			if step+1 < widths[k] {
				continue
			}
			if cos, ok := cosineOf(left, right); ok {
				curves[k][gap] = 1 - cos
			}
			k++
		}
	}
	return curves
}

const (
	// deviationFloor is added to a standard deviation before dividing by it.
	deviationFloor = 1e-9
	// flatDeviation is the standard deviation up to which a curve holds nothing
	// but the rounding of equal values; dividing would blow that up.
	flatDeviation = 1e-13
)

// standardize returns (x-mean) / (population standard deviation + 1e-9) for each
// value, zeros for a flat curve.
func standardize(curve []float64) []float64 {
	z := make([]float64, len(curve))
	mean, deviation := meanDeviation(curve)
	if deviation <= flatDeviation {
		return z
	}
	for i, x := range curve {
		z[i] = (x - mean) / (deviation + deviationFloor)
	}
	return z
}

// meanDeviation returns the mean and the population standard deviation.
func meanDeviation(values []float64) (mean, deviation float64) {
	if len(values) == 0 {
		return 0, 0
	}
	count := float64(len(values))
	mean = floats.Sum(values) / count
	square := 0.0
	for _, x := range values {
		d := x - mean
		square += float64(d * d)
	}
	return mean, math.Sqrt(square / count)
}
