package quality

import (
	"math"
	"math/rand/v2"
	"testing"
)

// TestPairedBootstrapByHand enumerates the 4 equally likely resamples of two
// differences: 0 0, 0 1, 1 0, 1 1, with means 0 1/2 1/2 1. A quarter of the means
// is 0 and a quarter 1, so the interval is 0 to 1.
func TestPairedBootstrapByHand(t *testing.T) {
	if i := PairedBootstrap([]float64{0, 1}, 4000, 1); i != (Interval{Mean: .5, Low: 0, High: 1}) {
		t.Errorf("two differences: %+v", i)
	}
	if i := PairedBootstrap([]float64{.25, .25, .25}, 100, 1); i != (Interval{.25, .25, .25}) {
		t.Errorf("equal differences: %+v", i)
	}
	if i := PairedBootstrap(nil, 100, 1); i != (Interval{}) {
		t.Errorf("none: %+v", i)
	}
	if i := PairedBootstrap([]float64{-.5}, 100, 1); i != (Interval{-.5, -.5, -.5}) {
		t.Errorf("one: %+v", i)
	}
	if i := PairedBootstrap([]float64{0, 1}, 0, 1); i != (Interval{.5, .5, .5}) {
		t.Errorf("no resample: %+v", i)
	}
}

func TestPercentileByHand(t *testing.T) {
	// Position .025 x 4 = .1 between 1 and 2; .975 x 4 = 3.9 between 4 and 9.
	values := []float64{1, 2, 3, 4, 9}
	if low, high := percentile(values, .025), percentile(values, .975); math.Abs(low-1.1) > 1e-12 || math.Abs(high-8.5) > 1e-12 {
		t.Errorf("%v %v, want 1.1 8.5", low, high)
	}
	if p := percentile([]float64{7}, .975); p != 7 {
		t.Errorf("one value: %v", p)
	}
}

// TestPairedBootstrapCovers draws samples of a known mean: about 95 % of the
// intervals must hold it, and they must be as wide as those of the normal
// distribution, 2 x 1.96 / sqrt n.
func TestPairedBootstrapCovers(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 7))
	const samples, n = 400, 60
	covered, width := 0, 0.0
	for seed := range uint64(samples) {
		diff := make([]float64, n)
		for i := range diff {
			diff[i] = .3 + random.NormFloat64()
		}
		i := PairedBootstrap(diff, 500, seed)
		if i.Low <= .3 && .3 <= i.High {
			covered++
		}
		width += (i.High - i.Low) / samples
		if i.Low > i.Mean || i.Mean > i.High {
			t.Fatalf("mean outside: %+v", i)
		}
		if i != PairedBootstrap(diff, 500, seed) {
			t.Fatal("the same seed gives two intervals")
		}
	}
	if covered < samples*90/100 || covered > samples*98/100 {
		t.Errorf("%d of %d intervals hold the mean", covered, samples)
	}
	if want := 2 * 1.96 / math.Sqrt(n); math.Abs(width/want-1) > .06 {
		t.Errorf("mean width %.3f, want about %.3f", width, want)
	}
}

func BenchmarkPairedBootstrap(b *testing.B) {
	diff := make([]float64, 700)
	for i := range diff {
		diff[i] = float64(i % 13)
	}
	for b.Loop() {
		PairedBootstrap(diff, DefaultResamples, 1)
	}
}
