package unit

import (
	"sync"
	"unicode/utf8"

	"github.com/tiktoken-go/tokenizer/codec"

	"github.com/ironflow/ironflow/nodes/chunking"
)

// Tokens counts tokens of one encoding. Make it with [NewTokens].
type Tokens struct {
	encoding string
	split    splitFunc
	load     func() *vocabulary
	// longWord is the length in bytes beyond which Fit follows all prefixes of a
	// word in one pass rather than counting each.
	longWord int
}

var _ Counter = (*Tokens)(nil)

// NewTokens returns a counter for "cl100k_base" (or "") or "o200k_base"; another
// name is a [*chunking.OptionError]. The vocabulary is unpacked at the first use.
func NewTokens(encoding string) (*Tokens, error) {
	switch encoding {
	case "", "cl100k_base":
		return &Tokens{
			encoding: "cl100k_base",
			split:    splitCL100K,
			load:     sync.OnceValue(func() *vocabulary { return loadVocabulary(codec.NewCl100kBase()) }),
			longWord: shortWord,
		}, nil
	case "o200k_base":
		return &Tokens{
			encoding: "o200k_base",
			split:    splitO200K,
			load:     sync.OnceValue(func() *vocabulary { return loadVocabulary(codec.NewO200kBase()) }),
			longWord: shortWord,
		}, nil
	}
	return nil, &chunking.OptionError{Param: "tokenizer", Value: encoding, Allowed: `"cl100k_base" or "o200k_base"`}
}

// Unit returns "tokens".
func (t *Tokens) Unit() string { return "tokens" }

// Encoding returns the name of the encoding.
func (t *Tokens) Encoding() string { return t.encoding }

// Count returns the number of tokens of text.
func (t *Tokens) Count(text string) int {
	v := t.load()
	n := 0
	for i := 0; i < len(text); {
		w := t.split(text, i)
		n += v.count(text[i:w.stop])
		i = w.stop
	}
	return n
}

// Fits reports whether text has at most size tokens.
func (t *Tokens) Fits(text string, size int) bool {
	if len(text) <= size {
		return true // a token has at least one byte
	}
	v := t.load()
	if size <= 0 || len(text)/v.maxLen > size {
		return false
	}
	for i := 0; i < len(text); {
		w := t.split(text, i)
		if size -= v.count(text[i:w.stop]); size < 0 {
			return false
		}
		i = w.stop
	}
	return true
}

// Fit returns the length of the longest prefix of text with at most size tokens.
//
// A prefix is split like the text up to the word before the one it ends in; only
// these last two words can turn out differently (a blank moves, a contraction is
// cut). So the words are counted until no prefix that ends in a later one can fit,
// and the ends within the last words are tried from the back.
func (t *Tokens) Fit(text string, size int) int {
	if len(text) <= size {
		return len(text)
	}
	if size <= 0 {
		return 0
	}
	v := t.load()
	// Twelve bytes a token are plenty for prose, and no token has more than maxLen.
	for most := 64 + 12*size; ; most *= 4 {
		part := text
		if len(text) > most {
			part = text[:byteCounter{}.Fit(text, most)]
		}
		stop, decided := t.fitWithin(v, part, size)
		if decided || len(part) == len(text) || most/v.maxLen > size {
			return stop
		}
	}
}

// fitWithin is Fit for a text that may be cut off; decided is true if nothing that
// might follow changes the result.
func (t *Tokens) fitWithin(v *vocabulary, text string, size int) (stop int, decided bool) {
	// words[k] and before[k]: word k, and the tokens of the words before it.
	words := make([]word, 0, min(size, len(text))+3)
	before := make([]int, 0, cap(words))
	total := 0
	for i := 0; i < len(text); {
		if k := len(words); k > 1 && before[k-1] >= size {
			decided = true // a prefix that ends in word k has the tokens before k-1 and one more
			break
		}
		w := t.split(text, i)
		words, before = append(words, w), append(before, total)
		if w.stop < len(text) {
			total += v.count(text[i:w.stop])
		}
		i = w.stop
	}
	for k := len(words) - 1; k >= 0; k-- {
		base := words[max(k-1, 0)].start
		stop, full := t.fitInWord(v, text, words[k], base, size-before[max(k-1, 0)], size-before[k])
		decided = decided || full
		if stop > words[k].start {
			return stop, decided
		}
	}
	return 0, decided
}

// fitInWord returns the last offset within w, behind its start, at which a prefix
// that fits ends, or w.start. left is what may be spent from base, the start of
// the word before w, on; leftHere from the start of w, where that word stands.
// full is true if no longer prefix can fit, however the word goes on.
func (t *Tokens) fitInWord(v *vocabulary, text string, w word, base, left, leftHere int) (last int, full bool) {
	start, stop := w.start, w.stop
	if stop-start > t.longWord {
		// The word before is sure to stand once four code points follow it.
		sure := start
		for range 4 {
			_, size := utf8.DecodeRuneInString(text[sure:stop])
			sure += size
		}
		if last, full = v.fitLong(text, w, sure, leftHere); last > sure {
			return last, full
		}
		stop = sure
	}
	for stop > start {
		if t.Fits(text[base:stop], left) {
			return stop, full
		}
		_, size := utf8.DecodeLastRuneInString(text[start:stop])
		stop -= size
	}
	return start, full
}
