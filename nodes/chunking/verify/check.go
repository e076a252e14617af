package verify

import (
	"fmt"
	"slices"
	"sort"
	"strings"
)

// Check applies all rules but that of duplicates, which a [Ledger] knows. A
// statement with several sentences is credited to those that hold a part of it.
func (c *Checker) Check(s Statement) Verdict {
	sentences := s.Sentences
	if sentences == nil {
		sentences = c.Locate(s.Text)
	}
	if sentences != nil && len(s.Text) > c.longest(sentences) {
		v := Verdict{Sentences: slices.Clone(sentences)}
		v.Reasons = []Reason{{"length", "it is much longer than the sentences it rests on"}}
		return v
	}
	k := &checking{c: c, text: s.Text, tokens: c.lexis.scan(s.Text), sentences: sentences}
	if len(sentences) == 0 {
		k.fault("sources", "no sentence of the text supports it")
		return k.Verdict
	}
	k.comparable = k.fewNumbers()
	k.negates = slices.ContainsFunc(k.tokens, func(t token) bool { return c.negator(t.fold) })
	k.words()
	k.share()
	k.polarity()
	k.separatedVerbs()
	k.swapped()
	k.quotations()
	if p := c.dangling(s.Text, k.tokens); p != "" {
		k.fault("pronoun", "%q does not say what it stands for", p)
	}
	k.rests()
	k.settle()
	return k.Verdict
}

// longest returns the bytes that a statement resting on sentences may have: names
// and context that it brings in are short, so more is read by no rule.
func (c *Checker) longest(sentences []int) int {
	n := 1000
	for _, i := range sentences {
		n += 4 * c.doc.Sentences[i].Span.Len()
	}
	return n
}

// checking is one call of Check.
type checking struct {
	Verdict
	c         *Checker
	text      string
	tokens    []token
	sentences []int
	// content are the stems that say something.
	content []string
	// comparable says that its numbers are few enough for their places to be compared.
	comparable bool
	// negates says that it holds a word that negates.
	negates bool
	// unknown are the tokens that its sentences do not hold.
	unknown []int
	// own, numbers, near, referents and missing count what says something: words
	// and numbers of its sentences, words right beside these, words of earlier
	// sentences that a pronoun can stand for, and words that are nowhere.
	own, numbers, near, referents, missing int
}

func (k *checking) fault(rule, format string, args ...any) {
	k.Reasons = append(k.Reasons, Reason{rule, fmt.Sprintf(format, args...)})
}

// in reports whether something holds for one of its sentences.
func (k *checking) in(f func(*source) bool) bool {
	return slices.ContainsFunc(k.sentences, func(i int) bool { return f(&k.c.sentences[i]) })
}

// words looks up every word and number.
func (k *checking) words() {
	limits := k.limits()
	for i, t := range k.tokens {
		switch {
		case limits[i], attributes(k.tokens, i):
			// checked with the number behind it, or says nothing of the world
		case t.kind == number:
			k.number(i)
		case t.kind == mark, k.c.lexis.units[t.fold] != "" && i > 0 && k.tokens[i-1].kind == number:
			// checked with its number
		case isMonth(t):
			if !k.in(func(s *source) bool { return s.stems[t.fold] || s.stems[stem(strings.ToLower(t.raw))] }) {
				k.fault("date", "the month %q is not in its sentences", t.raw)
			}
		case k.c.strict(t.fold) || k.c.negator(t.fold):
			k.bounds(i)
			if k.in(func(s *source) bool { return s.stems[stem(t.fold)] }) {
				k.own++
			}
		case !k.c.function(t.fold):
			k.content = append(k.content, stem(t.fold))
			k.word(i)
			if other := k.opposite(i); other != "" {
				k.fault("comparison", "%q stands for %q", t.raw, other)
			} else if other := k.denied(i); other != "" {
				k.fault("polarity", "%q stands for %q", t.raw, other)
			}
		}
	}
}

// word looks up one word that says something.
func (k *checking) word(i int) {
	c, t, w := k.c, k.tokens[i], stem(k.tokens[i].fold)
	if k.in(func(s *source) bool { return s.stems[w] }) {
		k.own++
		return
	}
	if k.sameWay(t.fold) {
		k.own++
		return
	}
	k.unknown = append(k.unknown, i)
	name := c.names && t.upper && (!t.first || !c.lower[w] && !c.ordinary(w))
	leans := len(c.active) == 0 || k.in(func(s *source) bool { return s.leans })
	switch {
	case leans && c.firstWith(w) < slices.Max(k.sentences):
		k.referents++
	case name && !k.partOf(w):
		k.missing++
		k.fault("name", "%q is not in its sentences, nor does a pronoun or description in them stand for it", t.raw)
	case k.beside(w):
		k.near++
	default:
		k.missing++
		if len(c.where[w]) == 0 && !k.partOf(w) && i > 0 && c.definite(k.tokens[i-1].fold) && k.in(func(s *source) bool { return s.pronoun }) {
			k.fault("description", "%q is nowhere in the text", t.raw)
		}
	}
}

// firstWith returns the first sentence with a stem, or one behind the last.
func (c *Checker) firstWith(w string) int {
	if at := c.where[w]; len(at) > 0 {
		return at[0]
	}
	return len(c.sentences)
}

// beside reports whether its sentences or their neighbours hold a stem.
func (k *checking) beside(w string) bool {
	at := k.c.where[w]
	for _, i := range k.sentences {
		if j := sort.SearchInts(at, i-1); j < len(at) && at[j] <= i+1 {
			return true
		}
	}
	return false
}

// partOf reports whether a word stands in its sentences as a part of another or
// with another ending.
func (k *checking) partOf(w string) bool {
	return len(w) >= 4 && k.in(func(s *source) bool {
		for v := range s.stems {
			if len(v) >= 4 && (strings.HasPrefix(v, w) || strings.HasPrefix(w, v)) {
				return true
			}
		}
		return false
	})
}

// share judges how much of the statement is supported.
func (k *checking) share() {
	found := k.own + k.near + k.numbers
	if all := found + k.referents + k.missing; all > 0 {
		k.Support = float64(found) / float64(all)
	}
	if base := found + k.missing; base > 0 && 10*found < 6*base {
		k.fault("support", "only %d of its %d words are in its sentences and next to them", found, base)
	}
	if k.near > k.own+k.numbers {
		k.fault("support", "most of its words stand only next to its sentences")
	}
	verbatim := strings.Contains(k.c.folded(k.sentences), strings.TrimRight(foldQuotes(k.text), ".!? "))
	if !verbatim && k.numbers == 0 && k.own < min(2, len(k.content)) && !k.shortSource() {
		k.fault("support", "too little of it is in its sentences")
	}
	if k.fragment() && !(verbatim && k.in(func(s *source) bool { return len(s.tokens) < 4 })) {
		k.fault("fragment", "it is too short to state anything")
	}
}

// shortSource reports whether the statement holds half of what a short sentence
// says, and does not consist of what it brings along from elsewhere.
func (k *checking) shortSource() bool {
	return k.own > 0 && k.near+k.referents+k.missing <= 2*k.own && k.in(func(s *source) bool {
		n := 0
		for w := range s.stems {
			if !k.c.function(w) {
				n++
			}
		}
		return n < 4 && 2*k.own >= n
	})
}

// fragment reports whether a text is too short to state anything.
func (k *checking) fragment() bool {
	if len(strings.Fields(k.text)) < 2 && !strings.ContainsFunc(k.text, isDense) {
		return true // one word, such as NAME=2
	}
	n := len(k.tokens)
	return n < 2 || n == 2 && k.tokens[0].kind == k.tokens[1].kind && !k.apposition()
}

// apposition reports whether two words are a description and a name of one of its
// sentences, "singer Pink", which says of the name what it is.
func (k *checking) apposition() bool {
	a, b := k.tokens[0], k.tokens[1]
	return k.c.names && len(k.c.active) > 0 && a.kind == word && !a.upper && b.upper && k.own == 2 && len(k.content) == 2
}

// quotations looks for what stands in quotation marks.
func (k *checking) quotations() {
	quotes := quotations(k.text)
	if len(quotes) == 0 {
		return
	}
	there := k.c.folded(k.sentences)
	for _, q := range quotes {
		if !strings.Contains(there, foldQuotes(q)) {
			k.fault("quotation", "the quotation %q is not in its sentences", q)
		}
	}
}

// folded joins sentences, with quotation marks, case and white space folded.
func (c *Checker) folded(sentences []int) string {
	if len(sentences) == 1 {
		return c.sentences[sentences[0]].folded
	}
	parts := make([]string, len(sentences))
	for i, n := range sentences {
		parts[i] = c.sentences[n].folded
	}
	return strings.Join(parts, " ")
}
