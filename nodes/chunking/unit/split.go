package unit

import (
	"unicode"
	"unicode/utf8"
)

// wordKind is the alternative of an encoding's regular expression that matched.
type wordKind uint8

const (
	letters wordKind = iota // letters, with one other character before them or none
	mixed                   // letters and marks as o200k_base groups them by case
	figures                 // one to three figures
	signs                   // neither letters, figures nor white space, and line breaks behind them
	blanks                  // white space
)

// word is a match: text[start:stop].
type word struct {
	start, stop int
	kind        wordKind
	// body is where the letters of a mixed word begin and tail where they end,
	// behind which only a contraction ('ll) follows.
	body, tail int
}

// splitFunc returns the word at i < len(text).
type splitFunc func(text string, i int) word

// splitCL100K matches, at i,
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}
//	| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
//
// without going back further than to the last line break or blank of a run.
func splitCL100K(text string, i int) word {
	if n := contraction(text[i:]); n > 0 {
		return word{start: i, stop: i + n, kind: letters}
	}
	first, size := utf8.DecodeRuneInString(text[i:])
	class := classOf(first)
	if class == letter {
		return word{start: i, stop: skip(text, i+size, letter), kind: letters}
	}
	if class != figure && first != '\r' && first != '\n' {
		if stop := skip(text, i+size, letter); stop > i+size {
			return word{start: i, stop: stop, kind: letters}
		}
	}
	return splitRest(text, i, first, size, class, false)
}

// splitO200K matches, at i, with U for [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}], L for
// [\p{Ll}\p{Lm}\p{Lo}\p{M}] and C for the contractions of cl100k_base,
//
//	[^\r\n\p{L}\p{N}]?U*L+C?|[^\r\n\p{L}\p{N}]?U+L*C?|\p{N}{1,3}
//	| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
func splitO200K(text string, i int) word {
	first, size := utf8.DecodeRuneInString(text[i:])
	class := classOf(first)
	if class == letter {
		return mixedWord(text, i, i)
	}
	if class != figure && first != '\r' && first != '\n' {
		if next, _ := utf8.DecodeRuneInString(text[i+size:]); i+size < len(text) && caseOf(next) != 0 {
			return mixedWord(text, i, i+size)
		}
		if caseOf(first) != 0 {
			return mixedWord(text, i, i)
		}
	}
	return splitRest(text, i, first, size, class, true)
}

// mixedWord matches U*L+C? and else U+L*C? from body on, where a letter or mark
// stands.
func mixedWord(text string, start, body int) word {
	stop, both := body, -1
	if start < body && caseOf(firstRune(text[start:])) != 0 {
		both = body // a mark before the body can be all that matches
	}
	for stop < len(text) {
		r, size := utf8.DecodeRuneInString(text[stop:])
		c := caseOf(r)
		if c&upperLike == 0 {
			break
		}
		stop += size
		if c&lowerLike != 0 {
			both = stop
		}
	}
	switch end := skipLower(text, stop); {
	case end > stop:
		stop = end
	case both >= 0:
		stop = both // U* gives back the capitals behind the last L
	}
	tail := stop
	stop += contraction(text[stop:])
	return word{start: start, stop: stop, kind: mixed, body: body, tail: tail}
}

func skipLower(text string, i int) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if caseOf(r)&lowerLike == 0 {
			break
		}
		i += size
	}
	return i
}

// splitRest matches the alternatives that both encodings share.
func splitRest(text string, i int, first rune, size int, class runeClass, slash bool) word {
	switch class {
	case figure:
		stop := i + size
		for range 2 {
			r, n := utf8.DecodeRuneInString(text[stop:])
			if stop == len(text) || classOf(r) != figure {
				break
			}
			stop += n
		}
		return word{start: i, stop: stop, kind: figures}
	case sign:
		return word{start: i, stop: skipBreaks(text, skip(text, i+size, sign), slash), kind: signs}
	}
	if first == ' ' {
		if stop := skip(text, i+1, sign); stop > i+1 {
			return word{start: i, stop: skipBreaks(text, stop, slash), kind: signs}
		}
	}
	stop, last, lineEnd := i, i, -1
	for stop < len(text) {
		r, n := utf8.DecodeRuneInString(text[stop:])
		if classOf(r) != blank {
			break
		}
		last = stop
		stop += n
		if r == '\r' || r == '\n' {
			lineEnd = stop
		}
	}
	switch {
	case lineEnd >= 0:
		stop = lineEnd
	case stop < len(text) && last > i:
		stop = last // the last blank goes with what follows
	}
	return word{start: i, stop: stop, kind: blanks}
}

func skipBreaks(text string, i int, slash bool) int {
	for i < len(text) && (text[i] == '\r' || text[i] == '\n' || slash && text[i] == '/') {
		i++
	}
	return i
}

// contraction returns the length of 's, 't, 're, 've, 'm, 'll or 'd, or 0. Case
// does not matter, and the long s folds to s.
func contraction(rest string) int {
	if len(rest) < 2 || rest[0] != '\'' {
		return 0
	}
	switch rest[1] | 0x20 {
	case 's', 't', 'm', 'd':
		return 2
	case 'r', 'v':
		if len(rest) > 2 && rest[2]|0x20 == 'e' {
			return 3
		}
	case 'l':
		if len(rest) > 2 && rest[2]|0x20 == 'l' {
			return 3
		}
	}
	if len(rest) > 2 && rest[1:3] == "ſ" {
		return 3
	}
	return 0
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// runeClass sorts code points into \p{L}, \p{N}, \s and everything else.
type runeClass uint8

const (
	sign runeClass = iota
	letter
	figure
	blank
)

func classOf(r rune) runeClass {
	switch {
	case r < utf8.RuneSelf:
		switch {
		case 'a' <= r|0x20 && r|0x20 <= 'z':
			return letter
		case '0' <= r && r <= '9':
			return figure
		case r == ' ' || '\t' <= r && r <= '\r':
			return blank
		}
		return sign
	case unicode.IsLetter(r):
		return letter
	case unicode.IsNumber(r):
		return figure
	case unicode.IsSpace(r):
		return blank
	}
	return sign
}

func skip(text string, i int, class runeClass) int {
	for i < len(text) {
		r, size := rune(text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[i:])
		}
		if classOf(r) != class {
			break
		}
		i += size
	}
	return i
}

// letterCase says to which of the classes U and L of o200k_base a code point
// belongs; letters without case and marks belong to both.
type letterCase uint8

const (
	upperLike letterCase = 1 << iota
	lowerLike
)

func caseOf(r rune) letterCase {
	switch {
	case r < utf8.RuneSelf:
		switch {
		case 'a' <= r && r <= 'z':
			return lowerLike
		case 'A' <= r && r <= 'Z':
			return upperLike
		}
		return 0
	case unicode.Is(unicode.Ll, r):
		return lowerLike
	case unicode.In(r, unicode.Lu, unicode.Lt):
		return upperLike
	case unicode.IsLetter(r) || unicode.Is(unicode.M, r):
		return upperLike | lowerLike
	}
	return 0
}
