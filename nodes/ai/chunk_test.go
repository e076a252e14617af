package ai

import (
	"strings"
	"testing"

	"github.com/ironflow/ironflow/nodes/nodetest"
)

func TestChunk(t *testing.T) {
	for _, tt := range []struct {
		name   string
		params map[string]any
		source any
		want   map[string]string
	}{
		{"fixed", map[string]any{"size": 10}, "alpha beta gamma delta",
			map[string]string{"chunks": `["alpha beta"," gamma del","ta"]`, "chunks_count": "3", "chunks_success": "true",
				"chunks_spans": `[{"start":0,"stop":10},{"start":10,"stop":20},{"start":20,"stop":22}]`}},
		{"fixed with delimiters", map[string]any{"size": 10, "delimiters": " "}, "alpha beta gamma delta",
			map[string]string{"chunks": `["alpha ","beta ","gamma ","delta"]`}},
		{"fixed with prefix", map[string]any{"size": 10, "delimiters": " ", "prefix": true}, "alpha beta gamma delta",
			map[string]string{"chunks": `["alpha"," beta"," gamma"," delta"]`}},
		{"fixed with overlap", map[string]any{"size": 4, "overlap": 2}, "abcdef",
			map[string]string{"chunks": `["abcd","cdef"]`}},
		{"split", map[string]any{"mode": "split"}, "A. Bee? Cee\nDee",
			map[string]string{"chunks": `["A."," Bee?"," Cee\n","Dee"]`}},
		{"split with a minimum", map[string]any{"mode": "split", "min_chars": 5}, "A. Bee? Cee\nDee",
			map[string]string{"chunks": `["A. Bee?"," Cee\nDee"]`}},
		{"blanks are kept", map[string]any{"mode": "split", "delimiters": "\n"}, "a\n\nb",
			map[string]string{"chunks": `["a\n","\n","b"]`}},
		{"blanks are dropped and the gap shows", map[string]any{"mode": "split", "delimiters": "\n", "drop_blank": true}, "a\n\nb",
			map[string]string{"chunks": `["a\n","b"]`, "chunks_spans": `[{"start":0,"stop":2},{"start":3,"stop":4}]`}},
		{"positions", map[string]any{"mode": "split", "delimiters": "\n", "positions": true}, "ä\nbc",
			map[string]string{"chunks_spans": `[{"start":0,"stop":3,"start_char":0,"stop_char":2,"start_line":1,"stop_line":1},
				{"start":3,"stop":5,"start_char":2,"stop_char":4,"start_line":2,"stop_line":2}]`}},
		{"empty text", map[string]any{}, "", map[string]string{"chunks": "[]", "chunks_count": "0", "chunks_success": "true", "chunks_spans": "[]"}},
		{"an array of texts", map[string]any{"size": 3}, []any{"abcd", "", "ef"},
			map[string]string{"chunks": `["abc","d","ef"]`,
				"chunks_spans": `[{"parent":1,"start":0,"stop":3},{"parent":1,"start":3,"stop":4},{"parent":3,"start":0,"stop":2}]`}},
		{"an array with positions", map[string]any{"size": 3, "positions": true}, []any{"äb"},
			map[string]string{"chunks_spans": `[{"parent":1,"start":0,"stop":3,"start_char":0,"stop_char":2,"start_line":1,"stop_line":1}]`}},
		{"an empty table is an empty array", map[string]any{}, map[string]any{}, map[string]string{"chunks": "[]", "chunks_count": "0"}},
		{"recursive", map[string]any{"mode": "recursive", "size": 20}, "One two three.\n\nFour five. Six seven eight nine.",
			map[string]string{"chunks": `["One two three.\n\n","Four five. ","Six seven eight ","nine."]`}},
		{"recursive in tokens", map[string]any{"mode": "recursive", "size": 3, "unit": "tokens"}, "one two three four",
			map[string]string{"chunks_count": "2"}},
		{"recursive with separators", map[string]any{"mode": "recursive", "size": 4, "separators": []any{";", ""}}, "a;b;cdefgh",
			map[string]string{"chunks": `["a;b;","cdef","gh"]`}},
		{"sentences", map[string]any{"mode": "sentences", "size": 25}, "Dr. Ek left at 3.14 p.m. It rained. Nobody minded.",
			map[string]string{"chunks": `["Dr. Ek left at 3.14 p.m. ","It rained. Nobody minded."]`}},
		{"sentences with overlap", map[string]any{"mode": "sentences", "size": 18, "overlap": 1, "sentence_mode": "ascii"}, "Aa bb. Cc dd. Ee ff. Gg hh.",
			map[string]string{"chunks": `["Aa bb. Cc dd. ","Cc dd. Ee ff. ","Ee ff. Gg hh."]`}},
		{"markdown", map[string]any{"mode": "markdown", "size": 40}, "# Tides\n\nHigh water is late.\n\n## Gauges\n\nThere are two of them.\n",
			map[string]string{"chunks": `["# Tides\n\nHigh water is late.\n\n","## Gauges\n\nThere are two of them.\n"]`,
				"chunks_headings": `[["Tides"],["Tides","Gauges"]]`, "chunks_context": `["",""]`,
				"chunks_texts": `["Tides\n# Tides\n\nHigh water is late.\n\n","Tides > Gauges\n## Gauges\n\nThere are two of them.\n"]`}},
		{"markdown without heading paths", map[string]any{"mode": "markdown", "size": 100, "heading_path": false}, "# Tides\n\nLate.\n",
			map[string]string{"chunks_texts": `["# Tides\n\nLate.\n"]`, "chunks_headings": `[["Tides"]]`}},
		{"markdown table that is cut", map[string]any{"mode": "markdown", "size": 44}, "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n| 5 | 6 |\n",
			map[string]string{"chunks_context": `["","| a | b |\n|---|---|"]`}},
		{"an array of texts in markdown", map[string]any{"mode": "markdown"}, []any{"# A\n\nx\n", "# B\n\ny\n"},
			map[string]string{"chunks_headings": `[["A"],["B"]]`, "chunks_count": "2"}},
		{"blank text", map[string]any{"mode": "recursive"}, " \n ", map[string]string{"chunks": "[]", "chunks_success": "true"}},
		{"cues", map[string]any{"mode": "cues", "size": 10},
			[]any{cue("one", 0, 5, "a", "b"), cue("two", 6, 9, "c", "d"), cue("three", 10, 12, "e", "f")},
			map[string]string{"chunks_texts": `["one two","three"]`,
				"chunks": `[{"text":"one two","ts_start":"a","ts_end":"d","start_ms":0,"end_ms":9,"cue_count":2},
					{"text":"three","ts_start":"e","ts_end":"f","start_ms":10,"end_ms":12,"cue_count":1}]`}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.params["source_key"] = "source"
			out, err := nodetest.Run(t, chunkNode(), tt.params, map[string]any{"source": tt.source})
			if err != nil {
				t.Fatal(err)
			}
			for k, v := range tt.want {
				want(t, out, k, v)
			}
		})
	}
}

func cue(text string, from, to int, start, end string) map[string]any {
	return map[string]any{"text": text, "start_ms": from, "end_ms": to, "start": start, "end": end}
}

func TestChunkErrors(t *testing.T) {
	for _, tt := range []struct {
		name   string
		params map[string]any
		source any
		want   string
	}{
		{"size zero", map[string]any{"size": 0}, "x", "size: got 0, allowed: at least 1"},
		{"size a fraction", map[string]any{"size": 1.5}, "x", "size: got 1.5, want a whole number"},
		{"size negative", map[string]any{"size": -3}, "x", "size: got -3, allowed: at least 1"},
		{"overlap of recursive", map[string]any{"mode": "recursive", "size": 4, "overlap": 4}, "x", "overlap: got 4, allowed: 0 to 3"},
		{"min_size over size", map[string]any{"mode": "recursive", "size": 4, "min_size": 5}, "x", "min_size: got 5, allowed: 0 to size (4)"},
		{"unknown tokenizer", map[string]any{"mode": "recursive", "tokenizer": "cl100"}, "x", `did you mean "cl100k_base"`},
		{"unknown unit", map[string]any{"mode": "markdown", "unit": "words"}, "x", `want one of "bytes", "chars" or "tokens"`},
		{"spans_key for one text", map[string]any{"spans_key": "source"}, "x", "spans_key: has no effect"},
		{"overlap too large", map[string]any{"size": 4, "overlap": 4}, "x", "overlap: got 4"},
		{"parameter of another mode", map[string]any{"mode": "split", "size": 5}, "x", `size: has no effect with mode="split"`},
		{"unknown mode", map[string]any{"mode": "fixd"}, "x", `did you mean "fixed"`},
		{"unknown parameter", map[string]any{"delimiter": "x"}, "x", `did you mean "delimiters"`},
		{"a number", map[string]any{}, 5, `"source" holds 5, want a string or an array of strings`},
		{"an array with a number", map[string]any{}, []any{"a", 5}, `2`},
		{"cues of text", map[string]any{"mode": "cues"}, "x", `want an array`},
		{"a cue without text", map[string]any{"mode": "cues"}, []any{map[string]any{"start_ms": 1, "end_ms": 2}}, `cue 1 has no string in its member "text"`},
		{"a cue with a negative time", map[string]any{"mode": "cues"}, []any{cue("a", 1, 2, "", ""), cue("b", -1, 2, "", "")}, `cue 2 has -1 in its member "start_ms"`},
		{"a cue that is text", map[string]any{"mode": "cues"}, []any{"hello"}, `cue 1 is "hello", want an object`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.params["source_key"] = "source"
			out, err := nodetest.Run(t, chunkNode(), tt.params, map[string]any{"source": tt.source})
			if err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("error %v, want one with %q", err, tt.want)
			}
			if out != nil {
				t.Errorf("published %v", out)
			}
		})
	}
}

func TestMerge(t *testing.T) {
	for _, tt := range []struct {
		name   string
		params map[string]any
		source any
		want   string
	}{
		{"words", map[string]any{"chunk_size": 4}, []any{"a b", "c d e", "f", "g h i j"}, `["a b","c d e\n\nf","g h i j"]`},
		{"an oversized chunk stands alone", map[string]any{"chunk_size": 3}, []any{"a b c d e", "f"}, `["a b c d e","f"]`},
		{"chars count the blank line", map[string]any{"chunk_size": 5, "unit": "chars"}, []any{"a", "bc", "d"}, `["a\n\nbc","d"]`},
		// In cl100k_base "hello world" is 15339 1917, and a blank line 271.
		{"tokens of the joined text, which fit", map[string]any{"chunk_size": 5, "unit": "tokens"}, []any{"hello world", "hello world"}, `["hello world\n\nhello world"]`},
		{"tokens of the joined text, one too many", map[string]any{"chunk_size": 4, "unit": "tokens"}, []any{"hello world", "hello world"}, `["hello world","hello world"]`},
		{"nothing", map[string]any{}, []any{}, `[]`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.params["source_key"] = "source"
			out, err := nodetest.Run(t, mergeNode(), tt.params, map[string]any{"source": tt.source})
			if err != nil {
				t.Fatal(err)
			}
			want(t, out, "merged", tt.want)
		})
	}
	_, err := nodetest.Run(t, mergeNode(), map[string]any{"source_key": "source"}, map[string]any{"source": []any{"a", 2}})
	if err == nil || !strings.Contains(err.Error(), "2") {
		t.Errorf("error %v, want one that names element 2", err)
	}
}

// TestChunkOfChunks: offsets stay those of the document, and a text that is no
// slice of it is refused.
func TestChunkOfChunks(t *testing.T) {
	document := "First part. More of it.\n\nSecond part."
	first, err := nodetest.Run(t, chunkNode(), map[string]any{"source_key": "doc", "mode": "recursive", "size": 25}, map[string]any{"doc": document})
	if err != nil {
		t.Fatal(err)
	}
	params := map[string]any{"source_key": "parts", "spans_key": "parts_spans", "mode": "recursive", "size": 13, "positions": true}
	out, err := nodetest.Run(t, chunkNode(), params, map[string]any{"parts": first["chunks"], "parts_spans": first["chunks_spans"]})
	if err != nil {
		t.Fatal(err)
	}
	chunks, spans := plain(t, out["chunks"]).([]any), plain(t, out["chunks_spans"]).([]any)
	if len(chunks) < 3 {
		t.Fatalf("chunks %q", chunks)
	}
	joined := ""
	for i, c := range chunks {
		s := spans[i].(map[string]any)
		if got := document[int(s["source_start"].(float64)):int(s["source_stop"].(float64))]; got != c {
			t.Errorf("chunk %d is %q, its offsets in the document give %q", i+1, c, got)
		}
		joined += c.(string)
	}
	if joined != document {
		t.Errorf("joined: %q", joined)
	}
	_, err = nodetest.Run(t, chunkNode(), params, map[string]any{"parts": []any{"First"}, "parts_spans": []any{map[string]any{"start": 0, "stop": 9}}})
	if err == nil || !strings.Contains(err.Error(), "span 1 is 9 bytes long, its text has 5") {
		t.Errorf("error %v", err)
	}
}
