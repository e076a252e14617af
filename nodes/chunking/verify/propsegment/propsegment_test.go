package propsegment

import (
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

func load(t *testing.T, folder, part string) *Set {
	t.Helper()
	set, err := Read(os.DirFS(filepath.Join("testdata", folder)), part)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func TestRead(t *testing.T) {
	set := load(t, "en", "dev")
	if len(set.Documents) != 2 || len(set.Documents[0].Sentences) != 3 {
		t.Fatalf("read %+v", set)
	}
	want := []string{"The ferry Brenda was built in Leith", "The ferry Brenda was built in 1937", "The ferry Brenda carries 60 passengers"}
	if got := set.Documents[0].Sentences[0].Propositions; !slices.Equal(got, want) {
		t.Errorf("propositions %q, want %q", got, want)
	}
}

func TestReadFaults(t *testing.T) {
	const clusters = `[{"cluster_id":"c","documents":[{"document_id":"d","sentences":[{"sentence_text":"Öl rinnt.","tokens":[
		{"text":"Öl","character_offset_of_token_in_sentence":0},{"text":"rinnt","character_offset_of_token_in_sentence":3},{"text":".","character_offset_of_token_in_sentence":8}]}]}]}]`
	for _, c := range []struct{ clusters, index, tokens, want string }{
		{clusters, "0", "0,1,2", ""},
		{clusters, "1", "0", "no sentence 1"},
		{clusters, "0", "1,0", "out of order"},
		{clusters, "0", "3", "beyond the last"},
		{strings.Replace(clusters, ":3}", ":2}", 1), "0", "1", "does not stand at 2"},
		{"{", "0", "0", "document_clusters.x.json"},
	} {
		set, err := Read(fstest.MapFS{
			"document_clusters.x.json": {Data: []byte(c.clusters)},
			"propositions.x.json": {Data: []byte(`[{"sentence_id":{"cluster_id":"c","document_id":"d","sentence_index":` + c.index +
				`},"segmentation_responses":[{"is_reference_response":true,"propositions":[{"token_indices":[` + c.tokens + `]}]}]}]`)},
		}, "x")
		switch {
		case c.want == "" && (err != nil || set.Documents[0].Sentences[0].Propositions[0] != "Öl rinnt."):
			t.Errorf("read %+v, error %v", set, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("index %s, tokens %s: error %v, want %q", c.index, c.tokens, err, c.want)
		}
	}
	if _, err := Read(fstest.MapFS{}, "x"); err == nil {
		t.Error("no error without files")
	}
}

// TestMeasure wants each row to have cases, to be the same each time, and good
// checks to score well on the small English set.
func TestMeasure(t *testing.T) {
	set := load(t, "en", "dev")
	rows, err := Measure(set, English())
	if err != nil {
		t.Fatal(err)
	}
	again, err := Measure(set, English())
	if err != nil {
		t.Fatal(err)
	}
	columns := []Column{{"dev", rows}}
	if a, b := Table(columns, true), Table([]Column{{"dev", again}}, true); a != b {
		t.Errorf("two runs differ:\n%s\n%s", a, b)
	}
	want := map[string]string{"accepted": "9 of 9", "with a pronoun": "1 of 10", "refused as unresolved alone": "1 of 1", "taken for duplicates": "0 of 10"}
	table := Table(columns, true)
	for _, r := range rows {
		if r.Cases == 0 {
			t.Errorf("no case of %q", r.Name)
		}
		if w := want[r.Name]; w != "" && !strings.Contains(table, "| "+r.Name+" |") || !strings.Contains(cell(r), w) {
			t.Errorf("%s: %s, want %s", r.Name, cell(r), w)
		}
		if r.Name == "negation added" && r.Hits != r.Cases {
			t.Errorf("%s: %d of %d refused: %v", r.Name, r.Hits, r.Cases, r.Misses)
		}
	}
	if d := Definitions(rows); strings.Count(d, "\n") != len(rows) {
		t.Errorf("%d rows are defined as\n%s", len(rows), d)
	}
}

// TestGerman wants the German set accepted, and its numbers, units and negations watched.
func TestGerman(t *testing.T) {
	for _, part := range []string{"dev", "test"} {
		rows, err := Measure(load(t, "de", part), German())
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range rows {
			switch r.Name {
			case "accepted", "digit", "negation added", "unit":
				if r.Cases < 5 || r.Share() < .85 {
					t.Errorf("%s, %s: %s; %v", part, r.Name, cell(r), r.Misses)
				}
			}
		}
	}
}

// TestMakers wants what is made of a statement to be what the words of the kind say.
func TestMakers(t *testing.T) {
	set := load(t, "en", "dev")
	m := newMaker(set, English())
	for _, c := range []struct{ kind, text, want string }{ // want: all that may come out, by "|"; empty: nothing
		{"negation removed", "The pans had no roof", "The pans had roof"},
		{"negation removed", "It no longer sails", "It sails"},
		{"negation removed", "He wasn't there", "He was there"},
		{"negation removed", "not only salt", ""},
		{"negation added", "The pans had no roof", ""},
		{"negation added", "The pans were wide", "The pans were not wide|The pans were never wide|The pans weren't wide"},
		{"unit", "The road is 12 miles long", "The road is 12 kilometers long|The road is 12 meters long|The road is 12 feet long|The road is 12 yards long|The road is 12 centimeters long|The road is 12 kilometres long|The road is 12 metres long"},
		{"unit", "It costs €3", "It costs $3|It costs £3"},
		{"unit", "The feet hurt", ""},
		{"magnitude", "worth $3 million", "worth $3 billion|worth $3 thousand"},
		{"order", "The ferry was built in 1937", "In 1937, The ferry was built"},
		{"order", "Salt was sold in Lewes", "In Lewes, Salt was sold"},
		{"order", "In 1937", ""},
		{"digit", "no number", ""},
		{"digit", "number 7", "number 0|number 1|number 2|number 3|number 4|number 5|number 6|number 8|number 9"},
		{"case", "a Bell", "a bell|A BELL|A Bell"},
		{"names exchanged", "Brenda met Leith", "Leith met Brenda"},
		{"names exchanged", "Brenda and Leith", ""},
		{"names exchanged", "Moira Tait is MT", ""},
		{"name first", "Brenda sails", "Ashdown sails|Lewes sails|Henry Cobb sails|Hastings sails"},
		{"name inside", "Brenda sails", ""},
	} {
		kinds := Kinds()
		k := kinds[slices.IndexFunc(kinds, func(k Kind) bool { return k.Name == c.kind })]
		for draw := range 20 {
			got, made := k.make(m, statement{text: c.text, sentence: c.text}, seed(draw))
			if made != (c.want != "") || made && !slices.Contains(strings.Split(c.want, "|"), got) {
				t.Errorf("%s of %q: %q, %v, want %q", c.kind, c.text, got, made, c.want)
				break
			}
		}
	}
}

func TestRow(t *testing.T) {
	r := &Row{Least: .5, Most: 1}
	if r.Kept() {
		t.Error("a bar without cases is kept")
	}
	for _, c := range [][3]int{{1, 3, 1}, {2, 1, 2}, {3, 2, 0}} { // document, hits, others
		for range c[1] {
			r.count(c[0], true)
		}
		for range c[2] {
			r.count(c[0], false)
		}
	}
	r.close()
	// 6 of 9; residuals 3-8/3, 1-2, 2-4/3: squares 1/9, 1, 4/9; times 3/2; root by 9
	if want := math.Sqrt(14.0/9*1.5) / 9; math.Abs(r.Error-want) > 1e-12 || r.Share() != 6.0/9 || !r.Kept() {
		t.Errorf("share %v, error %v, want %v", r.Share(), r.Error, want)
	}
	if r.Least = .7; r.Kept() {
		t.Error("6 of 9 keep a bar of .7")
	}
}
