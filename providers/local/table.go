package local

import (
	_ "embed"
	"encoding/binary"
	"errors"
	"fmt"
)

// weights is the file described in build/README.md. A string stays in pages
// that processes share and that are never copied; a []byte would be data that
// each process may write.
//
//go:embed local-model.bin
var weights string

const (
	magic      = "IFLMST01"
	headerSize = len(magic) + 6*4
	// dim is the length of a row, and of each half of a hybrid vector.
	dim = 256
	// alignment of the rows in the file.
	alignment = 64
)

// Bits of a table entry: the row of a piece, and what else is known.
const (
	rowBits      = 1<<20 - 1
	hasRow       = 1 << 20
	functionWord = 1 << 21
)

// table finds pieces and function words by their text, and the rows of
// pieces. It only reads the file; what it holds itself is the index.
type table struct {
	mul  string // u16 for each row, little endian
	idf  string // u8 for each row
	rows string // int8, dim for each row

	text string // vocabulary and function words, as in the file
	// slots is a hash table with open addressing: the entry number plus 1, or
	// 0. Its length is a power of two.
	slots   []uint32
	entries []entry
	// longest is the length of the longest piece in bytes, without "##".
	longest int
}

// entry is one text of the table. hash tells start pieces from continuations.
type entry struct {
	hash   uint64
	lo, hi uint32 // text[lo:hi], without "##"
	bits   uint32
}

// newTable indexes a file of weights. It checks the sizes, so that nothing is
// read beyond the end, but not the content.
func newTable(file string) (*table, error) {
	if len(file) < headerSize || file[:len(magic)] != magic {
		return nil, errors.New("the weights do not start with " + magic)
	}
	var head [6]int
	for i := range head {
		at := len(magic) + 4*i
		head[i] = int(binary.LittleEndian.Uint32([]byte(file[at : at+4])))
	}
	rows, vocabulary, words, wordBytes := head[1], head[2], head[3], head[4]
	if limit := len(file); head[0] != dim || rows > limit/dim || rows > rowBits || vocabulary > limit || wordBytes > limit || words > wordBytes {
		return nil, fmt.Errorf("the header of the weights does not fit a file of %d bytes", len(file))
	}
	text := headerSize + 3*rows
	start := (text + vocabulary + wordBytes + alignment - 1) / alignment * alignment
	if len(file) != start+rows*dim {
		return nil, fmt.Errorf("the weights have %d bytes, their header says %d", len(file), start+rows*dim)
	}
	t := &table{
		mul:     file[headerSize : headerSize+2*rows],
		idf:     file[headerSize+2*rows : text],
		rows:    file[start:],
		text:    file[text : text+vocabulary+wordBytes],
		entries: make([]entry, 0, rows+words),
	}
	size := 1
	for size < 2*(rows+words) {
		size *= 2
	}
	t.slots = make([]uint32, size)
	if n := t.addLines(0, vocabulary, t.addPiece); n != rows {
		return nil, fmt.Errorf("the weights name %d pieces for %d rows", n, rows)
	}
	if n := t.addLines(vocabulary, vocabulary+wordBytes, t.addFunctionWord); n != words {
		return nil, fmt.Errorf("the weights name %d function words, their header says %d", n, words)
	}
	return t, nil
}

// addLines calls add with the bounds of each line of text[lo:hi] and its
// number, and returns how many there are.
func (t *table) addLines(lo, hi int, add func(lo, hi, n int)) int {
	n, start := 0, lo
	for i := lo; i <= hi && lo < hi; i++ {
		if i == hi || t.text[i] == '\n' {
			add(start, i, n)
			n++
			start = i + 1
		}
	}
	return n
}

func (t *table) addPiece(lo, hi, row int) {
	kind := kindWord
	if hi-lo > 2 && t.text[lo] == '#' && t.text[lo+1] == '#' {
		kind, lo = kindContinued, lo+2
	}
	t.longest = max(t.longest, hi-lo)
	t.add(fnv(kind, t.text[lo:hi]), lo, hi, hasRow|uint32(row))
}

func (t *table) addFunctionWord(lo, hi, _ int) {
	h := fnv(kindWord, t.text[lo:hi])
	if i := t.find(h, t.text[lo:hi]); i >= 0 {
		t.entries[i].bits |= functionWord
		return
	}
	t.add(h, lo, hi, functionWord)
}

func (t *table) add(h uint64, lo, hi int, bits uint32) {
	t.entries = append(t.entries, entry{h, uint32(lo), uint32(hi), bits})
	mask := uint64(len(t.slots) - 1)
	i := spread(h) & mask
	for t.slots[i] != 0 {
		i = (i + 1) & mask
	}
	t.slots[i] = uint32(len(t.entries))
}

// spread brings all bits of an FNV-1a hash to bear on the slot.
func spread(h uint64) uint64 { return h ^ h>>29 }

// find returns the number of the entry with that hash and text, or -1.
func (t *table) find(h uint64, text string) int {
	mask := uint64(len(t.slots) - 1)
	for i := spread(h) & mask; t.slots[i] != 0; i = (i + 1) & mask {
		e := &t.entries[t.slots[i]-1]
		if e.hash == h && t.text[e.lo:e.hi] == text {
			return int(t.slots[i] - 1)
		}
	}
	return -1
}

// lookup returns what is known of a text; 0 when it is not in the table.
func (t *table) lookup(h uint64, text []byte) uint32 {
	mask := uint64(len(t.slots) - 1)
	for i := spread(h) & mask; t.slots[i] != 0; i = (i + 1) & mask {
		e := &t.entries[t.slots[i]-1]
		if e.hash == h && t.text[e.lo:e.hi] == string(text) {
			return e.bits
		}
	}
	return 0
}
