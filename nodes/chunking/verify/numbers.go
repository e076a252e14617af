package verify

import (
	"slices"
	"strings"
)

// number checks the number at i: it stands in its sentences, with its unit, beside
// the words it stands beside there, and not more often.
func (k *checking) number(i int) {
	t := k.tokens[i]
	if k.in(func(s *source) bool { return s.values[t.fold] }) {
		k.numbers++
		k.unit(i)
		k.designation(i)
		k.company(i)
		k.led(i)
		if k.comparable {
			k.place(i)
		}
		k.repeated(i)
		return
	}
	// "second" may be a word there, and is a word here too.
	if !t.word || !k.in(func(s *source) bool { return s.stems[stem(strings.ToLower(t.raw))] }) {
		k.fault("number", "the number %q is not in its sentences", t.raw)
	}
}

// companyReach is how many words from a word its numbers may stand.
const companyReach = 3

// company checks that a number stands by the same word as in its sentences: where a
// word has numbers right beside it there, the number is near it there too.
func (k *checking) company(i int) {
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
				for _, step := range []int{-1, 1} {
					own := p+1 < len(tokens) && tokens[p+1].bracket
					words, reach := 0, companyReach
					if own {
						reach = 1 // the number in brackets belongs to this word alone
					}
					for q := p + step; q >= 0 && q < len(tokens) && words < reach && (step > 0 || !own); q += step {
						if tokens[q].kind != number {
							words++
							continue
						}
						if step < 0 && tokens[q].bracket {
							continue // it belongs to the word before it
						}
						any = any || q == p+step
						same = same || tokens[q].fold == k.tokens[i].fold
					}
				}
			}
		}
		if any && !same && !k.placed(i, i-j) {
			k.fault("number", "beside %q its sentences have another number than %q", w.raw, k.tokens[i].raw)
			return
		}
	}
}

// led checks the words that lead to the number at i: where the same words lead to
// another number in its sentences, and never to this one, it is the wrong one. Two
// words are needed, one when it bounds a time or an amount, such as since. Numbers
// that follow one another there ("in 1950 and 1970") are led to by the same words.
func (k *checking) led(i int) {
	n := 2
	if i > 0 && (k.c.strict(k.tokens[i-1].fold) || k.tokens[i-1].fold == "since" || k.tokens[i-1].fold == "seit") {
		n = 1
	}
	if i < n {
		return
	}
	lead := k.tokens[i-n : i]
	if lead[n-1].kind == number {
		return
	}
	other := ""
	for _, s := range k.sentences {
		tokens := k.c.sentences[s].tokens
		for p := n; p < len(tokens); p++ {
			if tokens[p].kind != number || !slices.EqualFunc(tokens[p-n:p], lead, func(a, b token) bool { return a.fold == b.fold }) {
				continue
			}
			for q := p; q < min(len(tokens), p+1+companyReach); q++ {
				if tokens[q].kind == number && tokens[q].fold == k.tokens[i].fold {
					return
				}
			}
			other = tokens[p].raw
		}
	}
	if other != "" && !k.placed(i, 1) {
		k.fault("number", "where the statement has %q its sentences have %q", k.tokens[i].raw, other)
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

// designation checks a number that a hyphen joins to what stands before it, as in
// F-16 or 210-330: its sentences join the same.
func (k *checking) designation(i int) {
	if i == 0 || !k.tokens[i].joined {
		return
	}
	any, same := false, false
	for _, n := range k.sentences {
		tokens := k.c.sentences[n].tokens
		for p := 1; p < len(tokens); p++ {
			if !tokens[p].joined || tokens[p].kind != number {
				continue
			}
			// Another number is joined to the same, or the same to another.
			before, value := tokens[p-1].fold == k.tokens[i-1].fold, tokens[p].fold == k.tokens[i].fold
			any = any || before || value
			same = same || before && value
		}
	}
	if any && !same {
		k.fault("number", "%s-%s is not in its sentences", k.tokens[i-1].raw, k.tokens[i].raw)
	}
}
