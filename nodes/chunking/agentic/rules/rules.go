package rules

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ironflow/ironflow/nodes/chunking/agentic"
	"github.com/ironflow/ironflow/nodes/chunking/agentic/group"
	"github.com/ironflow/ironflow/nodes/chunking/agentic/plan"
	"github.com/ironflow/ironflow/nodes/chunking/verify"
)

// The rules.
const (
	// NoInvention: what a statement says stands in its sentences.
	NoInvention = "no-invention"
	// NoPronouns: no statement leans on a pronoun without its referent, but a
	// verbatim one that says so.
	NoPronouns = "no-pronouns"
	// NoDuplication: no statement repeats another, and each is in one chunk.
	NoDuplication = "no-duplication"
	// SelfContained: a statement is one line of text with its sources, or the
	// source's own words.
	SelfContained = "self-contained"
	// NothingLost: a statement rests on every sentence that says something.
	NothingLost = "nothing-lost"
	// Contract is no rule of substance: ids, order, counts and hashes are as
	// documented.
	Contract = "contract"
)

// Names returns the five rules in the order in which they are shown.
func Names() []string {
	return []string{NoInvention, NoPronouns, NoDuplication, SelfContained, NothingLost}
}

// Violation is a breach of a rule.
type Violation struct {
	// Rule is one of the constants.
	Rule string
	// Chunk is the id of the chunk, empty where none is to blame.
	Chunk string
	// Proposition counts from 1 within the chunk; 0 where none is to blame.
	Proposition int
	// Detail says what is wrong.
	Detail string
}

// String names the place and the rule.
func (v Violation) String() string {
	switch {
	case v.Chunk == "":
		return v.Rule + ": " + v.Detail
	case v.Proposition == 0:
		return fmt.Sprintf("%s: %s: %s", v.Chunk, v.Rule, v.Detail)
	}
	return fmt.Sprintf("%s, proposition %d: %s: %s", v.Chunk, v.Proposition, v.Rule, v.Detail)
}

// Check returns every breach in chunks of a document. The options are those of
// the run. Errors are those of verify.NewChecker.
func Check(doc *verify.Document, chunks []agentic.Chunk, opt verify.Options) ([]Violation, error) {
	checker, err := verify.NewChecker(doc, opt)
	if err != nil {
		return nil, err
	}
	c := &check{doc: doc, checker: checker, covered: make([]bool, len(doc.Sentences))}
	for i := range chunks {
		c.chunk(&chunks[i], i)
		for k := range chunks[i].Propositions {
			c.proposition(&chunks[i], k)
		}
	}
	c.duplicates(chunks)
	for i, ok := range c.covered {
		if !ok && plan.Says(doc.Text(i)) {
			c.add(NothingLost, "", 0, "no proposition rests on sentence %d, %q", i+1, short(doc.Text(i)))
		}
	}
	return c.found, nil
}

type check struct {
	doc     *verify.Document
	checker *verify.Checker
	covered []bool
	last    int
	found   []Violation
}

func (c *check) add(rule, chunk string, proposition int, format string, args ...any) {
	c.found = append(c.found, Violation{Rule: rule, Chunk: chunk, Proposition: proposition, Detail: fmt.Sprintf(format, args...)})
}

// chunk checks what is documented of a chunk.
func (c *check) chunk(ch *agentic.Chunk, i int) {
	if want := fmt.Sprintf("%s-%04d", ch.DocumentID, i+1); ch.ID != want || ch.DocumentID == "" {
		c.add(Contract, ch.ID, 0, "the id should be %q", want)
	}
	if ch.Theme == "" || group.Label(ch.Theme) == "" || utf8.RuneCountInString(ch.Theme) > group.MaxLabel+2 || strings.ContainsFunc(ch.Theme, unicode.IsControl) {
		c.add(Contract, ch.ID, 0, "the label %q is blank, too long or not on one line", short(ch.Theme))
	}
	texts := make([]string, len(ch.Propositions))
	for k, p := range ch.Propositions {
		texts[k] = p.Text
	}
	content := strings.Join(texts, " ")
	sum := sha256.Sum256([]byte(content))
	switch {
	case len(texts) == 0:
		c.add(Contract, ch.ID, 0, "there is no proposition")
		return
	case ch.Content != content:
		c.add(Contract, ch.ID, 0, "the content is not its propositions joined with spaces")
	case ch.Hash != hex.EncodeToString(sum[:]):
		c.add(Contract, ch.ID, 0, "the hash is not that of the content")
	case ch.Characters != utf8.RuneCountInString(content) || ch.Tokens < 1:
		c.add(Contract, ch.ID, 0, "%d characters and %d tokens are not its size", ch.Characters, ch.Tokens)
	}
	if p := ch.Propositions[0]; p.Carried < len(p.Sentences) {
		first := p.Sentences[p.Carried]
		if first < c.last {
			c.add(Contract, ch.ID, 0, "it rests on an earlier sentence than the chunk before")
		}
		c.last = first
	}
}

// proposition checks one statement on its own.
func (c *check) proposition(ch *agentic.Chunk, k int) {
	p := &ch.Propositions[k]
	fault := func(rule, format string, args ...any) { c.add(rule, ch.ID, k+1, format, args...) }
	if strings.TrimSpace(p.Text) == "" || !utf8.ValidString(p.Text) {
		fault(SelfContained, "the text is blank or not UTF-8")
		return
	}
	if len(p.Sentences) <= p.Carried || p.Carried < 0 || p.Carried > 3 {
		fault(SelfContained, "it names no sentence of its own")
		return
	}
	for _, s := range p.Sentences {
		if s < 0 || s >= len(c.doc.Sentences) {
			fault(SelfContained, "sentence %d does not exist", s+1)
			return
		}
	}
	for _, s := range p.Sentences[p.Carried:] {
		c.covered[s] = true
	}
	if !slices.IsSorted(p.Sentences[p.Carried:]) || p.Support < 0 || p.Support > 1 {
		fault(Contract, "sentences are not in order, or support %v is not within 0..1", p.Support)
	}
	if !p.Verbatim && (p.Carried > 0 || p.Unresolved || strings.ContainsFunc(p.Text, unicode.IsControl)) {
		fault(SelfContained, "a statement that is not verbatim carries sentences, is unresolved or holds control characters")
	}
	for _, reason := range c.checker.Check(verify.Statement{Text: p.Text, Sentences: p.Sentences}).Reasons {
		switch {
		case reason.Class() != "unresolved":
			fault(NoInvention, "%s: %s, in %q", reason.Rule, reason.Detail, short(p.Text))
		case !p.Unresolved || !p.Verbatim:
			fault(NoPronouns, "%s: %s, in %q", reason.Rule, reason.Detail, short(p.Text))
		}
	}
}

// duplicates compares all statements in the order of the source.
func (c *check) duplicates(chunks []agentic.Chunk) {
	type place struct{ chunk, proposition int }
	var all []place
	first := func(p place) int {
		s := chunks[p.chunk].Propositions[p.proposition]
		if s.Carried < len(s.Sentences) {
			return s.Sentences[s.Carried]
		}
		return 0
	}
	for i := range chunks {
		for k := range chunks[i].Propositions {
			all = append(all, place{i, k})
		}
	}
	slices.SortStableFunc(all, func(a, b place) int { return first(a) - first(b) })
	ledger := c.checker.NewLedger()
	for _, at := range all {
		ch := &chunks[at.chunk]
		text := ch.Propositions[at.proposition].Text
		if _, of := ledger.Add(text); of >= 0 {
			c.add(NoDuplication, ch.ID, at.proposition+1, "it repeats another statement: %q", short(text))
		}
	}
}

// short is the start of a text, for a message.
func short(s string) string {
	runes := []rune(s)
	if len(runes) <= 80 {
		return s
	}
	return string(runes[:80]) + "..."
}
