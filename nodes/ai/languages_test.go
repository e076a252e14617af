package ai

import (
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/ironflow/ironflow/nodes/chunking/quality"
	"github.com/ironflow/ironflow/nodes/chunking/semantic"
	"github.com/ironflow/ironflow/nodes/value"
	vendors "github.com/ironflow/ironflow/providers/builtin"
)

// topics are four short texts for each language, about bread, trains, bees and
// telescopes.
func topics(t *testing.T) map[string][][]string {
	t.Helper()
	data, err := os.ReadFile("testdata/topics.json")
	if err != nil {
		t.Fatal(err)
	}
	var out map[string][][]string
	if err := json.Unmarshal(data, &out); err != nil {
		t.Fatal(err)
	}
	if len(out) != 4 {
		t.Fatalf("%d languages", len(out))
	}
	return out
}

// localVectors are those of the node ai_embed with a model inside the binary.
func localVectors(t *testing.T, model string, texts []string) semantic.Matrix {
	t.Helper()
	out, err := bench(t, "").Run(embedNode(vendors.Vendors()),
		map[string]any{"source_key": "texts", "provider": "local", "model": model},
		map[string]any{"texts": value.NewStrings(texts)})
	if err != nil {
		t.Fatal(err)
	}
	vectors := out["embed"].(*value.Vectors)
	return semantic.MatrixOver(vectors.Data(), vectors.Dim())
}

// TestTwoTopicsInFourLanguages cuts each ordered pair of two of the four texts
// into two: at least 10 of the 12 cuts lie within a sentence of the change. The
// models know English alone; in the other languages words that return have to be
// enough.
func TestTwoTopicsInFourLanguages(t *testing.T) {
	for _, model := range []string{"static", "hybrid"} {
		for language, texts := range topics(t) {
			exact, near := 0, 0
			for i, a := range texts {
				for j, b := range texts {
					if i == j {
						continue
					}
					both := slices.Concat(a, b)
					s, err := quality.Scatter(localVectors(t, model, both), 2)
					if err != nil {
						t.Fatal(err)
					}
					switch s.Cuts[0] - (len(a) - 1) {
					case 0:
						exact++
						near++
					case -1, 1:
						near++
					}
				}
			}
			t.Logf("%s, %s: %d of 12 exact, %d within one sentence", model, language, exact, near)
			if near < 10 {
				t.Errorf("%s, %s: %d of 12 cuts within one sentence, want at least 10", model, language, near)
			}
		}
	}
}

// TestTopicInFourLanguages has the node find the changes by itself, without the
// number of segments. Half of the detector counts words, which in Russian seldom
// return in the same form.
func TestTopicInFourLanguages(t *testing.T) {
	node := semanticNode(vendors.Vendors())
	least := map[string]int{"en": 10, "de": 10, "zh": 10, "ru": 6}
	for language, texts := range topics(t) {
		found := 0
		for i, a := range texts {
			for j, b := range texts {
				if i == j {
					continue
				}
				out, err := bench(t, "").Run(node,
					map[string]any{"source_key": "doc", "detector": "topic", "sentence_mode": "lines"},
					map[string]any{"doc": strings.Join(slices.Concat(a, b), "\n")})
				if err != nil {
					t.Fatal(err)
				}
				chunks := plain(t, out["semantic"]).([]any)
				for _, c := range chunks[:len(chunks)-1] {
					if last := lastLine(c.(string)); slices.Contains([]string{a[len(a)-2], a[len(a)-1], b[0]}, last) {
						found++
						break
					}
				}
			}
		}
		t.Logf("%s: %d of 12 changes found", language, found)
		if found < least[language] {
			t.Errorf("%s: %d of 12 changes found within one sentence, want at least %d", language, found, least[language])
		}
	}
}

func lastLine(text string) string { return text[strings.LastIndexByte(text, '\n')+1:] }

// TestNoZeroVectorForAWord embeds every sentence, every word and, for scripts
// without spaces, every character of the texts.
func TestNoZeroVectorForAWord(t *testing.T) {
	var texts []string
	for _, list := range topics(t) {
		for _, sentence := range slices.Concat(list...) {
			texts = append(texts, sentence)
			for _, word := range strings.FieldsFunc(sentence, func(r rune) bool { return !unicode.IsLetter(r) }) {
				texts = append(texts, word)
				for _, r := range word {
					if unicode.Is(unicode.Han, r) {
						texts = append(texts, string(r))
					}
				}
			}
		}
	}
	// Function words alone, single letters, digits, and scripts of every kind.
	texts = append(texts, "und", "и", "的", "the", "a", "Ж", "7", "2026", "नमस्ते", "สวัสดี", "안녕하세요", "こんにちは", "ア", "مرحبا", "שלום", "Ωmega", "ქართული", "អក្សរ", "и не", "der die das")
	for _, model := range []string{"static", "hybrid"} {
		m := localVectors(t, model, texts)
		for i, text := range texts {
			if !slices.ContainsFunc(m.Row(i), func(x float64) bool { return x != 0 }) {
				t.Errorf("%s: %q has the zero vector", model, text)
			}
		}
	}
}
