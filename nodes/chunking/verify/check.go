package verify

import (
	"fmt"
	"slices"
	"sort"
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
	known  []*lexicon
	names  bool // whether a capital within a sentence makes a name
}

type source struct {
	tokens []token
	stems  set
	values set
	quoted string
	leans  bool
}

// NewChecker reads a document.
func NewChecker(doc *Document, opt Options) (*Checker, error) {
	c := &Checker{doc: doc, lexis: newLexis(), where: map[string][]int{}, lower: map[string]bool{}, names: true}
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
		*s = source{tokens: c.lexis.scan(text), stems: set{}, values: set{}, quoted: foldQuotes(text)}
		for _, t := range s.tokens {
			total++
			for k, l := range all {
				if l.function[t.fold] {
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
	}
	return c, nil
}

func (c *Checker) leans(w string) bool {
	return slices.ContainsFunc(c.active, func(l *lexicon) bool {
		return l.things[w] || l.persons[w] || l.demonstratives[w] || l.definite[w]
	})
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

// Check applies all rules but those of duplicates.
func (c *Checker) Check(s Statement) Verdict {
	sentences := s.Sentences
	if sentences == nil {
		sentences = c.Locate(s.Text)
	}
	k := &checking{c: c, text: s.Text, tokens: c.lexis.scan(s.Text), sentences: sentences}
	if len(sentences) == 0 {
		k.fault("sources", "no sentence of the text supports it")
		return k.Verdict
	}
	k.grounds()
	k.polarity()
	k.swapped()
	if text := strings.TrimSpace(s.Text); text != "" {
		for _, q := range quotations(text) {
			if !slices.ContainsFunc(sentences, func(i int) bool { return strings.Contains(c.sentences[i].quoted, foldQuotes(q)) }) && !strings.Contains(c.joined(sentences), foldQuotes(q)) {
				k.fault("quotation", "the quotation %q is not in its sentences", q)
			}
		}
	}
	if p := c.dangling(s.Text, k.tokens); p != "" {
		k.fault("pronoun", "%q does not say what it stands for", p)
	}
	k.rests()
	return k.Verdict
}

func (c *Checker) joined(sentences []int) string {
	var b strings.Builder
	for _, i := range sentences {
		b.WriteString(c.sentences[i].quoted + " ")
	}
	return b.String()
}

type checking struct {
	Verdict
	c         *Checker
	text      string
	tokens    []token
	sentences []int
	// content are the stems that say something, own those in its sentences.
	content, own []string
	unknown      []int // tokens that its sentences do not hold
}

func (k *checking) fault(rule, format string, args ...any) {
	k.Reasons = append(k.Reasons, Reason{rule, fmt.Sprintf(format, args...)})
}

func (k *checking) in(f func(*source) bool) bool {
	return slices.ContainsFunc(k.sentences, func(i int) bool { return f(&k.c.sentences[i]) })
}

func (k *checking) leans() bool { return k.in(func(s *source) bool { return s.leans }) }

// grounds checks numbers, units, names and the share of the other words.
func (k *checking) grounds() {
	c := k.c
	verbatim := strings.Contains(foldQuotes(c.joined(k.sentences)), strings.TrimRight(foldQuotes(k.text), ".!? "))
	total, found, missing, referents := 0, 0, 0, 0
	near := func(w string) bool { return k.near(w) }
	for i, t := range k.tokens {
		switch {
		case t.kind == number:
			total++
			if k.in(func(s *source) bool { return s.values[t.fold] }) {
				found++
				k.unit(i)
				k.beside(i)
				k.repeated(i)
			} else if !(t.word && k.in(func(s *source) bool { return s.stems[stem(strings.ToLower(t.raw))] })) {
				k.fault("number", "the number %q is not in its sentences", t.raw)
			}
			continue
		case t.kind == mark, c.lexis.units[t.fold] != "" && i > 0 && k.tokens[i-1].kind == number:
			continue
		case c.strict(t.fold) || c.negator(t.fold):
			k.bounds(i)
			if k.in(func(s *source) bool { return s.stems[stem(t.fold)] }) {
				k.own = append(k.own, stem(t.fold))
			}
			continue
		case c.function(t.fold):
			continue
		}
		w := stem(t.fold)
		total++
		k.content = append(k.content, w)
		name := c.names && t.upper && (!t.first || !c.lower[w] && !c.ordinary(w))
		switch {
		case k.in(func(s *source) bool { return s.stems[w] }):
			found++
			k.own = append(k.own, w)
		case (k.leans() || len(c.active) == 0) && k.earlier(w):
			referents++
			k.unknown = append(k.unknown, i)
		case name && !k.partOf(w):
			missing++
			k.unknown = append(k.unknown, i)
			k.fault("name", "%q is not in its sentences, nor does a pronoun or description in them stand for it", t.raw)
		case near(w):
			found++
			k.unknown = append(k.unknown, i)
		default:
			missing++
			k.unknown = append(k.unknown, i)
			if len(c.where[w]) == 0 && !k.partOf(w) && i > 0 && len(c.active) > 0 && k.definite(k.tokens[i-1].fold) && k.leans() && k.pronounSubject() {
				k.fault("description", "%q is nowhere in the text", t.raw)
			}
		}
	}
	if total > 0 {
		k.Support = float64(found) / float64(total)
	}
	if near := found - len(k.own) - k.numbersFound(); near > 0 && found > 2*(found-near) {
		k.fault("support", "most of its words stand only next to its sentences")
	}
	if base := found + missing; base > 0 && 10*found < 6*base {
		k.fault("support", "only %d of its %d words are in its sentences and next to them", found, base)
	}
	if !verbatim {
		least := len(k.own)
		for _, i := range k.sentences {
			if n := k.contentOf(i); n < 4 && 2*least >= n && least > 0 {
				least = 2
			}
		}
		if len(k.content) > 0 && least < min(2, len(k.content)) && found+referents > 0 && !k.in(func(s *source) bool { return false }) && k.numbersFound() == 0 {
			k.fault("support", "too little of it is in its sentences")
		}
		if k.fragment() {
			k.fault("fragment", "it is no statement")
		}
	} else if k.fragment() && !k.in(func(s *source) bool { return len(s.tokens) < 4 }) {
		k.fault("fragment", "it is no statement")
	}
}

// fragment reports whether a text is too short to state anything.
func (k *checking) fragment() bool {
	return len(k.tokens) < 2 || len(strings.Fields(k.text)) < 2 && !strings.ContainsFunc(k.text, isDense) || len(k.tokens) == 2 && k.tokens[0].kind == k.tokens[1].kind
}

func (k *checking) numbersFound() int {
	n := 0
	for _, t := range k.tokens {
		if t.kind == number && k.in(func(s *source) bool { return s.values[t.fold] }) {
			n++
		}
	}
	return n
}

func (k *checking) contentOf(i int) int {
	n := 0
	for w := range k.c.sentences[i].stems {
		if !k.c.function(w) {
			n++
		}
	}
	return n
}

// partOf reports whether a word stands in its sentences as a part of another or
// with another ending.
func (k *checking) partOf(w string) bool {
	if len(w) < 4 {
		return false
	}
	return k.in(func(s *source) bool {
		for v := range s.stems {
			if len(v) >= 4 && (strings.HasPrefix(v, w) || strings.HasPrefix(w, v)) {
				return true
			}
		}
		return false
	})
}

func (k *checking) definite(w string) bool {
	return slices.ContainsFunc(k.c.active, func(l *lexicon) bool { return l.definite[w] })
}

// pronounSubject reports whether its sentences hold a pronoun.
func (k *checking) pronounSubject() bool {
	return k.in(func(s *source) bool {
		return slices.ContainsFunc(s.tokens, func(t token) bool {
			return slices.ContainsFunc(k.c.active, func(l *lexicon) bool { return l.things[t.fold] || l.persons[t.fold] })
		})
	})
}

// near reports whether a neighbour of its sentences holds a stem.
func (k *checking) near(w string) bool {
	for _, at := range k.c.where[w] {
		for _, i := range k.sentences {
			if at >= i-1 && at <= i+1 {
				return true
			}
		}
	}
	return false
}

// earlier reports whether a sentence before the last one it rests on holds a stem.
func (k *checking) earlier(w string) bool {
	at := k.c.where[w]
	return len(at) > 0 && at[0] < slices.Max(k.sentences)
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

// opposites are pairs of which one must not stand for the other.
const opposites = " before:after after:before vor:nach nach:vor increase:decrease increases:decreases increased:decreased decrease:increase decreases:increases decreased:increased rose:fell fell:rose risen:fallen fallen:risen stieg:sank sank:stieg gestiegen:gesunken gesunken:gestiegen until:before bis:vor grew:shrank shrank:grew grown:shrunk shrunk:grown grow:shrink shrink:grow grows:shrinks shrinks:grows gained:lost lost:gained gain:lose lose:gain gains:loses loses:gains won:lost wins:loses above:below below:above wuchs:schrumpfte schrumpfte:wuchs gewachsen:geschrumpft geschrumpft:gewachsen "

// bounds checks a word that bounds, negates or compares.
func (k *checking) bounds(i int) {
	t := k.tokens[i]
	if k.c.negator(t.fold) {
		k.negated(i)
		return
	}
	holds := func(w string) bool {
		return k.in(func(s *source) bool { return slices.ContainsFunc(s.tokens, func(u token) bool { return u.fold == w }) })
	}
	if holds(t.fold) || k.in(func(s *source) bool { return s.stems[stem(t.fold)] }) {
		return
	}
	if at := strings.Index(opposites, " "+t.fold+":"); at >= 0 {
		other, _, _ := strings.Cut(opposites[at+len(t.fold)+2:], " ")
		if holds(other) {
			k.fault("comparison", "%q stands for %q", t.raw, other)
		}
		return
	}
	k.fault("quantifier", "%q is not in its sentences", t.raw)
}

// negated checks the negation at i: its sentences must negate the same word.
func (k *checking) negated(i int) {
	c := k.c
	after := c.contentAfter(k.tokens, i, 1)
	found := false
	for _, n := range k.sentences {
		tokens := c.sentences[n].tokens
		for p, t := range tokens {
			if !c.negator(t.fold) {
				continue
			}
			found = true
			if len(after) == 0 {
				return
			}
			window := c.contentAfter(tokens, p, 3)
			if slices.ContainsFunc(window, func(q int) bool { return alike(tokens[q], k.tokens[after[0]]) }) {
				return
			}
		}
	}
	if found {
		k.fault("polarity", "%q negates something else than its sentences do", k.tokens[i].raw)
		return
	}
	k.fault("polarity", "its sentences hold no %q", k.tokens[i].raw)
}

func alike(a, b token) bool {
	x, y := stem(a.fold), stem(b.fold)
	return x == y || len(x) >= 4 && len(y) >= 4 && (strings.HasPrefix(x, y) || strings.HasPrefix(y, x))
}

// contentAfter returns the next n tokens that say something, up to a word that
// begins another clause.
func (c *Checker) contentAfter(tokens []token, i, n int) []int {
	var out []int
	for q := i + 1; q < len(tokens) && len(out) < n; q++ {
		w := tokens[q].fold
		if w == "but" || w == "although" || w == "while" || w == "aber" || w == "sondern" {
			break
		}
		if !c.function(w) {
			out = append(out, q)
		}
	}
	return out
}

// polarity looks for negations of its sentences that it leaves out: what is
// negated is in the statement, and so is what stands before or more of what is
// behind.
func (k *checking) polarity() {
	if slices.ContainsFunc(k.tokens, func(t token) bool { return k.c.negator(t.fold) }) {
		return
	}
	said := func(t token) bool { return slices.ContainsFunc(k.tokens, func(u token) bool { return alike(t, u) }) }
	for _, i := range k.sentences {
		tokens := k.c.sentences[i].tokens
		for p, t := range tokens {
			if !k.c.negator(t.fold) {
				continue
			}
			before := -1
			for q := p - 1; q >= 0 && before < 0; q-- {
				if !k.c.function(tokens[q].fold) {
					before = q
				}
			}
			after := k.c.contentAfter(tokens, p, 2)
			if len(after) == 0 && before >= 0 && said(tokens[before]) {
				k.fault("polarity", "it leaves out %q", t.raw)
				return
			}
			if len(after) == 0 || !said(tokens[after[0]]) {
				continue
			}
			if before < 0 || said(tokens[before]) || len(after) > 1 && said(tokens[after[1]]) {
				k.fault("polarity", "it leaves out %q", t.raw)
				return
			}
		}
	}
}

// swapped looks for a word put in the place of another: what stands around both
// is the same, and the other one is missing.
func (k *checking) swapped() {
	said := set{}
	for _, t := range k.tokens {
		said[stem(t.fold)] = true
	}
	at := func(tokens []token, i int) string {
		if i < 0 || i >= len(tokens) {
			return ""
		}
		return stem(tokens[i].fold)
	}
	for _, y := range k.unknown {
		for _, i := range k.sentences {
			tokens := k.c.sentences[i].tokens
			for x := range tokens {
				if tokens[x].kind != word || said[stem(tokens[x].fold)] || k.c.leans(tokens[x].fold) || !tokens[x].upper && k.c.function(tokens[x].fold) {
					continue
				}
				before, after := at(tokens, x-1), at(tokens, x+1)
				if before != at(k.tokens, y-1) || after != at(k.tokens, y+1) {
					continue
				}
				if before != "" && !k.c.function(before) || after != "" && !k.c.function(after) {
					k.fault("exchange", "%q stands where its sentences have %q", k.tokens[y].raw, tokens[x].raw)
					return
				}
			}
		}
	}
}

// rests finds which of the sentences named really hold a part of the statement.
func (k *checking) rests() {
	if len(k.sentences) == 1 {
		k.Sentences = slices.Clone(k.sentences)
		return
	}
	type hit struct{ i, n int }
	var hits []hit
	for _, i := range k.sentences {
		n := 0
		for _, w := range k.content {
			if k.c.sentences[i].stems[w] {
				n += 2
			}
		}
		for _, t := range k.tokens {
			if t.kind == number && k.c.sentences[i].values[t.fold] {
				n += 3
			}
		}
		hits = append(hits, hit{i, n})
	}
	sort.SliceStable(hits, func(a, b int) bool { return hits[a].n > hits[b].n })
	covered := set{}
	for _, h := range hits {
		if h.n == 0 {
			continue
		}
		fresh := 0
		for _, w := range k.content {
			if k.c.sentences[h.i].stems[w] && !covered[w] {
				fresh++
			}
		}
		if 2*h.n >= hits[0].n || fresh > 0 {
			k.Sentences = append(k.Sentences, h.i)
			for _, w := range k.content {
				if k.c.sentences[h.i].stems[w] {
					covered[w] = true
				}
			}
		}
	}
	if k.Sentences == nil {
		k.Sentences = slices.Clone(k.sentences[:1])
	}
	sort.Ints(k.Sentences)
}

// Locate finds the sentence that holds most of a text.
func (c *Checker) Locate(text string) []int {
	score := map[int]int{}
	n := 0
	for _, t := range c.lexis.scan(text) {
		if t.kind != word || c.function(t.fold) {
			continue
		}
		n++
		for _, i := range c.where[stem(t.fold)] {
			score[i]++
		}
	}
	var hits []int
	most := 0
	for i, s := range score {
		if s > most {
			most, hits = s, hits[:0]
		}
		if s == most {
			hits = append(hits, i)
		}
	}
	if n == 0 || 2*most < n {
		return nil
	}
	sort.Ints(hits)
	fold := foldQuotes(text)
	for i := range c.sentences {
		if len(c.sentences[i].quoted) > 8 && strings.Contains(fold, c.sentences[i].quoted) && !slices.Contains(hits, i) {
			hits = append(hits, i)
		}
	}
	if len(hits) > 1 && !strings.Contains(fold, ". ") {
		hits = hits[:1]
	}
	sort.Ints(hits)
	return hits
}

// unit checks the unit behind the number at i.
func (k *checking) unit(i int) {
	unitAt := func(tokens []token, i int) string {
		if i+1 < len(tokens) {
			if u := k.c.lexis.unit(tokens[i+1].fold); u != "" {
				return u
			}
		}
		if i > 0 && tokens[i-1].kind == mark {
			return k.c.lexis.unit(tokens[i-1].fold)
		}
		return ""
	}
	mine := unitAt(k.tokens, i)
	if mine == "" {
		return
	}
	if !k.in(func(s *source) bool {
		for j, t := range s.tokens {
			if t.kind == number && t.fold == k.tokens[i].fold && unitAt(s.tokens, j) == mine {
				return true
			}
		}
		return false
	}) {
		k.fault("unit", "the number %q has another unit in its sentences", k.tokens[i].raw)
	}
}

// beside is how many words from a word its numbers may stand in a list.
const beside = 3

// beside checks that a number stands by the same word as in its sentences: where a
// word has numbers right beside it there, the number is near it there too.
func (k *checking) beside(i int) {
	for _, j := range []int{i - 1, i + 1} {
		if j < 0 || j >= len(k.tokens) {
			continue
		}
		w := k.tokens[j]
		if w.kind != word || k.c.function(w.fold) || k.c.lexis.units[w.fold] != "" {
			continue
		}
		any, same := false, false
		for _, n := range k.sentences {
			tokens := k.c.sentences[n].tokens
			for p, t := range tokens {
				if t.kind != word || t.fold != w.fold {
					continue
				}
				for q := max(0, p-beside); q <= min(len(tokens)-1, p+beside); q++ {
					if tokens[q].kind == number {
						any = any || q == p-1 || q == p+1
						same = same || tokens[q].fold == k.tokens[i].fold
					}
				}
			}
		}
		if any && !same {
			k.fault("number", "beside %q its sentences have another number than %q", w.raw, k.tokens[i].raw)
			return
		}
	}
}

// repeated checks that a number does not stand more often than in its sentences.
func (k *checking) repeated(i int) {
	count := func(tokens []token) int {
		n := 0
		for _, t := range tokens {
			if t.kind == number && t.fold == k.tokens[i].fold {
				n++
			}
		}
		return n
	}
	said, there := count(k.tokens[:i+1]), 0
	for _, n := range k.sentences {
		there += count(k.c.sentences[n].tokens)
	}
	if said > there {
		k.fault("number", "the number %q stands there more often than in its sentences", k.tokens[i].raw)
	}
}
