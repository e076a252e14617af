package verify

import (
	"slices"
	"strings"
)

// opposite returns the word of its sentences that the word at i turns into its
// opposite: they hold one of the other side of its axis, and none of its own.
func (k *checking) opposite(i int) string {
	w := k.tokens[i].fold
	if len(k.c.directions[w]) == 0 || k.in(func(s *source) bool { return s.stems[stem(w)] }) {
		return ""
	}
	other, _ := k.turns(w)
	return other
}

// turns looks for words on the axes of a word: other is one of the opposite side,
// where its sentences hold none of its own, which same reports.
func (k *checking) turns(w string) (other string, same bool) {
	mine := k.c.directions[w]
	look := func(fold, raw string) {
		for _, d := range k.c.directions[fold] {
			same = same || slices.Contains(mine, d)
			if slices.Contains(mine, direction{d.axis, !d.side}) {
				other = raw
			}
		}
	}
	for _, n := range k.sentences {
		tokens := k.c.sentences[n].tokens
		for i, t := range tokens {
			look(t.fold, t.raw)
			if v := separated(tokens, i); v != "" {
				look(v, t.raw)
			}
		}
	}
	if same {
		other = ""
	}
	return other, same
}

// sameWay reports whether its sentences say a word that they lack in another way: a
// word of the same direction, or, beside a negation, one that a prefix negates.
func (k *checking) sameWay(w string) bool {
	if k.negates && k.holds(func(u token) bool { return deny(u.fold, w) }) {
		return true
	}
	if len(k.c.directions[w]) == 0 {
		return false
	}
	_, same := k.turns(w)
	return same
}

// attributes reports whether the token at i names the text itself, "according to the text".
func attributes(tokens []token, i int) bool {
	if i < 2 || !slices.Contains([]string{"text", "document", "article", "passage", "dokument", "artikel"}, tokens[i].fold) {
		return false
	}
	definite := slices.Contains([]string{"the", "this", "dem", "diesem"}, tokens[i-1].fold)
	return definite && (tokens[i-2].fold == "laut" || i > 2 && tokens[i-3].fold == "according" && tokens[i-2].fold == "to")
}

// clauseWords is how far the particle of a German verb is looked for.
const clauseWords = 20

// separated returns nahm+zu or nahm+ab where a form of nehmen at i has that particle
// at the end of its clause.
func separated(tokens []token, i int) string {
	if !slices.Contains([]string{"nahm", "nahmen", "nimmt", "nehmen"}, tokens[i].fold) {
		return ""
	}
	for q := i + 1; q < len(tokens) && q <= i+clauseWords; q++ {
		last := q+1 == len(tokens) || tokens[q+1].kind == mark || tokens[q+1].fold == "und"
		if w := tokens[q].fold; last && (w == "zu" || w == "ab") {
			return "nahm+" + w
		}
	}
	return ""
}

// separatedVerbs checks the direction of verbs whose particle stands apart.
func (k *checking) separatedVerbs() {
	for i := range k.tokens {
		if v := separated(k.tokens, i); v != "" {
			if other, _ := k.turns(v); other != "" {
				k.fault("comparison", "%q stands for %q", strings.Replace(v, "+", " ... ", 1), other)
			}
		}
	}
}

// denied returns the word of its sentences of which the word at i is the negation by
// a prefix, or the other way round: unsafe for safe. Where either side negates
// otherwise, two negations may be one statement, and nothing is said.
func (k *checking) denied(i int) string {
	w := k.tokens[i].fold
	if len(w) < 4 || k.negates || k.in(func(s *source) bool { return s.stems[stem(w)] }) || k.holds(func(u token) bool { return k.c.negator(u.fold) }) {
		return "" // nearly all words end here
	}
	found := ""
	k.holds(func(u token) bool {
		if u.kind == word && (deny(u.fold, w) || deny(w, u.fold)) {
			found = u.raw
		}
		return found != ""
	})
	return found
}

// deny reports whether a word is another one with a prefix that negates it.
func deny(long, short string) bool {
	head, ok := strings.CutSuffix(long, short)
	return ok && len(short) >= 4 && slices.Contains([]string{"un", "in", "im", "ir", "il", "non", "dis"}, head)
}

// holds reports whether a token of its sentences is such a one.
func (k *checking) holds(f func(token) bool) bool {
	return k.in(func(s *source) bool { return slices.ContainsFunc(s.tokens, f) })
}
