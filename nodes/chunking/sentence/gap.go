package sentence

import (
	"unicode"
	"unicode/utf8"
)

// gap is a run of white space.
type gap struct {
	stop int
	// lines counts the line breaks in it; CR LF is one.
	lines int
	// paragraph is true if it holds a paragraph separator (U+2029).
	paragraph bool
}

// readGap reads the white space at i. A space that carries a combining mark is
// part of a grapheme cluster that can be seen, and ends the gap.
func readGap(text string, i int) gap {
	g := gap{stop: i}
	for g.stop < len(text) {
		r, size := rune(text[g.stop]), 1
		if r >= utf8.RuneSelf {
			r, size = utf8.DecodeRuneInString(text[g.stop:])
		}
		if !isWhite(r) {
			break
		}
		next := g.stop + size
		switch {
		case r == '\r' && next < len(text) && text[next] == '\n':
			next++
			g.lines++
		case isLineSeparator(r):
			g.lines++
			g.paragraph = g.paragraph || r == '\u2029'
		case next < len(text) && text[next] >= utf8.RuneSelf && clusterStop(text, next) > next:
			return g
		}
		g.stop = next
	}
	return g
}

// block is what a line begins with.
type block struct {
	// starts is true if the line begins something that does not continue the
	// sentence of the line before: a list item, heading, table row or fence.
	starts bool
	// oneLine is true if that ends with the line.
	oneLine bool
	// number is the number of a numbered list item, else 0.
	number int
}

// readBlock looks at the line that begins at i, its indentation left out.
func readBlock(text string, i int) block {
	rest := text[i:]
	if rest == "" {
		return block{}
	}
	spaceAt := func(n int) bool { return n < len(rest) && (rest[n] == ' ' || rest[n] == '\t') }
	switch c := rest[0]; c {
	case '-', '*', '+':
		return block{starts: spaceAt(1)}
	case '|':
		return block{starts: true, oneLine: true}
	case '#':
		n := 1
		for n < 6 && n < len(rest) && rest[n] == '#' {
			n++
		}
		return block{starts: spaceAt(n), oneLine: spaceAt(n)}
	case '`', '~':
		fence := len(rest) > 2 && rest[1] == c && rest[2] == c
		return block{starts: fence, oneLine: fence}
	}
	if '0' <= rest[0] && rest[0] <= '9' {
		n, value := 0, 0
		for n < len(rest) && n < 3 && '0' <= rest[n] && rest[n] <= '9' {
			value = value*10 + int(rest[n]-'0')
			n++
		}
		if n < len(rest) && (rest[n] == '.' || rest[n] == ')') && spaceAt(n+1) && value > 0 {
			return block{starts: true, number: value}
		}
		return block{}
	}
	switch r, size := utf8.DecodeRuneInString(rest); r {
	case '•', '‣', '◦', '▪', '●', '⁃':
		after, _ := utf8.DecodeRuneInString(rest[size:])
		return block{starts: isWhite(after)}
	}
	return block{}
}

// atLineStart reports whether nothing but blanks stands between i and the line
// break or the beginning of the text before it.
func atLineStart(text string, i int) bool {
	for low := max(0, i-256); i > low; {
		r, size := utf8.DecodeLastRuneInString(text[:i])
		if isLineSeparator(r) {
			return true
		}
		if !isWhite(r) {
			return false
		}
		i -= size
	}
	return i == 0
}

// mark is a group of terminators with what closes behind it.
type mark struct {
	// first and at are the offsets of the first terminator and of the last run of
	// terminators; stop is where the sentence would end.
	first, at, stop int
	// last is the last terminator.
	last rune
	// fullStop is true for one full stop alone, ellipsis for several or '…'.
	fullStop, ellipsis bool
	// closer is the last bracket or quote behind the last terminator, or 0.
	closer rune
}

// readMark reads the terminators at i, what closes directly behind them, and
// further terminators and closing brackets of the same sentence: "Why?!”",
// ". . .", French "Va ! »", danda with a verse number.
func readMark(text string, i int) mark {
	m := mark{first: i, stop: i}
	count, stops := 0, 0
	for {
		m.at = m.stop
		for m.stop < len(text) {
			r, size := utf8.DecodeRuneInString(text[m.stop:])
			if !isTerminal(r) {
				break
			}
			m.last = r
			m.stop += size
			count++
			if isFullStop(r) {
				stops++
			}
			if r == '…' {
				m.ellipsis = true
			}
		}
		m.readClosers(text)
		if !m.continues(text) {
			break
		}
	}
	m.fullStop = count == 1 && stops == 1
	m.ellipsis = m.ellipsis || stops > 1 && stops == count
	return m
}

// readClosers moves stop behind closing quotes, brackets, emphasis marks,
// citations and emoji that follow directly.
func (m *mark) readClosers(text string) {
	m.closer = 0
	for m.stop < len(text) {
		r, size := utf8.DecodeRuneInString(text[m.stop:])
		if r == ' ' || isBareLetter(r) && isLetter(r) {
			return
		}
		switch {
		case isClosing(r), isQuote(r) && !opensHere(text[m.stop:]):
			m.closer = r
		case isInvisible(r), isNote(r), r >= 0x0300 && unicode.Is(unicode.M, r):
		case r == '[':
			if size = citation(text[m.stop:]); size == 0 {
				return
			}
		case isPictograph(r):
			size = clusterStop(text, m.stop+size) - m.stop
		default:
			return
		}
		m.stop += size
	}
}

// continues moves stop to a terminator that belongs to the same group and
// reports whether there is one; closing brackets behind a space go along.
func (m *mark) continues(text string) bool {
	for {
		g := readGap(text, m.stop)
		if g.lines > 0 || g.stop == len(text) {
			return false
		}
		r, size := utf8.DecodeRuneInString(text[g.stop:])
		if isBareLetter(r) && isLetter(r) {
			return false
		}
		after, _ := utf8.DecodeRuneInString(text[g.stop+size:])
		end := g.stop+size == len(text) || isWhite(after)
		switch {
		case isTerminal(r) && (end || !isLetter(after) && !isDigit(after)):
			m.stop = g.stop
			return true
		case g.stop > m.stop && (isClosing(r) || unicode.Is(unicode.Pf, r) && (end || isTerminal(after) || after == ',')):
			m.stop = g.stop
			m.readClosers(text)
			if m.stop == g.stop {
				return false
			}
		case isDanda(m.last) && isDigit(r):
			stop := verseNumber(text, g.stop)
			if stop == 0 {
				return false
			}
			m.stop = stop
			return true
		default:
			return false
		}
	}
}

// verseNumber returns the offset of the danda behind the figures at i, or 0.
func verseNumber(text string, i int) int {
	for n := 0; n <= 4 && i < len(text); n++ {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !isDigit(r) {
			g := readGap(text, i)
			r, _ = utf8.DecodeRuneInString(text[g.stop:])
			if g.lines == 0 && isDanda(r) {
				return g.stop
			}
			return 0
		}
		i += size
	}
	return 0
}

// opensHere reports whether the quote at the start of rest begins a quotation: a
// letter or figure follows, behind further quotes if the mark usually opens.
func opensHere(rest string) bool {
	quote, size := utf8.DecodeRuneInString(rest)
	if quote == '”' || quote == '’' {
		return false
	}
	usual := unicode.Is(unicode.Pi, quote)
	for range 4 {
		rest = rest[size:]
		if rest == "" {
			return false
		}
		var r rune
		r, size = utf8.DecodeRuneInString(rest)
		if isLetter(r) || isDigit(r) {
			return true
		}
		if !usual || !isOpener(r) {
			return false
		}
	}
	return true
}

// citation returns the length of a reference mark like [3], [^2] or [4, 5].
func citation(rest string) int {
	for n := 1; n < len(rest) && n < 12; n++ {
		switch c := rest[n]; {
		case c == ']' && n > 1:
			return n + 1
		case '0' <= c && c <= '9', c == '^' && n == 1, n > 1 && (c == ',' || c == '-' || c == ' '):
		default:
			return 0
		}
	}
	return 0
}

func isNote(r rune) bool {
	switch r {
	case '¹', '²', '³', '⁰', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹', '†', '‡':
		return true
	}
	return false
}

func isPictograph(r rune) bool {
	return 0x2600 <= r && r < 0x27C0 || 0x1F000 <= r && r < 0x1FB00
}
