package sentence

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// goesOn reports whether the full stop of m belongs to the word before it (an
// abbreviation, an initial, an ordinal, a part of a date) rather than to the
// sentence. The word behind begins at next with the code point first.
func (s *splitter) goesOn(m mark, next int, first rune) bool {
	if isClosing(m.closer) {
		return false // (approx.) Then
	}
	before, _ := lastInk(s.text[max(s.start, m.at-8):m.at])
	if isThai(before) {
		return true // พ.ศ. 2560
	}
	return s.abbreviated(m, next, first)
}

func (s *splitter) abbreviated(m mark, next int, first rune) bool {
	at := wordStart(s.text, s.start, m.at)
	word := s.text[at:m.at]
	if word == "" {
		return false
	}
	follower := wordAt(s.text, next)
	if onlyDigits(word) || isRoman(word) {
		return s.ordinal(word, at, next, follower)
	}
	kind := kindOf(word)
	previous := previousWord(s.text, s.start, at)
	if part, ok := strings.CutSuffix(previous, "."); ok && lone(part) {
		if k := kindOf(part + "." + word); k != unlisted { // z. B., т. е., p. ej.
			return k.goesOn(first, follower)
		}
	}
	if kind != always && lone(word) {
		return s.initial(word, previous, next, first, follower)
	}
	if kind == unlisted {
		if i := strings.LastIndexByte(word, '-'); i >= 0 {
			kind = kindOf(word[i+1:])
		}
	}
	if kind == unlisted && strings.HasSuffix(word, "str") {
		kind = beforeFigure // Hauptstr. 5
	}
	if kind == unlisted && strings.Contains(word, ".") {
		if !acronym(word) {
			return false // example.com, v1.2.3
		}
		kind = beforeName
	}
	return kind.goesOn(first, follower)
}

// goesOn reports whether a sentence goes on behind an abbreviation of this kind.
func (k kind) goesOn(first rune, follower string) bool {
	switch k {
	case always:
		return true
	case beforeFigure:
		return isDigit(first)
	case beforeName:
		return !opens(follower, true)
	case ofTime:
		return isDigit(first) || namesTime(follower)
	}
	return false
}

// initial decides behind a single letter: the initial of a name, the first part of
// an abbreviation written with spaces (z. B.), or a short abbreviation (p. 5).
func (s *splitter) initial(letter, previous string, next int, first rune, follower string) bool {
	if lone(follower) && next+len(follower) < len(s.text) && s.text[next+len(follower)] == '.' {
		return true
	}
	r, _ := utf8.DecodeRuneInString(letter)
	figures := previous != "" && isDigit(lastRune(previous))
	switch {
	case isUpper(r):
		return !opens(follower, false)
	case isUncased(r):
		return !isIdeographic(r) && !figures // Arabic د. before a name, but not م. behind a year
	case follower == "Chr":
		return letter == "v" || letter == "n"
	case letter == "г" && !figures:
		return true // г. Москва, but 1999 г. Он
	}
	return isDigit(first) && !figures
}

// wordStart returns where the word ends begins that ends at stop: letters, marks,
// figures, dots, hyphens and apostrophes, at most 48 bytes of it and not before
// low.
func wordStart(text string, low, stop int) int {
	low = max(low, stop-48)
	i := stop
	for i > low {
		r, size := rune(text[i-1]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeLastRuneInString(text[low:i])
		}
		if !isLetter(r) && !isDigit(r) && r != '.' && r != '-' && !(r >= 0x0300 && unicode.Is(unicode.M, r)) {
			break
		}
		i -= size
	}
	return i
}

// wordAt returns the letters, marks or figures at i, at most 32 bytes.
func wordAt(text string, i int) string {
	rest := text[i:min(len(text), i+32)]
	for n, r := range rest {
		if !isLetter(r) && !isDigit(r) && !(r >= 0x0300 && unicode.Is(unicode.M, r)) {
			return rest[:n]
		}
	}
	return rest
}

// previousWord returns the word before the white space before i, with its dots.
func previousWord(text string, low, i int) string {
	stop := i
	for stop > low && i-stop < 8 {
		r, size := utf8.DecodeLastRuneInString(text[low:stop])
		if !isWhite(r) {
			break
		}
		stop -= size
	}
	if stop == i {
		return ""
	}
	return text[wordStart(text, low, stop):stop]
}

func lastRune(word string) rune {
	r, _ := utf8.DecodeLastRuneInString(strings.TrimRight(word, "."))
	return r
}

// lone reports whether word is one letter, with marks or without.
func lone(word string) bool {
	for i, r := range word {
		if i == 0 && !isLetter(r) || i > 0 && !unicode.Is(unicode.M, r) {
			return false
		}
	}
	return word != ""
}

func onlyDigits(word string) bool {
	return word != "" && !strings.ContainsFunc(word, func(r rune) bool { return !isDigit(r) })
}

// isRoman reports whether word is a Roman numeral of two letters or more.
func isRoman(word string) bool {
	return len(word) > 1 && strings.Trim(word, "IVXLC") == ""
}

// acronym reports whether word is made of single letters with dots between,
// at least one of them upper case, or of such and a short rest: U.S, J.-P.
func acronym(word string) bool {
	upper := false
	for part := range strings.SplitSeq(word, ".") {
		part = strings.TrimPrefix(part, "-")
		if !lone(part) {
			return false
		}
		r, _ := utf8.DecodeRuneInString(part)
		upper = upper || isUpper(r) || isUncased(r) && !isIdeographic(r)
	}
	return upper
}
