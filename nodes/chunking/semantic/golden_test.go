package semantic

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/ironflow/ironflow/nodes/chunking"
)

const tolerance = 1e-9

type goldenFilter struct {
	Window       int
	PolyOrder    int `json:"poly_order"`
	Derivative   int
	Coefficients []float64
}

type goldenCase struct {
	Name   string
	Params struct {
		SimWindow   *int     `json:"sim_window"`
		SGWindow    *int     `json:"sg_window"`
		PolyOrder   *int     `json:"poly_order"`
		Threshold   *float64 `json:"threshold"`
		MinDistance *int     `json:"min_distance"`
	}
	Vectors [][]float64
	Expect  struct {
		Distance, Smoothed, Strengths []float64
		Peaks, Kept                   []int
		ChunkSizes                    []int `json:"chunk_sizes"`
	}
}

func (c *goldenCase) options() Options {
	o := DefaultOptions()
	set(&o.SimWindow, c.Params.SimWindow)
	set(&o.SGWindow, c.Params.SGWindow)
	set(&o.PolyOrder, c.Params.PolyOrder)
	set(&o.Threshold, c.Params.Threshold)
	set(&o.MinDistance, c.Params.MinDistance)
	return o
}

func set[T any](to, from *T) {
	if from != nil {
		*to = *from
	}
}

type golden struct {
	Savgol []goldenFilter
	Cases  []goldenCase
}

func readGolden(t *testing.T) golden {
	t.Helper()
	data, err := os.ReadFile("../../../testdata/vectors/semantic.json")
	if err != nil {
		t.Fatal(err)
	}
	var g golden
	if err := json.Unmarshal(data, &g); err != nil {
		t.Fatal(err)
	}
	if len(g.Savgol) < 18 || len(g.Cases) < 35 {
		t.Fatalf("only %d filters and %d cases", len(g.Savgol), len(g.Cases))
	}
	return g
}

// near compares two curves to the tolerance.
func near(t *testing.T, what string, got, want []float64) {
	t.Helper()
	if len(got) != len(want) {
		t.Errorf("%s has %d values, want %d", what, len(got), len(want))
		return
	}
	for i := range got {
		if !(math.Abs(got[i]-want[i]) <= tolerance) {
			t.Errorf("%s[%d] = %v, want %v", what, i, got[i], want[i])
			return
		}
	}
}

// chunkSizes counts the sentences of each group by really grouping n of them.
func chunkSizes(n int, cuts []int) []int {
	text := ""
	sentences := make([]chunking.Span, n)
	for i := range sentences {
		text += "x. "
		sentences[i] = chunking.Span{Start: 3 * i, Stop: 3*i + 2}
	}
	_, spans := Group(text, sentences, cuts, false)
	sizes := make([]int, len(spans))
	for i, s := range spans {
		sizes[i] = (s.Len() + 1) / 3
	}
	return sizes
}

func TestGoldenCases(t *testing.T) {
	for _, c := range readGolden(t).Cases {
		t.Run(c.Name, func(t *testing.T) {
			o := c.options()
			m, err := FromRows(c.Vectors)
			if err != nil {
				t.Fatal(err)
			}
			r, err := Detect(m, o)
			if o.PolyOrder > MaxPolyOrder {
				// Detect refuses the order; the steps themselves still have to
				// find nothing in a window that is too short for it.
				var option *chunking.OptionError
				if !errors.As(err, &option) || option.Param != "poly_order" {
					t.Fatalf("order %d: error %v", o.PolyOrder, err)
				}
				r, err = detect(m, o)
			}
			if err != nil {
				t.Fatal(err)
			}
			near(t, "distance", r.Distance, c.Expect.Distance)
			near(t, "smoothed", r.Smoothed, c.Expect.Smoothed)
			var gaps, kept []int
			var strengths []float64
			for _, p := range r.Peaks {
				gaps = append(gaps, p.Gap)
				strengths = append(strengths, p.Strength)
				if p.Kept {
					kept = append(kept, p.Gap)
				}
			}
			near(t, "strengths", strengths, c.Expect.Strengths)
			if !slices.Equal(gaps, c.Expect.Peaks) || !slices.Equal(kept, c.Expect.Kept) || !slices.Equal(r.Cuts, c.Expect.Kept) {
				t.Errorf("peaks %v, kept %v, cuts %v; want peaks %v, kept %v", gaps, kept, r.Cuts, c.Expect.Peaks, c.Expect.Kept)
			}
			if got := chunkSizes(len(c.Vectors), r.Cuts); !slices.Equal(got, c.Expect.ChunkSizes) {
				t.Errorf("chunk sizes %v, want %v", got, c.Expect.ChunkSizes)
			}
		})
	}
}

func TestGoldenFilters(t *testing.T) {
	for _, f := range readGolden(t).Savgol {
		got, err := SavGolCoefficients(f.Window, f.PolyOrder, f.Derivative)
		if err != nil {
			t.Fatal(err)
		}
		near(t, fmt.Sprintf("window %d, order %d, derivative %d", f.Window, f.PolyOrder, f.Derivative), got, f.Coefficients)
	}
}

// topics gives vectors of one-hot topics, sizes[k] of topic k.
func topics(sizes ...int) [][]float64 {
	var out [][]float64
	for k, size := range sizes {
		for range size {
			v := make([]float64, len(sizes))
			v[k] = 1
			out = append(out, v)
		}
	}
	return out
}

func atAngles(degrees ...float64) [][]float64 {
	out := make([][]float64, len(degrees))
	for i, d := range degrees {
		sin, cos := math.Sincos(d * math.Pi / 180)
		out[i] = []float64{cos, sin}
	}
	return out
}

func TestTopicSizes(t *testing.T) {
	angles := atAngles(0, 2, 4, 3, 1, 50, 52, 51, 53, 49, 110, 108, 111, 109, 112, 110)
	with := func(change func(*Options)) Options {
		o := DefaultOptions()
		change(&o)
		return o
	}
	fine := func(threshold float64) Options {
		return with(func(o *Options) { o.SGWindow, o.PolyOrder, o.Threshold = 5, 2, threshold })
	}
	all := func(distance int) Options {
		return with(func(o *Options) { o.Threshold, o.MinDistance = 1, distance })
	}
	for _, c := range []struct {
		name    string
		vectors [][]float64
		o       Options
		want    []int
	}{
		{"8+8", topics(8, 8), DefaultOptions(), []int{8, 8}},
		{"3+3", topics(3, 3), DefaultOptions(), []int{3, 3}},
		{"2+4", topics(2, 4), DefaultOptions(), []int{2, 4}},
		{"2+2", topics(2, 2), DefaultOptions(), []int{4}},
		{"2+3", topics(2, 3), DefaultOptions(), []int{5}},
		{"3+2", topics(3, 2), DefaultOptions(), []int{5}},
		{"1+5", topics(1, 5), DefaultOptions(), []int{6}},
		{"5+1", topics(5, 1), DefaultOptions(), []int{6}},
		{"8+8+8, all", topics(8, 8, 8), all(0), []int{8, 8, 8}},
		{"8+8+8, all, distance 8", topics(8, 8, 8), all(8), []int{8, 8, 8}},
		{"8+8+8, all, distance 9", topics(8, 8, 8), all(9), []int{8, 16}},
		{"8+8+8, strongest and its equal", topics(8, 8, 8), with(func(o *Options) { o.Threshold = 0 }), []int{8, 8, 8}},
		{"8+8 order 2", topics(8, 8), with(func(o *Options) { o.PolyOrder = 2 }), []int{8, 8}},
		{"8+8 order 1", topics(8, 8), with(func(o *Options) { o.PolyOrder = 1 }), []int{16}},
		{"8+8 sim 5", topics(8, 8), with(func(o *Options) { o.SimWindow = 5 }), []int{8, 8}},
		{"10+4+10", topics(10, 4, 10), all(2), []int{12, 12}},
		{"angles 0", angles, fine(0), []int{10, 6}},
		{"angles 0.5", angles, fine(0.5), []int{10, 6}},
		{"angles 1", angles, fine(1), []int{5, 5, 6}},
	} {
		m, err := FromRows(c.vectors)
		if err != nil {
			t.Fatal(err)
		}
		r, err := Detect(m, c.o)
		if err != nil {
			t.Fatal(err)
		}
		if got := chunkSizes(len(c.vectors), r.Cuts); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}
