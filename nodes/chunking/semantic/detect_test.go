package semantic

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"github.com/ironflow/ironflow/nodes/chunking"
)

// distancesPlainly follows the formula of one gap at a time.
func distancesPlainly(rows [][]float64, simWindow int) []float64 {
	half := max(simWindow|1, 3) / 2
	n := len(rows)
	var out []float64
	for i := 0; i < n-1; i++ {
		sum, pairs := 0.0, 0.0
		for p := max(0, i-half); p <= min(n-2, i+half); p++ {
			dot, a, b := 0.0, 0.0, 0.0
			for k := range rows[p] {
				dot += rows[p][k] * rows[p+1][k]
				a += rows[p][k] * rows[p][k]
				b += rows[p+1][k] * rows[p+1][k]
			}
			if a > 0 && b > 0 {
				sum += dot / math.Sqrt(a) / math.Sqrt(b)
				pairs++
			}
		}
		d := 0.0
		if pairs > 0 {
			d = 1 - sum/pairs
		}
		out = append(out, d)
	}
	return out
}

func randomRows(seed uint64, n, dim int) [][]float64 {
	rng := rand.New(rand.NewPCG(seed, 1))
	rows := make([][]float64, n)
	for i := range rows {
		rows[i] = make([]float64, dim)
		if rng.IntN(6) == 0 {
			continue
		}
		for k := range rows[i] {
			rows[i][k] = rng.NormFloat64()
		}
	}
	return rows
}

func TestDistances(t *testing.T) {
	for n := range 30 {
		for _, simWindow := range []int{-5, 0, 3, 4, 5, 9, 40, 1001, math.MaxInt} {
			rows := randomRows(uint64(n), n, 5)
			m, err := FromRows(rows)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Distances(m, simWindow)
			if err != nil {
				t.Fatal(err)
			}
			near(t, fmt.Sprintf("%d rows, window %d", n, simWindow), got, distancesPlainly(rows, min(simWindow, 2*n+3)))
		}
	}
}

func TestSizeOfVectorsDoesNotMatter(t *testing.T) {
	rows := randomRows(3, 20, 6)
	m, _ := FromRows(rows)
	want, err := Distances(m, 3)
	if err != nil {
		t.Fatal(err)
	}
	for _, scale := range []float64{1e-300, 1e-160, 1e150, 1e300} {
		for i := range rows {
			for k, x := range rows[i] {
				m.Row(i)[k] = x
				if i%2 == 0 {
					m.Row(i)[k] = x * scale
				}
			}
		}
		got, err := Distances(m, 3)
		if err != nil {
			t.Fatal(err)
		}
		near(t, fmt.Sprintf("scaled by %g", scale), got, want)
	}
}

func TestBackwardsIsTheSameBackwards(t *testing.T) {
	rows := randomRows(8, 200, 12)
	forth, _ := FromRows(rows)
	slices.Reverse(rows)
	back, _ := FromRows(rows)
	o := DefaultOptions()
	o.SimWindow = 7
	a, err := Detect(forth, o)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Detect(back, o)
	if err != nil {
		t.Fatal(err)
	}
	slices.Reverse(b.Distance)
	slices.Reverse(b.Smoothed)
	if !slices.Equal(a.Distance, b.Distance) || !slices.Equal(a.Smoothed, b.Smoothed) {
		t.Error("the curve of the text read backwards differs")
	}
}

func TestBadVectors(t *testing.T) {
	if _, err := FromRows([][]float32{{1, 2}, {1}}); !isVectorError(err, 1) || !strings.Contains(err.Error(), "vector 2") {
		t.Errorf("unequal lengths: %v", err)
	}
	if _, err := FromRows([][]float64{{}, {}}); !isVectorError(err, 0) {
		t.Errorf("no numbers: %v", err)
	}
	if _, err := Detect(NewMatrix(3, 0), DefaultOptions()); !isVectorError(err, 0) {
		t.Errorf("dimension 0: %v", err)
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.Inf(-1)} {
		for _, rows := range []int{1, 9} {
			m := NewMatrix(rows, 3)
			m.Row(rows - 1)[2] = bad
			if _, err := Detect(m, DefaultOptions()); !isVectorError(err, rows-1) {
				t.Errorf("%v in the last of %d: %v", bad, rows, err)
			}
		}
	}
}

func isVectorError(err error, row int) bool {
	var v *VectorError
	return errors.As(err, &v) && v.Row == row
}

func TestOptionsOutOfRange(t *testing.T) {
	for _, c := range []struct {
		param  string
		change func(*Options)
	}{
		{"sg_window", func(o *Options) { o.SGWindow = 0 }},
		{"sg_window", func(o *Options) { o.SGWindow = 502 }},
		{"poly_order", func(o *Options) { o.PolyOrder = 0 }},
		{"poly_order", func(o *Options) { o.PolyOrder = 11 }},
		{"threshold", func(o *Options) { o.Threshold = -0.01 }},
		{"threshold", func(o *Options) { o.Threshold = 1.01 }},
		{"threshold", func(o *Options) { o.Threshold = math.NaN() }},
		{"min_distance", func(o *Options) { o.MinDistance = -1 }},
	} {
		o := DefaultOptions()
		c.change(&o)
		_, err := Detect(Matrix{}, o)
		var option *chunking.OptionError
		if !errors.As(err, &option) || option.Param != c.param {
			t.Errorf("%+v: error %v, want one about %s", o, err, c.param)
		}
	}
	for _, change := range []func(*Options){
		func(o *Options) { o.SimWindow = -1 },
		func(o *Options) { o.SGWindow, o.PolyOrder = 501, 10 },
		func(o *Options) { o.SGWindow, o.PolyOrder = 1, 1 },
		func(o *Options) { o.MinDistance = math.MaxInt },
	} {
		o := DefaultOptions()
		change(&o)
		m, _ := FromRows(randomRows(5, 40, 4))
		if _, err := Detect(m, o); err != nil {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

func TestNoBoundaryInFlatCurves(t *testing.T) {
	o := DefaultOptions()
	o.Threshold, o.MinDistance = 1, 0
	rng := rand.New(rand.NewPCG(2, 2))
	same := make([]float64, 300)
	for i := range same {
		same[i] = rng.NormFloat64()
	}
	noisy := make([][]float64, 50)
	for i := range noisy {
		noisy[i] = slices.Clone(same)
		noisy[i][i] *= 1 + 1e-15*float64(i%3)
	}
	for name, rows := range map[string][][]float64{
		"identical": slices.Repeat([][]float64{same}, 50), "noise": noisy, "zeros": slices.Repeat([][]float64{{0, 0}}, 24), "none": nil,
		"alternating": slices.Repeat([][]float64{{1, 0}, {0.3, 1}}, 30), "one": {{1}}, "two": {{1, 0}, {0, 1}},
	} {
		m, err := FromRows(rows)
		if err != nil {
			t.Fatal(err)
		}
		for _, window := range []int{1, 5, 11, 31} {
			o.SGWindow = window
			if r, err := Detect(m, o); err != nil || len(r.Peaks) != 0 {
				t.Errorf("%s, window %d: peaks %v, %v", name, window, r.Peaks, err)
			}
		}
	}
}

func TestPeaksOfPlateaus(t *testing.T) {
	for _, c := range []struct {
		curve []float64
		want  []int
	}{
		{[]float64{0, .2, .4, .2, 0}, []int{2}},
		{[]float64{0, .2, .4, .4, .4, .2, 0}, []int{3}},
		{[]float64{0, .2, .4, .4, .4, .4, .2, 0}, []int{3}},
		{[]float64{0, .2, .4, .4, .4, .4, .4, .4, .4, .4, .4, .2, 0}, []int{6}},
		{[]float64{.4, .4, .2, .1, 0, 0, 0}, nil},
		{[]float64{0, 0, 0, .1, .2, .4, .4}, nil},
		{[]float64{-.5, -.3, -.1, -.3, -.5}, nil},
		{nil, nil}, {[]float64{1}, nil}, {[]float64{0, 1, 0}, []int{1}},
	} {
		got, err := Peaks(c.curve, 5, 2)
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("Peaks(%v) = %v, %v; want %v", c.curve, got, err, c.want)
		}
	}
}

func TestKeep(t *testing.T) {
	for _, c := range []struct {
		gaps      []int
		strengths []float64
		threshold float64
		distance  int
		want      []int
	}{
		{[]int{1, 2, 4}, []float64{.1, .4, .2}, .5, 2, []int{2, 4}},
		{[]int{1, 3, 5}, []float64{.1, .8, .3}, 0, 0, []int{3}},
		{[]int{1, 3, 5}, []float64{.1, .8, .3}, .5, 0, []int{3, 5}},
		{[]int{1, 3, 5}, []float64{.1, .8, .3}, 1, 0, []int{1, 3, 5}},
		{[]int{0, 9}, []float64{.5, .5}, 0, 9, []int{0, 9}},
		{[]int{0, 9}, []float64{.5, .5}, 1, math.MaxInt, []int{0}},
		{nil, nil, .5, 2, nil},
	} {
		peaks, _ := Keep(c.gaps, c.strengths, c.threshold, c.distance)
		var kept []int
		for i, p := range peaks {
			if p.Gap != c.gaps[i] || p.Strength != c.strengths[i] || p.Reason == "" {
				t.Errorf("peak %d is %+v", i, p)
			}
			if p.Kept {
				kept = append(kept, p.Gap)
			}
		}
		if !slices.Equal(kept, c.want) {
			t.Errorf("Keep(%v, %v, %v, %v) = %v, want %v", c.gaps, c.strengths, c.threshold, c.distance, kept, c.want)
		}
	}
}

func TestEqualStrengthsPassEveryThreshold(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	for range 20000 {
		strength := rng.Float64()
		gaps := []int{3, 6, 9, 12, 15, 18, 21}[:1+rng.IntN(7)]
		peaks, cutoff := Keep(gaps, slices.Repeat([]float64{strength}, len(gaps)), rng.Float64(), 0)
		for _, p := range peaks {
			if !p.Kept || cutoff != strength {
				t.Fatalf("strength %v, cutoff %v: %+v", strength, cutoff, p)
			}
		}
	}
}

func FuzzDetect(f *testing.F) {
	f.Add([]byte("two topics, one after the other, in bytes as vectors"), 2, 3, 5, 2, 0.5, 2)
	f.Add([]byte{0, 0, 0, 0, 255, 255, 255, 255}, 1, 4, 11, 3, 1.0, 0)
	f.Fuzz(func(t *testing.T, data []byte, dim, simWindow, sgWindow, order int, threshold float64, distance int) {
		dim = 1 + (dim&0xff)%16
		m := NewMatrix(len(data)/dim, dim)
		for i := range m.Rows() {
			for k := range dim {
				m.Row(i)[k] = float64(int8(data[i*dim+k]))
			}
		}
		if len(data) >= 8 && m.Rows() > 0 {
			m.Row(m.Rows() / 2)[0] = math.Float64frombits(binary.LittleEndian.Uint64(data))
		}
		o := Options{SimWindow: simWindow, SGWindow: sgWindow, PolyOrder: order, Threshold: threshold, MinDistance: distance}
		r, err := Detect(m, o)
		if err != nil {
			var option *chunking.OptionError
			var vector *VectorError
			if errors.As(err, &option) == (o.Check() == nil) && !errors.As(err, &vector) {
				t.Fatalf("Detect with %+v: %v", o, err)
			}
			return
		}
		checkResult(t, m, o, r)
		if again, err := Detect(m, o); err != nil || !reflect.DeepEqual(r, again) {
			t.Fatalf("the second run differs: %+v, %v", again, err)
		}
	})
}

func checkResult(t *testing.T, m Matrix, o Options, r Result) {
	t.Helper()
	gaps := max(m.Rows()-1, 0)
	if len(r.Distance) != gaps || len(r.Smoothed) != gaps {
		t.Fatalf("%d rows: %d distances, %d smoothed", m.Rows(), len(r.Distance), len(r.Smoothed))
	}
	for i, d := range r.Distance {
		if !(d >= 0 && d <= 2) || math.IsNaN(r.Smoothed[i]) || math.IsInf(r.Smoothed[i], 0) {
			t.Fatalf("gap %d: distance %v, smoothed %v", i, d, r.Smoothed[i])
		}
	}
	last, cuts := -1, []int(nil)
	for _, p := range r.Peaks {
		if p.Gap <= 0 || p.Gap >= gaps-1 || p.Strength != r.Smoothed[p.Gap] || p.Strength <= 0 || p.Reason == "" {
			t.Fatalf("peak %+v of %d gaps", p, gaps)
		}
		if !p.Kept {
			continue
		}
		if p.Strength < r.Cutoff || last >= 0 && p.Gap-last < o.MinDistance {
			t.Fatalf("kept %+v after %d, cutoff %v", p, last, r.Cutoff)
		}
		last = p.Gap
		cuts = append(cuts, p.Gap)
	}
	if !slices.Equal(cuts, r.Cuts) || len(r.Peaks) > 0 && len(cuts) == 0 {
		t.Fatalf("cuts %v of peaks %+v", r.Cuts, r.Peaks)
	}
}

// BenchmarkCurve reports the time of the whole detector as a multiple of
// gonum's dot product over the same neighbouring rows, measured in turn with it.
func BenchmarkCurve(b *testing.B) {
	const rows, dim = 10_000, 1_536
	m := NewMatrix(rows, dim)
	rng := rand.New(rand.NewPCG(1, 2))
	for i := range rows {
		row := m.Row(i)
		for k := range row {
			row[k] = rng.NormFloat64()
		}
	}
	o := DefaultOptions()
	b.Run("gaussian-10000x1536", func(b *testing.B) {
		b.SetBytes(rows * dim * 8)
		b.ReportAllocs()
		sum := 0.0
		dots := func() {
			for i := range rows - 1 {
				sum += floats.Dot(m.Row(i), m.Row(i+1))
			}
		}
		dots()
		elapsed := func() float64 { return b.Elapsed().Seconds() }
		var curve, dot float64
		for b.Loop() {
			before := elapsed()
			if _, err := Detect(m, o); err != nil {
				b.Fatal(err)
			}
			middle := elapsed()
			dots()
			curve += middle - before
			dot += elapsed() - middle
		}
		if math.IsNaN(sum) {
			b.Fatal("the dot products are not numbers")
		}
		b.ReportMetric(curve/dot, "x-dot")
		b.ReportMetric(1e3*curve/float64(b.N), "ms-curve")
		b.ReportMetric(1e3*dot/float64(b.N), "ms-dot")
	})
}

func TestMatrixOverSharesItsNumbers(t *testing.T) {
	data := []float64{1, 2, 3, 4, 5, 6}
	m := MatrixOver(data, 3)
	m.Row(1)[0] = 9
	if m.Rows() != 2 || m.Dim() != 3 || data[3] != 9 {
		t.Errorf("%d rows of %d over %v", m.Rows(), m.Dim(), data)
	}
	for _, dim := range []int{0, -1, 4} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("dimension %d of %d numbers did not panic", dim, len(data))
				}
			}()
			MatrixOver(data, dim)
		}()
	}
}
