package sentence

import (
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// ends decides whether the sentence ends behind m, where neither the text ends
// nor white space alone says so.
func (s *splitter) ends(m mark, g gap) bool {
	next, size := utf8.DecodeRuneInString(s.text[g.stop:])
	if !s.says(m.first) {
		return false // "...", "1.", "[...]" begin a sentence rather than end one
	}
	if g.stop == m.stop {
		return s.endsUnspaced(m, next)
	}
	if m.closer != 0 && isLower(next) {
		return false // “Why?” he asked
	}
	if m.closer != 0 && isParticle(next) {
		return false
	}
	if m.last == '…' && isLower(next) || m.ellipsis && s.ellipsisGoesOn(g.stop, next) {
		return false
	}
	first, at := firstOfWord(s.text, g.stop)
	terminator := m.last
	if terminator == '…' {
		terminator = '.' // the annex does not know it; three full stops mean the same
	}
	if !s.breaks(terminator, true, g.stop) {
		// The annex looks for lower case behind figures too, and takes names such
		// as iPhone for lower case.
		figure := isDigit(first)
		second, _ := utf8.DecodeRuneInString(s.text[g.stop+size:])
		camel := isLower(next) && isUpper(second)
		if !(figure || camel) || !m.fullStop {
			return false
		}
	}
	return !m.fullStop || !s.goesOn(m, at, first)
}

// says reports whether the sentence up to the terminator at i says something:
// more than openers, and more than the label of a list item ("1.", "a)", "IV.").
func (s *splitter) says(i int) bool {
	if i-s.start > 24 {
		return true
	}
	body := strings.TrimLeftFunc(s.text[s.start:i], func(r rune) bool {
		return isOpener(r) || isWhite(r) || strings.ContainsRune("-+#•>", r)
	})
	letters, figures, roman := 0, 0, true
	for _, r := range body {
		switch {
		case isDigit(r):
			figures++
		case isLetter(r), isPictograph(r):
			letters++
			roman = roman && strings.ContainsRune("IVXLC", r)
		}
	}
	stop, _ := utf8.DecodeRuneInString(s.text[i:])
	switch {
	case letters == 0 && figures == 0:
		return false
	case !isFullStop(stop):
		return true
	case letters == 0: // a year or a large number is no label
		return figures > 3 && !strings.ContainsFunc(body, isFullStop)
	}
	return figures > 0 || utf8.RuneCountInString(body) > 1 && !(roman && len(body) <= 4)
}

// endsUnspaced decides where no white space follows.
func (s *splitter) endsUnspaced(m mark, next rune) bool {
	first, at := next, m.stop
	if isOpener(next) { // 走！“好。”
		first, at = firstOfWord(s.text, m.stop)
	}
	switch {
	case m.closer != 0 && isParticle(next):
		return false
	case m.last == '…':
		return (isUncased(first) || isUpper(first)) && !isThai(first)
	case isFullStop(m.last) && m.last != '.':
		before, _ := lastInk(s.text[:m.at])
		if isDigit(before) && isDigit(next) || isLower(next) {
			return false
		}
		return s.breaks(m.last, false, at)
	case m.last >= utf8.RuneSelf:
		return s.breaks(m.last, false, at)
	}
	if !isUncased(first) || isThai(first) {
		return false
	}
	return s.breaks(m.last, false, at) && !(m.fullStop && s.abbreviated(m, at, first))
}

// isParticle reports the Japanese particles that follow a quotation which the
// sentence around it goes on with.
func isParticle(r rune) bool {
	switch r {
	case 'と', 'っ', 'の', 'を', 'が', 'は', 'に', 'も', 'で', 'や':
		return true
	}
	return false
}

// ellipsisGoesOn reports whether what follows an ellipsis tells nothing about a
// new sentence: figures, and the word I, which is always upper case.
func (s *splitter) ellipsisGoesOn(i int, next rune) bool {
	if isDigit(next) {
		return true
	}
	if next != 'I' {
		return false
	}
	after, _ := utf8.DecodeRuneInString(s.text[i+1:])
	return !isLetter(after)
}

// breaks asks the annex whether a sentence ends between the terminator and the
// text from i on. Closing marks change nothing in its rules, and a line break
// counts as a space, so only these two are shown to it, and of the text no more
// than 64 bytes: it looks for the first letter.
func (s *splitter) breaks(terminator rune, spaced bool, i int) bool {
	tail := s.text[i:min(len(s.text), i+64)]
	if !s.library {
		if verdict, sure := breaksPlainly(terminator, spaced, tail); sure {
			return verdict
		}
	}
	return breaksLibrary(terminator, spaced, tail)
}

// breaksLibrary applies the library to "x", the terminator, a space and tail.
func breaksLibrary(terminator rune, spaced bool, tail string) bool {
	buf := make([]byte, 0, 80)
	buf = utf8.AppendRune(append(buf, 'x'), terminator)
	if spaced {
		buf = append(buf, ' ')
	}
	head := len(buf)
	buf = append(buf, tail...)
	sentence, _, _ := uniseg.FirstSentence(buf, -1)
	return len(sentence) == head
}

// breaksPlainly is breaksLibrary where ASCII and common letters decide, which is
// nearly always; sure is false elsewhere. Rules SB8, SB8a and SB11.
func breaksPlainly(terminator rune, spaced bool, tail string) (verdict, sure bool) {
	fullStop := isFullStop(terminator)
	for i := 0; i < len(tail); {
		r, size := rune(tail[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(tail[i:])
			if !isCommonQuote(r) && (!isBareLetter(r) || !isUpper(r) && !isLower(r) && !isUncased(r)) {
				return false, false
			}
		}
		switch {
		case !spaced && (r < utf8.RuneSelf || !isUncased(r)):
			return false, false // SB6, SB7 and closing marks: for the library
		case i == 0 && r < utf8.RuneSelf && isWhite(r):
			return false, false
		case i == 0 && (r == ',' || r == '-' || r == ':' || r == '.' || r == '!' || r == '?'):
			return false, true
		case !fullStop:
			return true, true
		case isLower(r):
			return false, true
		case r >= utf8.RuneSelf && !isCommonQuote(r), isUpper(r), r == '.' || r == '!' || r == '?', r == '\n' || r == '\r':
			return true, true
		}
		i += size
	}
	return true, true
}

// isCommonQuote reports some of what the annex calls Close.
func isCommonQuote(r rune) bool {
	switch r {
	case '“', '”', '‘', '’', '„', '«', '»', '「', '」', '『', '』', '（', '）', '《', '》':
		return true
	}
	return false
}

// firstOfWord returns the first code point at or after i that is not an opener
// or a currency sign, and its offset; it looks at most 16 code points ahead.
func firstOfWord(text string, i int) (rune, int) {
	for range 16 {
		if i >= len(text) {
			break
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if !isOpener(r) && r != '$' && r != '€' && r != '£' && r != '¥' && r != '#' {
			return r, i
		}
		i += size
	}
	return -1, i
}
