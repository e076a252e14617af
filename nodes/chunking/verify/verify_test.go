package verify

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/nodes/chunking"
	"github.com/ironflow/ironflow/nodes/chunking/sentence"
)

func checker(t testing.TB, language string, texts ...string) *Checker {
	t.Helper()
	var inputs []Input
	for _, text := range texts {
		inputs = append(inputs, Input{Text: text})
	}
	c, err := NewChecker(NewDocument(inputs, sentence.Unicode), Options{Language: language})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

const weir = `The weir at Holm was built in 1921 by the engineer Signe Aas. Its crest was replaced in 1958. "The concrete will outlive us all," she said. The repairs took twelve months and cost 4.2 million kroner. No salmon passed before 1960. The power station delivers 640 kW, less than the old mill once used. Two sluices are never opened in winter.`

func TestCheck(t *testing.T) {
	c := checker(t, "auto", weir)
	for _, k := range []struct {
		text string
		on   []int
		rule string // "" = accepted
	}{
		{"The weir at Holm was built in 1921 by the engineer Signe Aas.", []int{0}, ""},
		{"Signe Aas built the weir at Holm in 1921.", []int{0}, ""},
		{"The crest of the weir at Holm was replaced in 1958.", []int{1}, ""},
		{"The engineer Signe Aas said: 'The concrete will outlive us all.'", []int{2}, ""},
		{"The repairs took 12 months.", []int{3}, ""},
		{"According to the text, the repairs cost 4.2 million kroner.", []int{3}, ""},
		{"No salmon passed before 1960.", []int{4}, ""},
		{"The power station delivers 640 kW.", []int{5}, ""},
		{"Two sluices of the weir are never opened in winter.", []int{6}, ""},
		{"The weir at Holm was built in 1922 by the engineer Signe Aas.", []int{0}, "number"},
		{"The repairs took 13 months.", []int{3}, "number"},
		{"The power station delivers 640 MW.", []int{5}, "unit"},
		{"The weir at Holm was built in 1921 by the engineer Runa Dahl.", []int{0}, "name"},
		{"The weir at Holm was not built in 1921.", []int{0}, "polarity"},
		{"Salmon passed before 1960.", []int{4}, "polarity"},
		{"Two sluices are opened in winter.", []int{6}, "polarity"},
		{"No salmon passed after 1960.", []int{4}, "comparison"},
		{"The power station delivers more than the old mill once used.", []int{5}, "comparison"},
		{"All repairs took twelve months.", []int{3}, "quantifier"},
		{"Signe Aas said: \"The concrete will crack.\"", []int{2}, "quotation"},
		{"Barley was exported through a neighbouring harbour.", []int{0}, "support"},
		{"Its crest was replaced in 1958.", []int{1}, "pronoun"},
		{"She said that the concrete will outlive everybody.", []int{2}, "pronoun"},
		{"It is ground that stays wet.", []int{0}, "pronoun"},
		{"weir", []int{0}, "fragment"},
		{"1921", []int{0}, "fragment"},
	} {
		v := c.Check(Statement{Text: k.text, Sentences: k.on})
		if k.rule == "" && !v.OK() || k.rule != "" && !slices.ContainsFunc(v.Reasons, func(r Reason) bool { return r.Rule == k.rule }) {
			t.Errorf("%q: %v, want %q", k.text, v.Reasons, k.rule)
		}
		if v.Support < 0 || v.Support > 1 {
			t.Errorf("%q: support %v", k.text, v.Support)
		}
	}
}

func TestGerman(t *testing.T) {
	c := checker(t, "auto", "Das Wehr in Holm wurde 1921 gebaut. Es hat keine Fischtreppe. Jede Schleuse wiegt zwei Tonnen.")
	if got := c.Languages(); !slices.Equal(got, []string{"de"}) {
		t.Fatalf("languages %v", got)
	}
	for text, rule := range map[string]string{
		"Das Wehr in Holm hat keine Fischtreppe.": "",
		"Das Wehr in Holm hat eine Fischtreppe.":  "polarity",
		"Es hat keine Fischtreppe.":               "pronoun",
	} {
		v := c.Check(Statement{Text: text, Sentences: []int{1}})
		if rule == "" != v.OK() || rule != "" && v.Reasons[0].Rule != rule {
			t.Errorf("%q: %v", text, v.Reasons)
		}
	}
	if v := c.Check(Statement{Text: "Jede Schleuse wiegt 2 Tonnen.", Sentences: []int{2}}); !v.OK() {
		t.Errorf("a number in digits: %v", v.Reasons)
	}
}

func TestDates(t *testing.T) {
	c := checker(t, "auto", "The canal was closed until 2016-05-19. The lock opened on 4 March 2016. The weir was checked on 07.11.2015. The gate may open in June.")
	for _, k := range []struct {
		text string
		on   int
		ok   bool
	}{
		{"The canal was closed until 19 May 2016.", 0, true},
		{"The canal was closed until May 19, 2016.", 0, true},
		{"The canal was closed until 19 June 2016.", 0, false},
		{"The canal was closed until 18 May 2016.", 0, false},
		{"The lock opened on March 4, 2016.", 1, true},
		{"The lock opened on 2016-03-04.", 1, true},
		{"The lock opened on 2016-04-03.", 1, false},
		{"The weir was checked on 7 November 2015.", 2, true},
		{"The gate may open in June.", 3, true},
	} {
		if v := c.Check(Statement{Text: k.text, Sentences: []int{k.on}}); v.OK() != k.ok {
			t.Errorf("%q: %v", k.text, v.Reasons)
		}
	}
}

func TestNumbersInCompany(t *testing.T) {
	c := checker(t, "auto", "The Otters have been in the league since it grew in 1950 and have played in the west since 1970. The locks are 210-250 m and 290-330 m long. The length of the coast is 451 km beside that of the lakes with 450 km. The song was sung by the singer Pell of Holm. The gate was shut on 12 May 2010 and opened on 13 May 2011.")
	for _, k := range []struct {
		text string
		on   int
		rule string
	}{
		{"The Otters have played in the west since 1970.", 0, ""},
		{"The Otters have played in the west since 1950.", 0, "number"},
		{"The locks are 210-250 m long.", 1, ""},
		{"The locks are 210-330 m long.", 1, "number"},
		{"The length of the coast is 451 km.", 2, ""},
		{"The length of the coast is 450 km.", 2, "number"},
		{"singer Pell", 3, ""},
		{"singer Dahl", 3, "name"},
		{"The gate was shut on 12 May 2010.", 4, ""},
		{"The gate was shut on 12 May 2011.", 4, "number"},
		{"The gate was opened on 12 May 2011.", 4, "number"},
	} {
		v := c.Check(Statement{Text: k.text, Sentences: []int{k.on}})
		if k.rule == "" && !v.OK() || k.rule != "" && !slices.ContainsFunc(v.Reasons, func(r Reason) bool { return r.Rule == k.rule }) {
			t.Errorf("%q: %v, want %q", k.text, v.Reasons, k.rule)
		}
	}
}

// What a verdict names holds the statement alone.
func TestNarrowedVerdicts(t *testing.T) {
	c := checker(t, "auto", "# Opening hours\n\nMonday to Friday, 9 to 17. The weir is old.", weir)
	n := len(c.doc.Sentences)
	for _, text := range []string{"Opening minutes: Monday to Friday, 9 to 17.", "Opening hours: Monday to Friday, 9 to 17.", "The repairs took twelve months.", "Signe Aas built the weir at Holm in 1921, and its crest was replaced in 1958."} {
		for from := range n {
			for to := from + 1; to <= n; to++ {
				var on []int
				for i := from; i < to; i++ {
					on = append(on, i)
				}
				v := c.Check(Statement{Text: text, Sentences: on})
				if !v.OK() {
					continue
				}
				if again := c.Check(Statement{Text: text, Sentences: v.Sentences}); !again.OK() || !slices.Equal(again.Sentences, v.Sentences) {
					t.Errorf("%q on %v rests on %v, and there on %v: %v", text, on, v.Sentences, again.Sentences, again.Reasons)
				}
			}
		}
	}
}

func TestSources(t *testing.T) {
	c := checker(t, "auto", weir)
	v := c.Check(Statement{Text: "The repairs took twelve months.", Sentences: []int{0, 1, 2, 3, 4, 5, 6}})
	if !slices.Equal(v.Sentences, []int{3}) {
		t.Errorf("a statement that names every sentence rests on %v", v.Sentences)
	}
	if got := c.Locate("The repairs took twelve months."); !slices.Equal(got, []int{3}) {
		t.Errorf("located in %v", got)
	}
	if got := c.Locate("Barley was exported."); got != nil {
		t.Errorf("located in %v", got)
	}
}

func TestCarry(t *testing.T) {
	c := checker(t, "auto", "The dam at Holm is old.", "It leaks. It also leans. It will fall. It is watched. It is loved.", "Nobody minds.")
	for i, want := range []struct {
		from     int
		resolved bool
	}{{0, true}, {0, true}, {0, true}, {0, true}, {4, false}, {5, false}, {6, true}} {
		if from, resolved := c.Carry(i); from != want.from || resolved != want.resolved {
			t.Errorf("sentence %d: %d, %v", i, from, resolved)
		}
	}
}

func TestLedger(t *testing.T) {
	l := checker(t, "auto", weir).NewLedger()
	for _, k := range []struct {
		text string
		of   int
	}{
		{"Readers may keep a map for two weeks.", -1},
		{"readers may keep the map for two weeks", 0},
		{"For two weeks, readers may keep a map.", 0},
		{"Readers may keep a map for three weeks.", -1},
		{"The north shed holds 37 crates.", -1},
		{"The north shed holds 15 crates.", -1},
		{"Holm beat Ask.", -1},
		{"Ask beat Holm.", -1},
	} {
		if _, of := l.Add(k.text); of != k.of {
			t.Errorf("%q repeats %d, want %d", k.text, of, k.of)
		}
	}
}

func TestLanguageOption(t *testing.T) {
	doc := NewDocument([]Input{{Text: weir}}, sentence.Unicode)
	var option *chunking.OptionError
	if _, err := NewChecker(doc, Options{Language: "fr"}); !errors.As(err, &option) || option.Param != "language" {
		t.Errorf("%v", err)
	}
	c := checker(t, "none", weir)
	if len(c.Languages()) != 0 || slices.Contains(c.Rules(), "pronouns") {
		t.Errorf("languages %v, rules %v", c.Languages(), c.Rules())
	}
	if v := c.Check(Statement{Text: "Its crest was replaced in 1958.", Sentences: []int{1}}); !v.OK() {
		t.Errorf("without rules for words: %v", v.Reasons)
	}
}

func FuzzCheck(f *testing.F) {
	f.Add(weir, "Signe Aas built the weir \"at\" Holm in 1,921.5 km.", 3)
	f.Add("茶屋は川沿い。", "茶屋", 0)
	f.Fuzz(func(t *testing.T, text, statement string, n int) {
		if chunking.CheckUTF8(text) != nil || chunking.CheckUTF8(statement) != nil {
			return
		}
		c := checker(t, "auto", text)
		var on []int
		if len(c.doc.Sentences) > 0 && n >= 0 {
			on = []int{n % len(c.doc.Sentences)}
		}
		v := c.Check(Statement{Text: statement, Sentences: on})
		if v.Support < 0 || v.Support > 1 || v.OK() && len(v.Sentences) == 0 {
			t.Fatalf("%+v", v)
		}
		for i := range c.doc.Sentences {
			for _, r := range c.Check(Statement{Text: c.doc.Text(i), Sentences: []int{i}}).Reasons {
				if r.Class() == "ungrounded" && r.Rule != "fragment" {
					t.Fatalf("%q on itself: %+v", c.doc.Text(i), r)
				}
			}
		}
		l := c.NewLedger()
		if first, of := l.Add(statement); first != 0 || of != -1 {
			t.Fatalf("entry %d, repeats %d", first, of)
		}
		if _, of := l.Add(statement); of != 0 {
			t.Fatalf("a statement does not repeat itself: %d", of)
		}
		for i := range c.doc.Sentences {
			if from, _ := c.Carry(i); from > i || from < i-3 {
				t.Fatalf("sentence %d carries from %d", i, from)
			}
		}
	})
}

func BenchmarkChecker(b *testing.B) {
	text := strings.Repeat(weir+" ", 2000)
	doc := NewDocument([]Input{{Text: text}}, sentence.Unicode)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		c, err := NewChecker(doc, Options{})
		if err != nil {
			b.Fatal(err)
		}
		for i := range doc.Sentences {
			c.Check(Statement{Text: doc.Text(i), Sentences: []int{i}})
		}
	}
}
