package verify

import (
	"slices"
	"strings"
)

// oppositePairs are words of which one must not stand for the other. The words that
// bound or compare are in the lists of the languages as well and have to be in the
// sentences of a statement; the others may be there in other words.
func oppositePairs() []string {
	return []string{
		"before after", "until before", "increase decrease", "increases decreases", "increased decreased", "increasing decreasing",
		"rose fell", "rises falls", "rising falling", "risen fallen", "grew shrank", "grown shrunk", "grow shrink", "grows shrinks",
		"gained lost", "gain lose", "gains loses", "won lost", "wins loses", "above below",
		"largest smallest", "highest lowest", "longest shortest", "oldest youngest", "oldest newest", "fastest slowest", "strongest weakest", "best worst",
		"earlier later", "earliest latest", "faster slower", "stronger weaker", "better worse", "warmer colder", "cheaper dearer",
		"minimum maximum", "inside outside", "northern southern", "eastern western", "upper lower", "left right",
		"opened closed", "opens closes", "accepted rejected", "accepts rejects", "allowed forbidden", "allowed banned", "allows forbids", "permitted prohibited",
		"included excluded", "includes excludes", "bought sold", "buys sells", "strengthened weakened", "expanded contracted", "widened narrowed",
		"vor nach", "bis vor", "stieg sank", "stieg fiel", "steigt sinkt", "steigt fällt", "gestiegen gesunken", "gestiegen gefallen", "wuchs schrumpfte", "wächst schrumpft",
		"gewachsen geschrumpft", "gewann verlor", "gewonnen verloren", "über unter", "oberhalb unterhalb",
		"größte kleinste", "höchste niedrigste", "älteste jüngste", "längste kürzeste", "früher später", "schneller langsamer", "stärker schwächer", "besser schlechter",
		"wärmer kälter", "billiger teurer", "mindestens höchstens", "innerhalb außerhalb", "nördlich südlich", "östlich westlich",
		"geöffnet geschlossen", "erlaubt verboten", "angenommen abgelehnt", "gekauft verkauft",
	}
}

func opposites() map[string][]string {
	out := map[string][]string{}
	for _, pair := range oppositePairs() {
		a, b, _ := strings.Cut(pair, " ")
		out[a], out[b] = append(out[a], b), append(out[b], a)
	}
	return out
}

// opposite returns the word of its sentences that the word at i turns into its
// opposite: they hold the other one of a pair and not this one.
func (k *checking) opposite(i int) string {
	w := k.tokens[i].fold
	others := k.c.opposites[w]
	if len(others) == 0 || k.in(func(s *source) bool { return s.stems[stem(w)] }) {
		return ""
	}
	for _, o := range others {
		if k.holds(func(u token) bool { return u.fold == o }) {
			return o
		}
	}
	return ""
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
