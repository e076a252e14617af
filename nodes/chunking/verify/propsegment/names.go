package propsegment

import (
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maker makes statements wrong.
type maker struct {
	set      *Set
	language Language
	small    map[string]bool // words that the set writes without a capital
	names    [][]string      // of each document
}

func newMaker(set *Set, language Language) *maker {
	m := &maker{set: set, language: language, small: map[string]bool{}}
	for _, d := range set.Documents {
		for _, s := range d.Sentences {
			for _, w := range words(s.Text) {
				if word := s.Text[w.start:w.stop]; !capital(word) {
					m.small[word] = true
				}
			}
		}
	}
	for _, d := range set.Documents {
		var names []string
		for _, s := range d.Sentences {
			for _, n := range m.namesIn(s.Text) {
				if n.start > 0 {
					names = append(names, s.Text[n.start:n.stop])
				}
			}
		}
		m.names = append(m.names, names)
	}
	return m
}

func capital(w string) bool {
	r, _ := utf8.DecodeRuneInString(w)
	return unicode.IsUpper(r)
}

func (m *maker) name(w string) bool {
	if m.language.names != nil {
		return m.language.names[w]
	}
	return capital(w) && utf8.RuneCountInString(w) > 1 && !m.small[strings.ToLower(w)] && !m.language.calendar[w]
}

// namesIn returns the names in a text.
func (m *maker) namesIn(text string) []span {
	var out []span
	for _, w := range words(text) {
		if !m.name(text[w.start:w.stop]) {
			continue
		}
		if n := len(out); n > 0 && (text[out[n-1].stop:w.start] == " " || text[out[n-1].stop:w.start] == "-") {
			out[n-1].stop = w.stop
			continue
		}
		out = append(out, w)
	}
	return out
}

func nameInside(m *maker, s statement, r *rand.Rand) (string, bool) {
	names := slices.DeleteFunc(m.namesIn(s.text), func(n span) bool { return n.start == 0 })
	if len(names) == 0 {
		return "", false
	}
	return m.foreign(s, names[r.IntN(len(names))], r)
}

func nameFirst(m *maker, s statement, r *rand.Rand) (string, bool) {
	names := m.namesIn(s.text)
	if len(names) == 0 || names[0].start > 0 {
		return "", false
	}
	return m.foreign(s, names[0], r)
}

// foreign puts a name of a document of another cluster in the place of one.
func (m *maker) foreign(s statement, at span, r *rand.Rand) (string, bool) {
	own := fold(s.sentence)
	for range 100 {
		d := r.IntN(len(m.names))
		if len(m.names[d]) == 0 || m.set.Documents[d].Cluster == m.set.Documents[s.document].Cluster {
			continue
		}
		name := m.names[d][r.IntN(len(m.names[d]))]
		if !slices.ContainsFunc(fold(name), func(w string) bool { return slices.Contains(own, w) }) {
			return replace(s.text, at, name), true
		}
	}
	return "", false
}

func exchanged(m *maker, s statement, r *rand.Rand) (string, bool) {
	names := m.namesIn(s.text)
	var ways [][2]span
	for i, a := range names {
		for _, b := range names[i+1:] {
			one, two := s.text[a.start:a.stop], s.text[b.start:b.stop]
			if !slices.Equal(fold(one), fold(two)) && !m.listed(s.text[a.stop:b.start]) && initials(one) != two && initials(two) != one {
				ways = append(ways, [2]span{a, b})
			}
		}
	}
	if len(ways) == 0 {
		return "", false
	}
	w := ways[r.IntN(len(ways))]
	a, b := s.text[w[0].start:w[0].stop], s.text[w[1].start:w[1].stop]
	return s.text[:w[0].start] + b + s.text[w[0].stop:w[1].start] + a + s.text[w[1].stop:], true
}

// initials returns the first letters of a name, which may be its short form.
func initials(name string) string {
	var b strings.Builder
	for _, w := range words(name) {
		r, _ := utf8.DecodeRuneInString(name[w.start:])
		b.WriteRune(r)
	}
	return b.String()
}

// listed reports whether what stands between two names makes them parts of a list.
func (m *maker) listed(between string) bool {
	for _, w := range words(between) {
		if word := between[w.start:w.stop]; !m.language.joins[word] && !m.name(word) {
			return false
		}
	}
	return !strings.ContainsAny(between, "()")
}
