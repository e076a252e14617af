package ai

import (
	"context"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/chunking"
	"github.com/ironflow/ironflow/nodes/chunking/pack"
	"github.com/ironflow/ironflow/nodes/chunking/semantic"
	"github.com/ironflow/ironflow/nodes/chunking/sentence"
	"github.com/ironflow/ironflow/nodes/value"
	"github.com/ironflow/ironflow/providers"
)

// segmentModel is the local model that suits the cutting of text best: its
// vectors hold meaning alone, without the words themselves.
const segmentModel = "static"

const semanticDoc = `The default, ` + "`detector=\"savgol\"`" + `, cuts where a smoothed curve of the distance between neighbouring sentences has a peak. It
suits texts with few, clear changes of topic, each several sentences long; peaks closer than about five sentences merge,
and chunks have no limit. On public sets it finds topic changes no better than not cutting at all: for chunks of a useful
size set ` + "`detector=\"auto\"` and `target_size`" + `.

* ` + "`savgol`" + `: peaks of the smoothed distance (` + "`sim_window`, `sg_window`, `poly_order`" + `) whose strength is at or above the percentile
  1 - ` + "`threshold`" + ` of all of them, at least ` + "`min_distance`" + ` gaps apart. 0 keeps only the strongest, 1 keeps all.
* ` + "`depth`" + `: the deepest valleys of similarity between windows of 3, 6 and 10 sentences, above mean plus one standard deviation.
* ` + "`dp`" + `: the division that keeps closest to ` + "`target_size`" + ` and cuts at the widest gaps (least cost over all divisions).
* ` + "`topic`" + `: the division in which words and vectors of each segment agree best (after Utiyama and Isahara 2001).
* ` + "`auto`" + `: ` + "`dp` when `target_size` or `max_size`" + ` is set, else ` + "`topic`" + `.

` + "`max_size`" + ` is hard with every detector: a longer chunk is cut at its strongest remaining gap, and inside a sentence only when that
sentence alone is too long. ` + "`min_size`" + ` joins a short chunk to the more similar neighbour.

All sentences are embedded in bounded batches, once; a batch edge is never a boundary. Blank text gives no chunks, a single
sentence that fits is returned unchanged; neither makes a request. ` + "`{k}_spans`" + ` slice the source exactly; with ` + "`text=\"joined\"`" + ` the
sentences of a chunk are joined with one space, with ` + "`text=\"source\"`" + `, which we recommend, a chunk is the slice itself.`

func semanticNode(vendors []providers.Vendor) nodes.Node {
	n := &semanticRunner{embedder: embedder{vendors: vendors, localModel: segmentModel}}
	return nodes.Node{
		Spec: nodes.Spec{
			Name:    "ai_chunk_semantic",
			Summary: "Cut text where its topic changes, by the vectors of its sentences",
			Doc:     semanticDoc,
			Params:  append(semanticParams(), n.embedder.params()...),
			Outputs: []nodes.OutputSpec{
				{Type: nodes.Array, Help: "the chunks, in order"},
				{Suffix: "_spans", Type: nodes.Array, Help: "for each chunk `{start, stop}` in bytes of the source, from its first sentence to its last"},
				{Suffix: "_explain", Type: nodes.Object, Help: "with `explain`: `{detector, sentences, curve, candidates, ...}`; a candidate is `{gap, strength, kept, reason}`, its gap follows that sentence (from 0)"},
			},
			Examples: []nodes.Example{
				{
					Title:   "Chunks of about 60 characters, never over 120, cut at the widest gaps",
					Lua:     `nodes.ai_chunk_semantic{ source_key = "document", detector = "dp", target_size = 60, max_size = 120, provider = "ollama" }`,
					Context: `{"document":"The kettle hums. The tea is strong. Milk comes last. A rail is worn. The train is late. Nobody waits."}`,
					Needs:   "provider",
				},
				{
					Title: "The default, with the reasons",
					Lua: `nodes.ai_chunk_semantic{
  source_key = "document",
  provider = "ollama",
  text = "source",
  explain = true,
}`,
					Context: `{"document":"The kettle hums. The tea is strong. Milk comes last."}`,
					Needs:   "provider",
				},
			},
		},
		Run: n.run,
	}
}

// semanticRunner is ai_chunk_semantic.
type semanticRunner struct {
	embedder embedder
	counters counters
}

func (n *semanticRunner) run(ctx context.Context, call *nodes.Call) (nodes.Output, error) {
	text, err := call.SourceString("source_key")
	if err != nil {
		return nil, err
	}
	if err := chunking.CheckUTF8(text); err != nil {
		return nil, call.Errorf("source_key", "%q: %w", call.String("source_key"), err)
	}
	options, err := n.options(call)
	if err != nil {
		return nil, optionError(call, err)
	}
	sentences := splitFunc(call.String("sentence_mode"))(text)
	var vectors semantic.Matrix
	if semantic.NeedsVectors(text, sentences) {
		texts := make([]string, len(sentences))
		for i, s := range sentences {
			texts[i] = s.Slice(text)
		}
		answer, err := n.embedder.embed(ctx, call, texts, false)
		if err != nil {
			return nil, err
		}
		vectors = semantic.MatrixOver(answer.Data, answer.Dim)
	}
	result, err := semantic.Segment(text, sentences, vectors, options)
	if err != nil {
		return nil, optionError(call, err)
	}
	out := nodes.Output{"": value.NewStrings(result.Texts), "_spans": value.NewSpans(result.Spans)}
	if call.Bool("explain") {
		out["_explain"] = explanation(len(sentences), result.Explanation)
	}
	return out, nil
}

// splitFunc finds sentences in the way that sentence_mode names.
func splitFunc(mode string) func(text string) []chunking.Span {
	switch mode {
	case "unicode":
		return sentence.Unicode
	case "lines":
		return sentence.Lines
	}
	return sentence.ASCII
}

// options turns the parameters into those of the algorithm, and checks them
// before anything is sent.
func (n *semanticRunner) options(call *nodes.Call) (semantic.SegmentOptions, error) {
	counter, err := n.counters.get(call.String("unit"), call.String("tokenizer"))
	if err != nil {
		return semantic.SegmentOptions{}, err
	}
	savgol := semantic.DefaultOptions()
	savgol.MinDistance = call.Int("min_distance")
	if call.String("detector") == semantic.DetectorSavgol {
		savgol.SimWindow, savgol.SGWindow = call.Int("sim_window"), call.Int("sg_window")
		savgol.PolyOrder, savgol.Threshold = call.Int("poly_order"), call.Float("threshold")
	}
	maxSize := call.Int("max_size")
	o := semantic.SegmentOptions{
		Detector: call.String("detector"), Savgol: savgol,
		TargetSize: call.Int("target_size"), MaxSize: maxSize, MinSize: call.Int("min_size"), Overlap: call.Int("overlap"),
		Unit: counter, Additive: counter.Unit() != "tokens", Joined: call.String("text") == "joined", Explain: call.Bool("explain"),
		CutSentence: func(sentence string) ([]chunking.Span, error) {
			return pack.Recursive(sentence, pack.RecursiveOptions{Size: maxSize, Unit: counter})
		},
	}
	return o, o.Check()
}

// explanation publishes why the text was cut where it was; a text without a
// gap has nothing to explain.
func explanation(sentences int, e *semantic.Explanation) map[string]any {
	out := map[string]any{"sentences": int64(sentences), "candidates": []any{}}
	if e == nil {
		return out
	}
	out["detector"] = e.Detector
	if e.Cutoff != 0 {
		out["cutoff"] = e.Cutoff
	}
	if e.Cost != 0 {
		out["cost"] = e.Cost
	}
	for i, c := range e.Curves {
		out[c.Name] = value.NewFloats(c.Values)
		if i == 0 {
			out["curve"] = value.NewFloats(c.Values)
		}
	}
	candidates := make([]any, len(e.Candidates))
	for i, p := range e.Candidates {
		candidates[i] = map[string]any{"gap": int64(p.Gap), "strength": p.Strength, "kept": p.Kept, "reason": p.Reason}
	}
	out["candidates"] = candidates
	return out
}
