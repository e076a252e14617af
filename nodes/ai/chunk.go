package ai

import (
	"context"
	"errors"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/chunking"
	"github.com/ironflow/ironflow/nodes/value"
)

const chunkDoc = `Concatenating the chunks gives back the source, byte for byte, unless ` + "`drop_blank`" + ` or ` + "`overlap`" + ` is set, and
` + "`{k}_spans`" + ` slices it: in Lua, ` + "`source:sub(span.start + 1, span.stop) == chunk`" + `. Nothing is trimmed and no character is cut in two.

* ` + "`fixed`" + `: pieces of at most ` + "`size`" + ` bytes. With ` + "`delimiters`" + `, a set of characters, a piece ends behind the last of them that
  fits (before it with ` + "`prefix`" + `); the last piece is not searched.
* ` + "`split`" + `: a cut behind every delimiter character; pieces with fewer than ` + "`min_chars`" + ` characters are joined to their neighbour.
* ` + "`cues`" + `: subtitles to passages of at most ` + "`size`" + ` characters; a cue is never cut.

An empty source gives no chunks. The source of ` + "`fixed`" + ` and ` + "`split`" + ` may be an array of texts: each is cut, the results are flat, and
the spans carry ` + "`parent`" + `, the 1-based number of the text.`

var textModes = []string{"fixed", "split"}

func chunkNode() nodes.Node {
	return nodes.Node{
		Spec: nodes.Spec{
			Name:     "ai_chunk",
			Summary:  "Cut text into chunks by size, by delimiter, or along subtitle cues",
			Doc:      chunkDoc,
			Params:   chunkParams(),
			Outputs:  chunkOutputs(),
			Examples: chunkExamples(),
		},
		Run: runChunk,
	}
}

func chunkParams() []nodes.Param {
	fixed, split, cues, text := nodes.Only("mode", "fixed"), nodes.Only("mode", "split"), nodes.Only("mode", "cues"), nodes.Only("mode", textModes...)
	return []nodes.Param{
		{Name: "source_key", Type: nodes.String, Role: nodes.Source, Interpolate: true, Required: true,
			Help: "the text, an array of texts, or for cues the array of cues"},
		{Name: "output_key", Type: nodes.String, Role: nodes.OutputKey, NonEmpty: true, Default: "chunks",
			Help: "start of the published keys"},
		{Name: "mode", Type: nodes.String, Enum: []string{"fixed", "split", "cues"}, Default: "fixed",
			Help: "how to cut"},
		{Name: "size", Type: nodes.Integer, Default: int64(4096), Range: nodes.AtLeast(1), Unit: "bytes", When: fixed,
			Help: "largest chunk; one character wider than this stays whole"},
		{Name: "size", Type: nodes.Integer, Default: int64(1200), Range: nodes.AtLeast(1), Unit: "characters", When: cues,
			Help: "largest passage; one cue above it stands alone"},
		{Name: "delimiters", Type: nodes.String, Default: "", When: fixed,
			Help: "set of characters to prefer as ends of chunks"},
		{Name: "delimiters", Type: nodes.String, Default: "\n.?", When: split,
			Help: "set of characters to cut behind"},
		{Name: "prefix", Type: nodes.Boolean, Default: false, When: fixed,
			Help: "cut before the delimiter instead of behind it"},
		{Name: "overlap", Type: nodes.Integer, Default: int64(0), Range: nodes.AtLeast(0), Unit: "bytes", When: fixed,
			Help: "bytes of a chunk that the next one repeats; below size"},
		{Name: "min_chars", Type: nodes.Integer, Default: int64(0), Range: nodes.AtLeast(0), Unit: "characters", When: split,
			Help: "join pieces that have fewer characters"},
		{Name: "drop_blank", Type: nodes.Boolean, Default: false, When: text,
			Help: "leave out chunks of white space alone; the gap shows in the spans"},
		{Name: "positions", Type: nodes.Boolean, Default: false, When: text,
			Help: "add start_char, stop_char, start_line and stop_line to the spans"},
	}
}

func chunkOutputs() []nodes.OutputSpec {
	text, cues := nodes.Only("mode", textModes...), nodes.Only("mode", "cues")
	return []nodes.OutputSpec{
		{Type: nodes.Array, Help: "the chunks: strings, or for cues `{text, ts_start, ts_end, start_ms, end_ms, cue_count}`"},
		{Suffix: "_spans", Type: nodes.Array, When: text,
			Help: "for each chunk `{start, stop}` in bytes of the source, zero-based, stop exclusive; `parent` (1-based) when the source is an array"},
		{Suffix: "_texts", Type: nodes.Array, When: cues, Help: "the texts of the passages, ready for ai_embed"},
	}
}

func chunkExamples() []nodes.Example {
	return []nodes.Example{
		{
			Title:   "Pieces of at most 20 bytes that end behind a space",
			Lua:     `nodes.ai_chunk{ source_key = "document", size = 20, delimiters = " " }`,
			Context: `{"document":"The kettle hums while rain falls on the harbour."}`,
		},
		{
			Title:   "One piece for each sentence or line",
			Lua:     `nodes.ai_chunk{ source_key = "document", mode = "split", min_chars = 5 }`,
			Context: `{"document":"Rain. It fell all day.\nNobody minded?"}`,
		},
		{
			Title: "Subtitles to passages",
			Lua:   `nodes.ai_chunk{ source_key = "cues", mode = "cues", size = 60 }`,
			Context: `{"cues":[{"text":"Good evening.","start_ms":0,"end_ms":900,"start":"00:00:00.000","end":"00:00:00.900"},` +
				`{"text":"The tide is out.","start_ms":1000,"end_ms":2100,"start":"00:00:01.000","end":"00:00:02.100"}]}`,
		},
	}
}

func runChunk(_ context.Context, call *nodes.Call) (nodes.Output, error) {
	if call.String("mode") == "cues" {
		return runCues(call)
	}
	v, err := call.Source("source_key")
	if err != nil {
		return nil, err
	}
	if text, ok := v.(string); ok {
		spans, err := cut(call, text)
		if err != nil {
			return nil, err
		}
		return nodes.Output{"": value.NewSubstrings(text, spans), "_spans": spanList(call, text, spans)}, nil
	}
	if m, ok := v.(map[string]any); ok && len(m) == 0 {
		v = []any{}
	}
	if _, ok := value.Len(v); !ok {
		return nil, call.Errorf("source_key", "%q holds %s, want a string or an array of strings", call.String("source_key"), nodes.Describe(v))
	}
	texts, err := call.SourceStrings("source_key")
	if err != nil {
		return nil, err
	}
	return cutAll(call, texts)
}

// cut cuts one text as the parameters say.
func cut(call *nodes.Call, text string) ([]value.Span, error) {
	var spans []value.Span
	var err error
	switch call.String("mode") {
	case "split":
		spans, err = chunking.Split(text, chunking.SplitOptions{
			Delimiters: call.String("delimiters"), MinChars: call.Int("min_chars"),
		})
	default:
		spans, err = chunking.Fixed(text, chunking.FixedOptions{
			Size: call.Int("size"), Delimiters: call.String("delimiters"),
			Prefix: call.Bool("prefix"), Overlap: call.Int("overlap"),
		})
	}
	if err != nil {
		return nil, optionError(call, err)
	}
	if call.Bool("drop_blank") {
		spans = chunking.DropBlank(text, spans)
	}
	return spans, nil
}

// optionError puts the parameter's name in front of what the algorithm says.
func optionError(call *nodes.Call, err error) error {
	var option *chunking.OptionError
	if errors.As(err, &option) {
		return call.Errorf(option.Param, "got %v, allowed: %s", option.Value, option.Allowed)
	}
	return call.Errorf("source_key", "%q: %w", call.String("source_key"), err)
}

func spanList(call *nodes.Call, text string, spans []value.Span) value.List {
	if !call.Bool("positions") {
		return value.NewSpans(spans)
	}
	return value.NewRecords(positionColumns(spans, chunking.Positions(text, spans), nil)...)
}

// cutAll cuts every text of an array; the chunks are flat and their spans name
// the text they come from.
func cutAll(call *nodes.Call, texts []string) (nodes.Output, error) {
	var chunks []string
	var spans []value.Span
	var positions []chunking.Position
	var parents []int
	for i, text := range texts {
		own, err := cut(call, text)
		if err != nil {
			return nil, err
		}
		for _, s := range own {
			chunks = append(chunks, text[s.Start:s.Stop])
			parents = append(parents, i+1)
		}
		spans = append(spans, own...)
		if call.Bool("positions") {
			positions = append(positions, chunking.Positions(text, own)...)
		}
	}
	var list value.List = value.NewParentSpans(spans, parents)
	if call.Bool("positions") {
		list = value.NewRecords(positionColumns(spans, positions, parents)...)
	}
	return nodes.Output{"": value.NewStrings(chunks), "_spans": list}, nil
}

func positionColumns(spans []value.Span, positions []chunking.Position, parents []int) []value.Column {
	column := func(get func(i int) int) []int {
		out := make([]int, len(spans))
		for i := range out {
			out[i] = get(i)
		}
		return out
	}
	columns := []value.Column{
		{Name: "start", Values: column(func(i int) int { return spans[i].Start })},
		{Name: "stop", Values: column(func(i int) int { return spans[i].Stop })},
		{Name: "start_char", Values: column(func(i int) int { return positions[i].StartChar })},
		{Name: "stop_char", Values: column(func(i int) int { return positions[i].StopChar })},
		{Name: "start_line", Values: column(func(i int) int { return positions[i].StartLine })},
		{Name: "stop_line", Values: column(func(i int) int { return positions[i].StopLine })},
	}
	if parents != nil {
		columns = append(columns, value.Column{Name: "parent", Values: parents})
	}
	return columns
}
