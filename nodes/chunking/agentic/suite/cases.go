package suite

import (
	"embed"
	"fmt"
	"strings"

	"github.com/ironflow/ironflow/nodes/chunking/agentic/script"
	"github.com/ironflow/ironflow/nodes/chunking/verify"
)

//go:embed cases/*.md
var files embed.FS

// Kind says what an answer is.
type Kind int

const (
	// Honest answers must pass untouched: nothing dropped, nothing in the
	// source's own words.
	Honest Kind = iota
	// Wrapped answers are the honest one inside of other text.
	Wrapped
	// Bad answers have faults that must not reach a chunk.
	Bad
)

// Case is one document with the answers of scripted models.
type Case struct {
	ID, Title string
	// Group is "extraction", "grouping", "edge cases" or "pipeline".
	Group string
	// About says what the case shows.
	About  string
	Inputs []verify.Input
	// BatchBytes is batch_max_bytes; 0 = the default.
	BatchBytes int
	// Answers begin with the honest one.
	Answers []Answer
}

// Answer is what one scripted model says to a case.
type Answer struct {
	Name string
	Kind Kind
	// Statements with the sentences they rest on. A wrapped answer has those of
	// the honest one.
	Statements []script.Statement
	// Wrap is a template around the answer to each extraction; empty = bare.
	Wrap string
	// Extract replaces the answer to each extraction when RawExtract is set,
	// Group the one to each grouping when RawGroup is set.
	Extract, Group       string
	RawExtract, RawGroup bool
	// Cut answers ended at the token limit, Refused ones are refusals.
	Cut, Refused bool
	// Expect names counters of the report that must not be 0, Never texts that
	// no chunk may hold.
	Expect, Never []string

	theme string
}

// Cases returns the suite in order. The files are part of the program, so an
// error is a fault of the program.
func Cases() ([]Case, error) {
	var out []Case
	for _, name := range []string{"extraction", "grouping", "edge", "pipeline"} {
		file := "cases/" + name + ".md"
		text, err := files.ReadFile(file)
		if err != nil {
			return nil, err
		}
		cases, err := parseCases(file, string(text))
		if err != nil {
			return nil, err
		}
		out = append(out, cases...)
	}
	for i := range out {
		if err := out[i].finish(); err != nil {
			return nil, fmt.Errorf("%s: %w", out[i].ID, err)
		}
	}
	return out, nil
}

// finish gives wrapped answers the statements of the honest one.
func (c *Case) finish() error {
	if len(c.Inputs) == 0 || len(c.Answers) == 0 || c.Answers[0].Kind != Honest {
		return fmt.Errorf("want inputs, and answers that begin with the honest one")
	}
	for i := range c.Answers {
		a := &c.Answers[i]
		if a.Kind != Wrapped {
			continue
		}
		if !strings.Contains(a.Wrap, "‹answer›") {
			return fmt.Errorf("the wrapped answer %q has no ‹answer› in it", a.Name)
		}
		a.Statements = c.Answers[0].Statements
	}
	return nil
}
