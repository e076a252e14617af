package verify

import "slices"

// placeReach is how many words on either side of a number are compared.
const placeReach = 6

// mostPlaces bounds the pairs of numbers that one statement compares. A row of a
// table with more is left to the other rules, so that time stays linear.
const mostPlaces = 1 << 12

// fewNumbers reports whether the numbers of the statement are few enough.
func (k *checking) fewNumbers() bool {
	count := func(tokens []token) (n int) {
		for _, t := range tokens {
			if t.kind == number {
				n++
			}
		}
		return n
	}
	there := 0
	for _, n := range k.sentences {
		there += count(k.c.sentences[n].tokens)
	}
	return count(k.tokens)*there <= mostPlaces
}

// place checks that a number stands where it stands in its sentences: when another
// number there has the words around the statement's, on both sides as well as this
// one and on one side better, it was put in the place of the other.
func (k *checking) place(i int) {
	dated := k.dated(i)
	type found struct {
		fits fits
		raw  string
	}
	var mine []fits
	var others []found
	for _, n := range k.sentences {
		tokens := k.c.sentences[n].tokens
		for j, t := range tokens {
			switch {
			case t.kind != number:
			case t.fold == k.tokens[i].fold:
				mine = append(mine, k.fit(i, tokens, j))
			case dated && near(tokens, j, k.tokens[i].fold):
				// Day, month and year of one date come in any order.
			default:
				others = append(others, found{k.fit(i, tokens, j), t.raw})
			}
		}
	}
	for _, o := range others {
		better := func(m fits) bool {
			if (o.fits.left == 0 || o.fits.right == 0) && o.fits.left+o.fits.right < m.left+m.right+4 {
				return false
			}
			return o.fits.left >= m.left && o.fits.right >= m.right && o.fits.left+o.fits.right >= m.left+m.right+contentFit
		}
		if all(mine, better) {
			k.fault("number", "where the statement has %q its sentences have %q", k.tokens[i].raw, o.raw)
			return
		}
	}
}

func all(list []fits, holds func(fits) bool) bool {
	return !slices.ContainsFunc(list, func(m fits) bool { return !holds(m) })
}

// dated reports whether a month stands right beside the number at i, or between it
// and the next number.
func (k *checking) dated(i int) bool {
	month := func(j int) bool { return j >= 0 && j < len(k.tokens) && isMonth(k.tokens[j]) }
	number := func(j int) bool { return j >= 0 && j < len(k.tokens) && k.tokens[j].kind == number }
	return month(i-1) || month(i+1) || number(i-1) && month(i-2) || number(i+1) && month(i+2)
}

// near reports whether a number stands at most two words from the token at j, as the
// parts of a date do.
func near(tokens []token, j int, value string) bool {
	return slices.ContainsFunc(tokens[max(0, j-2):min(len(tokens), j+3)], func(t token) bool { return t.kind == number && t.fold == value })
}

// placed reports whether the words on one side of the number at i (step -1 or 1) are
// those beside this number in its sentences rather than those beside another one.
func (k *checking) placed(i, step int) bool {
	mine, other := 0, 0
	for _, n := range k.sentences {
		tokens := k.c.sentences[n].tokens
		for j, t := range tokens {
			if t.kind != number {
				continue
			}
			fit := k.sideFit(i, tokens, j, step)
			if t.fold == k.tokens[i].fold {
				mine = max(mine, fit)
			} else {
				other = max(other, fit)
			}
		}
	}
	return mine > other
}

// fits say how far the words on the left and on the right of two numbers agree.
type fits struct{ left, right int }

// What a word counts for that stands at the same place beside a number.
const contentFit, functionFit = 2, 1

// fit measures how far the words around the number at i are those around the number
// at j of a sentence: on each side up to the first that differs. Numbers in a row
// ("in 1950 and 1970") share what stands before the first and behind the last.
func (k *checking) fit(i int, tokens []token, j int) fits {
	side := func(step int) int {
		best := 0
		for at, steps := j, 0; ; steps++ {
			best = max(best, k.sideFit(i, tokens, at, step))
			next := at + step
			if next >= 0 && next < len(tokens) && connects(tokens[next].fold) {
				next += step
			}
			if next < 0 || next >= len(tokens) || tokens[next].kind != number || steps == placeReach {
				return best
			}
			at = next
		}
	}
	return fits{side(-1), side(1)}
}

func connects(w string) bool {
	return w == "and" || w == "or" || w == "und" || w == "oder" || w == "&"
}

// sideFit is the part of one side.
func (k *checking) sideFit(i int, tokens []token, j, step int) int {
	sum := 0
	for n := 1; n <= placeReach; n++ {
		p, q := i+n*step, j+n*step
		if p < 0 || q < 0 || p >= len(k.tokens) || q >= len(tokens) {
			break
		}
		a, b := k.tokens[p], tokens[q]
		if a.kind != b.kind || a.fold != b.fold && (a.kind == number || stem(a.fold) != stem(b.fold)) {
			break
		}
		if a.kind == word && k.c.function(a.fold) {
			sum += functionFit
		} else {
			sum += contentFit
		}
	}
	return sum
}
