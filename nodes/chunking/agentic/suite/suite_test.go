package suite

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/nodes/chunking/agentic"
	"github.com/ironflow/ironflow/nodes/chunking/agentic/script"
)

func cases(t *testing.T) []Case {
	t.Helper()
	list, err := Cases()
	if err != nil {
		t.Fatal(err)
	}
	return list
}

// TestCases is about the data: numbers, groups, sentences that exist.
func TestCases(t *testing.T) {
	groups := map[string]int{}
	bad := 0
	for i, c := range cases(t) {
		if want := fmt.Sprintf("TC-%03d", i+1); c.ID != want {
			t.Errorf("case %d is %s, want %s", i+1, c.ID, want)
		}
		if c.Title == "" || c.About == "" {
			t.Errorf("%s has no title or does not say what it shows", c.ID)
		}
		groups[c.Group]++
		sentences := c.Sentences()
		rested := map[int]bool{}
		for k, a := range c.Answers {
			if a.Kind == Bad {
				bad++
				if len(a.Expect) == 0 {
					t.Errorf("%s, %q: a bad answer has to be counted", c.ID, a.Name)
				}
			}
			for _, s := range a.Statements {
				for _, n := range s.Sentences {
					if n > len(sentences) {
						t.Errorf("%s, %q: there is no sentence %d", c.ID, s.Text, n)
					}
					if k == 0 {
						rested[n] = true
					}
				}
			}
		}
		for n := range sentences {
			if !rested[n+1] && c.ID != "TC-027" {
				t.Errorf("%s: the honest answer leaves out sentence %d, %q", c.ID, n+1, sentences[n])
			}
		}
	}
	if want := map[string]int{"extraction": 10, "grouping": 8, "edge cases": 10, "pipeline": 4}; fmt.Sprint(groups) != fmt.Sprint(want) {
		t.Errorf("groups %v, want %v", groups, want)
	}
	if bad < 30 {
		t.Errorf("only %d bad answers", bad)
	}
}

// TestScripted runs the suite: the rules, and what each case wants besides.
func TestScripted(t *testing.T) {
	for _, c := range cases(t) {
		t.Run(c.ID, func(t *testing.T) {
			r, err := c.Scripted(context.Background())
			if err != nil {
				t.Fatal(err)
			}
			for _, run := range r.Runs {
				for _, v := range run.Violations {
					t.Errorf("%s: %v", run.Answer, v)
				}
				for _, f := range run.Faults {
					t.Errorf("%s: %s", run.Answer, f)
				}
			}
			if len(r.Runs) != len(c.Answers) {
				t.Errorf("%d runs for %d answers", len(r.Runs), len(c.Answers))
			}
		})
	}
}

// TestHonestAfterRepair runs the bad answers with a model that is honest when it
// is asked again.
func TestHonestAfterRepair(t *testing.T) {
	for _, c := range cases(t) {
		for i := range c.Answers {
			a := &c.Answers[i]
			if a.Kind != Bad || a.RawGroup {
				continue
			}
			bad, honest := c.Model(a), c.Model(&c.Answers[0])
			m := modelFunc(func(ctx context.Context, q agentic.Question) (agentic.Reply, error) {
				if q.Purpose == agentic.PurposeExtract {
					return bad.Ask(ctx, q)
				}
				return honest.Ask(ctx, q)
			})
			got, err := agentic.Run(context.Background(), c.Options(), c.Inputs, m)
			if err != nil {
				t.Fatal(err)
			}
			run, err := newRun(a.Name, c.Document(), got.Chunks)
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range run.Violations {
				t.Errorf("%s, %q: %v", c.ID, a.Name, v)
			}
		}
	}
}

type modelFunc func(context.Context, agentic.Question) (agentic.Reply, error)

func (f modelFunc) Ask(ctx context.Context, q agentic.Question) (agentic.Reply, error) {
	return f(ctx, q)
}

// TestDomainsStayApart is the promise of TC-031 and TC-032: with the honest
// grouping no chunk mixes domains, and a repeated sentence is said once.
func TestDomainsStayApart(t *testing.T) {
	for _, c := range cases(t)[30:] {
		a := &c.Answers[0]
		got, err := agentic.Run(context.Background(), c.Options(), c.Inputs, c.Model(a))
		if err != nil {
			t.Fatal(err)
		}
		theme := map[string]string{}
		for _, s := range a.Statements {
			theme[s.Text] = s.Theme
		}
		seen := map[string]int{}
		for _, chunk := range got.Chunks {
			for _, p := range chunk.Propositions {
				seen[p.Text]++
				if theme[p.Text] != chunk.Theme {
					t.Errorf("%s: %q is in the chunk %q, want %q", c.ID, p.Text, chunk.Theme, theme[p.Text])
				}
			}
		}
		for _, s := range a.Statements {
			if seen[s.Text] != 1 {
				t.Errorf("%s: %q stands %d times", c.ID, s.Text, seen[s.Text])
			}
		}
	}
	last := cases(t)[31]
	got, err := agentic.Run(context.Background(), last.Options(), last.Inputs, last.Model(&last.Answers[0]))
	if err != nil {
		t.Fatal(err)
	}
	if got.Report.Overlap != 8 || len(last.Inputs) != 9 || len(last.Sentences()) != 45 {
		t.Errorf("TC-032: %d inputs, %d sentences, overlap %d; want 9, 45 and 8", len(last.Inputs), len(last.Sentences()), got.Report.Overlap)
	}
}

func TestCaseFilesThatAreWrong(t *testing.T) {
	const head = "# G\n## TC-001 T\nAbout.\nInput a:\n> Text.\n"
	for _, tt := range []struct{ name, text, want string }{
		{"an unknown kind", head + "### Nice\n", "f.md:6: an answer of kind \"Nice\""},
		{"a bad one without a name", head + "### Bad\n", "f.md:6:"},
		{"no number", head + "### Honest\n- [x] Text.\n", "f.md:7: \"x\" is not the number"},
		{"number 0", head + "### Honest\n- [0] Text.\n", "f.md:7:"},
		{"no text", head + "### Honest\n- [1]\n", "f.md:7:"},
		{"an unknown line", head + "### Honest\nSurprise: yes\n", "f.md:7: \"Surprise: yes\""},
		{"another finish", head + "### Honest\nFinish: soon\n", "f.md:7:"},
		{"a block that is none", head + "### Honest\nExtract:\ntext\n", "f.md:7: want a block"},
		{"a block without an end", head + "### Honest\nGroup:\n~~~\ntext\n", "f.md:7: the block has no end"},
		{"a line behind the inputs", head + "Surprise.\n", "f.md:6: \"Surprise.\""},
		{"a size that is none", "# G\n## TC-001 T\nBatch: many\n", "f.md:3:"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			_, err := parseCases("f.md", tt.text)
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want %q in it", err, tt.want)
			}
		})
	}
}

// FuzzParseCases: any text gives cases or an error that names a line.
func FuzzParseCases(f *testing.F) {
	for _, name := range []string{"extraction", "edge"} {
		text, err := files.ReadFile("cases/" + name + ".md")
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Add("## \n### Honest\n- [1] \n")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := parseCases("f.md", text); err != nil && !strings.HasPrefix(err.Error(), "f.md:") {
			t.Errorf("the error %v names no line", err)
		}
	})
}

// TestARuleIsReported breaks the output on purpose: the judgement must say so.
func TestARuleIsReported(t *testing.T) {
	c := cases(t)[2]
	got, err := agentic.Run(context.Background(), c.Options(), c.Inputs, c.Model(&c.Answers[0]))
	if err != nil {
		t.Fatal(err)
	}
	for name, spoil := range map[string]func([]agentic.Chunk) []agentic.Chunk{
		"a fact invented": func(list []agentic.Chunk) []agentic.Chunk {
			return replaceFirst(list, "Marta Vilde opened the brewery on Kolm Hill in 1835.")
		},
		"a pronoun":       func(list []agentic.Chunk) []agentic.Chunk { return replaceFirst(list, "She opened it in 1934.") },
		"a sentence gone": func(list []agentic.Chunk) []agentic.Chunk { return list[:0] },
		"a chunk twice":   func(list []agentic.Chunk) []agentic.Chunk { return append(list, list[0]) },
	} {
		chunks := make([]agentic.Chunk, len(got.Chunks))
		for i, chunk := range got.Chunks {
			chunk.Propositions = append([]agentic.Proposition{}, chunk.Propositions...)
			chunks[i] = chunk
		}
		r, err := c.Live("spoilt", &Published{Chunks: spoil(chunks)})
		if err != nil {
			t.Fatal(err)
		}
		if r.OK() {
			t.Errorf("%s: no rule is broken", name)
		}
	}
}

func replaceFirst(list []agentic.Chunk, text string) []agentic.Chunk {
	p := list[0].Propositions
	list[0].Content = strings.Replace(list[0].Content, p[0].Text, text, 1)
	p[0].Text = text
	return list
}

// TestModelTranslatesNumbers: labels of the question stand for sentence numbers.
func TestModelTranslatesNumbers(t *testing.T) {
	c := cases(t)[27]
	m := c.Model(&Answer{RawExtract: true, Extract: `‹2› ‹9›`})
	said := m.Extract(script.Asked{Lines: []script.Line{{Label: "S5", Number: 0}, {Label: "S7", Number: 1}}})
	if said.Text != "S7 none" {
		t.Errorf("got %q", said.Text)
	}
}
