package markdown

import (
	"strings"
	"unicode"

	"github.com/ironflow/ironflow/nodes/chunking"
)

// Kind is what a [Block] is.
type Kind int

// The kinds of blocks that lose their meaning when they are cut.
const (
	// Fence is a fenced code block, from its first fence to its last.
	Fence Kind = iota
	// Table is a table, from its header row to its last row.
	Table
)

// Block is a part of a document.
type Block struct {
	Kind Kind
	// Span is where it lies, in bytes, without white space at its end.
	Span chunking.Span
}

// Blocks returns the fenced code blocks and the tables of a document, in order,
// also those in lists and quotes, as [Split] sees them. Time is linear in the text.
func Blocks(text string) []Block {
	var blocks []Block
	d := newOutline(text, Options{Size: 1, Unit: boundless{}})
	d.blocks = &blocks
	d.upTo(len(text))
	return blocks
}

// note collects a block and returns its stop.
func (d *outline) note(kind Kind, start, stop int) int {
	if d.blocks != nil {
		text := strings.TrimRightFunc(d.text[start:stop], unicode.IsSpace)
		*d.blocks = append(*d.blocks, Block{Kind: kind, Span: chunking.Span{Start: start, Stop: start + len(text)}})
	}
	return stop
}

// boundless takes every text for small, so that no block has to be cut.
type boundless struct{}

// Count implements [pack.Measure].
func (boundless) Count(string) int { return 0 }

// Fit implements [pack.Measure].
func (boundless) Fit(text string, _ int) int { return len(text) }
