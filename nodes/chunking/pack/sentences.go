package pack

import (
	"github.com/ironflow/ironflow/nodes/chunking"
	"github.com/ironflow/ironflow/nodes/chunking/internal/window"
)

// Sentences packs as many whole sentences into a chunk as fit into o.Size. A
// sentence that alone is larger is cut as [Recursive] does it: at paragraphs,
// lines, clauses, words, grapheme clusters; its last piece is packed with the
// sentences that follow.
//
// With Overlap, a chunk begins with that many of the last sentences of the one
// before it, or with fewer when the next sentence would not fit behind them; with
// none when a sentence was cut between the two chunks. A chunk never repeats the
// whole of the one before.
//
// Blank text has no chunks.
func Sentences(text string, o SentencesOptions) ([]chunking.Span, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if err := chunking.CheckUTF8(text); err != nil {
		return nil, err
	}
	clusters := window.NewClusters(text)
	breaks := &window.Sentences{
		Text: window.Text{
			Source: text, Clusters: clusters,
			Separators: append([]window.Separator{window.Paragraph{}, window.Line{}}, small()...),
		},
		Starts:  window.NewStarts(text, clusters, splitOr(o.Sentences)),
		Overlap: o.Overlap,
	}
	opts := window.Options{Measure: o.Unit, Size: o.Size}
	if o.Overlap > 0 {
		opts.Overlap = -1
	}
	return window.Run(text, clusters, breaks, opts), nil
}
