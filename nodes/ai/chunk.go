package ai

import "github.com/ironflow/ironflow/nodes"

const chunkDoc = `Concatenating the chunks gives back the source, byte for byte, unless ` + "`drop_blank`" + ` or ` + "`overlap`" + ` is set, and
` + "`{k}_spans`" + ` slices it: in Lua, ` + "`source:sub(span.start + 1, span.stop) == chunk`" + `. Nothing is trimmed and no character is cut in two.

* ` + "`fixed`" + `: pieces of at most ` + "`size`" + ` bytes. With ` + "`delimiters`" + `, a set of characters, a piece ends behind the last of them that
  fits (before it with ` + "`prefix`" + `); the last piece is not searched.
* ` + "`split`" + `: a cut behind every delimiter character; pieces with fewer than ` + "`min_chars`" + ` characters are joined to their neighbour.
* ` + "`recursive`" + `: at most ` + "`size`" + ` in ` + "`unit`" + `, made of the biggest units that fit (paragraphs, lines, sentences, clauses, words,
  characters), neighbours joined while they fit. The limit is hard.
* ` + "`markdown`" + `: along the structure of the document. Headings stay with their text, fenced code and tables stay whole while they
  fit; a table that has to be cut gives its header row as ` + "`{k}_context`" + `. ` + "`{k}_texts`" + ` holds heading path, context and chunk, ready for
  ` + "`ai_embed`" + `.
* ` + "`sentences`" + `: whole sentences, as many as fit.
* ` + "`cues`" + `: subtitles to passages of at most ` + "`size`" + ` characters; a cue is never cut.

` + "`recursive`, `markdown` and `sentences`" + ` never give a chunk of white space alone: such a run goes to a neighbour where it fits, else it is
left out and the gap shows in the spans. They keep grapheme clusters (emoji, letters with marks) whole unless one is
larger than ` + "`size`" + `. A size is always measured on the chunk as it stands, tokens too.

An empty source gives no chunks. The source may be an array of texts, such as the chunks of another chunker: each is cut,
the results are flat, and the spans carry ` + "`parent`" + `, the 1-based number of the text. With ` + "`spans_key`" + `, the spans of that array, they
also carry ` + "`source_start` and `source_stop`" + `, the offsets in the document that the array was cut from.`

func chunkNode() nodes.Node {
	c := &chunker{}
	return nodes.Node{
		Spec: nodes.Spec{
			Name:     "ai_chunk",
			Summary:  "Cut text into chunks by size, structure, sentences or delimiters, or along subtitle cues",
			Doc:      chunkDoc,
			Params:   chunkParams(),
			Outputs:  chunkOutputs(),
			Examples: chunkExamples(),
		},
		Run: c.run,
	}
}

func chunkParams() []nodes.Param {
	fixed, split, cues := nodes.Only("mode", "fixed"), nodes.Only("mode", "split"), nodes.Only("mode", "cues")
	plain, text := nodes.Only("mode", "fixed", "split"), nodes.Only("mode", textModes()...)
	params := []nodes.Param{
		{Name: "source_key", Type: nodes.String, Role: nodes.Source, Interpolate: true, Required: true,
			Help: "the text, an array of texts, or for cues the array of cues"},
		{Name: "output_key", Type: nodes.String, Role: nodes.OutputKey, NonEmpty: true, Default: "chunks",
			Help: "start of the published keys"},
		{Name: "mode", Type: nodes.String, Enum: append(textModes(), "cues"), Default: "fixed",
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
		{Name: "drop_blank", Type: nodes.Boolean, Default: false, When: plain,
			Help: "leave out chunks of white space alone; the gap shows in the spans"},
		{Name: "positions", Type: nodes.Boolean, Default: false, When: text,
			Help: "add start_char, stop_char (from 0), start_line and stop_line (from 1) to the spans"},
		{Name: "spans_key", Type: nodes.String, Role: nodes.Source, Interpolate: true, When: text,
			Help: "for an array source: its spans, to add source_start and source_stop"},
	}
	return append(params, sizedParams()...)
}

func textModes() []string { return []string{"fixed", "split", "recursive", "markdown", "sentences"} }

// sizedParams are the parameters of the modes that keep a limit in a unit.
func sizedParams() []nodes.Param {
	sized := nodes.Only("mode", "recursive", "markdown", "sentences")
	recursive := nodes.Only("mode", "recursive")
	return []nodes.Param{
		{Name: "size", Type: nodes.Integer, Default: int64(1200), Range: nodes.AtLeast(1), When: sized,
			Help: "largest chunk, in unit"},
		{Name: "unit", Type: nodes.String, Enum: []string{"bytes", "chars", "tokens"}, Default: "chars", When: sized,
			Help: "what size, overlap and min_size count: bytes, code points, or tokens"},
		{Name: "tokenizer", Type: nodes.String, Enum: []string{"cl100k_base", "o200k_base"}, Default: "cl100k_base", When: sized,
			Help: "the encoding that unit=tokens counts in; its vocabulary is in the binary"},
		{Name: "overlap", Type: nodes.Integer, Default: int64(0), Range: nodes.AtLeast(0), When: nodes.Only("mode", "recursive", "markdown"),
			Help: "how much of the end of a chunk the next one repeats, in unit, made of whole units of the text; below size"},
		{Name: "overlap", Type: nodes.Integer, Default: int64(0), Range: nodes.AtLeast(0), Unit: "sentences", When: nodes.Only("mode", "sentences"),
			Help: "sentences that the next chunk repeats; fewer when they do not fit"},
		{Name: "min_size", Type: nodes.Integer, Default: int64(0), Range: nodes.AtLeast(0), When: recursive,
			Help: "join a chunk below this to a neighbour where both fit, in unit"},
		{Name: "separators", Type: nodes.Array, Elem: &nodes.Param{Type: nodes.String, Help: "text to cut behind"}, When: recursive,
			Help: "texts to cut behind, the biggest unit first; without them paragraphs, lines, sentences, clauses, words, characters"},
		{Name: "sentence_mode", Type: nodes.String, Enum: []string{"unicode", "ascii"}, Default: "unicode", When: sized,
			Help: "how sentences end: by Unicode's rules with abbreviations and scripts, or at . ! ? before white space"},
		{Name: "heading_path", Type: nodes.Boolean, Default: true, When: nodes.Only("mode", "markdown"),
			Help: "put the heading path in front of each of the texts"},
	}
}

func chunkOutputs() []nodes.OutputSpec {
	text, cues, markdown := nodes.Only("mode", textModes()...), nodes.Only("mode", "cues"), nodes.Only("mode", "markdown")
	return []nodes.OutputSpec{
		{Type: nodes.Array, Help: "the chunks: strings, or for cues `{text, ts_start, ts_end, start_ms, end_ms, cue_count}`"},
		{Suffix: "_spans", Type: nodes.Array, When: text,
			Help: "for each chunk `{start, stop}` in bytes of the source, zero-based, stop exclusive; `parent` (1-based) when the source is an array"},
		{Suffix: "_texts", Type: nodes.Array, When: nodes.Only("mode", append(cues.In, markdown.In...)...),
			Help: "texts ready for ai_embed: those of the passages, or heading path, context and chunk, one per line"},
		{Suffix: "_headings", Type: nodes.Array, When: markdown, Help: "for each chunk the titles of the headings that it stands under"},
		{Suffix: "_context", Type: nodes.Array, When: markdown, Help: "for each chunk the header of the table that it continues, or an empty text"},
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
			Title:   "At most 25 tokens, along paragraphs and sentences",
			Lua:     `nodes.ai_chunk{ source_key = "document", mode = "recursive", size = 25, unit = "tokens" }`,
			Context: `{"document":"The kettle hums while rain falls.\n\nThe harbour is quiet. Nobody minds the rain."}`,
		},
		{
			Title:   "Along the headings of a Markdown document",
			Lua:     `nodes.ai_chunk{ source_key = "document", mode = "markdown", size = 60 }`,
			Context: `{"document":"# Tides\n\nHigh water is late.\n\n## Gauges\n\nThere are two of them, one of which is old.\n"}`,
		},
		{
			Title:   "Two sentences to a chunk, one repeated",
			Lua:     `nodes.ai_chunk{ source_key = "document", mode = "sentences", size = 40, overlap = 1 }`,
			Context: `{"document":"Dr. Ek left at 3.14 p.m. It rained. Nobody minded. The tide turned."}`,
		},
		{
			Title: "Subtitles to passages",
			Lua:   `nodes.ai_chunk{ source_key = "cues", mode = "cues", size = 60 }`,
			Context: `{"cues":[{"text":"Good evening.","start_ms":0,"end_ms":900,"start":"00:00:00.000","end":"00:00:00.900"},` +
				`{"text":"The tide is out.","start_ms":1000,"end_ms":2100,"start":"00:00:01.000","end":"00:00:02.100"}]}`,
		},
	}
}
