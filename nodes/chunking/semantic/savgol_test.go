package semantic

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"
	"testing"

	"github.com/ironflow/ironflow/nodes/chunking"
)

// exactCoefficients solves the normal equations in rational numbers.
func exactCoefficients(window, order, derivative int) []float64 {
	half := int64(window / 2)
	n := order + 1
	power := func(x int64, k int) *big.Rat {
		return new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(x), big.NewInt(int64(k)), nil))
	}
	// Rows of [A'A | unit vector]; solving gives row `derivative` of its inverse.
	rows := make([][]*big.Rat, n)
	for i := range rows {
		rows[i] = make([]*big.Rat, n+1)
		for j := range n {
			rows[i][j] = new(big.Rat)
			for x := -half; x <= half; x++ {
				rows[i][j].Add(rows[i][j], power(x, i+j))
			}
		}
		rows[i][n] = new(big.Rat)
	}
	rows[derivative][n].SetInt64(1)
	for p := range n {
		for rows[p][p].Sign() == 0 {
			panic("the exact system has a zero pivot")
		}
		inverse := new(big.Rat).Inv(rows[p][p])
		for j := p; j <= n; j++ {
			rows[p][j].Mul(rows[p][j], inverse)
		}
		for i := range n {
			if factor := new(big.Rat).Set(rows[i][p]); i != p && factor.Sign() != 0 {
				for j := p; j <= n; j++ {
					rows[i][j].Sub(rows[i][j], new(big.Rat).Mul(factor, rows[p][j]))
				}
			}
		}
	}
	factorial := new(big.Rat).SetInt(new(big.Int).MulRange(1, int64(derivative)))
	out := make([]float64, window)
	for r := range out {
		sum := new(big.Rat)
		for k := range n {
			sum.Add(sum, new(big.Rat).Mul(rows[k][n], power(int64(r)-half, k)))
		}
		out[r], _ = sum.Mul(sum, factorial).Float64()
	}
	return out
}

func TestCoefficientsAreExact(t *testing.T) {
	for _, window := range []int{1, 3, 5, 7, 11, 21, 51, 101, 251, 501} {
		for _, order := range []int{0, 1, 2, 3, 5, 7, 9, 10} {
			if order >= window {
				continue
			}
			for derivative := 0; derivative <= min(order, 2); derivative++ {
				got, err := SavGolCoefficients(window, order, derivative)
				if err != nil {
					t.Fatalf("window %d, order %d: %v", window, order, err)
				}
				near(t, fmt.Sprintf("window %d, order %d, derivative %d", window, order, derivative),
					got, exactCoefficients(window, order, derivative))
			}
		}
	}
	zeros, err := SavGolCoefficients(7, 1, 2)
	if err != nil || slices.Max(zeros) != 0 || slices.Min(zeros) != 0 {
		t.Errorf("derivative above the order: %v, %v", zeros, err)
	}
}

func TestFilterRefuses(t *testing.T) {
	for _, c := range []struct {
		window, order, derivative int
		param                     string
	}{
		{4, 2, 0, "sg_window"}, {0, 0, 0, "sg_window"}, {-3, 1, 0, "sg_window"},
		{5, 5, 0, "poly_order"}, {5, -1, 0, "poly_order"}, {5, 2, -1, "derivative"},
	} {
		_, err := SavGol([]float64{1, 2, 3}, c.window, c.order, c.derivative)
		var option *chunking.OptionError
		if !errors.As(err, &option) || option.Param != c.param {
			t.Errorf("SavGol(%+v): error %v, want one about %s", c, err, c.param)
		}
	}
}

func TestFilterKeepsPolynomials(t *testing.T) {
	data := make([]float64, 60)
	slope := make([]float64, 60)
	for i := range data {
		x := float64(i) / 10
		data[i] = 2 - x + 0.5*x*x - 0.1*x*x*x
		slope[i] = (-1 + x - 0.3*x*x) / 10
	}
	smooth, err := SavGol(data, 9, 3, 0)
	if err != nil {
		t.Fatal(err)
	}
	first, err := SavGol(data, 9, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "cubic", smooth[4:56], data[4:56])
	near(t, "its slope", first[4:56], slope[4:56])
}

func TestFilterMirrorsAtTheEnds(t *testing.T) {
	data := []float64{3, 1, 4, 1, 5}
	// By hand: index -k reads k, index 4+k reads 4-k, then the far end is held.
	padded := []float64{5, 5, 5, 1, 4, 1, 3, 1, 4, 1, 5, 1, 4, 1, 3, 3, 3}
	c, err := SavGolCoefficients(13, 4, 0)
	if err != nil {
		t.Fatal(err)
	}
	want := make([]float64, len(data))
	for i := range want {
		for j := range c {
			want[i] += c[j] * padded[i+j]
		}
	}
	got, err := SavGol(data, 13, 4, 0)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "filtered", got, want)
}

func TestFilterIsMirrorSymmetric(t *testing.T) {
	data := make([]float64, 40)
	for i := range data {
		data[i] = math.Sin(float64(i*i)) + 0.1
	}
	backwards := slices.Clone(data)
	slices.Reverse(backwards)
	for derivative, sign := range []float64{1, -1, 1} {
		forth, err := SavGol(data, 11, 3, derivative)
		if err != nil {
			t.Fatal(err)
		}
		back, err := SavGol(backwards, 11, 3, derivative)
		if err != nil {
			t.Fatal(err)
		}
		for i := range forth {
			if forth[i] != sign*back[len(back)-1-i] {
				t.Fatalf("derivative %d: %v forwards, %v backwards", derivative, forth[i], back[len(back)-1-i])
			}
		}
	}
}
