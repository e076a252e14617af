package sentence

import (
	"unicode/utf8"

	"github.com/ironflow/ironflow/nodes/chunking"
)

// Unicode finds sentences in any script: the sentence boundaries of Unicode
// Standard Annex #29 (https://www.unicode.org/reports/tr29/, by the library
// uniseg), corrected where the annex is known to be wrong for prose.
//
// No sentence ends after a known abbreviation (Dr., e.g., z.B., т.е.), an
// initial (J. R. R.), inside a decimal, version, URL or e-mail address, after an
// ordinal (29. Juli), a date in figures (2024. 7. 29.) or the number of a list
// item (1. First), nor after a quotation or ellipsis that lower case follows.
// A full stop before a figure ends a sentence unless one of these says no.
// 。！？．…｡ and other full-width forms, the danda, ؟ and ۔ need no white space
// after them; ASCII '.', '!' and '?' need it, except before a letter of a script
// without case (Chinese, Korean, Arabic, ...). Closing quotes, brackets, emphasis
// marks, citations like [3] and emoji directly after the end stay with it.
//
// A blank line always ends a sentence; a single line break is a space, so that
// hard-wrapped prose survives, unless a list item, a heading, a table row or a
// fence begins after it or a heading ends before it. After Thai and Lao, which
// write no terminators, a line break does end a sentence and spaces do not.
//
// Where only meaning could tell, the rule is fixed: Inc., Jr., Ph.D. and U.S.
// end a sentence only before a common first word (The, However, Der, ...);
// a.m. and p.m. end it unless a figure, weekday, month or time zone follows;
// etc., usw. and и т.д. end it before upper case; an ellipsis before the word
// "I" does not. A wrong join costs a reader less than a wrong cut.
//
// Spans hold no white space at their ends, and everything that is not white
// space lies in exactly one span. Spans of valid UTF-8 keep grapheme clusters
// whole (a space with a combining mark on it counts as visible). Time is linear
// in the text.
func Unicode(text string) []chunking.Span {
	s := splitter{text: text}
	s.split()
	return s.spans
}

// Cover makes adjacent pieces of sentences: each takes the white space that
// follows it, the first one also what precedes it, so that the pieces joined are
// the text. Text without a sentence (nothing but white space) has no pieces.
func Cover(text string, sentences []chunking.Span) []chunking.Span {
	pieces := make([]chunking.Span, len(sentences))
	start := 0
	for i := range sentences {
		stop := len(text)
		if i+1 < len(sentences) {
			stop = sentences[i+1].Start
		}
		pieces[i] = chunking.Span{Start: start, Stop: stop}
		start = stop
	}
	return pieces
}

// splitter walks once through the text, from one mark (a terminator or a line
// break) to the next.
type splitter struct {
	text  string
	spans []chunking.Span
	// start is where the sentence being read begins.
	start int
	// line is true if a line break ends the sentence: headings, table rows, fences.
	line bool
	// item is the number of the list item last begun, 0 before the first.
	item int
	// library asks the library for every decision, also where the rules of the
	// annex are short enough to be applied here (ASCII). Tests compare the two.
	library bool
}

func (s *splitter) split() {
	marks := markTable()
	text := s.text
	s.spans = make([]chunking.Span, 0, len(text)/128)
	s.begin(0)
	for i := s.start; i < len(text); {
		c := text[i]
		if !marks[c] {
			i++
			continue
		}
		switch {
		case c == '\n' || c == '\r':
			i = s.lineBreak(i)
		case c < utf8.RuneSelf:
			i = s.terminator(i)
		default:
			r, size := utf8.DecodeRuneInString(text[i:])
			switch {
			case isLineSeparator(r):
				i = s.lineBreak(i)
			case isTerminal(r):
				i = s.terminator(i)
			default:
				i += size
			}
		}
	}
	s.add(len(text))
}

// begin skips white space from i on and starts a sentence there.
func (s *splitter) begin(i int) {
	s.start = readGap(s.text, i).stop
	s.line = false
	if !atLineStart(s.text, s.start) {
		return
	}
	b := readBlock(s.text, s.start)
	s.line = b.oneLine
	if b.number > 0 {
		s.item = b.number
	}
}

// add appends the sentence from s.start to stop, less the white space at its
// end, if anything is left.
func (s *splitter) add(stop int) int {
	for stop > s.start {
		r, size := utf8.DecodeLastRuneInString(s.text[s.start:stop])
		if !isWhite(r) {
			break
		}
		stop -= size
	}
	if stop <= s.start {
		return stop
	}
	stop = max(stop, clusterStop(s.text, stop))
	s.spans = append(s.spans, chunking.Span{Start: s.start, Stop: stop})
	return stop
}

// end closes the sentence at stop, starts the next one behind it and returns
// where to go on reading.
func (s *splitter) end(stop int) int {
	s.begin(s.add(stop))
	return s.start
}

// lineBreak decides at a line break that no terminator came before.
func (s *splitter) lineBreak(i int) int {
	g := readGap(s.text, i)
	if g.stop == i {
		// A separator that carries a combining mark is not white space.
		_, size := utf8.DecodeRuneInString(s.text[i:])
		return i + size
	}
	if s.endsAtGap(i, g) {
		return s.end(i)
	}
	return g.stop
}

// endsAtGap reports whether white space ends a sentence whatever came before it.
func (s *splitter) endsAtGap(i int, g gap) bool {
	switch {
	case g.stop == len(s.text) || g.paragraph || g.lines > 1:
		return true
	case g.lines == 0:
		return false
	case s.line:
		return true
	}
	if r, _ := lastInk(s.text[s.start:i]); isThai(r) {
		return true
	}
	b := readBlock(s.text, g.stop)
	return b.starts && (b.number <= 1 || b.number == s.item+1)
}

// terminator decides at the terminator at i and returns where to go on.
func (s *splitter) terminator(i int) int {
	m := readMark(s.text, i)
	g := readGap(s.text, m.stop)
	if g.stop == len(s.text) || s.endsAtGap(m.stop, g) || s.ends(m, g) {
		return s.end(m.stop)
	}
	return max(m.stop, g.stop)
}
