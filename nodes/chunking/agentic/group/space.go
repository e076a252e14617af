package group

import (
	"hash/fnv"
	"math"

	"gonum.org/v1/gonum/floats"

	"github.com/ironflow/ironflow/nodes/chunking/semantic"
	"github.com/ironflow/ironflow/nodes/chunking/terms"
)

// Space tells how alike things are: each is a direction, and two are as like as
// the cosine between them.
type Space struct {
	rows [][]float64
	dim  int
	// least is the mean cosine from which on two sets are of one theme.
	least float64
}

// leastToCentre is the number of vectors from which on their mean says what all
// texts of a kind have in common, rather than what these are about.
const leastToCentre = 16

// NewSpace makes a space of vectors. What all of them have in common is taken
// away, since models put every text into one corner of their space. Rows that are
// not finite, and rows of zeros, are like nothing.
func NewSpace(m semantic.Matrix) *Space {
	s := &Space{rows: make([][]float64, m.Rows()), dim: m.Dim(), least: leastPlain}
	data := make([]float64, m.Rows()*m.Dim())
	for i := range s.rows {
		row := data[i*s.dim : (i+1)*s.dim : (i+1)*s.dim]
		copy(row, m.Row(i))
		toUnit(row)
		s.rows[i] = row
	}
	if len(s.rows) < leastToCentre {
		return s
	}
	s.least = leastCentred
	mean := make([]float64, s.dim)
	for _, row := range s.rows {
		floats.Add(mean, row)
	}
	floats.Scale(1/float64(len(s.rows)), mean)
	for _, row := range s.rows {
		floats.Sub(row, mean)
		toUnit(row)
	}
	return s
}

// toUnit scales a row to length 1; one that has no direction becomes zero.
func toUnit(row []float64) {
	norm := floats.Norm(row, 2)
	if norm < 1e-12 || math.IsNaN(norm) || math.IsInf(norm, 0) {
		for i := range row {
			row[i] = 0
		}
		return
	}
	floats.Scale(1/norm, row)
}

// wordDim is the number of dimensions that words are folded into.
const wordDim = 256

// NewWordSpace makes a space of the words in texts: rare ones count more, and
// every word is folded into a few dimensions by its hash.
func NewWordSpace(texts []string) *Space {
	index := terms.NewIndex()
	found := make([][]int32, len(texts))
	seen := []int{}
	last := []int{}
	for i, t := range texts {
		found[i] = index.Add(t)
		for len(seen) < index.Len() {
			seen, last = append(seen, 0), append(last, -1)
		}
		for _, w := range found[i] {
			if last[w] != i {
				seen[w]++
				last[w] = i
			}
		}
	}
	m := semantic.NewMatrix(len(texts), wordDim)
	for i := range texts {
		row := m.Row(i)
		for _, w := range found[i] {
			h := fnv.New32a()
			_, _ = h.Write([]byte{byte(w), byte(w >> 8), byte(w >> 16), byte(w >> 24)})
			sum := h.Sum32()
			weight := math.Log(1 + float64(len(texts))/float64(seen[w]))
			if sum>>31 == 1 {
				weight = -weight
			}
			row[sum%wordDim] += weight
		}
	}
	s := &Space{rows: make([][]float64, len(texts)), dim: wordDim, least: leastWords}
	for i := range s.rows {
		s.rows[i] = m.Row(i)
		toUnit(s.rows[i])
	}
	return s
}

// Part returns the space of the things first to stop.
func (s *Space) Part(first, stop int) *Space {
	return &Space{rows: s.rows[first:stop], dim: s.dim, least: s.least}
}

// sums adds up the directions of each theme.
func (s *Space) sums(of []int, themes int) [][]float64 {
	out := make([][]float64, themes)
	data := make([]float64, themes*s.dim)
	for k := range out {
		out[k] = data[k*s.dim : (k+1)*s.dim]
	}
	for i, k := range of {
		if k != None {
			floats.Add(out[k], s.rows[i])
		}
	}
	return out
}

// like is the cosine between a thing and a sum; 0 where one has no direction.
func (s *Space) like(i int, sum []float64) float64 {
	norm := floats.Norm(sum, 2)
	if norm < 1e-12 {
		return 0
	}
	return floats.Dot(s.rows[i], sum) / norm
}
