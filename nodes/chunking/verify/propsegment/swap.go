package propsegment

import (
	"math/rand/v2"
	"strings"
)

// swapped puts another word of the list in the place of one, drawn from all.
func swapped(text string, choices func(i int, word string) []string, r *rand.Rand) (string, bool) {
	type change struct {
		at   span
		with string
	}
	var ways []change
	for i, w := range words(text) {
		word := text[w.start:w.stop]
		for _, other := range choices(i, strings.ToLower(word)) {
			if capital(word) {
				other = strings.ToUpper(other[:1]) + other[1:]
			}
			ways = append(ways, change{w, other})
		}
	}
	if len(ways) == 0 {
		return "", false
	}
	c := ways[r.IntN(len(ways))]
	return replace(text, c.at, c.with), true
}

// turned swaps a word that compares for its opposite. A capital behind the first word
// is part of a name, and left.
func turned(m *maker, s statement, r *rand.Rand) (string, bool) {
	held := list(strings.Join(fold(s.sentence), " "))
	return swapped(s.text, func(i int, word string) []string {
		w := words(s.text)[i]
		if i > 0 && capital(s.text[w.start:w.stop]) {
			return nil
		}
		var out []string
		for _, pair := range m.language.opposite {
			if len(pair) != 2 {
				continue
			}
			for k, other := range [2]string{pair[1], pair[0]} {
				if word == pair[k] && !held[other] {
					out = append(out, other)
				}
			}
		}
		return out
	}, r)
}

// requantified swaps a quantifier for one that means something else.
func requantified(m *maker, s statement, r *rand.Rand) (string, bool) {
	held := list(strings.Join(fold(s.sentence), " "))
	return swapped(s.text, func(_ int, word string) []string {
		mine := -1
		for k, group := range m.language.quantifiers {
			for _, w := range group {
				if w == word {
					mine = k
				}
			}
		}
		if mine < 0 {
			return nil
		}
		var out []string
		for k, group := range m.language.quantifiers {
			if k != mine && !held[group[0]] {
				out = append(out, group[0])
			}
		}
		return out
	}, r)
}
