package ai

import (
	"context"
	"math"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/chunking"
	"github.com/ironflow/ironflow/nodes/chunking/semantic"
	"github.com/ironflow/ironflow/nodes/chunking/sentence"
	"github.com/ironflow/ironflow/nodes/value"
	"github.com/ironflow/ironflow/providers"
)

// segmentModel is the local model that suits the cutting of text best: its
// vectors hold meaning alone, without the words themselves.
const segmentModel = "static"

const semanticDoc = `The default cuts where a smoothed curve of the distance between neighbouring sentences has a peak. It suits texts with
few, clear changes of topic, each several sentences long: peaks closer than about five sentences merge, and there is no
limit on the size of a chunk. Put ` + "`ai_chunk`" + ` behind it when you need one.

1. Sentences end at ` + "`.`, `!` or `?`" + ` before white space or the end of the text.
2. All sentences are embedded in bounded batches; a batch edge is never a boundary.
3. The distance at each gap is one minus the mean cosine of the neighbouring pairs in ` + "`sim_window`" + `.
4. The curve is smoothed (Savitzky-Golay, ` + "`sg_window`, `poly_order`" + `); its interior maxima are candidates.
5. A candidate is kept when its strength is at or above the percentile 1 - ` + "`threshold`" + ` of all candidates, and at least
   ` + "`min_distance`" + ` gaps behind the last one kept.

` + "`threshold`" + ` is relative: 0 keeps only the strongest candidate, 1 keeps all. Blank text gives no chunks; a single sentence is
returned unchanged; neither makes a request. Fewer than six sentences are never cut with the default settings.

With ` + "`text=\"joined\"`" + ` the sentences of a chunk are joined with one space; ` + "`text=\"source\"`" + ` gives the slice of the source itself, with its
own line breaks, and is what we recommend.`

func semanticNode(vendors []providers.Vendor) nodes.Node {
	e := &embedder{vendors: vendors, localModel: segmentModel}
	params := []nodes.Param{
		{Name: "source_key", Type: nodes.String, Role: nodes.Source, Interpolate: true, Required: true,
			Help: "the text"},
		{Name: "output_key", Type: nodes.String, Role: nodes.OutputKey, NonEmpty: true, Default: "semantic",
			Help: "start of the published keys"},
		{Name: "sim_window", Type: nodes.Integer, Default: int64(3), Range: nodes.Between(0, 1000001), Unit: "sentence pairs",
			Help: "pairs averaged for the distance at a gap; below 3 counts as 3, an even value as one more"},
		{Name: "sg_window", Type: nodes.Integer, Default: int64(11), Range: nodes.Between(1, 501), Unit: "gaps",
			Help: "window of the smoothing; an even value counts as one more"},
		{Name: "poly_order", Type: nodes.Integer, Default: int64(3), Range: nodes.Between(1, 10),
			Help: "order of the smoothing polynomial"},
		{Name: "threshold", Type: nodes.Number, Default: 0.5, Range: nodes.Between(0, 1),
			Help: "how many candidates to keep: 0 only the strongest, 1 all"},
		{Name: "min_distance", Type: nodes.Integer, Default: int64(2), Range: nodes.Between(0, math.MaxInt32), Unit: "gaps",
			Help: "smallest distance between two boundaries; 0 for none"},
		{Name: "text", Type: nodes.String, Enum: []string{"joined", "source"}, Default: "joined",
			Help: "chunks as sentences joined with one space, or as slices of the source"},
		{Name: "explain", Type: nodes.Boolean, Default: false,
			Help: "also publish the curve and every candidate, with the reason why it was kept or dropped"},
	}
	return nodes.Node{
		Spec: nodes.Spec{
			Name:    "ai_chunk_semantic",
			Summary: "Cut text where its topic changes, by the distance between sentence vectors",
			Doc:     semanticDoc,
			Params:  append(params, e.params()...),
			Outputs: []nodes.OutputSpec{
				{Type: nodes.Array, Help: "the chunks, in order"},
				{Suffix: "_spans", Type: nodes.Array, Help: "for each chunk `{start, stop}` in bytes of the source, from its first sentence to its last"},
				{Suffix: "_explain", Type: nodes.Object, Help: "with `explain`: `{sentences, distance, smoothed, candidates}`"},
			},
			Examples: []nodes.Example{{
				Title: "Cut a document by topic with a local Ollama",
				Lua: `nodes.ai_chunk_semantic{
  source_key = "document",
  provider = "ollama",
  text = "source",
}`,
				Context: `{"document":"The kettle hums. The tea is strong. Milk comes last."}`,
				Needs:   "provider",
			}},
		},
		Run: func(ctx context.Context, call *nodes.Call) (nodes.Output, error) {
			return runSemantic(ctx, call, e)
		},
	}
}

func runSemantic(ctx context.Context, call *nodes.Call, e *embedder) (nodes.Output, error) {
	text, err := call.SourceString("source_key")
	if err != nil {
		return nil, err
	}
	if err := chunking.CheckUTF8(text); err != nil {
		return nil, call.Errorf("source_key", "%q: %w", call.String("source_key"), err)
	}
	sentences := sentence.ASCII(text)
	if chunks, spans, done := semantic.Shortcut(text, sentences); done {
		return semanticOutput(call, chunks, spans, semantic.Result{}, len(sentences)), nil
	}
	texts := make([]string, len(sentences))
	for i, s := range sentences {
		texts[i] = text[s.Start:s.Stop]
	}
	vectors, err := e.embed(ctx, call, texts, false)
	if err != nil {
		return nil, err
	}
	result, err := semantic.Detect(semantic.MatrixOver(vectors.Data, vectors.Dim), semantic.Options{
		SimWindow:   call.Int("sim_window"),
		SGWindow:    call.Int("sg_window"),
		PolyOrder:   call.Int("poly_order"),
		Threshold:   call.Float("threshold"),
		MinDistance: call.Int("min_distance"),
	})
	if err != nil {
		return nil, err
	}
	chunks, spans := semantic.Group(text, sentences, result.Cuts, call.String("text") == "joined")
	return semanticOutput(call, chunks, spans, result, len(sentences)), nil
}

func semanticOutput(call *nodes.Call, chunks []string, spans []value.Span, r semantic.Result, sentences int) nodes.Output {
	out := nodes.Output{"": value.NewStrings(chunks), "_spans": value.NewSpans(spans)}
	if !call.Bool("explain") {
		return out
	}
	candidates := make([]any, len(r.Peaks))
	for i, p := range r.Peaks {
		candidates[i] = map[string]any{"gap": int64(p.Gap), "strength": p.Strength, "kept": p.Kept, "reason": p.Reason}
	}
	out["_explain"] = map[string]any{
		"sentences":  int64(sentences),
		"distance":   value.NewFloats(r.Distance),
		"smoothed":   value.NewFloats(r.Smoothed),
		"candidates": candidates,
	}
	return out
}
