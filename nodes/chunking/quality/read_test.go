package quality

import (
	"slices"
	"strings"
	"testing"
)

func TestReadChoi(t *testing.T) {
	const body = "A one .\nA two .\n==========\nB one .\n"
	for name, text := range map[string]string{
		"separators between":       body,
		"around":                   "==========\n" + body + "==========\n",
		"no line end at last":      strings.TrimSpace(body),
		"carriage returns":         strings.ReplaceAll(body, "\n", "\r\n"),
		"blank lines":              "\n" + strings.ReplaceAll(body, "\n", "\n\n"),
		"longer, doubled, a mark":  "\ufeff============\n==========\n" + body,
		"white space round a line": strings.ReplaceAll(body, "\n", " \t\n "),
	} {
		d, err := ReadChoi(strings.NewReader(text))
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if !slices.Equal(d.Sentences, []string{"A one .", "A two .", "B one ."}) || !d.Truth.Equal(FromLengths(2, 1)) {
			t.Errorf("%s: %q %+v", name, d.Sentences, d.Truth)
		}
	}
	for text, says := range map[string]string{
		"":                      "no sentence",
		"==========\n":          "no sentence",
		"good\nbad \xff byte\n": "line 2: not valid UTF-8",
	} {
		if _, err := ReadChoi(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: error %v", text, err)
		}
	}
}

func TestReadJSONL(t *testing.T) {
	documents, err := ReadJSONL(strings.NewReader(
		"\ufeff{\"id\":\"x\",\"segments\":[[\"A.\",\"B.\"],[],[\"C.\",\" \"]]}\r\n\n{\"segments\":[[\"D.\"]],\"more\":1}"))
	if err != nil {
		t.Fatal(err)
	}
	if len(documents) != 2 || documents[0].ID != "x" || !documents[0].Truth.Equal(FromLengths(2, 1)) ||
		!slices.Equal(documents[0].Sentences, []string{"A.", "B.", "C."}) || !documents[1].Truth.Equal(FromLengths(1)) {
		t.Errorf("%+v", documents)
	}
	if documents, err := ReadJSONL(strings.NewReader("")); err != nil || documents != nil {
		t.Errorf("empty: %v %v", documents, err)
	}
	good := `{"segments":[["D."]]}` + "\n"
	for text, says := range map[string]string{
		good + "{":                           "line 2: ",
		good + `["D."]`:                      `{"id": "name"`,
		good + `{"segments":["D."]}`:         `{"id": "name"`,
		good + `{"segments":[]}`:             "no sentence",
		good + `{"text":"D."}`:               "no sentence",
		good + "{\"segments\":[[\"\xff\"]]}": "not valid UTF-8",
	} {
		if _, err := ReadJSONL(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), says) || !strings.Contains(err.Error(), "line 2") {
			t.Errorf("%q: error %v", text, err)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add("==========\nA .\nB .\n==========\nC .\n")
	f.Add(`{"segments":[["A."],["B.","C."]]}`)
	f.Fuzz(func(t *testing.T, text string) {
		if d, err := ReadChoi(strings.NewReader(text)); err == nil {
			checkDocument(t, d)
			var again strings.Builder
			again.WriteString(separator + "\n")
			cuts := append(slices.Clone(d.Truth.Cuts), -1)
			for i, s := range d.Sentences {
				again.WriteString(s + "\n")
				if i == cuts[0] {
					again.WriteString(separator + "\n")
					cuts = cuts[1:]
				}
			}
			back, err := ReadChoi(strings.NewReader(again.String()))
			if err != nil || !back.Truth.Equal(d.Truth) || !slices.Equal(back.Sentences, d.Sentences) {
				t.Errorf("written and read again: %+v, %v; before %+v", back, err, d)
			}
		}
		documents, err := ReadJSONL(strings.NewReader(text))
		if err == nil {
			for _, d := range documents {
				checkDocument(t, d)
			}
		}
	})
}

func checkDocument(t *testing.T, d Document) {
	t.Helper()
	if err := d.Truth.Check(); err != nil || d.Truth.Units != len(d.Sentences) {
		t.Errorf("%+v: %v", d, err)
	}
	if s, err := Score(d.Truth, d.Truth); err != nil || s.Pk != 0 || s.Similarity != 1 || s.F1 != 1 {
		t.Errorf("against itself: %+v, %v", s, err)
	}
}
