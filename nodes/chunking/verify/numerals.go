package verify

import (
	"math"
	"slices"
	"strconv"
)

// joinNumerals makes one number of those that are written as several words, such as
// twenty-one, two hundred and five, a hundred, 4.2 million, and of one before a unit.
func (x *lexis) joinNumerals(tokens []token) []token {
	if !slices.ContainsFunc(tokens, func(t token) bool { return t.word || x.magnitudes[t.fold] != "" || isOne(t.fold) }) {
		return tokens
	}
	out := make([]token, 0, len(tokens))
	for i := 0; i < len(tokens); {
		t := tokens[i]
		value, n := x.numeral(tokens[i:])
		if n > 0 {
			t.kind, t.word, t.fold, t.upper = number, true, strconv.Itoa(value), false
		}
		n = max(n, 1)
		if t.kind == number && i+n < len(tokens) {
			if v, err := strconv.ParseFloat(t.fold, 64); err == nil && x.magnitude(tokens[i+n].fold) > 0 {
				v = math.Round(v*x.magnitude(tokens[i+n].fold)*1000) / 1000
				t.fold = strconv.FormatFloat(v, 'f', -1, 64)
				n++
			}
		}
		for _, more := range tokens[i+1 : i+n] {
			t.raw += " " + more.raw
		}
		out = append(out, t)
		i += n
	}
	return out
}

const hundred = "hundred"

// isOne reports whether a word is one of those for one, which are numbers only before
// a unit or an order of magnitude, or behind tens.
func isOne(w string) bool {
	switch w {
	case "one", "ein", "eine", "einen", "einer", "einem", "eines":
		return true
	}
	return false
}

// magnitude returns what an order of magnitude multiplies by, 0 if it is none.
func (x *lexis) magnitude(w string) float64 {
	switch x.magnitudes[w] {
	case hundred:
		return 1e2
	case "thousand":
		return 1e3
	case "million":
		return 1e6
	case "billion":
		return 1e9
	case "trillion":
		return 1e12
	}
	return 0
}

// numeral reads a number of several words, and one before a unit. n is how many
// tokens it takes, 0 if there is none.
func (x *lexis) numeral(tokens []token) (value, n int) {
	value, n = x.belowHundred(tokens)
	if n > 0 && n < len(tokens) && value < 10 && x.magnitudes[tokens[n].fold] == hundred {
		value, n = value*100, n+1
		rest := tokens[n:]
		and := 0
		if len(rest) > 1 && rest[0].fold == "and" {
			and = 1
		}
		if more, m := x.belowHundred(rest[and:]); m > 0 && !x.counts(rest[and:], m) {
			return value + more, n + and + m
		}
		return value, n
	}
	if n == 0 && len(tokens) > 1 && (tokens[0].fold == "a" || tokens[0].fold == "an") && x.magnitudes[tokens[1].fold] == hundred && tokens[1].fold != "hundreds" {
		return 100, 2
	}
	if n == 1 && (tokens[0].kind == number || len(tokens) < 2 || tokens[1].kind == mark || x.units[tokens[1].fold] == "" && x.magnitudes[tokens[1].fold] == "") {
		return 0, 0 // a number already, or a pronoun
	}
	return value, n
}

// counts reports whether what follows n tokens makes another number of them, as in
// "two hundred and three thousand".
func (x *lexis) counts(tokens []token, n int) bool {
	return n < len(tokens) && x.magnitudes[tokens[n].fold] != ""
}

// belowHundred reads seven, twenty, twenty one or one.
func (x *lexis) belowHundred(tokens []token) (value, n int) {
	small := func(i int) int {
		if i >= len(tokens) {
			return 0
		}
		if isOne(tokens[i].fold) {
			return 1
		}
		if !tokens[i].word {
			return 0
		}
		v, err := strconv.Atoi(tokens[i].fold)
		if err != nil {
			return 0
		}
		return v
	}
	first := small(0)
	if first == 0 {
		return 0, 0
	}
	if first >= 20 && first%10 == 0 {
		if second := small(1); second > 0 && second < 10 && (tokens[1].kind == number || tokens[1].fold == "one") {
			return first + second, 2
		}
	}
	return first, 1
}
