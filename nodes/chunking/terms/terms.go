// Package terms cuts text into the terms that count for its topic and that a
// search looks up: words without inflection and function words, and pairs of
// characters in scripts that set no space between words.
package terms

import (
	"unicode"
	"unicode/utf8"

	"github.com/kljensen/snowball/english"
)

// longestStemmed is the most bytes of a word that is stemmed; what is longer is
// no English word.
const longestStemmed = 40

// Index turns text into terms, as numbers: equal terms have equal numbers, which
// count from zero in the order of their first appearance. Any number of goroutines
// may call Find at once while none calls Add.
//
// Terms are runs of letters, marks and digits in lower case. English function
// words are left out, words of Latin letters are reduced to their stem by the
// English Snowball stemmer. Scripts that put no space between words (Chinese,
// Japanese, Thai, Lao, Khmer, Burmese) and Korean give a term for every two
// neighbouring characters, or for a single one that stands alone.
type Index struct {
	stop  map[string]bool
	words map[string]int32 // word as written, in lower case, to its number
	terms map[string]int32
}

// noTerm is the number of a word that is left out.
const noTerm = -1

// NewIndex returns an index without terms.
func NewIndex() *Index {
	return &Index{stop: stopWords(), words: map[string]int32{}, terms: map[string]int32{}}
}

// Len returns how many different terms the index has met.
func (x *Index) Len() int { return len(x.terms) }

// Add returns the terms of a text in the order they stand in, as often as they
// stand there.
func (x *Index) Add(text string) []int32 {
	var out []int32
	walk(text, func(word []byte) {
		if n := x.number(word); n != noTerm {
			out = append(out, n)
		}
	}, func(term string) {
		out = append(out, x.intern(term))
	})
	return out
}

// Find returns those terms of a text that the index has met, like Add, and adds
// none.
func (x *Index) Find(text string) []int32 {
	var out []int32
	found := func(term string) {
		if n, ok := x.terms[term]; ok {
			out = append(out, n)
		}
	}
	walk(text, func(word []byte) {
		if n, ok := x.words[string(word)]; ok {
			if n != noTerm {
				out = append(out, n)
			}
		} else if w := string(word); !x.stop[w] {
			found(stem(w))
		}
	}, found)
	return out
}

// walk calls word for every word of the text, in lower case, and term for every
// term of a script without spaces. The bytes of a word are gone after the call.
func walk(text string, word func([]byte), term func(string)) {
	var letters []byte
	end := func() {
		if len(letters) > 0 {
			word(letters)
			letters = letters[:0]
		}
	}
	var dense rune // the last character of a script without spaces, 0 for none
	single := false
	alone := func() {
		if dense != 0 && single {
			term(string(dense))
		}
		dense = 0
	}
	for _, r := range text {
		switch {
		case isMark(r) && dense != 0:
			// A vowel sign belongs to the character it stands on.
		case isDense(r):
			end()
			if dense != 0 {
				term(string([]rune{dense, r}))
				single = false
			} else {
				single = true
			}
			dense = r
		case isWordRune(r):
			alone()
			letters = utf8.AppendRune(letters, unicode.ToLower(r))
		default:
			end()
			alone()
		}
	}
	end()
	alone()
}

// number returns the number of a word in lower case.
func (x *Index) number(word []byte) int32 {
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

func (x *Index) intern(term string) int32 {
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
