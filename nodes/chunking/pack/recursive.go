package pack

import (
	"github.com/ironflow/ironflow/nodes/chunking"
	"github.com/ironflow/ironflow/nodes/chunking/internal/window"
	"github.com/ironflow/ironflow/nodes/chunking/sentence"
)

// Recursive cuts text into chunks of at most o.Size. A chunk stops at the end of
// the biggest unit that ends where the chunk may stop, at the last such end, so
// that it holds as many whole neighbours as fit; a unit that is too large is cut
// into the next smaller ones. Separators stay at the end of the unit before them.
//
// Units are, unless o.Separators says otherwise: paragraphs (a blank line between
// them), lines ("\n"), sentences, clauses (behind a comma, semicolon, colon or
// dash), words (white space between them) and grapheme clusters.
//
// With MinSize, an end that would leave less is passed over for one of a smaller
// unit: a short paragraph is joined with the beginning of the long one that
// follows. The last chunk is joined to the one before if both fit into one; else
// the two are cut anew so that neither is too small, if their text allows it. A
// smaller chunk is left only where no cut makes it larger (a cluster that does
// not fit behind it, a run of white space left out, a short text).
//
// With Overlap, a chunk begins with the longest run of whole units at the end of
// the one before it that measures at most so much: units of the kind that the one
// before was cut at, or, if not even one of these is short enough, of the next
// smaller kind. There is none where the text that follows would not fit behind it.
//
// Blank text has no chunks.
func Recursive(text string, o RecursiveOptions) ([]chunking.Span, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if err := chunking.CheckUTF8(text); err != nil {
		return nil, err
	}
	clusters := window.NewClusters(text)
	breaks := &window.Text{Source: text, Clusters: clusters, Separators: separators(o)}
	return window.Run(text, clusters, breaks, window.Options{
		Measure: o.Unit, Size: o.Size, MinSize: o.MinSize, Overlap: o.Overlap,
	}), nil
}

func separators(o RecursiveOptions) []window.Separator {
	if o.Separators == nil {
		return append([]window.Separator{window.Paragraph{}, window.Line{}, window.Sentence{Split: splitOr(o.Sentences)}}, small()...)
	}
	list := make([]window.Separator, 0, len(o.Separators))
	for _, s := range o.Separators {
		if s != "" {
			list = append(list, window.Literal(s))
		}
	}
	return list
}

// small are the units within a sentence.
func small() []window.Separator { return []window.Separator{window.Clause{}, window.Word{}} }

func splitOr(f SplitFunc) SplitFunc {
	if f == nil {
		return sentence.Unicode
	}
	return f
}
