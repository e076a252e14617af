package propsegment

import (
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// quantity is a number and what stands behind or before it.
type quantity struct {
	at    span
	group []string
}

// numberBefore reports whether a number ends right before i, white space and a hyphen
// aside.
func (m *maker) numberBefore(text string, i int) bool {
	head := strings.TrimRight(text[:i], " -\u00a0")
	for {
		w := words(head)
		if len(w) == 0 || w[len(w)-1].stop != len(head) {
			return false
		}
		last := head[w[len(w)-1].start:]
		if !m.language.between[last] {
			r, _ := utf8.DecodeLastRuneInString(last)
			return unicode.IsDigit(r) || m.language.numbers[strings.ToLower(last)]
		}
		head = strings.TrimRight(head[:w[len(w)-1].start], " -\u00a0")
	}
}

// quantities returns the units in a text.
func (m *maker) quantities(text string) []quantity {
	var out []quantity
	for _, group := range m.language.units {
		for _, u := range group {
			for from := 0; ; {
				i := strings.Index(text[from:], u)
				if i < 0 {
					break
				}
				at := span{from + i, from + i + len(u)}
				from = at.stop
				next, _ := utf8.DecodeRuneInString(text[at.stop:])
				if strings.Contains("$€£", u) {
					if unicode.IsDigit(next) {
						out = append(out, quantity{at, group})
					}
					continue
				}
				before, _ := utf8.DecodeLastRuneInString(text[:at.start])
				if unicode.IsLetter(before) || unicode.IsLetter(next) || next == '²' || next == '/' || !m.numberBefore(text, at.start) {
					continue
				}
				if !slices.ContainsFunc(out, func(q quantity) bool { return q.at == at }) {
					out = append(out, quantity{at, group})
				}
			}
		}
	}
	return out
}

func unit(m *maker, s statement, r *rand.Rand) (string, bool) {
	all := m.quantities(s.text)
	if len(all) == 0 {
		return "", false
	}
	q := all[r.IntN(len(all))]
	old := s.text[q.at.start:q.at.stop]
	group := q.group
	for len(group) == 1 {
		if g := m.language.units[r.IntN(len(m.language.units))]; !strings.Contains("$€£", g[0]) && len(g) > 1 {
			group = g
		}
	}
	for {
		if u := group[r.IntN(len(group))]; u != old {
			if old == "%" && s.text[max(0, q.at.start-1)] != ' ' {
				u = " " + u
			}
			return replace(s.text, q.at, u), true
		}
	}
}

func magnitude(m *maker, s statement, r *rand.Rand) (string, bool) {
	scale := []string{"thousand", "million", "billion"}
	if m.language.Name == "de" {
		scale = []string{"Tausend", "Millionen", "Milliarden"}
	}
	for _, w := range words(s.text) {
		if i := slices.Index(scale, s.text[w.start:w.stop]); i >= 0 && m.numberBefore(s.text, w.start) {
			return replace(s.text, w, scale[(i+1+r.IntN(2))%3]), true
		}
	}
	return "", false
}

func order(m *maker, s statement, _ *rand.Rand) (string, bool) {
	if m.language.inverts {
		return "", false
	}
	text := strings.TrimRight(s.text, ". ")
	list := words(text)
	for i := len(list) - 2; i >= 3 && i >= len(list)-6; i-- {
		w := list[i]
		if !m.language.places[text[w.start:w.stop]] {
			continue
		}
		tail := text[w.start:]
		if strings.ContainsAny(tail, ",;:()\"") || text[w.start-1] != ' ' {
			return "", false
		}
		first := text[list[0].start:list[0].stop]
		head := strings.TrimRight(text[:w.start], " ,")
		if m.small[strings.ToLower(first)] {
			head = strings.ToLower(head[:1]) + head[1:]
		}
		return strings.ToUpper(tail[:1]) + tail[1:] + ", " + head, true
	}
	return "", false
}

func letterCase(_ *maker, s statement, r *rand.Rand) (string, bool) {
	ways := []string{strings.ToLower(s.text), strings.ToUpper(s.text)}
	var b strings.Builder
	start := true
	for _, c := range s.text {
		if start {
			c = unicode.ToUpper(c)
		}
		b.WriteRune(c)
		start = c == ' '
	}
	return other(s.text, append(ways, b.String()), r)
}

func punctuation(_ *maker, s statement, r *rand.Rand) (string, bool) {
	bare := strings.TrimRight(s.text, ".! ")
	runes := []rune(s.text)
	var commas, hyphens strings.Builder
	for i, c := range runes {
		inside := func(f func(rune) bool) bool { return i > 0 && i+1 < len(runes) && f(runes[i-1]) && f(runes[i+1]) }
		if c != ',' || inside(unicode.IsDigit) {
			commas.WriteRune(c)
		}
		if c == '-' && inside(unicode.IsLetter) {
			c = ' '
		}
		hyphens.WriteRune(c)
	}
	return other(s.text, []string{bare + ".", bare + "!", commas.String(), hyphens.String(), strings.ReplaceAll(s.text, "'", "’"),
		strings.NewReplacer("(", "", ")", "").Replace(s.text)}, r)
}

// other draws one of the ways that differ from a text.
func other(text string, ways []string, r *rand.Rand) (string, bool) {
	ways = slices.DeleteFunc(ways, func(w string) bool { return w == text })
	if len(ways) == 0 {
		return "", false
	}
	return ways[r.IntN(len(ways))], true
}
