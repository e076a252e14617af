package quality

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ironflow/ironflow/nodes/chunking"
)

func TestReadQuestions(t *testing.T) {
	questions, err := ReadQuestions(strings.NewReader("\ufeff" +
		`{"question":"How high?","corpus":"tide.md","references":[{"content":"1.9 m","start":4,"end":9},{"content":"0.8 m"}]}` + "\r\n\n" +
		`{"question":"Wo?","references":[{"content":"hier"}],"more":{"a":1}}`))
	if err != nil {
		t.Fatal(err)
	}
	if len(questions) != 2 || questions[0].Text != "How high?" || questions[0].Corpus != "tide.md" || questions[0].Line != 1 ||
		questions[1].Line != 3 || questions[1].Corpus != "" || questions[1].References[0].Content != "hier" {
		t.Fatalf("%+v", questions)
	}
	if refs := questions[0].References; *refs[0].Span != (chunking.Span{Start: 4, Stop: 9}) || refs[1].Span != nil {
		t.Errorf("%+v", refs)
	}
	if questions, err := ReadQuestions(strings.NewReader("\n")); err != nil || questions != nil {
		t.Errorf("empty: %v, %v", questions, err)
	}
}

func TestReadQuestionsErrors(t *testing.T) {
	good := `{"question":"a","references":[{"content":"b"}]}` + "\n"
	for text, says := range map[string]string{
		"{":                                "unexpected end",
		`["a"]`:                            "cannot unmarshal array",
		`{"references":[{"content":"b"}]}`: "no question",
		`{"question":" ","references":[{"content":"b"}]}`: "no question",
		`{"question":"a"}`:                                                    "no references",
		`{"question":"a","references":[]}`:                                    "no references",
		`{"question":"a","references":["b"]}`:                                 "cannot unmarshal string",
		`{"question":"a","references":[{"content":"b"},{"content":" "}]}`:     "reference 2 has no content",
		`{"question":"a","references":[{"content":"b","start":1}]}`:           "only one of start and end",
		`{"question":"a","references":[{"content":"b","end":1}]}`:             "only one of start and end",
		`{"question":"a","references":[{"content":"b","start":-1,"end":2}]}`:  "from -1 to 2",
		`{"question":"a","references":[{"content":"b","start":2,"end":2}]}`:   "from 2 to 2",
		`{"question":"a","references":[{"content":"b","start":1.5,"end":2}]}`: "cannot unmarshal number 1.5",
		"{\"question\":\"\xff\",\"references\":[{\"content\":\"b\"}]}":        "not valid UTF-8",
		`{"question":"a","references":[{"content":"b"}]}{"question":"c"}`:     "after top-level value",
	} {
		_, err := ReadQuestions(strings.NewReader(good + text))
		if err == nil || !strings.Contains(err.Error(), says) || !strings.HasPrefix(err.Error(), "line 2: ") || !strings.Contains(err.Error(), `{"question": "..."`) {
			t.Errorf("%s: error %v", text, err)
		}
	}
}

func TestFind(t *testing.T) {
	// "Größe" begins at character 4, byte 4; "Wege" at character 10, byte 12.
	l := NewLocator("Die Größe\r\n  Wege sind\t\tlang. Die Wege sind kurz. ")
	for content, want := range map[string]struct {
		span  chunking.Span
		count int
	}{
		"Größe":                    {chunking.Span{Start: 4, Stop: 9}, 1},
		"Wege sind kurz":           {chunking.Span{Start: 34, Stop: 48}, 1},
		"Wege":                     {chunking.Span{Start: 13, Stop: 17}, 2},
		"Die Größe Wege sind lang": {chunking.Span{Start: 0, Stop: 28}, 1},
		" sind\n lang.  ":          {chunking.Span{Start: 18, Stop: 29}, 1},
		"ind\tk":                   {chunking.Span{Start: 40, Stop: 45}, 1},
		"Wege\nsind":               {chunking.Span{Start: 13, Stop: 22}, 2},
	} {
		span, count, err := l.Find(Reference{Content: content})
		if err != nil || span != want.span || count != want.count {
			t.Errorf("%q: %v, %d times, %v; want %v, %d times", content, span, count, err, want.span, want.count)
		}
	}
	at := func(content string, start, stop int) Reference {
		return Reference{Content: content, Span: &chunking.Span{Start: start, Stop: stop}}
	}
	if span, count, err := l.Find(at("Wege", 34, 38)); err != nil || count != 1 || span != (chunking.Span{Start: 34, Stop: 38}) {
		t.Errorf("at its place: %v, %d, %v", span, count, err)
	}
	if _, _, err := l.Find(at("Größe Wege", 4, 17)); err != nil {
		t.Errorf("other white space at the place: %v", err)
	}
	for says, r := range map[string]Reference{
		`"Straße" is not in the document`: {Content: "Straße"},
		`"Wegesind" is not`:               {Content: "Wegesind"},
		`should lie at 4 to 8, where the document has "Größ"; leave start and end out`: at("Wege", 4, 8),
		`but the document has 50 characters`:                                           at("Wege", 48, 52),
		`should lie at 900 to 904`:                                                     at("Wege", 900, 904),
		` ... is not in the document`:                                                  {Content: strings.Repeat("lang ", 40)},
	} {
		if _, _, err := l.Find(r); err == nil || !strings.Contains(err.Error(), says) || len(err.Error()) > 250 {
			t.Errorf("%+v: error %v, want %q in it", r, err, says)
		}
	}
	if _, _, err := NewLocator("").Find(Reference{Content: "a"}); err == nil {
		t.Error("found in an empty document")
	}
}

func FuzzReadQuestions(f *testing.F) {
	f.Add(`{"question":"a","corpus":"c","references":[{"content":"b","start":1,"end":2}]}`, "a b")
	f.Add("{\"question\":\"a\",\"references\":[{\"content\":\"ö  \\n x\"}]}\n\n", "  ö x y")
	f.Fuzz(func(t *testing.T, file, document string) {
		questions, err := ReadQuestions(strings.NewReader(file))
		if err != nil {
			return
		}
		document = strings.ToValidUTF8(document, "?")
		runes := []rune(document)
		for _, q := range questions {
			for _, r := range q.References {
				span, count, err := NewLocator(document).Find(r)
				if err != nil {
					continue
				}
				if count < 1 || span.Start < 0 || span.Start >= span.Stop || span.Stop > len(runes) {
					t.Fatalf("%+v in %q: %v, %d times", r, document, span, count)
				}
				if got := string(runes[span.Start:span.Stop]); !sameWords(got, r.Content) {
					t.Errorf("%q found as %q", r.Content, got)
				}
			}
		}
		checkWritten(t, questions)
	})
}

// checkWritten wants that questions written and read again are the same.
func checkWritten(t *testing.T, questions []Question) {
	t.Helper()
	var text strings.Builder
	for _, q := range questions {
		object := map[string]any{"question": q.Text, "corpus": q.Corpus}
		var references []map[string]any
		for _, r := range q.References {
			ref := map[string]any{"content": r.Content}
			if r.Span != nil {
				ref["start"], ref["end"] = r.Span.Start, r.Span.Stop
			}
			references = append(references, ref)
		}
		object["references"] = references
		line, err := json.Marshal(object)
		if err != nil || !utf8.Valid(line) {
			t.Fatal(err)
		}
		text.Write(append(line, '\n'))
	}
	again, err := ReadQuestions(strings.NewReader(text.String()))
	if err != nil {
		t.Fatal(err)
	}
	if !slices.EqualFunc(questions, again, func(a, b Question) bool {
		return a.Text == b.Text && a.Corpus == b.Corpus && slices.EqualFunc(a.References, b.References, func(x, y Reference) bool {
			return x.Content == y.Content && (x.Span == nil) == (y.Span == nil) && (x.Span == nil || *x.Span == *y.Span)
		})
	}) {
		t.Errorf("%+v, written and read again %+v", questions, again)
	}
}
