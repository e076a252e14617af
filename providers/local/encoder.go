package local

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// encoder turns one text after another into vectors. Between texts it keeps
// memory only. Not safe for concurrent use.
type encoder struct {
	table *table

	recent rowSum
	sum    [dim]int64 // the semantic part
	tail   [dim]int64 // the lexical part
	seen   hashSet

	word    []byte // the unit that is being read
	framed  []byte // scratch: a word between its marks of start and end
	foreign int    // letters of scripts other than Latin, less Latin letters

	// keepAll counts function words too. skipped says that one was left out.
	keepAll, skipped bool
}

// read takes in one text. Afterwards sum and tail hold its vector.
func (e *encoder) read(text string) {
	plain := isASCII(text)
	if !plain {
		text = norm.NFKC.String(text)
	}
	for _, keep := range [...]bool{false, true} {
		e.clear()
		e.keepAll = keep
		if plain {
			e.readASCII(text)
		} else {
			e.readUnicode(text)
		}
		e.recent.drain(&e.sum)
		// A text of nothing but function words has a vector too.
		if !e.skipped || !e.empty() {
			return
		}
	}
}

func (e *encoder) clear() {
	e.recent, e.sum, e.tail = rowSum{}, [dim]int64{}, [dim]int64{}
	e.foreign, e.skipped = 0, false
	e.word = e.word[:0]
	e.seen.reset()
}

func (e *encoder) empty() bool { return e.seen.count == 0 && e.sum == [dim]int64{} }

func isASCII(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func (e *encoder) readASCII(text string) {
	word := e.word[:0]
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case 'a' <= c && c <= 'z' || '0' <= c && c <= '9':
			word = append(word, c)
		case 'A' <= c && c <= 'Z':
			word = append(word, c+'a'-'A')
		case len(word) > 0:
			e.latinWord(word)
			word = word[:0]
		}
	}
	if len(word) > 0 {
		e.latinWord(word)
	}
	e.word = word[:0]
}

func (e *encoder) readUnicode(text string) {
	unit, last := separator, rune(0)
	for _, r := range text {
		c := classify(r)
		if c == mark {
			// A mark goes with the letter before it; without one it is no
			// word, like the selector that follows an emoji.
			if unit == syllabic || unit == other && !losesAccents(last) {
				e.word = utf8.AppendRune(e.word, r)
			}
			continue
		}
		if c != unit {
			e.endUnit(unit)
			unit, last = c, 0
		}
		switch c {
		case separator:
			continue
		case ideograph:
			e.ideograph(last, r)
		default:
			e.word = appendFolded(e.word, r)
		}
		switch {
		case !unicode.IsLetter(r):
		case c == latin:
			e.foreign--
		default:
			e.foreign++
		}
		last = r
	}
	e.endUnit(unit)
}

// endUnit counts the unit that was read.
func (e *encoder) endUnit(c class) {
	if len(e.word) == 0 {
		return
	}
	switch c {
	case latin:
		e.latinWord(e.word)
	case syllabic:
		e.syllables(e.word)
	case other:
		e.otherWord(e.word)
	}
	e.word = e.word[:0]
}
