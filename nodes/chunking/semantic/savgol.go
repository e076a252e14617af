package semantic

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"

	"github.com/ironflow/ironflow/nodes/chunking"
)

// SavGolCoefficients returns the Savitzky-Golay filter of the given odd window:
// the weights, for offsets -window/2 to window/2, whose sum with the samples is
// the derivative (0 is the value) at the centre of the polynomial of degree
// polyOrder that fits the samples best, for samples at distance one. They apply
// as a correlation, not turned round. A derivative above polyOrder has weights
// of zero.
//
// The least squares problem is solved by QR on positions divided by half the
// window (Savitzky and Golay 1964; the scaling keeps the powers near one), which
// holds 1e-9 up to order 10 and window 501. An even window, one not above
// polyOrder, or a negative number is a [*chunking.OptionError].
func SavGolCoefficients(window, polyOrder, derivative int) ([]float64, error) {
	if err := checkFilter(window, polyOrder, derivative); err != nil {
		return nil, err
	}
	coefficients := make([]float64, window)
	if derivative > polyOrder {
		return coefficients, nil
	}
	half := window / 2
	scale := math.Max(float64(half), 1)
	design := mat.NewDense(window, polyOrder+1, nil)
	for r := range window {
		x := float64(r-half) / scale
		power := 1.0
		for c := 0; c <= polyOrder; c++ {
			design.Set(r, c, power)
			power *= x
		}
	}
	// The wanted row of the pseudo-inverse is the shortest solution w of
	// transpose(design) * w = unit vector; the factor undoes the scaling.
	target := mat.NewVecDense(polyOrder+1, nil)
	factor := 1.0
	for k := 1; k <= derivative; k++ {
		factor *= float64(k) / scale
	}
	target.SetVec(derivative, factor)
	var qr mat.QR
	qr.Factorize(design)
	weights := mat.NewVecDense(window, coefficients)
	if err := qr.SolveVecTo(weights, true, target); err != nil {
		return nil, fmt.Errorf("fitting a polynomial of order %d to %d samples; take a lower poly_order: %w", polyOrder, window, err)
	}
	mirror(coefficients, derivative)
	return coefficients, nil
}

// mirror makes the weights exactly even or odd about the centre, as they are in
// exact arithmetic, so that filtering needs only one half of them.
func mirror(c []float64, derivative int) {
	sign := parity(derivative)
	for i, j := 0, len(c)-1; i <= j; i, j = i+1, j-1 {
		right := (c[j] + sign*c[i]) / 2
		c[i], c[j] = sign*right, right
	}
}

func parity(derivative int) float64 {
	if derivative%2 == 0 {
		return 1
	}
	return -1
}

func checkFilter(window, polyOrder, derivative int) error {
	if window < 1 || window%2 == 0 {
		return &chunking.OptionError{Param: "sg_window", Value: window, Allowed: "an odd number from 1 on"}
	}
	if polyOrder < 0 || polyOrder >= window {
		return &chunking.OptionError{Param: "poly_order", Value: polyOrder, Allowed: fmt.Sprintf("0 to %d, below the window (%d)", window-1, window)}
	}
	if derivative < 0 {
		return &chunking.OptionError{Param: "derivative", Value: derivative, Allowed: "a number from 0 on"}
	}
	return nil
}

// SavGol filters data with the Savitzky-Golay filter of [SavGolCoefficients] and
// returns as many samples. Beyond the ends the data are mirrored without
// repeating the last sample (index -k reads k), then held at the far end. Errors
// are those of SavGolCoefficients; no data give nil.
func SavGol(data []float64, window, polyOrder, derivative int) ([]float64, error) {
	coefficients, err := SavGolCoefficients(window, polyOrder, derivative)
	if err != nil || len(data) == 0 {
		return nil, err
	}
	half := window / 2
	padded := mirrored(data, half)
	right := coefficients[half:] // weights of offsets 0, 1, ... half
	sign := parity(derivative)
	out := make([]float64, len(data))
	for i := range out {
		// Samples at equal distance are added first: a curve read backwards
		// gives the same numbers backwards. The conversions keep a compiler from
		// fusing multiplication and addition, which would round differently on
		// some processors.
		centre := i + half
		sum := float64(right[0] * padded[centre])
		for k := 1; k <= half; k++ {
			pair := padded[centre+k] + float64(sign*padded[centre-k])
			sum += float64(right[k] * pair)
		}
		out[i] = sum
	}
	return out, nil
}

// mirrored returns data with half samples added at each end by reflection.
func mirrored(data []float64, half int) []float64 {
	last := len(data) - 1
	padded := make([]float64, len(data)+2*half)
	copy(padded[half:], data)
	for k := 1; k <= half; k++ {
		padded[half-k] = data[min(k, last)]
		padded[half+last+k] = data[max(last-k, 0)]
	}
	return padded
}
