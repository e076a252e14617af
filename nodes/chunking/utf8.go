package chunking

import (
	"math/bits"
	"unicode/utf8"
)

const (
	lowBits  = 0x0101010101010101
	highBits = 0x8080808080808080
)

// CheckUTF8 returns an [*InvalidUTF8Error] for the first byte that does not
// belong to a well-formed code point, or nil. Chunkers call it on whole
// documents, so runs of ASCII and of three-byte characters (most of Chinese,
// Japanese, Korean and Hindi) are read by the word; the standard library
// decides everything else.
func CheckUTF8(text string) error {
	for i := 0; i < len(text); {
		for i+8 <= len(text) && load64(text, i)&highBits == 0 {
			i += 8
		}
		for i+4 <= len(text) && isPlainThreeBytes(load32(text, i)) {
			i += 3
		}
		if i == len(text) {
			break
		}
		if text[i] < utf8.RuneSelf {
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if r == utf8.RuneError && size == 1 {
			return &InvalidUTF8Error{Offset: i, Byte: text[i]}
		}
		i += size
	}
	return nil
}

// isPlainThreeBytes reports whether the three lowest bytes of w, in memory
// order, are a character of three bytes whose first byte (not E0, not ED) allows
// any continuation.
func isPlainThreeBytes(w uint32) bool {
	lead := w & 0x0f
	return w&0xc0c0f0 == 0x8080e0 && lead != 0x0 && lead != 0xd
}

// countChars returns the number of code points of valid UTF-8: its bytes less
// the continuation bytes, which begin with the bits 10.
func countChars(text string) int {
	n, i := len(text), 0
	for ; i+8 <= len(text); i += 8 {
		w := load64(text, i)
		n -= bits.OnesCount64(w >> 7 & ^(w >> 6) & lowBits)
	}
	for ; i < len(text); i++ {
		if !utf8.RuneStart(text[i]) {
			n--
		}
	}
	return n
}

// load64 reads eight bytes from i on, the first one lowest.
func load64(s string, i int) uint64 {
	b := s[i : i+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// load32 reads four bytes from i on, the first one lowest.
func load32(s string, i int) uint32 {
	b := s[i : i+4]
	return uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
}
