package sentence

import (
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// markTable marks the bytes at which the splitter has to look closer: ASCII
// terminators, line breaks, and the first bytes of every other terminator.
func markTable() [256]bool {
	var t [256]bool
	for _, c := range []byte("\n\r.!?" +
		// NEL; Armenian; Arabic and Syriac; N'Ko and Samaritan, Devanagari; Tibetan
		// to Vai; general punctuation; CJK punctuation; Vai to Meetei; full-width;
		// planes above the first.
		"\xc2\xd6\xd8\xdb\xdc\xdf\xe0\xe1\xe2\xe3\xea\xef\xf0") {
		t[c] = true
	}
	return t
}

// isTerminal reports whether r can end a sentence: Unicode's Sentence_Terminal
// property and the ellipsis.
func isTerminal(r rune) bool {
	switch {
	case r < utf8.RuneSelf:
		return r == '.' || r == '!' || r == '?'
	case r == '…':
		return true
	case r < 0x0589, 0x0900 <= r && r < 0x0964, 0x0966 <= r && r < 0x1000,
		0x3003 <= r && r < 0xA000, 0xAC00 <= r && r < 0xFE00:
		// Most of what is written lies here, and none of it is a terminator.
		return false
	}
	return unicode.Is(unicode.Sentence_Terminal, r)
}

// isFullStop reports whether r is one of the terminators that also stand in
// numbers and abbreviations (Sentence_Break=ATerm).
func isFullStop(r rune) bool {
	return r == '.' || r == '\u2024' || r == '\uFE52' || r == '\uFF0E'
}

func isDanda(r rune) bool { return r == '।' || r == '॥' }

func isLineSeparator(r rune) bool {
	return r == '\n' || r == '\r' || r == '\u0085' || r == '\u2028' || r == '\u2029'
}

func isWhite(r rune) bool {
	if r < utf8.RuneSelf {
		return r == ' ' || '\t' <= r && r <= '\r'
	}
	return unicode.IsSpace(r)
}

// isThai reports whether r belongs to Thai or Lao, which put no terminator at
// the end of a sentence.
func isThai(r rune) bool { return 0x0E00 <= r && r <= 0x0EFF }

// isUncased reports whether r is a letter of a script without upper and lower
// case (Sentence_Break=OLetter, less what stands in Latin words).
func isUncased(r rune) bool {
	if r < 0x0590 {
		return false
	}
	if 0x4E00 <= r && r < 0x9FA6 {
		return true
	}
	return unicode.Is(unicode.Lo, r)
}

// isIdeographic reports whether words of r's script are not set apart by dots
// after single letters: Chinese, Japanese, Korean.
func isIdeographic(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul)
}

func isUpper(r rune) bool {
	if r < utf8.RuneSelf {
		return 'A' <= r && r <= 'Z'
	}
	return unicode.IsUpper(r) || unicode.IsTitle(r)
}

func isLower(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z'
	}
	return unicode.IsLower(r)
}

func isDigit(r rune) bool {
	if r < utf8.RuneSelf {
		return '0' <= r && r <= '9'
	}
	if r < 0x0660 || 0x1E00 <= r && r < 0xA000 {
		return false
	}
	return unicode.Is(unicode.Nd, r)
}

func isLetter(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r|0x20 && r|0x20 <= 'z'
	}
	if 0x4E00 <= r && r < 0x9FA6 || 0x0400 <= r && r < 0x0482 {
		return true
	}
	return unicode.IsLetter(r)
}

// isOpener reports what may stand before the first letter of a sentence.
func isOpener(r rune) bool {
	switch r {
	case '(', '[', '{', '"', '\'', '*', '_', '`', '~', '¿', '¡', '«', '»', '‹', '›', '“', '”', '‘', '’':
		return true
	}
	return r >= utf8.RuneSelf && unicode.In(r, unicode.Ps, unicode.Pi)
}

// isClosing reports whether r can only close (brackets and the like).
func isClosing(r rune) bool {
	if r < utf8.RuneSelf {
		return r == ')' || r == ']' || r == '}'
	}
	return unicode.Is(unicode.Pe, r)
}

// isQuote reports whether r closes a quotation in one language and opens it in
// another, or is an emphasis mark of Markdown, which does both as well.
func isQuote(r rune) bool {
	switch r {
	case '"', '\'', '*', '_', '`', '~', '＂', '＇':
		return true
	}
	return r >= utf8.RuneSelf && unicode.In(r, unicode.Pf, unicode.Pi)
}

// isInvisible reports whether r is a control for direction or joining, which
// goes with what stands before it.
func isInvisible(r rune) bool {
	switch {
	case 0x200B <= r && r <= 0x200F, 0x202A <= r && r <= 0x202E, 0x2060 <= r && r <= 0x2064,
		0x2066 <= r && r <= 0x2069, r == 0xFEFF, r == 0x061C:
		return true
	}
	return false
}

// isBareLetter reports whether r surely begins a grapheme cluster of its own, so
// that the library need not be asked.
func isBareLetter(r rune) bool {
	switch {
	case r < 0x0300, 0x0370 <= r && r < 0x0483, 0x0904 <= r && r < 0x093A,
		0x05D0 <= r && r < 0x05EB, 0x0620 <= r && r < 0x064B,
		0x3041 <= r && r < 0x3097, 0x30A1 <= r && r < 0x30FB,
		0x4E00 <= r && r < 0xA000, 0xAC00 <= r && r < 0xD7A4:
		return r != 0x200D
	}
	return false
}

// clusterStop returns where the grapheme cluster ends that holds the last code
// point before stop: stop itself, or more if combining marks follow.
func clusterStop(text string, stop int) int {
	if stop == len(text) || stop == 0 {
		return stop
	}
	last, size := utf8.DecodeLastRuneInString(text[:stop])
	next, _ := utf8.DecodeRuneInString(text[stop:])
	plain := last < utf8.RuneSelf || last == '。' || last == '！' || last == '？' || last == '।' || isCommonQuote(last)
	if plain && (isBareLetter(next) || isCommonQuote(next)) {
		return stop
	}
	cluster, _, _, _ := uniseg.FirstGraphemeClusterInString(text[stop-size:], -1)
	return stop - size + len(cluster)
}

// lastInk returns the last code point of text that is neither white space nor
// invisible, and its offset; -1 and 0 if the last 64 bytes hold none.
func lastInk(text string) (rune, int) {
	low := max(0, len(text)-64)
	for i := len(text); i > low; {
		r, size := utf8.DecodeLastRuneInString(text[:i])
		i -= size
		if !isWhite(r) && !isInvisible(r) {
			return r, i
		}
	}
	return -1, 0
}
