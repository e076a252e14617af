package group

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ironflow/ironflow/nodes/chunking/agentic/parse"
	"github.com/ironflow/ironflow/nodes/chunking/agentic/plan"
	"github.com/ironflow/ironflow/nodes/chunking/semantic"
)

func TestRead(t *testing.T) {
	labels := plan.NewLabels("P", 5)
	for _, c := range []struct {
		name   string
		groups []parse.Group
		want   Themes
		counts Counts
	}{
		{"plain", []parse.Group{{Label: "A", IDs: []string{"P1", "P3"}}, {Label: "B", IDs: []string{"P2", "P4", "P5"}}}, Themes{[]string{"A", "B"}, []int{0, 1, 0, 1, 1}}, Counts{}},
		{"an id twice counts where it stands first", []parse.Group{{Label: "A", IDs: []string{"P1", "P1", "P2"}}, {Label: "B", IDs: []string{"P2", "P3"}}}, Themes{[]string{"A", "B"}, []int{0, 0, 1, None, None}}, Counts{Repeated: 2}},
		{"unknown ids", []parse.Group{{Label: "A", IDs: []string{"P9", "X1", "P0"}}, {Label: "B", IDs: []string{"P5", "12"}}}, Themes{[]string{"B"}, []int{None, None, None, None, 0}}, Counts{Unknown: 4}},
		{"one label twice", []parse.Group{{Label: "A b", IDs: []string{"P1"}}, {Label: "C", IDs: []string{"P2"}}, {Label: " a  B.", IDs: []string{"P3"}}, {Label: "a B", IDs: []string{"P4"}}}, Themes{[]string{"A b", "C", "a B."}, []int{0, 1, 2, 0, None}}, Counts{}},
		{"no labels", []parse.Group{{IDs: []string{"1", "2"}}, {IDs: []string{"3"}}}, Themes{[]string{"", ""}, []int{0, 0, 1, None, None}}, Counts{}},
		{"nothing", nil, Themes{nil, []int{None, None, None, None, None}}, Counts{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, counts := Read(parse.Grouping{Groups: c.groups}, labels)
			if !reflect.DeepEqual(got, c.want) || counts != c.counts {
				t.Errorf("got %v, %+v\nwant %v, %+v", got, counts, c.want, c.counts)
			}
		})
	}
}

func TestComplete(t *testing.T) {
	texts := []string{
		"The turbine of the dam turns the tide into power.",
		"Bees keep the hive warm in winter.",
		"A second turbine stands beside the dam.",
		"The hive of the bees has two frames.",
		"Completely different matters.",
	}
	themes := Themes{Labels: []string{"Dam", "Bees"}, Of: []int{0, 1, None, None, None}}
	if n := themes.Complete(NewWordSpace(texts)); n != 3 || !reflect.DeepEqual(themes.Of, []int{0, 1, 0, 1, 1}) {
		t.Errorf("%d completed: %v", n, themes.Of)
	}
	before := Themes{Labels: []string{"A"}, Of: []int{None, 0, None}}
	if before.Complete(NewWordSpace([]string{"", "x", "---"})); !reflect.DeepEqual(before.Of, []int{0, 0, 0}) {
		t.Errorf("texts without words: %v", before.Of)
	}
	broken := semantic.NewMatrix(3, 2)
	copy(broken.Row(0), []float64{1, 0})
	copy(broken.Row(2), []float64{math.NaN(), math.Inf(1)})
	odd := Themes{Labels: []string{"A"}, Of: []int{0, None, None}}
	if odd.Complete(NewSpace(broken)); !reflect.DeepEqual(odd.Of, []int{0, 0, 0}) {
		t.Errorf("vectors without a direction: %v", odd.Of)
	}
}

func TestMerge(t *testing.T) {
	a := Themes{Labels: []string{"Dams", "Bees"}, Of: []int{0, 1, 0}}
	a.Append(Themes{Labels: []string{"dams", "Cheese"}, Of: []int{0, 1}})
	a.Unite()
	if !reflect.DeepEqual(a, Themes{[]string{"Dams", "Bees", "Cheese"}, []int{0, 1, 0, 0, 2}}) {
		t.Fatalf("united: %v", a)
	}
	a.Merge(Themes{Labels: []string{"Animals and food"}, Of: []int{None, 0, 0}})
	if !reflect.DeepEqual(a, Themes{[]string{"Dams", "Animals and food"}, []int{0, 1, 0, 0, 1}}) {
		t.Fatalf("merged: %v", a)
	}
	a.Merge(Themes{Of: []int{None}})
	if len(a.Labels) != 2 {
		t.Errorf("an answer about nothing: %v", a)
	}
}

func TestLabel(t *testing.T) {
	for in, want := range map[string]string{
		"Solid-State Battery Technology": "Solid-State Battery Technology",
		" **\"Dams\nand\tweirs\"**. ":    "Dams and weirs\"**.",
		"a\x00b\x1b[31m\u202eevil":       "ab[31mevil",
		"\u200b\u2060":                   "",
		"":                               "",
		strings.Repeat("wort ", 40):      strings.TrimSpace(strings.Repeat("wort ", 16)),
		strings.Repeat("漢", 200):         strings.Repeat("漢", MaxLabel),
		"\xff\xfe":                       "",
	} {
		if got := Label(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func FuzzLabel(f *testing.F) {
	f.Add("A theme\n\x00 of \u202e more")
	f.Fuzz(func(t *testing.T, s string) {
		l := Label(s)
		if !utf8.ValidString(l) || utf8.RuneCountInString(l) > MaxLabel || strings.ContainsAny(l, "\n\r\t\x00\x1b\u2028") || strings.TrimSpace(l) != l {
			t.Fatalf("%q: %q", s, l)
		}
		if Label(l) != l && len(l) > 0 && strings.Trim(l, "\"'`*_#“”„‘’«»:;, ") == l {
			t.Fatalf("%q is not stable: %q", l, Label(l))
		}
		themes := Themes{Labels: []string{"", ""}, Of: []int{0, 1}}
		themes.Tell([]string{s, s + " dam"})
		for _, l := range themes.Labels {
			if l == "" || utf8.RuneCountInString(l) > MaxLabel+2 {
				t.Fatalf("label %q", l)
			}
		}
	})
}

func TestTell(t *testing.T) {
	texts := []string{
		"The barrage at Kvalsund turns the tide into power.", "The barrage has eight turbines.",
		"Die Bienen halten den Stock warm.", "Im Winter zittern die Bienen.",
		"茶屋は川沿いの古い倉庫にある。", "Und das ist so.",
	}
	themes := Themes{Labels: []string{"", "", "", "", "Given"}, Of: []int{0, 0, 1, 1, 2, 3}}
	themes.Tell(texts)
	for k, want := range []string{"barrage", "Bienen", "", "Und das ist so.", "Given"} {
		if l := themes.Labels[k]; l == "" || !strings.Contains(strings.ToLower(l), strings.ToLower(want)) {
			t.Errorf("theme %d is called %q, want %q in it", k, l, want)
		}
	}
}

func TestGround(t *testing.T) {
	themes := Themes{Labels: []string{"The fire of 1999", "Gate 4 of 1,240", "Dams"}, Of: []int{0, 1, 2, None}}
	themes.Ground([]string{"The mill burned in 1998.", "Gate 4 has 1,240 bolts.", "A dam.", "1999"})
	if !reflect.DeepEqual(themes.Labels, []string{"", "Gate 4 of 1,240", "Dams"}) {
		t.Errorf("labels %q", themes.Labels)
	}
}

func TestWindows(t *testing.T) {
	for _, c := range []struct {
		sizes []int
		items int
		bytes int
		want  []int
	}{
		{nil, 3, 10, nil},
		{[]int{1, 1, 1}, 3, 10, []int{3}},
		{[]int{1, 1, 1, 1}, 3, 10, []int{2, 4}},
		{[]int{6, 6, 6}, 3, 10, []int{1, 2, 3}},
		{[]int{99, 1}, 3, 10, []int{1, 2}},
	} {
		if got := Windows(c.sizes, c.items, c.bytes); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%v: %v, want %v", c.sizes, got, c.want)
		}
	}
}

// topics makes n vectors around a few directions that take turns.
func topics(n, k int) (semantic.Matrix, []int) {
	rng := rand.New(rand.NewPCG(5, 6))
	centres := make([][]float64, k)
	for i := range centres {
		centres[i] = make([]float64, 64)
		for d := range centres[i] {
			centres[i][d] = rng.NormFloat64()
		}
	}
	m := semantic.NewMatrix(n, 64)
	of := make([]int, n)
	for i := range n {
		of[i] = i / 3 % k
		for d := range 64 {
			m.Row(i)[d] = centres[of[i]][d] + 0.8*rng.NormFloat64() + 3
		}
	}
	return m, of
}

func TestCluster(t *testing.T) {
	m, of := topics(60, 4)
	got := Cluster(NewSpace(m))
	if len(got.Labels) != 4 {
		t.Fatalf("%d themes of 4: %v", len(got.Labels), got.Of)
	}
	for i := range of {
		if got.Of[i] != got.Of[of[i]*3] {
			t.Errorf("thing %d of topic %d is in theme %d", i, of[i], got.Of[i])
		}
	}
	for _, n := range []int{0, 1, 2, 7, 900, 5000} {
		m, _ := topics(n, 5)
		a, b := Cluster(NewSpace(m)), Cluster(NewSpace(m))
		if !reflect.DeepEqual(a, b) {
			t.Fatalf("%d things: two results", n)
		}
		size := make([]int, len(a.Labels))
		next := 0
		for _, k := range a.Of {
			if k > next {
				t.Fatalf("%d things: theme %d before %d", n, k, next)
			}
			next = max(next, k+1)
			size[k]++
		}
		for k, s := range size {
			if s < 1 || s > MostPerTheme {
				t.Errorf("%d things: theme %d has %d", n, k, s)
			}
		}
	}
}

func BenchmarkCluster(b *testing.B) {
	for _, n := range []int{1000, 10_000, 40_000} {
		m, _ := topics(n, 50)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for b.Loop() {
				Cluster(NewSpace(m))
			}
		})
	}
}
