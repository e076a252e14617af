package verify

// limit returns the side of the words that bound the number at i, "least" or "most",
// and the first of them; "" where nothing bounds it.
func limit(tokens []token, i int) (side string, from int) {
	if i == 0 {
		return "", i
	}
	last, first := tokens[i-1].fold, ""
	if i > 1 {
		first = tokens[i-2].fold
	}
	switch last {
	case "least", "than", "als", "most", "to", "zu":
		switch first + " " + last {
		case "at least", "more than", "greater than", "larger than", "mehr als":
			return "least", i - 2
		case "at most", "less than", "fewer than", "smaller than", "weniger als", "up to", "bis zu":
			return "most", i - 2
		}
	case "over", "above", "mindestens", "über", "exceeding":
		return "least", i - 1
	case "under", "below", "höchstens", "unter":
		return "most", i - 1
	}
	return "", i
}

// limits checks the words that bound its numbers, and returns those words. A bound
// may be left out, since numbers are checked anyway; it must not be brought in or turned.
func (k *checking) limits() map[int]bool {
	var out map[int]bool
	for i, t := range k.tokens {
		if t.kind != number || len(k.c.active) == 0 {
			continue
		}
		side, from := limit(k.tokens, i)
		if side == "" {
			continue
		}
		there, turned, free := k.bounded(t.fold, side)
		if !there && !turned && !free {
			continue // another spelling, or no such number: not for this rule
		}
		if out == nil {
			out = map[int]bool{}
		}
		for q := from; q < i; q++ {
			out[q] = true
		}
		switch {
		case there:
		case turned:
			k.fault("comparison", "%q is bounded the other way in its sentences", t.raw)
		default:
			k.fault("quantifier", "%q is not bounded in its sentences", t.raw)
		}
	}
	return out
}

// bounded says how its sentences bound a number: on that side, on the other, not at all.
func (k *checking) bounded(value, side string) (there, turned, free bool) {
	for _, n := range k.sentences {
		tokens := k.c.sentences[n].tokens
		for i, t := range tokens {
			if t.kind != number || t.fold != value {
				continue
			}
			s, _ := limit(tokens, i)
			there = there || s == side
			turned = turned || s != "" && s != side
			free = free || s == ""
		}
	}
	return there, turned, free
}

// loose reports whether a word that bounds may be there in other words.
func (c *Checker) loose(w string) bool {
	for _, l := range c.active {
		if l.loose[w] {
			return true
		}
	}
	return false
}

// quantifies reports whether its sentences hold a quantifier that means the same.
func (k *checking) quantifies(w string) bool {
	for _, l := range k.c.active {
		for _, group := range l.alike {
			if group[w] && k.holds(func(u token) bool { return group[u.fold] }) {
				return true
			}
		}
	}
	return false
}
