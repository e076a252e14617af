package retrieval

import (
	"fmt"
	"math"

	"github.com/ironflow/ironflow/nodes/value"
)

// Dense scores texts by the cosine of the angle between their vectors and that of
// a query. Any number of goroutines may use it at once.
type Dense struct {
	vectors *value.Vectors
	length  []float64
}

// NewDense takes one vector for each text, shared and not copied. A number that
// is not finite is an error.
func NewDense(vectors *value.Vectors) (*Dense, error) {
	d := &Dense{vectors: vectors, length: make([]float64, vectors.Rows())}
	for i := range d.length {
		var err error
		if d.length[i], err = length(vectors.Row(i)); err != nil {
			return nil, fmt.Errorf("vector %d: %w", i+1, err)
		}
	}
	return d, nil
}

// Len returns the number of texts.
func (d *Dense) Len() int { return len(d.length) }

// Scores returns the cosine of each text with the query, -1 to 1, and 0 where
// either vector is all zeros. A query of another length than the vectors of the
// texts, or with a number that is not finite, is an error.
func (d *Dense) Scores(query []float64) ([]float64, error) {
	if d.Len() > 0 && len(query) != d.vectors.Dim() {
		return nil, fmt.Errorf("the query's vector has %d numbers, those of the texts have %d; embed both with the same model", len(query), d.vectors.Dim())
	}
	size, err := length(query)
	if err != nil {
		return nil, fmt.Errorf("the query's vector: %w", err)
	}
	scores := make([]float64, d.Len())
	for i, l := range d.length {
		if l > 0 && size > 0 {
			scores[i] = max(-1, min(1, dot(query, d.vectors.Row(i))/size/l))
		}
	}
	return scores, nil
}

// length returns the Euclidean length of a vector.
func length(v []float64) (float64, error) {
	l := math.Sqrt(dot(v, v))
	if !math.IsNaN(l) && !math.IsInf(l, 0) {
		return l, nil
	}
	for i, x := range v {
		if math.IsNaN(x) || math.IsInf(x, 0) {
			return 0, fmt.Errorf("number %d is %v; vectors must be finite", i+1, x)
		}
	}
	return 0, fmt.Errorf("its numbers are too large to be squared; scale the vectors to unit length")
}

// dot adds in four lanes, in a fixed order, each product rounded before it is
// added: the sum is the same on every processor.
func dot(a, b []float64) float64 {
	var s0, s1, s2, s3 float64
	for len(a) >= 4 && len(b) >= 4 {
		s0 += float64(a[0] * b[0])
		s1 += float64(a[1] * b[1])
		s2 += float64(a[2] * b[2])
		s3 += float64(a[3] * b[3])
		a, b = a[4:], b[4:]
	}
	for i := range min(len(a), len(b)) {
		s0 += float64(a[i] * b[i])
	}
	return (s0 + s1) + (s2 + s3)
}
