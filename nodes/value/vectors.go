package value

import "fmt"

// Floats is a [List] of numbers over one slice.
type Floats struct {
	items []float64
}

// NewFloats makes a list over items without copying them. The slice must not
// change afterwards. NaN and infinities are found when the list is
// normalized or written.
func NewFloats(items []float64) *Floats { return &Floats{items: items} }

// Len returns the number of elements.
func (l *Floats) Len() int { return len(l.items) }

// At returns element i as a float64.
func (l *Floats) At(i int) any { return l.items[i] }

// Slice returns the numbers themselves, shared: read only.
func (l *Floats) Slice() []float64 { return l.items }

// Vectors is a [List] of vectors of one dimension, stored row after row in a
// single slice.
type Vectors struct {
	data []float64
	rows int
	dim  int
}

// NewVectors makes a list of len(data)/dim vectors over data without copying
// it. The slice must not change afterwards. It panics when dim is negative,
// or when len(data) is not a multiple of dim, since that is a mistake of the
// calling code.
func NewVectors(data []float64, dim int) *Vectors {
	if dim < 0 || (dim == 0 && len(data) > 0) || (dim > 0 && len(data)%dim != 0) {
		panic(fmt.Sprintf("value.NewVectors: %d numbers do not make vectors of dimension %d", len(data), dim))
	}
	rows := 0
	if dim > 0 {
		rows = len(data) / dim
	}
	return &Vectors{data: data, rows: rows, dim: dim}
}

// Len returns the number of vectors.
func (l *Vectors) Len() int { return l.rows }

// At returns vector i as a [*Floats] that shares the backing slice.
func (l *Vectors) At(i int) any { return NewFloats(l.Row(i)) }

// Rows returns the number of vectors.
func (l *Vectors) Rows() int { return l.rows }

// Dim returns the dimension of each vector; it may be known while Rows is 0.
func (l *Vectors) Dim() int { return l.dim }

// Row returns vector i, shared: read only. Its capacity ends with the row.
func (l *Vectors) Row(i int) []float64 {
	if i < 0 || i >= l.rows {
		panic(fmt.Sprintf("value.Vectors: row %d of %d", i, l.rows))
	}
	end := (i + 1) * l.dim
	return l.data[i*l.dim : end : end]
}

// Data returns all numbers, row after row, shared: read only.
func (l *Vectors) Data() []float64 { return l.data }
