package semantic

import (
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
)

// longestStemmed is the most bytes of a word that is stemmed; what is longer is
// no English word.
const longestStemmed = 40

// TermIndex turns sentences into the terms that [Topic] counts, as numbers: equal
// terms have equal numbers. It is not safe for concurrent use.
//
// Terms are runs of letters, marks and digits in lower case. English function
// words are left out, words of Latin letters are reduced to their stem by the
// English Snowball stemmer. Scripts that put no space between words (Chinese,
// Japanese, Thai, Lao, Khmer, Burmese) and Korean give a term for every two
// neighbouring characters, or for a single one that stands alone.
type TermIndex struct {
	stop  map[string]bool
	words map[string]int32 // word as written, in lower case, to its number
	terms map[string]int32
	word  []byte
}

// noTerm is the number of a word that is left out.
const noTerm = -1

// NewTermIndex returns an index without terms.
func NewTermIndex() *TermIndex {
	return &TermIndex{stop: stopWords(), words: map[string]int32{}, terms: map[string]int32{}}
}

// Len returns how many different terms the index has met.
func (x *TermIndex) Len() int { return len(x.terms) }

// Add returns the terms of a sentence in the order they stand in, as often as
// they stand there.
func (x *TermIndex) Add(sentence string) []int32 {
	var out []int32
	x.word = x.word[:0]
	word := func() {
		if len(x.word) > 0 {
			if n := x.number(x.word); n != noTerm {
				out = append(out, n)
			}
			x.word = x.word[:0]
		}
	}
	var dense rune // the last character of a script without spaces, 0 for none
	single := false
	alone := func() {
		if dense != 0 && single {
			out = append(out, x.intern(string(dense)))
		}
		dense = 0
	}
	for _, r := range sentence {
		switch {
		case isMark(r) && dense != 0:
			// A vowel sign belongs to the character it stands on.
		case isDense(r):
			word()
			if dense != 0 {
				out = append(out, x.intern(string([]rune{dense, r})))
				single = false
			} else {
				single = true
			}
			dense = r
		case isWordRune(r):
			alone()
			x.word = utf8.AppendRune(x.word, unicode.ToLower(r))
		default:
			word()
			alone()
		}
	}
	word()
	alone()
	return out
}

// number returns the number of a word in lower case.
func (x *TermIndex) number(word []byte) int32 {
	if n, ok := x.words[string(word)]; ok {
		return n
	}
	w := string(word)
	n := int32(noTerm)
	if !x.stop[w] {
		n = x.intern(stem(w))
	}
	x.words[w] = n
	return n
}

func (x *TermIndex) intern(term string) int32 {
	n, ok := x.terms[term]
	if !ok {
		n = int32(len(x.terms))
		x.terms[term] = n
	}
	return n
}

// stem leaves words alone that the English rules cannot mean.
func stem(word string) string {
	if len(word) > longestStemmed {
		return word
	}
	for i := range len(word) {
		if word[i] < 'a' || 'z' < word[i] {
			return word
		}
	}
	return english.Stem(word, true)
}

func isWordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
	}
	return unicode.IsLetter(r) || unicode.IsDigit(r) || isMark(r)
}

func isMark(r rune) bool { return r >= utf8.RuneSelf && unicode.IsMark(r) }

// isDense says that r is a character of a script whose words are not set apart,
// or are too long to meet twice.
func isDense(r rune) bool {
	return r >= 0x0e00 && unicode.In(r, unicode.Han, unicode.Hiragana, unicode.Katakana, unicode.Hangul,
		unicode.Thai, unicode.Lao, unicode.Khmer, unicode.Myanmar) && unicode.IsLetter(r)
}
