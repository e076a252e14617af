package semantic

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/nodes/chunking"
)

// drift gives rows that change direction slowly, with a few zero rows.
func drift(random *rand.Rand, n, dim int) [][]float64 {
	rows := make([][]float64, n)
	topic := make([]float64, dim)
	for i := range rows {
		if i%7 == 0 {
			for j := range topic {
				topic[j] = random.NormFloat64()
			}
		}
		rows[i] = make([]float64, dim)
		if random.IntN(12) == 0 {
			continue
		}
		for j := range topic {
			rows[i][j] = topic[j] + random.NormFloat64()
		}
	}
	return rows
}

func matrixOf(t testing.TB, rows [][]float64) Matrix {
	t.Helper()
	m, err := FromRows(rows)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// placesOf lays sentences of random lengths out with gaps of one.
func placesOf(random *rand.Rand, n int) []chunking.Span {
	spans := make([]chunking.Span, n)
	at := 0
	for i := range spans {
		spans[i] = chunking.Span{Start: at, Stop: at + 1 + random.IntN(60)}
		at = spans[i].Stop + 1
	}
	return spans
}

// everyDivision calls visit with each choice of cuts among n sentences.
func everyDivision(n int, visit func(cuts []int)) {
	for mask := range 1 << (n - 1) {
		var cuts []int
		for gap := range n - 1 {
			if mask>>gap&1 == 1 {
				cuts = append(cuts, gap)
			}
		}
		visit(cuts)
	}
}

// segmentsOf returns first and last sentence of each segment.
func segmentsOf(n int, cuts []int) [][2]int {
	var out [][2]int
	first := 0
	for _, cut := range append(slices.Clone(cuts), n-1) {
		out = append(out, [2]int{first, cut})
		first = cut + 1
	}
	return out
}

func TestDPIsTheCheapestDivision(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 40 {
		n := 2 + round%9
		m := matrixOf(t, drift(random, n, 4))
		spans := placesOf(random, n)
		o := DPOptions{Target: float64(20 + random.IntN(60))}
		if round%2 == 0 {
			o.Max = 40 + random.IntN(80)
		}
		if round%4 == 0 {
			o.Target = 0
		}
		target, limit := o.Target, float64(o.Max)
		if target == 0 {
			target = limit / 2
		}
		if limit == 0 {
			limit = 2 * target
		}
		r, err := DP(m, spans, o)
		if err != nil {
			t.Fatal(err)
		}
		price := func(cuts []int) float64 {
			cost := 0.0
			for _, s := range segmentsOf(n, cuts) {
				length := float64(spans[s[1]].Stop - spans[s[0]].Start)
				if length > limit && s[0] < s[1] {
					return math.Inf(1)
				}
				cost += 8 * math.Pow(length/target-1, 2)
			}
			for _, cut := range cuts {
				cost -= r.Gap[cut]
			}
			return cost
		}
		least := math.Inf(1)
		everyDivision(n, func(cuts []int) { least = min(least, price(cuts)) })
		if math.Abs(r.Cost-least) > 1e-9 || math.Abs(price(r.Cuts)-least) > 1e-9 {
			t.Errorf("round %d: cost %v, cuts cost %v, the least is %v", round, r.Cost, price(r.Cuts), least)
		}
	}
}

// topicCostPlainly is the formula as it is written.
func topicCostPlainly(rows [][]float64, terms [][]int32, cuts []int) float64 {
	n := len(rows)
	units := make([][]float64, n)
	for i, row := range rows {
		norm := 0.0
		for _, x := range row {
			norm += x * x
		}
		units[i] = make([]float64, len(row))
		for j, x := range row {
			if norm > 0 {
				units[i][j] = x / math.Sqrt(norm)
			}
		}
	}
	dot := func(a, b []float64) (sum float64) {
		for j := range a {
			sum += a[j] * b[j]
		}
		return sum
	}
	rho, all, distinct := 0.0, 0.0, map[int32]bool{}
	for i := range n {
		for j := range n {
			if i != j {
				rho += dot(units[i], units[j]) / float64(n*(n-1))
			}
		}
		for _, term := range terms[i] {
			all++
			distinct[term] = true
		}
	}
	perSentence := all / float64(n)
	cost := 0.0
	for _, s := range segmentsOf(n, cuts) {
		counts := map[int32]float64{}
		length := 0.0
		sum := make([]float64, len(rows[0]))
		for i := s[0]; i <= s[1]; i++ {
			for _, term := range terms[i] {
				counts[term]++
				length++
			}
			for j := range sum {
				sum[j] += units[i][j]
			}
		}
		if length > 0 {
			cost += length * math.Log(length+float64(len(distinct)))
		}
		for _, f := range counts {
			cost -= f * math.Log(f+1)
		}
		sentences := float64(s[1] - s[0] + 1)
		cost += 0.75 * perSentence * (sentences - dot(sum, sum)/sentences)
		cost += 2*math.Log(max(all, 2)) + 0.45*perSentence*(1-rho)
	}
	return cost
}

func randomTerms(random *rand.Rand, n int) [][]int32 {
	terms := make([][]int32, n)
	for i := range terms {
		for range random.IntN(8) {
			terms[i] = append(terms[i], int32(10*(i/5)+random.IntN(9)))
		}
	}
	return terms
}

func TestTopicIsTheCheapestDivision(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for round := range 40 {
		n := 2 + round%8
		rows := drift(random, n, 4)
		terms := randomTerms(random, n)
		o := TopicOptions{}
		if round%2 == 0 {
			o = TopicOptions{Spans: placesOf(random, n), Max: 40 + random.IntN(90)}
		}
		r, err := Topic(matrixOf(t, rows), terms, o)
		if err != nil {
			t.Fatal(err)
		}
		least := math.Inf(1)
		everyDivision(n, func(cuts []int) {
			for _, s := range segmentsOf(n, cuts) {
				if o.Max > 0 && s[0] < s[1] && o.Spans[s[1]].Stop-o.Spans[s[0]].Start > o.Max {
					return
				}
			}
			least = min(least, topicCostPlainly(rows, terms, cuts))
		})
		if math.Abs(r.Cost-least) > 1e-9*least || math.Abs(topicCostPlainly(rows, terms, r.Cuts)-least) > 1e-9*least {
			t.Errorf("round %d: cost %v, want %v", round, r.Cost, least)
		}
	}
}

// The sums of the window are carried over hundreds of sentences; their cost must
// still be that of a segment added up afresh, and no segment over 400 sentences.
func TestTopicOfALongText(t *testing.T) {
	random := rand.New(rand.NewPCG(5, 6))
	const n = 1300
	rows := drift(random, n, 3)
	terms := make([][]int32, n)
	for i := range rows { // one topic throughout, but for noise
		rows[i] = []float64{1, 0.01 * random.NormFloat64(), 0}
		terms[i] = []int32{1, 2, 3, int32(random.IntN(3))}
	}
	r, err := Topic(matrixOf(t, rows), terms, TopicOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if want := topicCostPlainly(rows, terms, r.Cuts); math.Abs(r.Cost-want) > 1e-9*want {
		t.Errorf("cost %v, the cuts cost %v", r.Cost, want)
	}
	if len(r.Cuts) != 3 {
		t.Errorf("%d cuts in %d sentences of one topic, want the 3 that 400 ask for: %v", len(r.Cuts), n, r.Cuts)
	}
	for _, s := range segmentsOf(n, r.Cuts) {
		if s[1]-s[0] >= 400 {
			t.Errorf("segment %v is too long", s)
		}
	}
}

func TestDepthPlainly(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 8))
	for round := range 30 {
		n := 2 + random.IntN(60)
		minDistance := random.IntN(6)
		r, err := Depth(matrixOf(t, drift(random, n, 5)), minDistance)
		if err != nil {
			t.Fatal(err)
		}
		for i, g := range r.Gap {
			l, left := g, i
			for left > 0 && r.Gap[left-1] <= r.Gap[left] {
				left--
				l = r.Gap[left]
			}
			h, right := g, i
			for right+1 < len(r.Gap) && r.Gap[right+1] <= r.Gap[right] {
				right++
				h = r.Gap[right]
			}
			if want := (g - l) + (g - h); r.Depth[i] != want {
				t.Errorf("round %d: depth[%d] = %v, want %v", round, i, r.Depth[i], want)
			}
		}
		kept := 0
		for _, p := range r.Candidates {
			if p.Reason == "" {
				t.Errorf("round %d: no reason for %+v", round, p)
			}
			if p.Kept {
				kept++
			}
		}
		if kept != len(r.Cuts) || !slices.IsSorted(r.Cuts) {
			t.Errorf("round %d: %d kept, cuts %v", round, kept, r.Cuts)
		}
		for i := 1; i < len(r.Cuts); i++ {
			if r.Cuts[i]-r.Cuts[i-1] < minDistance {
				t.Errorf("round %d: cuts %v nearer than %d", round, r.Cuts, minDistance)
			}
		}
	}
}

func TestFlatTextsHaveNoBoundary(t *testing.T) {
	for name, row := range map[string][]float64{
		"equal":      {0.3, -0.7, 0.1, 1e-3},
		"zero":       {0, 0, 0, 0},
		"huge":       {1e200, 3e200, -1e199, 0},
		"very small": {1e-200, 3e-200, -1e-201, 0},
	} {
		rows := make([][]float64, 50)
		spans := make([]chunking.Span, 50)
		for i := range rows {
			rows[i] = row
			spans[i] = chunking.Span{Start: 10 * i, Stop: 10*i + 10}
		}
		m := matrixOf(t, rows)
		if r, err := Depth(m, 0); err != nil || len(r.Cuts) > 0 {
			t.Errorf("%s: depth cuts %v, %v", name, r.Cuts, err)
		}
		if r, err := Topic(m, make([][]int32, 50), TopicOptions{}); err != nil || len(r.Cuts) > 0 {
			t.Errorf("%s: topic cuts %v, %v", name, r.Cuts, err)
		}
		// All divisions into chunks of 50 cost the same nothing.
		want := []int{4, 9, 14, 19, 24, 29, 34, 39, 44}
		if r, err := DP(m, spans, DPOptions{Target: 50}); err != nil || !slices.Equal(r.Cuts, want) {
			t.Errorf("%s: dp cuts %v, %v", name, r.Cuts, err)
		}
	}
}

func TestSizeOfVectorsDoesNotMatterToDetectors(t *testing.T) {
	random := rand.New(rand.NewPCG(9, 9))
	rows := drift(random, 40, 6)
	terms := randomTerms(random, 40)
	want, _ := Depth(matrixOf(t, rows), 2)
	topic, _ := Topic(matrixOf(t, rows), terms, TopicOptions{})
	for i, row := range rows {
		factor := []float64{1, 0x1p-900, 0x1p900, 3}[i%4]
		for j := range row {
			row[j] *= factor
		}
	}
	got, err := Depth(matrixOf(t, rows), 2)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "gap", got.Gap, want.Gap)
	sameCuts(t, "depth", got.Cuts, want.Cuts)
	if r, err := Topic(matrixOf(t, rows), terms, TopicOptions{}); err != nil || math.Abs(r.Cost-topic.Cost) > 1e-9 {
		t.Errorf("topic cost %v, want %v; %v", r.Cost, topic.Cost, err)
	}
}

func TestBackwardsDepthIsTheSameBackwards(t *testing.T) {
	rows := drift(rand.New(rand.NewPCG(1, 9)), 60, 6)
	forward, _ := Depth(matrixOf(t, rows), 2)
	slices.Reverse(rows)
	backward, _ := Depth(matrixOf(t, rows), 2)
	slices.Reverse(backward.Gap)
	near(t, "gap", backward.Gap, forward.Gap)
}

func TestDetectorsRefuse(t *testing.T) {
	good := matrixOf(t, [][]float64{{1, 0}, {0, 1}, {1, 1}})
	bad := matrixOf(t, [][]float64{{1, 0}, {0, math.Inf(1)}, {1, 1}})
	spans := placesOf(rand.New(rand.NewPCG(1, 1)), 3)
	terms := make([][]int32, 3)
	for name, c := range map[string]struct {
		err  func() error
		says string
	}{
		"depth, infinite":   {func() error { _, err := Depth(bad, 2); return err }, "vector 2"},
		"depth, distance":   {func() error { _, err := Depth(good, -1); return err }, "min_distance is -1"},
		"dp, infinite":      {func() error { _, err := DP(bad, spans, DPOptions{Target: 9}); return err }, "vector 2"},
		"dp, no size":       {func() error { _, err := DP(good, spans, DPOptions{}); return err }, "target_size"},
		"dp, negative":      {func() error { _, err := DP(good, spans, DPOptions{Target: -1}); return err }, "target_size is -1"},
		"dp, no number":     {func() error { _, err := DP(good, spans, DPOptions{Target: math.NaN()}); return err }, "target_size is NaN"},
		"dp, negative max":  {func() error { _, err := DP(good, spans, DPOptions{Max: -2}); return err }, "max_size is -2"},
		"dp, spans":         {func() error { _, err := DP(good, spans[:2], DPOptions{Target: 9}); return err }, "2 spans for 3 vectors"},
		"topic, infinite":   {func() error { _, err := Topic(bad, terms, TopicOptions{}); return err }, "vector 2"},
		"topic, terms":      {func() error { _, err := Topic(good, terms[1:], TopicOptions{}); return err }, "2 lists of terms for 3"},
		"topic, spans":      {func() error { _, err := Topic(good, terms, TopicOptions{Max: 3}); return err }, "0 spans for 3"},
		"topic, max":        {func() error { _, err := Topic(good, terms, TopicOptions{Max: -3}); return err }, "max_size is -3"},
		"dimension nothing": {func() error { _, err := Depth(Matrix{rows: 2}, 2); return err }, "has no numbers"},
	} {
		if err := c.err(); err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.says)
		}
	}
	for _, err := range []error{
		func() error { _, err := Depth(Matrix{}, 2); return err }(),
		func() error { _, err := DP(Matrix{}, nil, DPOptions{Target: 1}); return err }(),
		func() error { _, err := Topic(Matrix{}, nil, TopicOptions{}); return err }(),
		func() error { _, err := Topic(NewMatrix(1, 3), make([][]int32, 1), TopicOptions{}); return err }(),
	} {
		if err != nil {
			t.Errorf("nothing to cut: %v", err)
		}
	}
	var option *chunking.OptionError
	if _, err := DP(good, spans, DPOptions{}); !errors.As(err, &option) {
		t.Errorf("%v is no OptionError", err)
	}
}

func TestMaxTree(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	for range 300 {
		values := make([]float64, 1+random.IntN(40))
		for i := range values {
			values[i] = float64(random.IntN(4))
		}
		tree := newMaxTree(values)
		first := random.IntN(len(values))
		last := first + random.IntN(len(values)-first)
		middle := first + (last-first)/2
		want := -1
		for i := first; i <= last; i++ {
			nearer := want >= 0 && values[i] == values[want] && abs(i-middle) < abs(want-middle)
			if want < 0 || values[i] > values[want] || nearer {
				want = i
			}
		}
		if got := tree.nearestMax(first, last); got != want || tree.max(first, last) != values[want] {
			t.Fatalf("%v, %d to %d: %d, want %d", values, first, last, got, want)
		}
	}
}

func abs(x int) int { return max(x, -x) }
