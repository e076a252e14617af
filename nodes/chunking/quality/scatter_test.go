package quality

import (
	"errors"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/nodes/chunking"
	"github.com/ironflow/ironflow/nodes/chunking/semantic"
)

func rows(t *testing.T, vectors ...[]float64) semantic.Matrix {
	t.Helper()
	m, err := semantic.FromRows(vectors)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestScatterByHand: x x y y of unit vectors. Two segments of equal vectors cost
// 2 - 4/2 = 0 each; any other cut leaves x y y, 3 - |(1,2)|^2/3 = 3 - 5/3 = 4/3.
// For three segments every cut of one pair more costs 0, and the shortest last
// segment wins.
func TestScatterByHand(t *testing.T) {
	x, y := []float64{3, 0}, []float64{0, .5}
	m := rows(t, x, x, y, y)
	for segments, want := range map[int]Segmentation{
		1: None(4), 2: FromLengths(2, 2), 3: FromLengths(2, 1, 1), 4: All(4),
	} {
		got, err := Scatter(m, segments)
		if err != nil || !got.Equal(want) {
			t.Errorf("%d segments: %+v, %v, want %+v", segments, got, err, want)
		}
	}
	// A zero vector adds to m alone: x 0 costs 2 - 1/2, 0 y the same, and 0 by
	// itself 1 - 0 = 1, which is less.
	got, err := Scatter(rows(t, x, x, []float64{0, 0}, y, y), 3)
	if err != nil || !got.Equal(FromLengths(2, 1, 2)) {
		t.Errorf("a zero vector: %+v, %v", got, err)
	}
	// Lengths do not count, however extreme.
	got, err = Scatter(rows(t, []float64{1e300, 0}, []float64{1e-300, 0}, []float64{0, 1e300}), 2)
	if err != nil || !got.Equal(FromLengths(2, 1)) {
		t.Errorf("extreme lengths: %+v, %v", got, err)
	}
}

// TestScatterAgainstAllDivisions tries every division of short random texts.
func TestScatterAgainstAllDivisions(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 9))
	for range 60 {
		n := 1 + random.IntN(9)
		m := semantic.NewMatrix(n, 3)
		for i := range n {
			for j := range 3 {
				m.Row(i)[j] = random.NormFloat64()
			}
		}
		least := map[int]float64{}
		for mask := range 1 << (n - 1) {
			s := Segmentation{Units: n}
			for gap := range n - 1 {
				if mask>>gap&1 == 1 {
					s.Cuts = append(s.Cuts, gap)
				}
			}
			k, cost := s.Segments(), scatterOf(m, s)
			if old, ok := least[k]; !ok || cost < old {
				least[k] = cost
			}
		}
		for k, want := range least {
			s, err := Scatter(m, k)
			if err != nil || s.Check() != nil || s.Segments() != k {
				t.Fatalf("%d of %d: %+v, %v", k, n, s, err)
			}
			if got := scatterOf(m, s); math.Abs(got-want) > 1e-9 {
				t.Errorf("%d of %d: cost %v, the least is %v", k, n, got, want)
			}
		}
	}
}

// scatterOf is the definition, as the mean distance to the centre.
func scatterOf(m semantic.Matrix, s Segmentation) float64 {
	total, first := 0.0, 0
	for _, cut := range append(append([]int{}, s.Cuts...), s.Units-1) {
		centre := make([]float64, m.Dim())
		var units [][]float64
		for i := first; i <= cut; i++ {
			norm := 0.0
			for _, x := range m.Row(i) {
				norm += x * x
			}
			u := make([]float64, m.Dim())
			for j, x := range m.Row(i) {
				u[j] = x / math.Sqrt(norm)
				centre[j] += u[j] / float64(cut-first+1)
			}
			units = append(units, u)
		}
		for _, u := range units {
			for j := range u {
				total += (u[j] - centre[j]) * (u[j] - centre[j])
			}
		}
		first = cut + 1
	}
	return total
}

func TestScatterErrors(t *testing.T) {
	m := rows(t, []float64{1}, []float64{2})
	for _, segments := range []int{-1, 0, 3} {
		_, err := Scatter(m, segments)
		var option *chunking.OptionError
		if !errors.As(err, &option) || option.Param != "segments" || !strings.Contains(err.Error(), "1 to the number of vectors, 2") {
			t.Errorf("%d segments: %v", segments, err)
		}
	}
	for _, x := range []float64{math.NaN(), math.Inf(1)} {
		_, err := Scatter(rows(t, []float64{1}, []float64{x}), 1)
		var vector *semantic.VectorError
		if !errors.As(err, &vector) || vector.Row != 1 {
			t.Errorf("%v: %v", x, err)
		}
	}
}
