package data

import (
	"math"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/nodetest"
	"github.com/ironflow/ironflow/nodes/value"
)

type testCase struct {
	name    string
	node    nodes.Node
	params  map[string]any
	context map[string]any
	want    map[string]any
	err     string
}

func runCases(t *testing.T, cases []testCase) {
	t.Helper()
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			got, err := nodetest.Run(t, tt.node, tt.params, tt.context)
			if tt.err != "" {
				if err == nil || err.Error() != tt.err {
					t.Errorf("got  %v\nwant %s", err, tt.err)
				}
				if got != nil {
					t.Errorf("a failure published %v", got)
				}
				return
			}
			if err != nil || !value.Equal(got, tt.want) {
				t.Errorf("got  %v, %v\nwant %v", got, err, tt.want)
			}
		})
	}
}

func TestSpecs(t *testing.T) {
	reg := nodes.NewRegistry()
	if err := Register(reg); err != nil {
		t.Fatal(err)
	}
	for _, n := range reg.List() {
		nodetest.CheckSpec(t, &n.Spec)
	}
}

func TestLog(t *testing.T) {
	b := nodetest.New(t)
	got, err := b.Run(logNode(), map[string]any{"message": "read ${ctx.n} of ${ctx.name}", "level": "warn"}, map[string]any{"n": 2, "name": "a\x1b[2Jb\nc"})
	if err != nil || !value.Equal(got, map[string]any{"log_message": "read 2 of a\x1b[2Jb\nc"}) {
		t.Errorf("got %v, %v", got, err)
	}
	if lines := b.Log.Lines(); len(lines) != 1 || lines[0] != "WARN read 2 of a\\x1b[2Jb\nc" {
		t.Errorf("logged %q", lines)
	}
	for level, want := range map[string]string{"debug": "DEBUG x", "info": "INFO x", "error": "ERROR x"} {
		b := nodetest.New(t)
		if _, err := b.Run(logNode(), map[string]any{"message": "x", "level": level}, nil); err != nil || !strings.HasPrefix(b.Log.String(), want) {
			t.Errorf("%s: %v, %q", level, err, b.Log.String())
		}
	}
	runCases(t, []testCase{
		{name: "level", node: logNode(), params: map[string]any{"message": "x", "level": "warning"},
			err: `log: level: got "warning", want one of "debug", "info", "warn" or "error"; did you mean "warn"?`},
		{name: "no message", node: logNode(), err: `log: message: is required: the text to write`},
	})
}

func TestText(t *testing.T) {
	runCases(t, []testCase{
		{name: "render", node: templateRender(), params: map[string]any{"template": "Hi ${ctx.a.b[0]}, ${ctx.none}${ctx.list}", "output_key": "p"},
			context: map[string]any{"a": map[string]any{"b": []any{"Ada"}}, "list": []any{1, "x"}}, want: map[string]any{"p": `Hi Ada, [1,"x"]`, "p_success": true}},
		{name: "render once", node: templateRender(), params: map[string]any{"template": "${ctx.a}"}, context: map[string]any{"a": "${ctx.b}", "b": "no"},
			want: map[string]any{"rendered": "${ctx.b}", "rendered_success": true}},
		{name: "render malformed", node: templateRender(), params: map[string]any{"template": "${ctx.}"},
			err: `template_render: template: malformed placeholder ${ctx.} at character 1: at character 7 of it: expected a name (letters, digits and _, not starting with a digit); write ${ctx.name}, ${ctx.list[0]} or ${ctx["any key"]}, or put a backslash in front to keep it as text`},
		{name: "parse", node: jsonParse(), params: map[string]any{"source_key": "t"}, context: map[string]any{"t": ` {"a": [1, 2.5, 9007199254740993, null]} `},
			want: map[string]any{"json": map[string]any{"a": []any{int64(1), 2.5, int64(9007199254740993), nil}}, "json_success": true}},
		{name: "parse null", node: jsonParse(), params: map[string]any{"source_key": "t"}, context: map[string]any{"t": "null"}, want: map[string]any{"json": nil, "json_success": true}},
		{name: "parse rest", node: jsonParse(), params: map[string]any{"source_key": "t"}, context: map[string]any{"t": "1 2"},
			err: `json_parse: source_key: "t": invalid JSON at line 1, column 3 (byte offset 2): expected the end of the text after the value, got '2'`},
		{name: "parse number", node: jsonParse(), params: map[string]any{"source_key": "t"}, context: map[string]any{"t": 1},
			err: `json_parse: source_key: "t" holds 1, want a string`},
		{name: "parse nothing", node: jsonParse(), params: map[string]any{"source_key": "s"}, context: map[string]any{"text": "1"},
			err: `json_parse: source_key: "s" is not in the context; it has "text" (a step sees the initial context and the steps that it depends on)`},
		{name: "stringify", node: jsonStringify(), params: map[string]any{"source_key": "v"}, context: map[string]any{"v": map[string]any{"b": "<&>", "a": []any{}}},
			want: map[string]any{"json_text": `{"a":[],"b":"<&>"}`, "json_text_success": true}},
		{name: "stringify indented", node: jsonStringify(), params: map[string]any{"source_key": "v.a", "indent": true, "output_key": "s"}, context: map[string]any{"v": map[string]any{"a": []any{1}}},
			want: map[string]any{"s": "[\n  1\n]", "s_success": true}},
	})
}

func TestZip(t *testing.T) {
	cols := func(list ...string) map[string]any {
		m := map[string]any{}
		for i := 0; i < len(list); i += 2 {
			m[list[i]] = list[i+1]
		}
		return map[string]any{"columns": m}
	}
	in := map[string]any{"parts": value.NewStrings([]string{"a", "b"}), "vectors": value.NewVectors([]float64{1, 2, 3, 4}, 2), "one": []any{"x"}, "none": []any{}, "void": map[string]any{}, "text": "abc"}
	runCases(t, []testCase{
		{name: "rows", node: zip(), params: cols("text", "parts", "vector", "vectors"), context: in,
			want: map[string]any{"rows": []any{map[string]any{"text": "a", "vector": []any{1.0, 2.0}}, map[string]any{"text": "b", "vector": []any{3.0, 4.0}}}, "rows_count": int64(2), "rows_success": true}},
		{name: "path", node: zip(), params: cols("v", "vectors[1]"), context: in, want: map[string]any{"rows": []any{map[string]any{"v": 3.0}, map[string]any{"v": 4.0}}, "rows_count": int64(2), "rows_success": true}},
		{name: "empty", node: zip(), params: cols("a", "none", "b", "void"), context: in, want: map[string]any{"rows": []any{}, "rows_count": int64(0), "rows_success": true}},
		{name: "lengths", node: zip(), params: cols("text", "parts", "other", "one"), context: in,
			err: `zip: columns: column "text" ("parts") has 2 elements, but column "other" ("one") has 1; all must have the same length`},
		{name: "no array", node: zip(), params: cols("t", "text"), context: in, err: `zip: columns: column "t": "text": expected an array, got a string`},
		{name: "missing", node: zip(), params: cols("t", "partz"), context: in,
			err: `zip: columns: "partz" is not in the context; did you mean "parts"? (a step sees the initial context and the steps that it depends on)`},
		{name: "no columns", node: zip(), params: cols(), context: in, err: `zip: columns: is empty`},
		{name: "bad column", node: zip(), params: map[string]any{"columns": map[string]any{"a": 1}}, context: in, err: `zip: columns: member "a": got 1, want a string`},
	})
}

// The rows stay a compact list over the columns: 16 million numbers are not
// copied row by row.
func TestZipSharesMemory(t *testing.T) {
	vectors := value.NewVectors(make([]float64, 1<<16), 1<<8)
	texts := make([]string, 1<<8)
	call := func() {
		out, err := nodetest.Run(t, zip(), map[string]any{"columns": map[string]any{"v": "vectors", "t": "texts"}},
			map[string]any{"vectors": vectors, "texts": value.NewStrings(texts)})
		if err != nil {
			t.Fatal(err)
		}
		row := out["rows"].(value.List).At(5).(map[string]any)
		if &row["v"].(*value.Floats).Slice()[0] != &vectors.Row(5)[0] {
			t.Error("a row holds a copy of its vector")
		}
	}
	call()
}

func TestStringifyRefusesWhatJSONCannotHold(t *testing.T) {
	_, err := nodes.Invoke(t.Context(), ptr(jsonStringify()), map[string]any{"source_key": "v"},
		nodes.Host{View: value.Map{"v": []any{math.NaN()}}})
	if err == nil || !strings.HasPrefix(err.Error(), `json_stringify: source_key: "v" cannot be written as JSON: $[1]: `) {
		t.Error(err)
	}
}

func ptr[T any](v T) *T { return &v }
