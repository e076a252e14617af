package quality

import (
	"math"
	"strings"
	"testing"
)

// TestMeasuresAgainstSegEval compares with values of SegEval 2.0.11, the program
// of the author of boundary similarity, for random segmentations.
func TestMeasuresAgainstSegEval(t *testing.T) {
	for _, c := range []struct {
		truth, proposed            []int
		window                     int
		pk, windowDiff, similarity float64
	}{
		{[]int{13, 8, 10}, []int{3, 28}, 5, 0.5, 0.5, 0.0},
		{[]int{24, 14, 19}, []int{14, 19, 24}, 10, 0.5957446808510638, 0.5957446808510638, 0.0},
		{[]int{7, 5}, []int{2, 2, 8}, 3, 0.7777777777777778, 0.7777777777777778, 0.0},
		{[]int{1, 11}, []int{1, 1, 2, 8}, 3, 0.3333333333333333, 0.4444444444444444, 0.3333333333333333},
		{[]int{3, 1, 5, 1, 5, 4, 7, 1, 8, 1, 21}, []int{20, 16, 1, 16, 4}, 3, 0.4074074074074074, 0.4444444444444444, 0.125},
		{[]int{19, 1}, []int{3, 1, 3, 3, 2, 8}, 5, 0.8666666666666667, 0.8666666666666667, 0.0},
		{[]int{8, 4}, []int{6, 1, 2, 3}, 3, 0.3333333333333333, 0.5555555555555556, 0.16666666666666666},
		{[]int{12, 4, 4, 4, 6, 10}, []int{3, 1, 2, 4, 6, 4, 2, 7, 3, 2, 2, 1, 3}, 3, 0.5675675675675675, 0.5945945945945946, 0.17857142857142858},
		{[]int{3, 7, 1, 11, 5, 5, 17, 8}, []int{36, 1, 12, 8}, 4, 0.4716981132075472, 0.4716981132075472, 0.1111111111111111},
		{[]int{12, 8, 3, 8}, []int{3, 6, 6, 1, 3, 4, 3, 1, 4}, 4, 0.5925925925925926, 0.6666666666666666, 0.16666666666666666},
		{[]int{5, 7}, []int{5, 3, 2, 2}, 3, 0.4444444444444444, 0.4444444444444444, 0.3333333333333333},
		{[]int{2, 6, 3, 12, 7, 9, 1}, []int{4, 5, 5, 2, 3, 7, 6, 2, 6}, 3, 0.7297297297297297, 0.7297297297297297, 0.038461538461538464},
		{[]int{8, 4}, []int{5, 4, 3}, 3, 0.5555555555555556, 0.5555555555555556, 0.25},
		{[]int{9, 9, 2}, []int{5, 3, 4, 1, 7}, 3, 0.6470588235294118, 0.6470588235294118, 0.1},
		{[]int{3, 9}, []int{11, 1}, 3, 0.4444444444444444, 0.4444444444444444, 0.0},
		{[]int{16, 4}, []int{1, 2, 3, 3, 1, 10}, 5, 0.9333333333333333, 0.9333333333333333, 0.0},
		{[]int{9, 12, 3, 9, 4, 3}, []int{4, 3, 9, 5, 5, 4, 4, 1, 1, 1, 3}, 3, 0.5135135135135135, 0.5945945945945946, 0.20833333333333334},
		{[]int{13, 27}, []int{14, 15, 11}, 10, 0.4, 0.4, 0.25},
		{[]int{11, 9}, []int{1, 1, 2, 1, 4, 11}, 5, 0.5333333333333333, 0.5333333333333333, 0.0},
		{[]int{10, 2}, []int{2, 10}, 3, 0.4444444444444444, 0.4444444444444444, 0.0},
		{[]int{5, 4, 4, 7}, []int{4, 8, 4, 4}, 3, 0.5882352941176471, 0.5882352941176471, 0.25},
		{[]int{8, 4}, []int{5, 3, 4}, 3, 0.3333333333333333, 0.3333333333333333, 0.5},
		{[]int{2, 10}, []int{5, 1, 2, 4}, 3, 0.8888888888888888, 0.8888888888888888, 0.0},
		{[]int{1, 6, 10, 3}, []int{1, 4, 13, 2}, 3, 0.29411764705882354, 0.29411764705882354, 0.375},
	} {
		truth, proposed := FromLengths(c.truth...), FromLengths(c.proposed...)
		if k := Window(truth); k != c.window {
			t.Errorf("%v: window %d, want %d", c.truth, k, c.window)
		}
		s, err := Score(truth, proposed)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []struct {
			name      string
			got, want float64
		}{{"Pk", s.Pk, c.pk}, {"WindowDiff", s.WindowDiff, c.windowDiff}, {"B", s.Similarity, c.similarity}} {
			if math.Abs(m.got-m.want) > 1e-12 {
				t.Errorf("%v against %v: %s %v, want %v", c.proposed, c.truth, m.name, m.got, m.want)
			}
		}
	}
}

// TestMeasuresByHand holds values worked out on paper.
func TestMeasuresByHand(t *testing.T) {
	for _, c := range []struct {
		name                           string
		truth, proposed                []int
		pk, windowDiff, similarity, f1 float64
	}{
		{"equal", []int{3, 3}, []int{3, 3}, 0, 0, 1, 1},
		{"both without a cut", []int{5}, []int{5}, 0, 0, 1, 1},
		{"one unit", []int{1}, []int{1}, 0, 0, 1, 1},
		// Window 2, 4 windows, starting at 0..3; the cut lies in those of 1 and 2.
		{"nothing found", []int{3, 3}, []int{6}, 2. / 4, 2. / 4, 0, 0},
		// The proposed cut at gap 3 lies in windows 2 and 3: 1 and 3 differ. One
		// near miss is half an edit: 1 - .5/1.
		{"near miss", []int{3, 3}, []int{4, 2}, 2. / 4, 2. / 4, .5, 1},
		// Gap 4 lies in window 3 only, the true gap 2 in 1 and 2. Two edits.
		{"miss by two", []int{3, 3}, []int{5, 1}, 3. / 4, 3. / 4, 0, 0},
		// Every window of two gaps has two proposed cuts: Pk forgives the windows
		// with the true one, WindowDiff none. One match of 5 boundaries.
		{"cut everywhere", []int{3, 3}, []int{1, 1, 1, 1, 1, 1}, 2. / 4, 1, 1. / 5, 1. / 3},
		// Two near misses and one cut alone: 1 - (.5+.5+1)/3; matched within one 2
		// of 3 and 2 of 2, so F1 = 4/5. Window 1: pairs 1..5 are wrong of 7.
		{"chain", []int{2, 2, 2, 2}, []int{3, 2, 3}, 5. / 7, 5. / 7, 1. / 3, 4. / 5},
		// The exact match goes before the near one.
		{"match before near miss", []int{2, 1, 5}, []int{3, 5}, 1. / 7, 1. / 7, .5, 2. / 3},
	} {
		s, err := Score(FromLengths(c.truth...), FromLengths(c.proposed...))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range []struct {
			name      string
			got, want float64
		}{{"Pk", s.Pk, c.pk}, {"WindowDiff", s.WindowDiff, c.windowDiff}, {"B", s.Similarity, c.similarity}, {"F1", s.F1, c.f1}} {
			if math.Abs(m.got-m.want) > 1e-12 {
				t.Errorf("%s: %s %v, want %v", c.name, m.name, m.got, m.want)
			}
		}
		if s.Segments != len(c.proposed) || s.TrueSegments != len(c.truth) {
			t.Errorf("%s: %d and %d segments", c.name, s.Segments, s.TrueSegments)
		}
	}
}

func TestPrecisionAndRecall(t *testing.T) {
	truth, proposed := FromLengths(4, 4, 4, 4), FromLengths(5, 2, 1, 8)
	// True gaps 3 7 11, proposed 4 6 7: within one 3-4 and 7-6 (7 is used once).
	a, err := F1(truth, proposed, 1)
	if err != nil {
		t.Fatal(err)
	}
	if a.Precision != 2./3 || a.Recall != 2./3 {
		t.Errorf("within one: %+v", a)
	}
	if a, _ = F1(truth, proposed, 0); a.Precision != 1./3 || a.Recall != 1./3 || a.F1 != 1./3 {
		t.Errorf("exactly: %+v", a)
	}
	if a, _ = F1(truth, None(16), 1); a != (Agreement{}) {
		t.Errorf("against nothing: %+v", a)
	}
	if a, _ = F1(FromLengths(2, 2), FromLengths(1, 1, 1, 1), 1); a.Precision != 1./3 || a.Recall != 1 {
		t.Errorf("too many: %+v", a)
	}
}

func TestSegmentationsThatAreNone(t *testing.T) {
	good := FromLengths(2, 2)
	for _, c := range []struct {
		bad  Segmentation
		says string
	}{
		{Segmentation{}, "at least 1"},
		{Segmentation{Units: 4, Cuts: []int{3}}, "cuts lie in 0 to 2"},
		{Segmentation{Units: 4, Cuts: []int{-1}}, "cuts lie in 0 to 2"},
		{Segmentation{Units: 4, Cuts: []int{1, 1}}, "cuts must rise"},
		{Segmentation{Units: 4, Cuts: []int{2, 1}}, "cuts must rise"},
		{None(5), "same text"},
	} {
		for _, measure := range []func(a, b Segmentation) (float64, error){Pk, WindowDiff, BoundarySimilarity} {
			if _, err := measure(good, c.bad); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%+v: error %v", c.bad, err)
			}
			if _, err := measure(c.bad, good); err == nil {
				t.Errorf("%+v as the truth: no error", c.bad)
			}
		}
		if _, err := Score(good, c.bad); err == nil {
			t.Errorf("%+v: scored", c.bad)
		}
		if _, err := F1(good, c.bad, 1); err == nil {
			t.Errorf("%+v: F1", c.bad)
		}
	}
}

func TestBaselines(t *testing.T) {
	for _, c := range []struct {
		name      string
		got, want Segmentation
	}{
		{"none", None(7), FromLengths(7)},
		{"all", All(3), FromLengths(1, 1, 1)},
		{"all of one", All(1), FromLengths(1)},
		{"every 3", Every(8, 3), FromLengths(3, 3, 2)},
		{"every 4 of 8", Every(8, 4), FromLengths(4, 4)},
		{"every 9 of 8", Every(8, 9), FromLengths(8)},
	} {
		if !c.got.Equal(c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, c.got, c.want)
		}
	}
	taken := make([]int, 9)
	for seed := range uint64(2000) {
		s := Random(10, 4, seed)
		if err := s.Check(); err != nil || s.Segments() != 4 {
			t.Fatalf("seed %d: %+v, %v", seed, s, err)
		}
		if !s.Equal(Random(10, 4, seed)) {
			t.Fatalf("seed %d gives two segmentations", seed)
		}
		for _, cut := range s.Cuts {
			taken[cut]++
		}
	}
	for gap, times := range taken {
		// A third of 2000, standard deviation 21.
		if times < 560 || times > 775 {
			t.Errorf("gap %d taken %d times of 2000, want about 667", gap, times)
		}
	}
	if s := Random(3, 9, 1); !s.Equal(All(3)) {
		t.Errorf("more segments than units: %+v", s)
	}
	if s := Random(1, 1, 1); !s.Equal(None(1)) {
		t.Errorf("one unit: %+v", s)
	}
}

func TestMeans(t *testing.T) {
	// Sample standard deviation of 1 2 3 6 is sqrt(14/3); over sqrt(4).
	m := MeanOf([]float64{1, 2, 3, 6})
	if math.Abs(m.Value-3) > 1e-12 || math.Abs(m.StandardError-math.Sqrt(14./3)/2) > 1e-12 {
		t.Errorf("%+v", m)
	}
	if m := MeanOf([]float64{.25}); m != (Mean{Value: .25}) {
		t.Errorf("one value: %+v", m)
	}
	if m := MeanOf(nil); m != (Mean{}) {
		t.Errorf("no value: %+v", m)
	}
	s := Summarize([]Scores{{Pk: .2, Segments: 3, TrueSegments: 4}, {Pk: .4, Segments: 5, TrueSegments: 4}})
	if s.Texts != 2 || math.Abs(s.Pk.Value-.3) > 1e-12 || s.Segments.Value != 4 || s.TrueSegments != (Mean{Value: 4}) {
		t.Errorf("%+v", s)
	}
}
