package pack

import "unicode/utf8"

type byteUnit struct{}

func (byteUnit) Count(s string) int { return len(s) }
func (byteUnit) Fit(s string, limit int) int {
	if len(s) <= limit {
		return len(s)
	}
	for limit > 0 && !utf8.RuneStart(s[limit]) {
		limit--
	}
	return limit
}

type charUnit struct{}

func (charUnit) Count(s string) int { return utf8.RuneCountInString(s) }
func (charUnit) Fit(s string, limit int) int {
	for i := range s {
		if limit == 0 {
			return i
		}
		limit--
	}
	return len(s)
}

// pairUnit is a unit like tokens: a run of the same letter counts half, so that
// neither sums nor prefixes can be trusted: a longer text may measure less.
type pairUnit struct{}

func (pairUnit) Count(s string) int {
	n := 0
	for i := 0; i < len(s); {
		_, size := utf8.DecodeRuneInString(s[i:])
		next := i + size
		if next < len(s) && len(s) >= next+size && s[next:next+size] == s[i:i+size] {
			next += size
		} else if size > 1 {
			n++ // a rare character alone is two tokens
		}
		n++
		i = next
	}
	return n
}

func (u pairUnit) Fit(s string, limit int) int {
	best, at := 0, 0
	for at <= len(s) {
		if n := u.Count(s[:at]); n <= limit {
			best = at
		} else if n > limit+2 {
			break
		}
		if at == len(s) {
			break
		}
		_, size := utf8.DecodeRuneInString(s[at:])
		at += size
	}
	return best
}

var (
	bytesUnit = byteUnit{}
	charsUnit = charUnit{}
)
