package semantic

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/floats"
)

// Matrix holds one vector per sentence, all of one dimension, in one slice.
// The zero Matrix has no rows. Copies share the numbers.
type Matrix struct {
	data      []float64
	rows, dim int
}

// MatrixOver returns the matrix whose rows lie one after another in data, each
// of dim numbers, without copying. A length that is no multiple of dim panics.
func MatrixOver(data []float64, dim int) Matrix {
	if dim <= 0 || len(data)%dim != 0 {
		panic(fmt.Sprintf("%d numbers are no rows of %d", len(data), dim))
	}
	return Matrix{data: data, rows: len(data) / dim, dim: dim}
}

// VectorError reports a vector that cannot be used.
type VectorError struct {
	// Row is the zero-based number of the vector.
	Row int
	// Problem says in words what is wrong with it.
	Problem string
}

// Error names the vector by its position, counted from one.
func (e *VectorError) Error() string {
	return fmt.Sprintf("vector %d (counted from 1): %s", e.Row+1, e.Problem)
}

// NewMatrix returns a matrix of zeros to be filled through [Matrix.Row]. It
// panics when rows or dim is negative, as make does.
func NewMatrix(rows, dim int) Matrix {
	return Matrix{data: make([]float64, rows*dim), rows: rows, dim: dim}
}

// FromRows copies vectors into a matrix. A vector without numbers, or of another
// length than the first, is a [*VectorError]; numbers that are not finite are
// found by the detectors.
func FromRows[F float32 | float64](vectors [][]F) (Matrix, error) {
	if len(vectors) == 0 {
		return Matrix{}, nil
	}
	dim := len(vectors[0])
	if dim == 0 {
		return Matrix{}, &VectorError{Row: 0, Problem: "has no numbers"}
	}
	m := NewMatrix(len(vectors), dim)
	for i, v := range vectors {
		if len(v) != dim {
			return Matrix{}, &VectorError{Row: i, Problem: fmt.Sprintf("has %d numbers where the first has %d", len(v), dim)}
		}
		row := m.Row(i)
		for j, x := range v {
			row[j] = float64(x)
		}
	}
	return m, nil
}

// Rows returns the number of vectors.
func (m Matrix) Rows() int { return m.rows }

// Dim returns the length of each vector.
func (m Matrix) Dim() int { return m.dim }

// Row returns vector i, sharing the matrix's memory.
func (m Matrix) Row(i int) []float64 {
	return m.data[i*m.dim : (i+1)*m.dim : (i+1)*m.dim]
}

// Bounds between which the square of a norm is exact enough to divide by: no
// square overflowed, and none that matters was lost to underflow.
const (
	leastSquare = 1e-250
	mostSquare  = 1e250
)

// scaledRow is a row with its norm. Rows of extreme size are multiplied by a
// power of two, which changes no angle and no digit.
type scaledRow struct {
	values []float64
	norm   float64 // 0 for a row of zeros
	scaled []float64
}

// load makes r hold row i of m, or reports a number that is not finite.
func (r *scaledRow) load(m Matrix, i int) error {
	r.values = m.Row(i)
	square := floats.Dot(r.values, r.values)
	if leastSquare < square && square < mostSquare {
		r.norm = math.Sqrt(square)
		return nil
	}
	largest := 0.0
	for j, x := range r.values {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return &VectorError{Row: i, Problem: fmt.Sprintf("number %d is %v; all must be finite", j+1, x)}
		}
		largest = max(largest, math.Abs(x))
	}
	if largest == 0 {
		r.norm = 0
		return nil
	}
	if r.scaled == nil {
		r.scaled = make([]float64, m.dim)
	}
	_, exponent := math.Frexp(largest)
	for j, x := range r.values {
		r.scaled[j] = math.Ldexp(x, -exponent)
	}
	r.values = r.scaled
	r.norm = math.Sqrt(floats.Dot(r.values, r.values))
	return nil
}
