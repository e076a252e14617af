package local

import (
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// class is the class of a character. A run of characters of one class is a
// unit of text.
type class uint8

const (
	// separator ends a unit: spaces, punctuation, apostrophes, symbols.
	separator class = iota
	// latin is a Latin letter or an ASCII digit.
	latin
	// ideograph is Han, Hiragana or Katakana: written without spaces, one or
	// two characters carry a meaning.
	ideograph
	// syllabic is Thai, Lao, Khmer or Myanmar: written without spaces, in
	// short syllables.
	syllabic
	// other is a letter or digit of any other script.
	other
	// mark combines with the character before it.
	mark
)

// classify returns the class of a character in a text in form NFKC. Blocks of
// one class that texts are full of are told by their range.
func classify(r rune) class {
	switch {
	case r < utf8.RuneSelf:
		if 'a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9' {
			return latin
		}
		return separator
	case 'А' <= r && r <= 'я', '가' <= r && r <= '힣':
		return other
	case '一' <= r && r <= '鿿':
		return ideograph
	}
	return classifyByTables(r)
}

func classifyByTables(r rune) class {
	switch {
	case unicode.IsMark(r):
		return mark
	case r == 'ー':
		return ideograph // a letter of Hiragana and Katakana alike
	case !unicode.IsLetter(r) && !unicode.IsNumber(r):
		return separator
	case unicode.Is(unicode.Latin, r):
		return latin
	case unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana):
		return ideograph
	case unicode.In(r, unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar):
		return syllabic
	}
	return other
}

// losesAccents reports whether the marks of a letter are dropped.
func losesAccents(r rune) bool {
	return unicode.In(r, unicode.Latin, unicode.Greek, unicode.Cyrillic)
}

// appendFolded appends a letter in lower case; Latin, Greek and Cyrillic ones
// without their accents.
func appendFolded(dst []byte, r rune) []byte {
	if 'а' <= r && r <= 'я' && r != 'й' {
		return utf8.AppendRune(dst, r)
	}
	r = unicode.ToLower(r)
	at := len(dst)
	dst = utf8.AppendRune(dst, r)
	if r < utf8.RuneSelf || !losesAccents(r) {
		return dst
	}
	d := norm.NFD.Properties(dst[at:]).Decomposition()
	if len(d) == 0 {
		return dst
	}
	_, n := utf8.DecodeRune(d)
	return append(dst[:at], d[:n]...)
}
