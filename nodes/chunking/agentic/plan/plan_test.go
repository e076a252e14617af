package plan

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/nodes/chunking/sentence"
	"github.com/ironflow/ironflow/nodes/chunking/verify"
)

func document(texts ...string) *verify.Document {
	inputs := make([]verify.Input, len(texts))
	for i, t := range texts {
		inputs[i] = verify.Input{ID: fmt.Sprintf("in-%d", i+1), Text: t}
	}
	return verify.NewDocument(inputs, sentence.Unicode)
}

// ten returns sentences of ten bytes each, numbered from n on.
func ten(n, count int) string {
	out := make([]string, count)
	for i := range out {
		out[i] = fmt.Sprintf("Nr %05d.", n+i)
	}
	return strings.Join(out, "\n\n")
}

func batches(p *Plan) [][]int {
	var out [][]int
	for _, b := range p.Batches {
		out = append(out, b.Sentences)
	}
	return out
}

func TestBatches(t *testing.T) {
	for _, c := range []struct {
		name   string
		texts  []string
		max    int
		want   [][]int
		undone []int
	}{
		{"nothing", nil, 100, nil, nil},
		{"white space", []string{"", " \n\t"}, 100, nil, nil},
		{"one", []string{ten(0, 3)}, 100, [][]int{{0, 1, 2}}, nil},
		{"whole inputs while they fit", []string{ten(0, 2), ten(2, 2), ten(4, 2)}, 90, [][]int{{0, 1, 2, 3, 4, 5}}, nil},
		{"an input that does not fit begins a batch", []string{ten(0, 4), ten(4, 4)}, 70, [][]int{{0, 1, 2, 3}, {4, 5, 6, 7}}, nil},
		{"half full at an input's end", []string{ten(0, 3), ten(3, 2), ten(5, 1)}, 90, [][]int{{0, 1, 2, 3, 4}, {5}}, nil},
		{"cut between sentences", []string{ten(0, 7)}, 30, [][]int{{0, 1, 2}, {3, 4, 5}, {6}}, nil},
		{"the rest of a large input goes on", []string{ten(0, 4), ten(4, 1)}, 27, [][]int{{0, 1, 2}, {3, 4}}, nil},
		{"a sentence larger than a batch", []string{"A.", "The long one is here.", "B."}, 10, [][]int{{0}, {1}, {2}}, nil},
		{"a sentence of no use", []string{"A.", strings.Repeat("x", 50), "B."}, 10, [][]int{{0, 2}}, []int{1}},
		{"rules and rows without words", []string{"One.\n\n***\n\n| | |\n\nTwo."}, 100, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := New(document(c.texts...), c.max)
			if c.want == nil && c.max == 100 && len(c.texts) == 1 {
				if n := len(p.Batches[0].Sentences); n != 2 || p.Count() != 2 {
					t.Errorf("%d sentences are asked for, %d count", n, p.Count())
				}
				return
			}
			if got := batches(p); !reflect.DeepEqual(got, c.want) || !reflect.DeepEqual(p.Unasked, c.undone) {
				t.Errorf("got %v, unasked %v", got, p.Unasked)
			}
		})
	}
}

// TestStep edits one input and looks where batches begin again as before.
func TestStep(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var texts []string
	for i := range 60 {
		texts = append(texts, ten(10*i, 1+rng.IntN(6)))
	}
	first := New(document(texts...), 100)
	edited := append([]string{}, texts...)
	edited[10] = edited[10] + "\n\nAdded, and a little longer than that."
	second := New(document(edited...), 100)
	ends := func(p *Plan) map[string]bool {
		out := map[string]bool{}
		for _, b := range p.Batches {
			out[p.doc.Text(b.Sentences[0])] = true
		}
		return out
	}
	a, b := ends(first), ends(second)
	moved := 0
	for s := range a {
		if !b[s] {
			moved++
		}
	}
	if moved > 4 {
		t.Errorf("%d of %d batches begin elsewhere after one edit", moved, len(a))
	}
}

func TestContext(t *testing.T) {
	p := New(document(ten(0, 20)), 90)
	if got := p.Batches[1].Context; !reflect.DeepEqual(got, []int{2, 3, 4, 5, 6, 7, 8, 9}) {
		t.Errorf("context %v", got)
	}
	if len(p.Batches[0].Context) != 0 {
		t.Errorf("the first batch has a context")
	}
	if got := New(document(ten(0, 9)), 30).Batches[1].Context; !reflect.DeepEqual(got, []int{0, 1, 2}) {
		t.Errorf("a context of more bytes than a batch: %v", got)
	}
}

func TestOverlap(t *testing.T) {
	for _, c := range []struct {
		name  string
		texts []string
		roots []int
	}{
		{"one sentence", []string{"The dam is old. It leaks.", "It leaks. Nobody cares."}, []int{0, 1, 1, 3}},
		{"three sentences", []string{"A b. C d. E f. G h.", "C d. E f. G h. I j."}, []int{0, 1, 2, 3, 1, 2, 3, 7}},
		{"through several inputs", []string{"A b. C d.", "C d.", "C d. E f."}, []int{0, 1, 1, 1, 4}},
		{"other white space", []string{"A b.\nC   d e.", "C d\ne. F g."}, []int{0, 1, 1, 3}},
		{"the same input twice", []string{"A b. C d.", "A b. C d."}, []int{0, 1, 0, 1}},
		{"the tail of a sentence", []string{"Old. The office replaced the lamp with a solar beacon.", "replaced the lamp with a solar beacon. New."}, []int{0, 1, 1, 3}},
		{"a tail with half a word", []string{"Old. The office replaced the lamp with a solar beacon.", "laced the lamp with a solar beacon. New."}, []int{0, 1, 1, 3}},
		{"the head of a sentence", []string{"Old. The office replaced the lamp wi", "The office replaced the lamp with a beacon. New."}, []int{0, 2, 2, 3}},
		{"chance", []string{"He said so.", "so. They left."}, []int{0, 1, 2}},
		{"no overlap", []string{"A b. C d.", "E f. C d."}, []int{0, 1, 2, 3}},
		{"a blank input between", []string{"A b. C d.", " ", "C d. E f."}, []int{0, 1, 1, 3}},
		{"repetition inside of an input", []string{"A b. C d. A b."}, []int{0, 1, 2}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := New(document(c.texts...), 1000)
			got := make([]int, len(p.doc.Sentences))
			for i := range got {
				got[i] = p.Root(i)
			}
			if !reflect.DeepEqual(got, c.roots) {
				t.Errorf("roots %v, want %v", got, c.roots)
			}
			asked := 0
			for _, b := range p.Batches {
				asked += len(b.Sentences)
			}
			if asked != len(p.Roots()) {
				t.Errorf("%d asked for, %d roots", asked, len(p.Roots()))
			}
		})
	}
}

func TestLabels(t *testing.T) {
	l := NewLabels("S", 5, "Plain text.")
	for _, c := range []struct {
		written []string
		at      []int
		unknown int
	}{
		{[]string{"S1", "S5"}, []int{0, 4}, 0},
		{[]string{"[S2]", "s3", " S2 ", "2"}, []int{1, 2}, 0},
		{[]string{"S1, S3 and S4"}, []int{0, 2, 3}, 0},
		{[]string{"S2-S4"}, []int{1, 2, 3}, 0},
		{[]string{"S2 to 4"}, []int{1, 2, 3}, 0},
		{[]string{"S0", "S6", "Q7", "99", "", "-", "S", "S1x", "S9999999999999999999"}, nil, 9},
		{[]string{"S1", "S1"}, []int{0}, 0},
		{nil, nil, 0},
	} {
		if at, unknown := l.Read(c.written); !reflect.DeepEqual(at, c.at) || unknown != c.unknown {
			t.Errorf("%q: %v, %d unknown; want %v, %d", c.written, at, unknown, c.at, c.unknown)
		}
	}
	if at, _ := l.InOrder([]string{"S3", "S1", "S3"}); !reflect.DeepEqual(at, []int{2, 0, 2}) {
		t.Errorf("in order: %v", at)
	}
	for text, want := range map[string]string{
		"An Audi S1 and an s2.":        "SB1",
		"Is S1 like SB7?":              "SC1",
		"The class1 and the DS3 stay.": "S1",
	} {
		if got := NewLabels("S", 1, "x", text).At(0); got != want {
			t.Errorf("%q: label %q, want %q", text, got, want)
		}
	}
}

func FuzzOverlap(f *testing.F) {
	f.Add("A b. C d.", "C d. E f.", 10)
	f.Add("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa. a", "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 1)
	f.Fuzz(func(t *testing.T, a, b string, most int) {
		p := New(document(a, b, a), max(1, most%3000))
		seen := map[int]bool{}
		last := -1
		for _, batch := range p.Batches {
			for _, s := range batch.Sentences {
				if s <= last || p.Root(s) != s {
					t.Fatalf("sentence %d after %d, root %d", s, last, p.Root(s))
				}
				last, seen[s] = s, true
			}
		}
		for _, s := range p.Unasked {
			seen[s] = true
		}
		for i := range p.doc.Sentences {
			if r := p.Root(i); r >= 0 && (!seen[r] || p.Root(r) != r) {
				t.Fatalf("sentence %d stands for %d, which is not asked for", i, r)
			}
		}
	})
}

func BenchmarkPlan(b *testing.B) {
	for name, text := range map[string]string{
		"sentences": strings.Repeat("The dam at Holm is old and leaks. ", 30_000),
		"one word":  strings.Repeat("a", 1_000_000),
	} {
		doc := document(text, text)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(2 * len(text)))
			for b.Loop() {
				New(doc, 2500)
			}
		})
	}
}
