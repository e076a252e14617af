package markdown

import (
	"fmt"

	"github.com/ironflow/ironflow/nodes/chunking"
	"github.com/ironflow/ironflow/nodes/chunking/pack"
)

// Options says how [Split] cuts.
type Options struct {
	// Size is the most that a chunk with its context may measure, at least 1.
	Size int
	// Unit measures; required.
	Unit pack.Measure
	// Overlap is how much of a chunk the next one may repeat, in the unit: 0 to
	// Size-1. It is made of whole units (sections, blocks, items, lines, rows,
	// sentences, ...); what has to stay whole is repeated whole or not at all.
	Overlap int
	// Sentences finds sentences in paragraphs that have to be cut; nil is
	// sentence.Unicode.
	Sentences pack.SplitFunc
}

func (o Options) check() error {
	switch {
	case o.Unit == nil:
		return &chunking.OptionError{Param: "unit", Value: nil, Allowed: "bytes, chars or tokens"}
	case o.Size < 1:
		return &chunking.OptionError{Param: "size", Value: o.Size, Allowed: "a number from 1 on"}
	case o.Overlap < 0 || o.Overlap >= o.Size:
		return &chunking.OptionError{Param: "overlap", Value: o.Overlap, Allowed: fmt.Sprintf("0 to %d, less than size (%d)", o.Size-1, o.Size)}
	}
	return nil
}
