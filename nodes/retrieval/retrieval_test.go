package retrieval

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ironflow/ironflow/nodes/value"
)

// Three texts of 1, 2 and 3 terms, mean 2. The norms k1 (1 - b + b L/M) are
// 0.75, 1.2 and 1.65.
func TestBM25ByHand(t *testing.T) {
	x := NewBM25([]string{"tide", "tide crane", "crane crane ice"})
	// Two of three texts hold "crane": ln(1 + 1.5/2.5). One holds "ice": ln(1 + 2.5/1.5).
	crane, ice := math.Log(1.6), math.Log(8./3)
	for query, want := range map[string][]float64{
		"crane":             {0, crane * 2.2 / 2.2, crane * 4.4 / 3.65},
		"ICE":               {0, 0, ice * 2.2 / 2.65},
		"the ice, a crane!": {0, crane, crane*4.4/3.65 + ice*2.2/2.65},
		"crane cranes":      {0, 2 * crane, 2 * crane * 4.4 / 3.65},
		"harbour":           {0, 0, 0},
		"the":               {0, 0, 0},
		"":                  {0, 0, 0},
	} {
		got := x.Scores(query)
		for i := range want {
			if math.Abs(got[i]-want[i]) > 1e-12 {
				t.Errorf("%q, text %d: %v, want %v", query, i, got[i], want[i])
			}
		}
	}
	if x.Len() != 3 {
		t.Errorf("%d texts", x.Len())
	}
}

func TestBM25OfOtherScripts(t *testing.T) {
	x := NewBM25([]string{"東京の天気は雨です", "大阪は晴れ", "Погода в Москве", "weather"})
	for query, want := range map[string]int{"天気": 0, "大阪の人": 1, "МОСКВЕ": 2} {
		if hits := Top(x.Scores(query), 1); hits[0].Index != want || hits[0].Score <= 0 {
			t.Errorf("%s: %+v", query, hits)
		}
	}
}

func TestBM25WithoutTerms(t *testing.T) {
	for _, texts := range [][]string{nil, {""}, {"the", "..."}} {
		got := NewBM25(texts).Scores("the tide")
		if len(got) != len(texts) || slices.ContainsFunc(got, func(s float64) bool { return s != 0 }) {
			t.Errorf("%q: %v", texts, got)
		}
	}
}

func TestDenseByHand(t *testing.T) {
	d, err := NewDense(vectors([]float64{3, 4}, []float64{-4, 3}, []float64{0, 0}, []float64{-30, -40}, []float64{1e-200, 0}, []float64{1e150, 0}))
	if err != nil {
		t.Fatal(err)
	}
	got, err := d.Scores([]float64{6, 8})
	want := []float64{1, 0, 0, -1, 0, .6}
	if err != nil || len(got) != len(want) {
		t.Fatal(got, err)
	}
	for i := range want {
		if math.Abs(got[i]-want[i]) > 1e-15 {
			t.Errorf("vector %d: %v, want %v", i+1, got[i], want[i])
		}
	}
	if got, err := d.Scores([]float64{0, 0}); err != nil || !slices.Equal(got, make([]float64, 6)) {
		t.Errorf("a query of zeros: %v, %v", got, err)
	}
	for says, query := range map[string][]float64{
		"has 3 numbers, those of the texts have 2": {1, 2, 3},
		"has 0 numbers":    {},
		"number 2 is NaN":  {1, math.NaN()},
		"number 1 is +Inf": {math.Inf(1), 1},
		"too large":        {1e200, 1},
	} {
		if _, err := d.Scores(query); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v: error %v", query, err)
		}
	}
	if _, err := NewDense(vectors([]float64{1}, []float64{math.NaN()})); err == nil || !strings.Contains(err.Error(), "vector 2: number 1 is NaN") {
		t.Errorf("error %v", err)
	}
}

func TestFuseByHand(t *testing.T) {
	// 2, 1, 0 over 2; (0.5, -0.5, 0 less -0.5) over 1, times 0.8.
	got := Fuse([]float64{2, 1, 0}, []float64{.5, -.5, 0})
	for i, want := range []float64{1.8, .5, .4} {
		if math.Abs(got[i]-want) > 1e-15 {
			t.Errorf("text %d: %v, want %v", i, got[i], want)
		}
	}
	if got := Fuse([]float64{0, 0}, []float64{.1, .1}); !slices.Equal(got, []float64{0, 0}) {
		t.Errorf("nothing told: %v", got)
	}
	if got := Fuse([]float64{3, 3}, []float64{0, .5}); !slices.Equal(got, []float64{1, 1.8}) {
		t.Errorf("equal words: %v", got)
	}
	if got := Fuse(nil, nil); len(got) != 0 {
		t.Errorf("no texts: %v", got)
	}
}

// TestTop compares with a stable sort, on scores with many ties.
func TestTop(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 300 {
		scores := make([]float64, random.IntN(40))
		all := make([]Hit, len(scores))
		for i := range scores {
			scores[i] = float64(random.IntN(6)) / 4
			all[i] = Hit{Index: i, Score: scores[i]}
		}
		slices.SortStableFunc(all, func(a, b Hit) int {
			switch {
			case a.Score > b.Score:
				return -1
			case a.Score < b.Score:
				return 1
			}
			return 0
		})
		k := random.IntN(45) - 2
		if got := Top(scores, k); !slices.Equal(got, all[:max(0, min(k, len(all)))]) {
			t.Fatalf("round %d, %d of %v: %v", round, k, scores, got)
		}
	}
}

func TestRank(t *testing.T) {
	texts := []string{"the tide turns", "the crane lifts", "the tide and the crane", "nothing"}
	x, err := New(texts, vectors([]float64{1, 0}, []float64{0, 1}, []float64{1, 1}, []float64{0, 0}))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		mode, query string
		vector      []float64
		top         int
		want        []int
	}{
		{ModeBM25, "tide", nil, 5, []int{0, 2}},
		{ModeBM25, "tide", nil, 1, []int{0}},
		{ModeBM25, "zeppelin", nil, 5, nil},
		{ModeDense, "", []float64{0, 2}, 5, []int{1, 2, 0, 3}},
		{ModeDense, " ", []float64{0, 0}, 3, []int{0, 1, 2}},
		{Hybrid, "tide", []float64{0, 1}, 2, []int{2, 0}},
		{Hybrid, "zeppelin", []float64{1, 0}, 4, []int{0, 2, 1, 3}},
		{Hybrid, "tide", []float64{1, 0}, 0, nil},
	} {
		hits, err := x.Rank(c.mode, c.query, c.vector, c.top)
		var got []int
		for _, h := range hits {
			got = append(got, h.Index)
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%s %q %v: %v, %v; want %v", c.mode, c.query, c.vector, hits, err, c.want)
		}
	}
	bare, err := New(texts, nil)
	if err != nil {
		t.Fatal(err)
	}
	for says, rank := range map[string]func() ([]Hit, error){
		`mode "rrf" is not known; allowed are hybrid, bm25, dense`: func() ([]Hit, error) { return x.Rank("rrf", "tide", nil, 1) },
		"the query is blank":   func() ([]Hit, error) { return x.Rank(ModeBM25, " \n", nil, 1) },
		"has 1 numbers":        func() ([]Hit, error) { return x.Rank(ModeDense, "", []float64{1}, 1) },
		"there are no vectors": func() ([]Hit, error) { return bare.Rank(Hybrid, "tide", []float64{1, 1}, 1) },
	} {
		if _, err := rank(); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("error %v, want %q", err, says)
		}
	}
	if _, err := New(texts, vectors([]float64{1}, []float64{2})); err == nil || !strings.Contains(err.Error(), "2 vectors for 4 texts") {
		t.Errorf("error %v", err)
	}
	empty, err := New(nil, value.NewVectors(nil, 0))
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range Modes() {
		if hits, err := empty.Rank(mode, "tide", []float64{1}, 3); err != nil || len(hits) != 0 {
			t.Errorf("no texts, %s: %v, %v", mode, hits, err)
		}
	}
}

// TestTogether asks from many goroutines at once; -race watches.
func TestTogether(t *testing.T) {
	var texts []string
	data := make([]float64, 0, 400)
	for i := range 200 {
		texts = append(texts, fmt.Sprintf("ship %d passes buoy %d 東京", i, i%7))
		data = append(data, float64(i), 1)
	}
	x, err := New(texts, value.NewVectors(data, 2))
	if err != nil {
		t.Fatal(err)
	}
	want, _ := x.Rank(Hybrid, "ship 42 passing buoys in 東京", []float64{1, 2}, 9)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				if got, err := x.Rank(Hybrid, "ship 42 passing buoys in 東京", []float64{1, 2}, 9); err != nil || !slices.Equal(got, want) {
					t.Errorf("%v, %v; want %v", got, err, want)
				}
			}
		})
	}
	wg.Wait()
	if len(want) != 9 || want[0].Index != 42 {
		t.Errorf("%v", want)
	}
}

func FuzzBM25(f *testing.F) {
	f.Add("The tide turns.\x00Cranes lift ice\x00東京の天気", "tides of 東京")
	f.Add("\x00\x00the", "")
	f.Fuzz(func(t *testing.T, joined, query string) {
		texts := strings.Split(joined, "\x00")
		x := NewBM25(texts)
		scores := x.Scores(query)
		if len(scores) != len(texts) {
			t.Fatalf("%d scores for %d texts", len(scores), len(texts))
		}
		for i, s := range scores {
			if s < 0 || math.IsNaN(s) || math.IsInf(s, 0) {
				t.Errorf("score %v of %q for %q", s, texts[i], query)
			}
			// A text answers itself whenever it has a term.
			own := x.Scores(texts[i])
			if has := len(x.index.Find(texts[i])) > 0; has != (own[i] > 0) {
				t.Errorf("%q scores %v for itself", texts[i], own[i])
			}
		}
		if again := NewBM25(texts).Scores(query); !slices.Equal(scores, again) {
			t.Errorf("%v, then %v", scores, again)
		}
	})
}

func benchmarkTexts(n int) []string {
	random := rand.New(rand.NewPCG(3, 4))
	texts := make([]string, n)
	for i := range texts {
		words := make([]string, 80)
		for w := range words {
			words[w] = fmt.Sprintf("w%d", int(math.Exp(random.Float64()*9)))
		}
		texts[i] = strings.Join(words, " ")
	}
	return texts
}

func BenchmarkNewBM25(b *testing.B) {
	texts := benchmarkTexts(5000)
	size := 0
	for _, t := range texts {
		size += len(t)
	}
	b.SetBytes(int64(size))
	b.ReportAllocs()
	for b.Loop() {
		NewBM25(texts)
	}
}

func BenchmarkRank(b *testing.B) {
	texts := benchmarkTexts(5000)
	data := make([]float64, len(texts)*512)
	random := rand.New(rand.NewPCG(5, 6))
	for i := range data {
		data[i] = random.NormFloat64()
	}
	x, err := New(texts, value.NewVectors(data, 512))
	if err != nil {
		b.Fatal(err)
	}
	for _, mode := range Modes() {
		b.Run(mode, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := x.Rank(mode, "w1 w70 w900 w4000", data[:512], 5); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
