package window

import (
	"unicode"
	"unicode/utf8"
)

// ink finds the next character that is not white space and remembers the last
// answer, so that a run of blanks is read once however many windows end in it.
type ink struct {
	text  string
	asked int
	at    int // -1 before the first call
}

func (n *ink) from(i int) int {
	if n.at < 0 || i < n.asked || i > n.at {
		n.asked, n.at = i, n.first(i)
	}
	return n.at
}

func (n ink) first(i int) int {
	for i < len(n.text) {
		r, size := rune(n.text[i]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(n.text[i:])
		}
		if !unicode.IsSpace(r) {
			return i
		}
		i += size
	}
	return len(n.text)
}

// trimRight returns where the white space at the end of text[start:stop] begins.
func trimRight(text string, start, stop int) int {
	for stop > start {
		r, size := rune(text[stop-1]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeLastRuneInString(text[start:stop])
		}
		if !unicode.IsSpace(r) {
			break
		}
		stop -= size
	}
	return stop
}

func floorRune(text string, i int) int {
	for i > 0 && i < len(text) && !utf8.RuneStart(text[i]) {
		i--
	}
	return i
}

func ceilRune(text string, i int) int {
	for i < len(text) && !utf8.RuneStart(text[i]) {
		i++
	}
	return i
}
