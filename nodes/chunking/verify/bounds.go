package verify

import (
	"slices"
	"strings"
)

// bounds checks a word that bounds, negates or compares.
func (k *checking) bounds(i int) {
	t := k.tokens[i]
	if k.c.negator(t.fold) {
		k.negated(i)
		return
	}
	if k.holds(func(u token) bool { return u.fold == t.fold }) || k.in(func(s *source) bool { return s.stems[stem(t.fold)] }) {
		return
	}
	other, same := k.turns(t.fold)
	switch {
	case other != "":
		k.fault("comparison", "%q stands for %q", t.raw, other)
		return
	case same, k.c.loose(t.fold), k.quantifies(t.fold):
		return
	}
	k.fault("quantifier", "%q is not in its sentences", t.raw)
}

// negated checks the negation at i: its sentences must negate the same word.
func (k *checking) negated(i int) {
	c := k.c
	after := c.contentAfter(k.tokens, i, 1)
	if len(after) > 0 && k.holds(func(u token) bool { return deny(u.fold, k.tokens[after[0]].fold) }) {
		return // not possible, for impossible
	}
	found := false
	for _, n := range k.sentences {
		tokens := c.sentences[n].tokens
		for p, t := range tokens {
			if !c.negator(t.fold) {
				continue
			}
			found = true
			if len(after) == 0 {
				if before := c.contentBefore(k.tokens, i, 1); len(before) == 0 || c.nearAny(tokens, p, k.tokens[before[0]]) {
					return
				}
				continue
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

// contentBefore returns the last n tokens before i that say something.
func (c *Checker) contentBefore(tokens []token, i, n int) []int {
	var out []int
	for q := i - 1; q >= 0 && len(out) < n; q-- {
		if tokens[q].kind != mark && !c.function(tokens[q].fold) {
			out = append(out, q)
		}
	}
	return out
}

// nearAny reports whether a word stands near the negation at p, on either side.
func (c *Checker) nearAny(tokens []token, p int, t token) bool {
	near := append(c.contentBefore(tokens, p, 2), c.contentAfter(tokens, p, 3)...)
	return slices.ContainsFunc(near, func(q int) bool { return alike(tokens[q], t) })
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
			// A negation whose clause ends with one word denies that word.
			if before < 0 || len(after) == 1 || said(tokens[before]) || said(tokens[after[1]]) {
				k.fault("polarity", "it leaves out %q", t.raw)
				return
			}
		}
	}
}

// swapped looks for a word put in the place of another: what stands around both
// is the same, and the other one is missing. For names one side is enough.
func (k *checking) swapped() {
	said := set{}
	for _, t := range k.tokens {
		said[stem(t.fold)] = true
	}
	for _, y := range k.unknown {
		mine := k.around(k.tokens, y)
		for _, i := range k.sentences {
			tokens := k.c.sentences[i].tokens
			for x, t := range tokens {
				if t.kind != word || said[stem(t.fold)] || k.c.leans(t.fold) || !t.upper && k.c.function(t.fold) {
					continue
				}
				theirs := k.around(tokens, x)
				before := mine[0] == theirs[0]
				after := mine[1] == theirs[1]
				says := before && k.says(mine[0]) || after && k.says(mine[1])
				if says && (before && after || t.upper && k.tokens[y].upper && (len(k.c.active) > 0 || !t.first)) {
					k.fault("exchange", "%q stands where its sentences have %q", k.tokens[y].raw, t.raw)
					return
				}
			}
		}
	}
}

// around returns the stems before and behind a token, "" at the ends.
func (k *checking) around(tokens []token, i int) (out [2]string) {
	if i > 0 {
		out[0] = stem(tokens[i-1].fold)
	}
	if i+1 < len(tokens) {
		out[1] = stem(tokens[i+1].fold)
	}
	return out
}

func (k *checking) says(w string) bool { return w != "" && !k.c.function(w) }
