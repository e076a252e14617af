package ai

import (
	"context"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/chunking"
	"github.com/ironflow/ironflow/nodes/value"
)

func mergeNode() nodes.Node {
	counted := &counters{}
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
				{Name: "unit", Type: nodes.String, Enum: []string{"words", "tokens", "chars"}, Default: "words",
					Help: "what the budget counts: words between white space, tokens, or code points; a group is measured as it is published, blank lines included"},
				{Name: "tokenizer", Type: nodes.String, Enum: []string{"cl100k_base", "o200k_base"}, Default: "cl100k_base", When: nodes.Only("unit", "tokens"),
					Help: "the encoding that unit=tokens counts in; its vocabulary is in the binary"},
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
			switch call.String("unit") {
			case "chars":
				unit = chunking.Chars()
			case "tokens":
				counter, err := counted.get("tokens", call.String("tokenizer"))
				if err != nil {
					return nil, optionError(call, err)
				}
				unit = chunking.CountedBy(counter.Count)
			}
			return nodes.Output{"": value.NewStrings(chunking.Merge(chunks, call.Int("chunk_size"), unit))}, nil
		},
	}
}
