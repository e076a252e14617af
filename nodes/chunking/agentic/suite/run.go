package suite

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/ironflow/ironflow/nodes/chunking/agentic"
	"github.com/ironflow/ironflow/nodes/chunking/agentic/report"
	"github.com/ironflow/ironflow/nodes/chunking/agentic/rules"
	"github.com/ironflow/ironflow/nodes/chunking/agentic/script"
	"github.com/ironflow/ironflow/nodes/chunking/sentence"
	"github.com/ironflow/ironflow/nodes/chunking/verify"
)

// Result is what a case gave.
type Result struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Group string `json:"group"`
	// Propositions, Chunks, Tokens and Calls are those of the first run.
	Propositions int `json:"propositions"`
	Chunks       int `json:"chunks"`
	Tokens       int `json:"tokens"`
	Calls        int `json:"calls"`
	// Broken counts the violations of each rule over all runs.
	Broken map[string]int `json:"broken"`
	// Runs has one run for each answer, or the one of a live model.
	Runs []Run `json:"runs"`
}

// Run is one run of a case.
type Run struct {
	// Answer names the scripted answer, or the live model.
	Answer       string `json:"answer"`
	Propositions int    `json:"propositions"`
	Chunks       int    `json:"chunks"`
	Tokens       int    `json:"tokens"`
	Calls        int    `json:"calls"`
	// Verbatim is how many propositions are the source's own words, Dropped how
	// many statements were not kept.
	Verbatim int `json:"verbatim"`
	Dropped  int `json:"dropped"`
	// Violations are breaches of the rules, Faults everything else that is not as
	// the case wants it.
	Violations []Violation `json:"violations"`
	Faults     []string    `json:"faults"`
	// Themes are the labels of the chunks.
	Themes []string `json:"themes"`
}

// Violation is a breach of a rule, or of what is documented of chunks.
type Violation struct {
	Rule   string `json:"rule"`
	Detail string `json:"detail"`
}

// OK reports whether every run kept the rules and was as the case wants it.
func (r *Result) OK() bool {
	for _, run := range r.Runs {
		if len(run.Violations)+len(run.Faults) > 0 {
			return false
		}
	}
	return true
}

// Options are those that a run of the case has.
func (c *Case) Options() agentic.Options {
	o := agentic.DefaultOptions()
	o.DocumentID = strings.ToLower(c.ID)
	if c.BatchBytes > 0 {
		o.BatchMaxBytes = c.BatchBytes
	}
	return o
}

// Document returns the inputs with their sentences.
func (c *Case) Document() *verify.Document { return verify.NewDocument(c.Inputs, sentence.Unicode) }

// Scripted runs a case against each of its answers.
func (c *Case) Scripted(ctx context.Context) (Result, error) {
	out := c.newResult()
	for i := range c.Answers {
		a := &c.Answers[i]
		got, err := agentic.Run(ctx, c.Options(), c.Inputs, c.Model(a))
		if err != nil {
			return out, fmt.Errorf("%s, answer %q: %w", c.ID, a.Name, err)
		}
		run, err := newRun(a.Name, c.Document(), got.Chunks)
		if err != nil {
			return out, fmt.Errorf("%s: %w", c.ID, err)
		}
		run.Calls, run.Verbatim = got.Report.Calls, got.Report.Verbatim
		d := got.Report.Dropped
		run.Dropped = d.Ungrounded + d.Unresolved + d.Duplicate + d.UnknownLabel
		run.Faults = a.faults(got)
		out.add(run)
	}
	return out, nil
}

// Live is the judgement of what the node published for a case with a live model.
func (c *Case) Live(model string, p *Published) (Result, error) {
	out := c.newResult()
	run, err := newRun(model, c.Document(), p.Chunks)
	if err != nil {
		return out, fmt.Errorf("%s: %w", c.ID, err)
	}
	run.Calls, run.Verbatim = p.Counts["calls"], p.Counts["verbatim"]
	for name, n := range p.Counts {
		if strings.HasPrefix(name, "dropped.") {
			run.Dropped += n
		}
	}
	out.add(run)
	return out, nil
}

func (c *Case) newResult() Result {
	out := Result{ID: c.ID, Title: c.Title, Group: c.Group, Broken: map[string]int{}}
	for _, name := range rules.Names() {
		out.Broken[name] = 0
	}
	return out
}

func (r *Result) add(run Run) {
	if len(r.Runs) == 0 {
		r.Propositions, r.Chunks, r.Tokens, r.Calls = run.Propositions, run.Chunks, run.Tokens, run.Calls
	}
	for _, v := range run.Violations {
		r.Broken[v.Rule]++
	}
	r.Runs = append(r.Runs, run)
}

func newRun(name string, doc *verify.Document, chunks []agentic.Chunk) (Run, error) {
	run := Run{Answer: name, Chunks: len(chunks), Violations: []Violation{}, Faults: []string{}, Themes: []string{}}
	found, err := rules.Check(doc, chunks, verify.Options{Language: agentic.DefaultOptions().Language})
	if err != nil {
		return run, err
	}
	for _, v := range found {
		run.Violations = append(run.Violations, Violation{Rule: v.Rule, Detail: v.String()})
	}
	for _, c := range chunks {
		run.Propositions += len(c.Propositions)
		run.Tokens += c.Tokens
		run.Themes = append(run.Themes, c.Theme)
	}
	return run, nil
}

// faults says what is not as the answer wants it.
func (a *Answer) faults(got *agentic.Result) []string {
	out := []string{}
	for _, name := range a.Expect {
		n, ok := Counter(&got.Report, name)
		if !ok {
			out = append(out, fmt.Sprintf("the report has no counter %q", name))
		} else if n == 0 {
			out = append(out, fmt.Sprintf("the report counts no %s", name))
		}
	}
	for _, c := range got.Chunks {
		for _, never := range a.Never {
			if strings.Contains(c.Content, never) || strings.Contains(c.Theme, never) {
				out = append(out, fmt.Sprintf("%q is in the chunk %s", never, c.ID))
			}
		}
	}
	d := got.Report.Dropped
	if a.Kind == Bad {
		return out
	}
	if d != (report.Dropped{}) {
		out = append(out, fmt.Sprintf("of an honest answer statements were dropped: %+v", d))
	}
	if got.Report.Verbatim > 0 && len(a.Expect) == 0 {
		out = append(out, fmt.Sprintf("of an honest answer %d propositions are the source's own words", got.Report.Verbatim))
	}
	return out
}

// Counter finds a counter of the report by the name that cases use.
func Counter(r *report.Report, name string) (int, bool) {
	n, ok := map[string]int{
		"ungrounded": r.Dropped.Ungrounded, "unresolved": r.Dropped.Unresolved, "duplicate": r.Dropped.Duplicate,
		"unknown_label": r.Dropped.UnknownLabel, "verbatim": r.Verbatim, "carried": r.Carried, "overlap": r.Overlap,
		"regrouped": r.Regrouped, "unknown_ids": r.UnknownIDs, "repeated_ids": r.RepeatedIDs,
		"truncated": r.Truncated, "malformed": r.Malformed, "refused": r.Refused, "repairs": r.Repairs,
		"kept_unresolved": r.Unresolved,
	}[name]
	return n, ok
}

// Model is the scripted model that gives an answer of the case.
func (c *Case) Model(a *Answer) *script.Model {
	m := &script.Model{Sentences: c.Sentences(), Statements: a.Statements}
	if a.RawExtract || a.Wrap != "" {
		m.Extract = func(asked script.Asked) script.Said {
			text := script.Encode(asked.Items)
			if a.RawExtract {
				text = c.withLabels(a.Extract, asked.Lines)
			}
			if a.Wrap != "" {
				text = strings.ReplaceAll(c.withLabels(a.Wrap, asked.Lines), "‹answer›", text)
			}
			return script.Said{Text: text, Cut: a.Cut, Refused: a.Refused}
		}
	}
	if a.RawGroup {
		m.Group = func(lines []script.Line, _ string) script.Said {
			return script.Said{Text: withIDs(a.Group, lines)}
		}
	}
	return m
}

// Sentences are those of all inputs, in order.
func (c *Case) Sentences() []string {
	doc := c.Document()
	out := make([]string, len(doc.Sentences))
	for i := range out {
		out[i] = doc.Text(i)
	}
	return out
}

var placeholder = regexp.MustCompile(`‹(?:id )?([0-9]+)›`)

// withLabels puts the labels of a question in the place of sentence numbers.
func (c *Case) withLabels(text string, lines []script.Line) string {
	return placeholder.ReplaceAllStringFunc(text, func(s string) string {
		n := number(s)
		for _, l := range lines {
			if l.Number == n-1 {
				return l.Label
			}
		}
		return "none"
	})
}

// withIDs puts the ids of a grouping question in the place of their numbers.
func withIDs(text string, lines []script.Line) string {
	all := make([]string, len(lines))
	for i, l := range lines {
		all[i] = strconv.Quote(l.Label)
	}
	text = strings.ReplaceAll(text, "‹ids›", strings.Join(all, ","))
	return placeholder.ReplaceAllStringFunc(text, func(s string) string {
		if n := number(s); n <= len(lines) {
			return lines[n-1].Label
		}
		return "none"
	})
}

func number(placeholderText string) int {
	n, _ := strconv.Atoi(placeholder.FindStringSubmatch(placeholderText)[1])
	return n
}
