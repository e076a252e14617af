package unit

import (
	"math/bits"
	"unicode/utf8"

	"github.com/ironflow/ironflow/nodes/chunking"
)

// Counter measures text, which should be valid UTF-8. It may be used by several
// goroutines at a time, and all of its methods take time linear in what they read.
type Counter interface {
	// Unit is the name that [New] was given: "bytes", "chars" or "tokens".
	Unit() string
	// Count returns how many units the text has as it stands.
	Count(text string) int
	// Fits reports whether the text has at most size units. It stops reading when
	// that is decided.
	Fits(text string, size int) bool
	// Fit returns the length in bytes of the longest prefix of text that ends
	// between code points and has at most size units; 0 if the first code point
	// alone has more. It reads no more of the text than decides that.
	Fit(text string, size int) int
}

// New returns the counter for a unit: "bytes", "chars" or "tokens". The tokenizer
// matters for "tokens" only: "cl100k_base" (also the meaning of "") or
// "o200k_base". Other names are a [*chunking.OptionError] for the parameters
// "unit" and "tokenizer".
//
// A token counter unpacks its vocabulary at its first use and keeps it, so hold
// on to it.
func New(unit, tokenizer string) (Counter, error) {
	switch unit {
	case "bytes":
		return byteCounter{}, nil
	case "chars":
		return charCounter{}, nil
	case "tokens":
		return NewTokens(tokenizer)
	}
	return nil, &chunking.OptionError{Param: "unit", Value: unit, Allowed: `"bytes", "chars" or "tokens"`}
}

type byteCounter struct{}

func (byteCounter) Unit() string { return "bytes" }

func (byteCounter) Count(text string) int { return len(text) }

func (byteCounter) Fits(text string, size int) bool { return len(text) <= size }

func (byteCounter) Fit(text string, size int) int {
	if len(text) <= size {
		return len(text)
	}
	for size > 0 && !utf8.RuneStart(text[size]) {
		size--
	}
	return max(size, 0)
}

type charCounter struct{}

func (charCounter) Unit() string { return "chars" }

// Count counts the bytes that are no continuation bytes (10xxxxxx), eight at a
// time; for valid UTF-8 these are the code points.
func (charCounter) Count(text string) int {
	n, i := len(text), 0
	for ; i+8 <= len(text); i += 8 {
		w := load64(text, i)
		n -= bits.OnesCount64(w >> 7 & ^(w >> 6) & 0x0101010101010101)
	}
	for ; i < len(text); i++ {
		if !utf8.RuneStart(text[i]) {
			n--
		}
	}
	return n
}

func (c charCounter) Fits(text string, size int) bool {
	if len(text) <= size {
		return true
	}
	// A code point has at most four bytes.
	return size >= 0 && len(text)/utf8.UTFMax <= size && c.Count(text) <= size
}

func (charCounter) Fit(text string, size int) int {
	if len(text) <= size {
		return len(text)
	}
	i, left := 0, size
	for left >= 8 && i+8 <= len(text) {
		w := load64(text, i)
		left -= 8 - bits.OnesCount64(w>>7 & ^(w>>6) & 0x0101010101010101)
		i += 8
	}
	for ; i < len(text); i++ {
		if utf8.RuneStart(text[i]) {
			if left <= 0 {
				break
			}
			left--
		}
	}
	return i
}

// load64 reads eight bytes from i on, the first one lowest.
func load64(s string, i int) uint64 {
	b := s[i : i+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}
