package quality

import (
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"
)

// chroma is the question set of Chroma's evaluation.
const chroma = "../../../testdata/corpora/chroma"

func chromaTexts(t *testing.T) (names, texts []string) {
	t.Helper()
	for _, name := range []string{"chatlogs", "finance", "pubmed", "state_of_the_union", "wikitexts"} {
		text, err := os.ReadFile(filepath.Join(chroma, name+".md"))
		if err != nil {
			t.Fatal(err)
		}
		names, texts = append(names, name), append(texts, string(text))
	}
	return names, texts
}

// TestChromaQuestions: every reference lies where the set says, and the search for
// its content finds it too, there or at an earlier occurrence.
func TestChromaQuestions(t *testing.T) {
	f, err := os.Open(filepath.Join(chroma, "questions.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	questions, err := ReadQuestions(f)
	if err != nil {
		t.Fatal(err)
	}
	names, texts := chromaTexts(t)
	locators := map[string]*Locator{}
	for i, name := range names {
		locators[name] = NewLocator(texts[i])
	}
	references, repeated := 0, 0
	for _, q := range questions {
		for _, r := range q.References {
			references++
			if _, _, err := locators[q.Corpus].Find(r); err != nil {
				t.Errorf("line %d: %v", q.Line, err)
			}
			if r.Span.Stop-r.Span.Start != utf8.RuneCountInString(r.Content) {
				t.Errorf("line %d: %+v", q.Line, r)
			}
			found, count, err := locators[q.Corpus].Find(Reference{Content: r.Content})
			if err != nil || count == 1 && found != *r.Span || found.Start > r.Span.Start {
				t.Errorf("line %d: looked up at %v, %d times, %v; lies at %v", q.Line, found, count, err, *r.Span)
			}
			if count > 1 {
				repeated++
			}
		}
	}
	if len(questions) != 472 || references != 790 || repeated == 0 {
		t.Errorf("%d questions with %d references, %d of them repeated", len(questions), references, repeated)
	}
}
