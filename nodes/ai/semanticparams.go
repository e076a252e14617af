package ai

import (
	"math"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/chunking/semantic"
)

// semanticParams are the parameters of ai_chunk_semantic but those of the
// provider.
func semanticParams() []nodes.Param {
	savgol := nodes.Only("detector", semantic.DetectorSavgol)
	others := nodes.Only("detector", semantic.DetectorDepth, semantic.DetectorDP, semantic.DetectorTopic, semantic.DetectorAuto)
	const textHelp = "chunks as sentences joined with one space, or as slices of the source"
	text := []string{"joined", "source"}
	return []nodes.Param{
		{Name: "source_key", Type: nodes.String, Role: nodes.Source, Interpolate: true, Required: true,
			Help: "the text"},
		{Name: "output_key", Type: nodes.String, Role: nodes.OutputKey, NonEmpty: true, Default: "semantic",
			Help: "start of the published keys"},
		{Name: "detector", Type: nodes.String, Enum: semantic.DetectorNames(), Default: semantic.DetectorSavgol,
			Help: "how to find the boundaries"},
		{Name: "target_size", Type: nodes.Integer, Range: nodes.AtLeast(1), When: nodes.Only("detector", semantic.DetectorDP, semantic.DetectorAuto),
			Help: "wanted size of a chunk, in unit"},
		{Name: "max_size", Type: nodes.Integer, Range: nodes.AtLeast(1),
			Help: "hard limit of a chunk, in unit; without it none, but for dp twice the target"},
		{Name: "min_size", Type: nodes.Integer, Range: nodes.AtLeast(1),
			Help: "join a chunk below this to the more similar neighbour, in unit"},
		{Name: "unit", Type: nodes.String, Enum: []string{"bytes", "chars", "tokens"}, Default: "chars",
			Help: "what the sizes count: bytes, code points, or tokens"},
		{Name: "tokenizer", Type: nodes.String, Enum: []string{"cl100k_base", "o200k_base"}, Default: "cl100k_base",
			Help: "the encoding that unit=tokens counts in"},
		{Name: "overlap", Type: nodes.Integer, Default: int64(0), Range: nodes.AtLeast(0), Unit: "sentences",
			Help: "sentences at the end of a chunk that the next one repeats"},
		{Name: "sentence_mode", Type: nodes.String, Enum: []string{"ascii", "unicode", "lines"}, Default: "ascii",
			Help: "how sentences end: at . ! ? before white space, by Unicode's rules with abbreviations and scripts, or at line ends, for text that holds one sentence a line"},
		{Name: "text", Type: nodes.String, Enum: text, Default: "joined", When: savgol, Help: textHelp},
		{Name: "text", Type: nodes.String, Enum: text, Default: "source", When: others, Help: textHelp},
		{Name: "min_distance", Type: nodes.Integer, Default: int64(2), Range: nodes.Between(0, math.MaxInt32), Unit: "gaps",
			Help: "smallest distance between two boundaries of savgol and depth, and of those that max_size adds; 0 for none"},
		{Name: "sim_window", Type: nodes.Integer, Default: int64(3), Range: nodes.Between(0, 1000001), Unit: "sentence pairs", When: savgol,
			Help: "pairs averaged for the distance at a gap; below 3 counts as 3, an even value as one more"},
		{Name: "sg_window", Type: nodes.Integer, Default: int64(11), Range: nodes.Between(1, 501), Unit: "gaps", When: savgol,
			Help: "window of the smoothing; an even value counts as one more"},
		{Name: "poly_order", Type: nodes.Integer, Default: int64(3), Range: nodes.Between(1, 10), When: savgol,
			Help: "order of the smoothing polynomial"},
		{Name: "threshold", Type: nodes.Number, Default: 0.5, Range: nodes.Between(0, 1), When: savgol,
			Help: "how many candidates to keep: 0 only the strongest, 1 all"},
		{Name: "explain", Type: nodes.Boolean, Default: false,
			Help: "also publish the curve and every candidate, with the reason why it was kept or dropped"},
	}
}
