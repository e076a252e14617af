package window

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Separator is a kind of place where text may be cut. last returns the last such
// place b in text with after < b <= limit, or [None]; start is where the text
// that may be looked at begins.
type Separator interface {
	last(t *Text, start, after, limit int) int
}

// Text finds breaks by separators, the most important kind first. It implements
// [Breaks].
type Text struct {
	// Source is the text, valid UTF-8.
	Source string
	// Clusters are those of Source.
	Clusters *Clusters
	// Separators are the kinds of breaks, from the biggest unit to the smallest.
	Separators []Separator
}

// Best implements [Breaks].
func (t *Text) Best(w Window) int {
	for _, s := range t.Separators {
		if b := t.lastOf(s, w.Start, w.After, max(w.Limit, w.Reach), w.Limit); b != None {
			return min(b, w.Limit)
		}
	}
	return None
}

// lastOf is last, but for places inside a cluster. Places from sure on need no
// check.
func (t *Text) lastOf(s Separator, start, after, limit, sure int) int {
	for limit > after {
		b := s.last(t, start, after, limit)
		if b == None || b >= sure || t.Clusters.Boundary(b) {
			return b
		}
		limit = floorRune(t.Source, b-1)
	}
	return None
}

// Rewind implements [Breaks]: the overlap is made of units of the kind that the
// chunk was cut at, or of the next smaller kind of which one is short enough.
func (t *Text) Rewind(o Overlap) int {
	kind := len(t.Separators)
	for i, s := range t.Separators {
		if s.last(t, o.Start, o.Ink-1, o.Ink) == o.Ink {
			kind = i
			break
		}
	}
	for ; kind < len(t.Separators); kind++ {
		first := o.Stop
		for first > o.From {
			b := t.lastOf(t.Separators[kind], o.Start, o.From-1, first-1, first)
			if b == None {
				break
			}
			first = b
		}
		if first < o.Stop {
			return first
		}
	}
	return o.From
}

// Room implements [Breaks].
func (t *Text) Room(_, size int) int { return size }

// Literal cuts behind each occurrence of a string, which must not be empty.
type Literal string

func (l Literal) last(t *Text, start, after, limit int) int {
	from := max(start, after+1-len(l))
	if from >= limit {
		return None
	}
	if i := strings.LastIndex(t.Source[from:limit], string(l)); i >= 0 {
		return from + i + len(l)
	}
	return None
}

// Paragraph cuts before the line that follows a blank line.
type Paragraph struct{}

func (Paragraph) last(t *Text, start, after, limit int) int {
	for after < limit {
		i := strings.LastIndexByte(t.Source[after:limit], '\n')
		if i < 0 {
			return None
		}
		i += after
		j := i - 1
		for j >= start && isBlank(t.Source[j]) {
			j--
		}
		if j >= start && t.Source[j] == '\n' {
			return i + 1
		}
		limit = i
	}
	return None
}

// isBlank reports whether c is white space within a line.
func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v' }

// Line cuts behind each line feed.
type Line struct{}

func (Line) last(t *Text, _, after, limit int) int {
	if i := strings.LastIndexByte(t.Source[after:limit], '\n'); i >= 0 {
		return after + i + 1
	}
	return None
}

// Clause cuts behind a comma, semicolon or colon with the white space after it,
// and directly behind those of East Asian scripts and a dash.
type Clause struct{}

func (Clause) last(t *Text, start, after, limit int) int {
	text := t.Source
	for b := limit; b > after; b-- {
		switch c := text[b-1]; c {
		case ' ', '\n', '\t', '\r':
			if b < len(text) && isASCIISpace(text[b]) {
				continue
			}
			j := b - 1
			for j > start && isASCIISpace(text[j-1]) {
				j--
			}
			if j > start && isClauseEnd(text[:j]) {
				return b
			}
			b = max(j+1, after+1) // the loop goes on in front of the white space
		case 0x81, 0x8C, 0x9B, 0x9A, 0x94:
			if b-3 >= start && isWideClauseEnd(text[b-3:b]) && !(b < len(text) && isASCIISpace(text[b])) {
				return b
			}
		}
	}
	return None
}

func isASCIISpace(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }

func isClauseEnd(text string) bool {
	switch text[len(text)-1] {
	case ',', ';', ':':
		return true
	}
	return strings.HasSuffix(text, "،") || strings.HasSuffix(text, "؛") || len(text) >= 3 && isWideClauseEnd(text[len(text)-3:])
}

func isWideClauseEnd(s string) bool {
	switch s {
	case "、", "，", "；", "：", "—":
		return true
	}
	return false
}

// Word cuts behind white space, but for spaces that do not break.
type Word struct{}

func (Word) last(t *Text, _, after, limit int) int {
	text := t.Source
	for b := limit; b > after; b-- {
		c := text[b-1]
		if c == ' ' || '\t' <= c && c <= '\r' {
			return b
		}
		if c >= utf8.RuneSelf && utf8.RuneStart(c) {
			r, size := utf8.DecodeRuneInString(text[b-1:])
			if unicode.IsSpace(r) && r != '\u00A0' && r != '\u2007' && r != '\u202F' && b-1+size <= limit {
				return b - 1 + size
			}
		}
	}
	return None
}
