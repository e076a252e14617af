package adversary_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/nodes/chunking/agentic"
	"github.com/ironflow/ironflow/nodes/chunking/agentic/adversary"
	"github.com/ironflow/ironflow/nodes/chunking/agentic/report"
	"github.com/ironflow/ironflow/nodes/chunking/agentic/rules"
	"github.com/ironflow/ironflow/nodes/chunking/agentic/script"
	"github.com/ironflow/ironflow/nodes/chunking/agentic/suite"
	"github.com/ironflow/ironflow/nodes/chunking/verify"
)

// documents are the cases of the suite that hold text: the document of an attack
// and what an honest editor makes of it.
func documents(t testing.TB) []suite.Case {
	t.Helper()
	cases, err := suite.Cases()
	if err != nil {
		t.Fatal(err)
	}
	var out []suite.Case
	for _, c := range cases {
		if len(c.Sentences()) > 0 {
			out = append(out, c)
		}
	}
	return out
}

// attack runs the pipeline on a document against a model, and asserts on the
// final output what must hold whatever the model answers.
func attack(t testing.TB, c *suite.Case, m *script.Model, opt agentic.Options) report.Report {
	t.Helper()
	got, err := agentic.Run(context.Background(), opt, c.Inputs, m)
	if err != nil {
		t.Fatalf("%s: %v", c.ID, err)
	}
	fail := func(format string, args ...any) {
		t.Helper()
		t.Errorf("%s: %s\n%s", c.ID, fmt.Sprintf(format, args...), show(got))
	}
	broken, err := rules.Check(got.Document, got.Chunks, verify.Options{Language: opt.Language})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range broken {
		fail("a rule is broken: %v", v)
	}
	for _, v := range adversary.NewOracle(c.Inputs).Violations(got.Chunks) {
		fail("the oracle: %s", v)
	}
	if got.Report.Covered != got.Report.Sentences {
		fail("%d of %d sentences are covered", got.Report.Covered, got.Report.Sentences)
	}
	return got.Report
}

func show(r *agentic.Result) string {
	var b strings.Builder
	for _, c := range r.Chunks {
		fmt.Fprintf(&b, "  %s %q\n", c.ID, c.Theme)
		for _, p := range c.Propositions {
			fmt.Fprintf(&b, "    %v verbatim=%v unresolved=%v carried=%d %q\n", p.Sentences, p.Verbatim, p.Unresolved, p.Carried, p.Text)
		}
	}
	return b.String()
}

// TestAttacks plays every attack against every document; every other time the
// model answers repairs as badly (stubborn), and is honest then otherwise.
func TestAttacks(t *testing.T) {
	docs := documents(t)
	for k, a := range adversary.Attacks() {
		t.Run(a.Name, func(t *testing.T) {
			t.Parallel()
			total := 0
			for i := range docs {
				c := &docs[i]
				m := adversary.Play(a, c.Sentences(), c.Answers[0].Statements, (k+i)%2 == 0, uint64(k+i))
				r := attack(t, c, m, c.Options())
				if a.Counter == "" {
					continue
				}
				n, ok := suite.Counter(&r, a.Counter)
				if !ok {
					t.Fatalf("there is no counter %q", a.Counter)
				}
				total += n
			}
			if a.Counter != "" && total == 0 {
				t.Errorf("the report counts no %s in any document", a.Counter)
			}
		})
	}
}

// TestLargeAnswers plays answers of five megabytes against one document each.
func TestLargeAnswers(t *testing.T) {
	docs := documents(t)
	for i, a := range adversary.Large() {
		t.Run(a.Name, func(t *testing.T) {
			c := &docs[(7*i)%len(docs)]
			r := attack(t, c, adversary.Play(a, c.Sentences(), c.Answers[0].Statements, true, 1), c.Options())
			if n, ok := suite.Counter(&r, a.Counter); a.Counter != "" && (!ok || n == 0) {
				t.Errorf("the report counts no %s", a.Counter)
			}
		})
	}
}

// TestCutAtEveryByte cuts a valid answer at every byte, told as cut and not.
func TestCutAtEveryByte(t *testing.T) {
	for _, c := range documents(t) {
		switch c.ID {
		case "TC-021", "TC-025":
		default:
			continue
		}
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			truncated, malformed := 0, 0
			for _, grouping := range []bool{false, true} {
				for n, more := 0, true; more; n++ {
					m := &script.Model{Sentences: c.Sentences(), Statements: c.Answers[0].Statements}
					cut := func(answer string) script.Said {
						more = n < len(answer)
						return script.Said{Text: answer[:min(n, len(answer))], Cut: n%2 == 0}
					}
					if grouping {
						m.Group = func(_ []script.Line, honest string) script.Said { return cut(honest) }
					} else {
						m.Extract = func(a script.Asked) script.Said {
							if a.Repair {
								return script.Said{Text: "{}"}
							}
							return cut(script.Encode(a.Items))
						}
					}
					r := attack(t, &c, m, c.Options())
					truncated, malformed = truncated+r.Truncated, malformed+r.Malformed
					if t.Failed() {
						t.Fatalf("cut behind %d bytes", n)
					}
				}
			}
			if truncated == 0 || malformed == 0 {
				t.Errorf("counted %d cut and %d malformed answers", truncated, malformed)
			}
		})
	}
}

// TestRandomAdversary mixes all attacks at random over all documents, with other
// batch sizes and numbers of repairs each time.
func TestRandomAdversary(t *testing.T) {
	docs := documents(t)
	for seed := range uint64(200) {
		random(t, docs, seed)
		if t.Failed() {
			t.Fatalf("seed %d", seed)
		}
	}
}

// FuzzAdversary goes on from there.
func FuzzAdversary(f *testing.F) {
	docs := documents(f)
	for seed := range uint64(8) {
		f.Add(seed * 1_000_003)
	}
	f.Fuzz(func(t *testing.T, seed uint64) { random(t, docs, seed) })
}

func random(t testing.TB, docs []suite.Case, seed uint64) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 7))
	c := &docs[r.IntN(len(docs))]
	opt := c.Options()
	opt.BatchMaxBytes = 1 + r.IntN(600)
	opt.Repairs = r.IntN(agentic.MaxRepairs + 1)
	opt.Concurrency = 1
	opt.MaxCalls = 500
	if r.IntN(2) == 0 {
		opt.GroupMaxTokens = 16 + r.IntN(48) // windows of two to seven statements, and a merge
	}
	a := adversary.Mixed(adversary.Attacks())
	attack(t, c, adversary.Play(a, c.Sentences(), c.Answers[0].Statements, r.IntN(2) == 0, seed), opt)
}

// TestSwappedNamesAreALimit shows what the rules cannot see: two names exchanged
// inside a true statement. It is no failure when a later version sees it, but
// then the limits in the report have to go.
func TestSwappedNamesAreALimit(t *testing.T) {
	docs := documents(t)
	c := docs[0]
	c.Inputs = c.Inputs[:1:1]
	c.Inputs[0].Text = "Ida Lunt taught Jonna Varga to sail in 1931."
	m := &script.Model{Sentences: c.Sentences(), Statements: []script.Statement{
		{Theme: "Sailing", Text: "Jonna Varga taught Ida Lunt to sail in 1931.", Sentences: []int{1}},
	}}
	got, err := agentic.Run(context.Background(), c.Options(), c.Inputs, m)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("the exchanged names came out as %q", got.Chunks[0].Content)
	if passed := got.Report.Verbatim == 0; passed && !strings.Contains(strings.Join(got.Report.Limits, " "), "exchanged") {
		t.Errorf("exchanged names pass, and the limits of the report do not say so: %q", got.Report.Limits)
	}
}
