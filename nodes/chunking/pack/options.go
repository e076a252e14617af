package pack

import (
	"fmt"

	"github.com/ironflow/ironflow/nodes/chunking"
)

// Measure counts text in a unit: bytes, characters, tokens.
type Measure interface {
	// Count returns the size of text.
	Count(text string) int
	// Fit returns the length in bytes of the longest prefix of text, ending
	// between two code points, whose size is at most limit; the whole length if
	// all of it fits.
	Fit(text string, limit int) int
}

// SplitFunc returns the sentences of a text as spans, in order, without the white
// space between them: sentence.Unicode or sentence.ASCII.
type SplitFunc func(text string) []chunking.Span

// RecursiveOptions says how [Recursive] cuts.
type RecursiveOptions struct {
	// Size is the most that a chunk may measure, at least 1.
	Size int
	// Unit measures; required.
	Unit Measure
	// Overlap is how much of a chunk the next one may repeat, in the unit: 0 to
	// Size-1.
	Overlap int
	// MinSize is the least that a chunk should measure, 0 to Size; 0 is no least
	// size. See [Recursive].
	MinSize int
	// Separators are strings to cut behind, from that of the biggest unit to that
	// of the smallest. The last one may be empty, which stands for characters;
	// these are the last resort in any case. None (nil) means paragraph, line,
	// sentence, clause, word, character.
	Separators []string
	// Sentences finds sentences when there are no Separators; nil is
	// sentence.Unicode.
	Sentences SplitFunc
}

// SentencesOptions says how [Sentences] cuts.
type SentencesOptions struct {
	// Size is the most that a chunk may measure, at least 1.
	Size int
	// Unit measures; required.
	Unit Measure
	// Overlap is how many sentences of a chunk the next one repeats, from 0 on.
	Overlap int
	// Sentences finds sentences; nil is sentence.Unicode.
	Sentences SplitFunc
}

// maxSeparators bounds the time: a window may be searched once per separator.
const maxSeparators = 64

func checkSize(size int, unit Measure) error {
	if unit == nil {
		return &chunking.OptionError{Param: "unit", Value: nil, Allowed: "bytes, chars or tokens"}
	}
	if size < 1 {
		return &chunking.OptionError{Param: "size", Value: size, Allowed: "a number from 1 on"}
	}
	return nil
}

func (o RecursiveOptions) check() error {
	if err := checkSize(o.Size, o.Unit); err != nil {
		return err
	}
	switch {
	case o.Overlap < 0 || o.Overlap >= o.Size:
		return &chunking.OptionError{Param: "overlap", Value: o.Overlap, Allowed: fmt.Sprintf("0 to %d, less than size (%d)", o.Size-1, o.Size)}
	case o.MinSize < 0 || o.MinSize > o.Size:
		return &chunking.OptionError{Param: "min_size", Value: o.MinSize, Allowed: fmt.Sprintf("0 to size (%d)", o.Size)}
	case len(o.Separators) > maxSeparators:
		return &chunking.OptionError{Param: "separators", Value: fmt.Sprintf("a list of %d", len(o.Separators)), Allowed: fmt.Sprintf("at most %d strings", maxSeparators)}
	}
	for i, s := range o.Separators {
		if s == "" && i < len(o.Separators)-1 {
			return &chunking.OptionError{
				Param: fmt.Sprintf("separators[%d]", i+1), Value: s,
				Allowed: "a string of at least one character; the empty one (cut anywhere) may only be the last",
			}
		}
		if err := chunking.CheckUTF8(s); err != nil {
			return &chunking.OptionError{Param: fmt.Sprintf("separators[%d]", i+1), Value: s, Allowed: "valid UTF-8"}
		}
	}
	return nil
}

func (o SentencesOptions) check() error {
	if err := checkSize(o.Size, o.Unit); err != nil {
		return err
	}
	if o.Overlap < 0 {
		return &chunking.OptionError{Param: "overlap", Value: o.Overlap, Allowed: "a number of sentences from 0 on"}
	}
	return nil
}
