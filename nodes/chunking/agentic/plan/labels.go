package plan

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
)

// Labels name the things that a call is about: a letter and a number from 1 on.
// The letters are such that nothing in the texts of the call looks like a label.
type Labels struct {
	prefix string
	n      int
}

// NewLabels returns n labels that begin with a prefix, lengthened while a text
// has it before a digit.
func NewLabels(prefix string, n int, texts ...string) Labels {
	for more := 0; more < 26*26; more++ {
		p := prefix
		for k := more; k > 0; k /= 26 {
			p += string(rune('A' + k%26))
		}
		if !slices.ContainsFunc(texts, func(t string) bool { return looksLabelled(t, p) }) {
			return Labels{prefix: p, n: n}
		}
	}
	return Labels{prefix: prefix, n: n}
}

// looksLabelled reports whether a text has the prefix, in any case and not as the
// end of a longer word, before a digit.
func looksLabelled(s, prefix string) bool {
	for i := 0; i+len(prefix) < len(s); i++ {
		if c := s[i+len(prefix)]; c < '0' || c > '9' {
			continue
		}
		if strings.EqualFold(s[i:i+len(prefix)], prefix) && (i == 0 || !isAlnum(s[i-1])) {
			return true
		}
	}
	return false
}

func isAlnum(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z'
}

// Len returns how many labels there are.
func (l Labels) Len() int { return l.n }

// At returns label k, from 0.
func (l Labels) At(k int) string { return l.prefix + strconv.Itoa(k+1) }

// Read returns the positions, from 0 and rising, of the labels that a model
// wrote, and how many of what it wrote are none. Brackets, case, lists in one
// string and ranges such as S2-S4 are understood, and so are numbers alone.
func (l Labels) Read(written []string) (at []int, unknown int) {
	at, unknown = l.InOrder(written)
	slices.Sort(at)
	return slices.Compact(at), unknown
}

// InOrder is Read with the order and repetitions left as they are.
func (l Labels) InOrder(written []string) (at []int, unknown int) {
	for _, w := range written {
		known := len(at)
		at, unknown = l.read(at, unknown, w)
		if len(at)-known > l.n {
			at = at[:known+l.n] // one string names each at most once
		}
	}
	return at, unknown
}

// read adds the labels in one string.
func (l Labels) read(at []int, unknown int, w string) ([]int, int) {
	ranged, words := false, 0
	for w != "" {
		start := strings.IndexFunc(w, isLabelRune)
		if start < 0 {
			break
		}
		gap := strings.TrimSpace(w[:start])
		stop := start + strings.IndexFunc(w[start:]+" ", func(r rune) bool { return !isLabelRune(r) })
		word := w[start:stop]
		w = w[stop:]
		if strings.EqualFold(word, "and") || strings.EqualFold(word, "to") {
			ranged = strings.EqualFold(word, "to")
			continue
		}
		words++
		k, ok := l.position(word)
		if !ok {
			ranged = false
			unknown++
			if words > l.n {
				return at, unknown // no list of labels
			}
			continue
		}
		if ranged = ranged || gap == "-" || gap == "–" || gap == ".." || gap == "…"; ranged && len(at) > 0 && words > 1 {
			for j := at[len(at)-1] + 1; j < k; j++ {
				at = append(at, j)
			}
		}
		ranged = false
		at = append(at, k)
	}
	if words == 0 {
		unknown++
	}
	return at, unknown
}

func isLabelRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }

// position returns the position of one label, written in any case.
func (l Labels) position(word string) (int, bool) {
	if len(word) >= len(l.prefix) && strings.EqualFold(word[:len(l.prefix)], l.prefix) {
		word = word[len(l.prefix):]
	}
	if word == "" || len(word) > 9 || strings.ContainsFunc(word, func(r rune) bool { return r < '0' || r > '9' }) {
		return 0, false
	}
	k, err := strconv.Atoi(word)
	return k - 1, err == nil && k >= 1 && k <= l.n
}
