package local

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode/utf8"

	"github.com/ironflow/ironflow/providers"
)

func open(t testing.TB) provider {
	t.Helper()
	p, err := Vendor().Open(providers.Settings{}, providers.Runtime{Vendor: "local"})
	if err != nil {
		t.Fatal(err)
	}
	return p.(provider)
}

func embed(t testing.TB, p provider, model string, texts ...string) *providers.EmbedAnswer {
	t.Helper()
	answer, err := p.EmbedBatch(t.Context(), &providers.EmbedRequest{Model: model, Texts: texts})
	if err != nil {
		t.Fatal(err)
	}
	if len(answer.Data) != len(texts)*answer.Dim {
		t.Fatalf("%d numbers for %d texts of %d", len(answer.Data), len(texts), answer.Dim)
	}
	return answer
}

func row(a *providers.EmbedAnswer, i int) []float64 { return a.Data[i*a.Dim : (i+1)*a.Dim] }

func dot(a, b []float64) (sum float64) {
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

func TestHybridHoldsStatic(t *testing.T) {
	p := open(t)
	for _, text := range append(slices.Clone(benchSentences), "Die Katze schläft.", "猫が寝ている。", "Кошка спит.", "xyzzyq") {
		static, hybrid := row(embed(t, p, Static, text), 0), row(embed(t, p, Hybrid, text), 0)
		for i, x := range static {
			if want := float64(float32(x * (1 / math.Sqrt2))); hybrid[i] != want {
				t.Fatalf("%q: number %d is %v, want %v", text, i, hybrid[i], want)
			}
		}
		if l := dot(static, static); math.Abs(l-1) > 1e-6 {
			t.Errorf("%q: static has the squared length %v", text, l)
		}
		if l := dot(hybrid, hybrid); math.Abs(l-1) > 1e-6 {
			t.Errorf("%q: hybrid has the squared length %v", text, l)
		}
	}
}

// TestNoWords checks that only texts without a word have no direction.
func TestNoWords(t *testing.T) {
	p := open(t)
	for _, text := range []string{"?!", "… — «»", "👍", "\u200b", "\u0301", "$ % &"} {
		for _, model := range []string{Static, Hybrid} {
			if v := row(embed(t, p, model, text), 0); dot(v, v) != 0 {
				t.Errorf("%q has a vector with %s", text, model)
			}
		}
	}
	for _, text := range []string{"und", "la", "a", "7", "の", "中", "มา", "И", "अ", "und der die", "x\u0301", strings.Repeat("z", 1000)} {
		for _, model := range []string{Static, Hybrid} {
			if v := row(embed(t, p, model, text), 0); dot(v, v) < 0.4 {
				t.Errorf("%q has no vector with %s", text, model)
			}
		}
	}
}

// TestTextAlone checks that a vector depends on nothing but its text: not on
// its neighbours, its place, or what other jobs do meanwhile.
func TestTextAlone(t *testing.T) {
	texts := append(slices.Clone(benchSentences), "", "Die Katze schläft.", "猫が寝ている。", strings.Repeat("turbine ", 3000), differentWords(40_000))
	p := open(t)
	want := make([][]float64, len(texts))
	for i, text := range texts {
		want[i] = row(embed(t, open(t), Hybrid, text), 0)
	}
	var wg sync.WaitGroup
	for k := range 4 {
		wg.Go(func() {
			order := make([]string, 0, len(texts))
			for i := range texts {
				order = append(order, texts[(i*5+k)%len(texts)])
			}
			got, err := p.EmbedBatch(context.Background(), &providers.EmbedRequest{Model: Hybrid, Texts: order})
			if err != nil {
				t.Error(err)
				return
			}
			for i := range texts {
				if !slices.Equal(row(got, i), want[(i*5+k)%len(texts)]) {
					t.Errorf("text %d of order %d has another vector in a batch", i, k)
				}
			}
		})
	}
	wg.Wait()
}

// TestMeaning compares neighbours in meaning with strangers: all of them share
// no word, so that spelling alone tells nothing.
func TestMeaning(t *testing.T) {
	v := embed(t, open(t), Static,
		"The judge sentenced the thief to prison.", "A court found him guilty of robbery.",
		"Fresh bread needs flour and yeast.", "Knead the dough, then bake it in an oven.")
	law, food, across := dot(row(v, 0), row(v, 1)), dot(row(v, 2), row(v, 3)), dot(row(v, 0), row(v, 2))
	if law < 0.2 || food < 0.2 || across > min(law, food)/2 {
		t.Errorf("cosines: law %.3f, food %.3f, across %.3f", law, food, across)
	}
}

func TestWrongModel(t *testing.T) {
	p := open(t)
	for _, c := range []struct {
		model      string
		dimensions int
		want       []string
	}{
		{"text-embedding-3-small", 0, []string{`"text-embedding-3-small"`, `"static"`, `"hybrid"`}},
		{"Static", 0, []string{`"Static"`, `"static"`, `"hybrid"`}},
		{Static, 512, []string{"512", "256", `"static"`, "leave dimensions out", `"hybrid" has 512`}},
		{Hybrid, 256, []string{"256", "512", `"hybrid"`, `"static" has 256`}},
	} {
		err := p.CheckEmbed(c.model, c.dimensions)
		_, late := p.EmbedBatch(t.Context(), &providers.EmbedRequest{Model: c.model, Dimensions: c.dimensions, Texts: []string{"x"}})
		var e *providers.Error
		if !errors.As(err, &e) || e.Kind != providers.KindConfig || late == nil || late.Error() != err.Error() {
			t.Fatalf("model %q, dimensions %d: %v, then %v", c.model, c.dimensions, err, late)
		}
		for _, part := range c.want {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("model %q, dimensions %d: %q does not say %s", c.model, c.dimensions, err, part)
			}
		}
	}
	for model, n := range map[string]int{Static: 256, Hybrid: 512} {
		if err := p.CheckEmbed(model, n); err != nil {
			t.Errorf("%s with its own length: %v", model, err)
		}
	}
}

// TestForeignScript checks that texts outside the training have vectors, and
// one note for all of them.
func TestForeignScript(t *testing.T) {
	p := open(t)
	for _, c := range []struct {
		texts []string
		notes int // texts that the note counts
	}{
		{[]string{"Plain English.", "Auch Deutsch.", "naïve café", "12 34"}, 0},
		{[]string{"Кошка спит.", "猫が寝ている。", "แมวหลับ", "القط نائم", "Γάτα", "बिल्ली सो रही है"}, 6},
		{[]string{"The word кот means cat in Russian.", "Слово cat значит кошка по-английски."}, 1},
	} {
		a := embed(t, p, Static, c.texts...)
		switch {
		case c.notes == 0 && len(a.Notes) > 0:
			t.Errorf("%q: %v", c.texts, a.Notes)
		case c.notes > 0 && (len(a.Notes) != 1 || a.Notes[0].Code != NoteForeignScript || a.Notes[0].Inputs != c.notes ||
			!strings.Contains(a.Notes[0].String(), "outside the training")):
			t.Errorf("%q: %v, want one note on %d", c.texts, a.Notes, c.notes)
		}
		for i := range c.texts {
			if v := row(a, i); dot(v, v) < 0.9 {
				t.Errorf("%q has no vector", c.texts[i])
			}
		}
	}
}

func TestEndedContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	p := open(t)
	_, err := p.EmbedBatch(ctx, &providers.EmbedRequest{Model: Static, Texts: []string{"a", "b"}})
	var e *providers.Error
	if !errors.As(err, &e) || e.Kind != providers.KindCancelled || !errors.Is(err, context.Canceled) {
		t.Errorf("a cancelled batch: %v", err)
	}
	ctx, cancel = context.WithTimeout(t.Context(), 0)
	defer cancel()
	_, err = p.EmbedBatch(ctx, &providers.EmbedRequest{Model: Static, Texts: []string{"a", "b"}})
	if !errors.As(err, &e) || e.Kind != providers.KindTimeout {
		t.Errorf("a batch without time: %v", err)
	}
	// No processor is held back.
	if got := embed(t, p, Static, benchSentences...); got.Dim != StaticDimensions {
		t.Errorf("afterwards vectors have %d numbers", got.Dim)
	}
}

// FuzzRead checks that any text has a vector of length 1 or 0, the same one
// twice, and the same one after another text.
func FuzzRead(f *testing.F) {
	for _, s := range []string{"", "a", "Straße ﬁn", "e\u0301\u0301", "中文字", "กำ", "й ё", "a\u0300b", "ﷺ", "\u1100\u1161", "１２", "don't", "ー", "𝒳𐐀"} {
		f.Add(s, "another text")
	}
	table, err := newTable(weights)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, text, other string) {
		if !utf8.ValidString(text) || !utf8.ValidString(other) {
			return
		}
		vector := func(e *encoder, s string) []float64 {
			v := make([]float64, HybridDimensions)
			e.read(s)
			e.writeHybrid(v)
			return v
		}
		fresh := vector(&encoder{table: table}, text)
		used := &encoder{table: table}
		vector(used, other)
		if again := vector(used, text); !slices.Equal(fresh, again) {
			t.Fatalf("%q has another vector after %q", text, other)
		}
		for name, part := range map[string][]float64{"static": fresh[:dim], "lexical": fresh[dim:]} {
			if l := 2 * dot(part, part); l != 0 && math.Abs(l-1) > 1e-5 {
				t.Fatalf("%q: the %s part has the squared length %v", text, name, l)
			}
		}
	})
}
