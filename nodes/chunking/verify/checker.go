package verify

import (
	"slices"
	"strings"

	"github.com/ironflow/ironflow/nodes/chunking"
)

// Options say how statements are checked.
type Options struct {
	// Language is "auto" (also when empty), "en", "de" or "none".
	Language string
}

// Statement is what is checked; without Sentences the checker finds them.
type Statement struct {
	Text      string
	Sentences []int
}

// Reason is a rule that a statement breaks.
type Reason struct{ Rule, Detail string }

// Class is "ungrounded" or "unresolved".
func (r Reason) Class() string {
	if r.Rule == "pronoun" {
		return "unresolved"
	}
	return "ungrounded"
}

// Verdict is the result of a check.
type Verdict struct {
	Reasons []Reason
	// Support is the share of the statement's words that its sentences hold, 0..1.
	Support float64
	// Sentences are those it rests on, rising.
	Sentences []int
}

// OK reports whether no rule is broken.
func (v Verdict) OK() bool { return len(v.Reasons) == 0 }

// Checker checks statements against a document. It is read-only.
type Checker struct {
	doc       *Document
	lexis     *lexis
	sentences []source
	// where lists the sentences with a stem, rising; lower says that it is written
	// in lower case somewhere.
	where  map[string][]int
	lower  map[string]bool
	active []*lexicon
	// directions are the sides of axes that a word stands on.
	directions map[string][]direction
	known      []*lexicon
	names      bool // whether a capital within a sentence makes a name
}

// source is a sentence as the rules see it.
type source struct {
	tokens []token
	stems  set // of its words
	values set // of its numbers
	folded string
	// pronoun says that it holds a pronoun, leans that it holds one or a
	// description, for which a name of an earlier sentence can stand.
	pronoun, leans bool
}

// NewChecker reads a document.
func NewChecker(doc *Document, opt Options) (*Checker, error) {
	c := &Checker{doc: doc, lexis: newLexis(), where: map[string][]int{}, lower: map[string]bool{}, names: true, directions: directions()}
	all := []*lexicon{english(), german()}
	c.known = all
	switch opt.Language {
	case "", "auto":
	case "en":
		c.active, all = all[:1], nil
	case "de":
		c.active, all = all[1:], nil
	case "none":
		all = nil
	default:
		return nil, &chunking.OptionError{Param: "language", Value: opt.Language, Allowed: `"auto", "en", "de" or "none"`}
	}
	c.sentences = make([]source, len(doc.Sentences))
	total := 0
	counts := make([]int, len(all))
	for i := range doc.Sentences {
		text := doc.Text(i)
		s := &c.sentences[i]
		*s = source{tokens: c.lexis.scan(text), stems: set{}, values: set{}, folded: foldQuotes(text)}
		for _, t := range s.tokens {
			total++
			for k, l := range all {
				// A word of both languages, such as in, tells nothing.
				if l.function[t.fold] && !slices.ContainsFunc(all, func(o *lexicon) bool { return o != l && o.function[t.fold] }) {
					counts[k]++
				}
			}
			if t.kind == number {
				s.values[t.fold] = true
				continue
			}
			w := stem(t.fold)
			if !s.stems[w] {
				s.stems[w] = true
				c.where[w] = append(c.where[w], i)
			}
			if !t.upper {
				c.lower[w] = true
			}
		}
	}
	for k, l := range all {
		if 8*counts[k] >= total && total > 0 && (counts[k] == slices.Max(counts) || 5*counts[k] >= total) {
			c.active = append(c.active, l)
		}
	}
	for _, l := range c.active {
		c.names = c.names && l.name != "de"
	}
	for i := range c.sentences {
		s := &c.sentences[i]
		s.leans = slices.ContainsFunc(s.tokens, func(t token) bool { return c.leans(t.fold) })
		s.pronoun = slices.ContainsFunc(s.tokens, func(t token) bool { return c.pronoun(t.fold) })
	}
	return c, nil
}

func (c *Checker) pronoun(w string) bool {
	return slices.ContainsFunc(c.active, func(l *lexicon) bool { return l.things[w] || l.persons[w] })
}

func (c *Checker) definite(w string) bool {
	return slices.ContainsFunc(c.active, func(l *lexicon) bool { return l.definite[w] })
}

func (c *Checker) leans(w string) bool {
	return c.pronoun(w) || c.definite(w) || slices.ContainsFunc(c.active, func(l *lexicon) bool { return l.demonstratives[w] })
}

// Rules names the active rules.
func (c *Checker) Rules() []string {
	rules := []string{"numbers", "units", "names", "quotations", "support", "duplicates", "coverage"}
	if len(c.active) > 0 {
		rules = append(rules, "polarity", "quantifiers", "comparisons", "pronouns", "descriptions")
	}
	return rules
}

// Languages names those whose rules for words are active.
func (c *Checker) Languages() []string {
	out := []string{}
	for _, l := range c.active {
		out = append(out, l.name)
	}
	return out
}

func (c *Checker) function(w string) bool {
	return slices.ContainsFunc(c.active, func(l *lexicon) bool { return l.function[w] })
}

// negator knows the negations of every language, whatever that of the document:
// a statement may switch.
func (c *Checker) negator(w string) bool {
	return slices.ContainsFunc(c.known, func(l *lexicon) bool { return l.negators[w] })
}
func (c *Checker) strict(w string) bool {
	return slices.ContainsFunc(c.active, func(l *lexicon) bool { return l.strict[w] })
}

// ordinary reports whether a word that begins a statement is one of the text that
// is written small there, with another ending.
func (c *Checker) ordinary(w string) bool {
	if len(w) < 3 {
		return false
	}
	for _, ending := range []string{"s", "e", "es", "n", "en"} {
		if c.lower[w+ending] || c.lower[strings.TrimSuffix(w, ending)] {
			return true
		}
	}
	return false
}
