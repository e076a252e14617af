package ai

import (
	"context"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/chunking"
	"github.com/ironflow/ironflow/nodes/value"
)

func mergeNode() nodes.Node {
	return nodes.Node{
		Spec: nodes.Spec{
			Name:    "ai_chunk_merge",
			Summary: "Join neighbouring chunks up to a budget",
			Doc: `Walks the chunks in order and closes a group when the next chunk would exceed the budget. The chunks of a
group are joined with a blank line. A chunk that is over the budget by itself stands alone, whole.`,
			Params: []nodes.Param{
				{Name: "source_key", Type: nodes.String, Role: nodes.Source, Interpolate: true, Required: true,
					Help: "the array of chunks"},
				{Name: "output_key", Type: nodes.String, Role: nodes.OutputKey, NonEmpty: true, Default: "merged",
					Help: "start of the published keys"},
				{Name: "chunk_size", Type: nodes.Integer, Default: int64(512), Range: nodes.AtLeast(1),
					Help: "budget of a group, in `unit`"},
				{Name: "unit", Type: nodes.String, Enum: []string{"words", "chars"}, Default: "words",
					Help: "what the budget counts: words between white space, or code points"},
			},
			Outputs: []nodes.OutputSpec{{Type: nodes.Array, Help: "the joined chunks"}},
			Examples: []nodes.Example{{
				Title:   "Join short chunks until they have about four words",
				Lua:     `nodes.ai_chunk_merge{ source_key = "parts", chunk_size = 4 }`,
				Context: `{"parts":["a b","c d e","f","g h i j"]}`,
			}},
		},
		Run: func(_ context.Context, call *nodes.Call) (nodes.Output, error) {
			chunks, err := call.SourceStrings("source_key")
			if err != nil {
				return nil, err
			}
			unit := chunking.Words()
			if call.String("unit") == "chars" {
				unit = chunking.Chars()
			}
			return nodes.Output{"": value.NewStrings(chunking.Merge(chunks, call.Int("chunk_size"), unit))}, nil
		},
	}
}
