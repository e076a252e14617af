package nodes_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
)

// compile turns a schema into a validator of an independent implementation.
func compile(t *testing.T, spec *nodes.Spec) *jsonschema.Schema {
	t.Helper()
	text, err := json.Marshal(nodes.Schema(spec))
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	c.AssertVocabs()
	if err := c.AddResource("node.json", doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile("node.json")
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return s
}

func accepts(t *testing.T, s *jsonschema.Schema, raw map[string]any) bool {
	t.Helper()
	text, err := value.Marshal(raw)
	if err != nil {
		t.Fatal(err)
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(doc) == nil
}

// The schema accepts what Check accepts. The exceptions are the ones that
// Schema documents, and mistakes inside a text, which need a parser.
func TestSchemaAgreesWithCheck(t *testing.T) {
	exceptions := map[string]bool{
		"empty array as object": true, "malformed placeholder": true, "malformed in a leaf": true, "malformed condition": true,
		"too large for exactness": true, "above the range, as text": true, "escaped placeholder": true, "function wanted": true,
	}
	schema := compile(t, sample())
	for _, tt := range checkCases() {
		if exceptions[tt.name] {
			continue
		}
		hasFunc := false
		for _, v := range tt.give {
			if _, ok := v.(nodes.Func); ok {
				hasFunc = true
			}
		}
		if hasFunc {
			continue
		}
		valid := true
		for _, p := range nodes.Check(sample(), tt.raw()) {
			valid = valid && p.Severity == nodes.Warning
		}
		if got := accepts(t, schema, tt.raw()); got != valid {
			t.Errorf("%s: the schema says %v, Check says %v: %v", tt.name, got, valid, tt.raw())
		}
	}
}

func TestSchemaOfNestedGroupsAndChoices(t *testing.T) {
	spec := &nodes.Spec{Name: "s", Params: []nodes.Param{
		{Name: "mode", Type: nodes.String, Enum: []string{"plain", "smart"}, Default: "plain", Help: "x"},
		{Name: "detector", Type: nodes.String, Enum: []string{"a", "b"}, Default: "a", When: nodes.Only("mode", "smart"), Help: "x"},
		{Name: "window", Type: nodes.Integer, Required: true, When: nodes.Only("detector", "a"), Help: "x"},
		{Name: "one", Type: nodes.String, Help: "x"},
		{Name: "two", Type: nodes.String, Alias: "deux", Required: false, Help: "x"},
	}, Choices: []nodes.Choice{{Params: []string{"one", "two"}, Required: true}}}
	schema := compile(t, spec)
	for _, text := range []string{
		`{"one": "x"}`, `{"deux": "x"}`, `{}`, `{"one": "x", "two": "y"}`, `{"two": "x", "deux": "y"}`, `{"one": "x", "deux": "y"}`,
		`{"one": "x", "mode": "smart"}`, `{"one": "x", "mode": "smart", "window": 3}`, `{"one": "x", "mode": "smart", "detector": "b"}`,
		`{"one": "x", "detector": "b"}`, `{"one": "x", "window": 3}`, `{"one": "x", "mode": "smart", "detector": "b", "window": 3}`,
	} {
		v, err := value.ParseJSON(text)
		if err != nil {
			t.Fatal(err)
		}
		raw := v.(map[string]any)
		if got, want := accepts(t, schema, raw), len(nodes.Check(spec, raw)) == 0; got != want {
			t.Errorf("%s: the schema says %v, Check says %v", text, got, want)
		}
	}
}

func TestReferenceShowsEverything(t *testing.T) {
	spec := sample()
	spec.Doc = "A paragraph with `code` that is long enough to be wrapped at the width of a terminal, which is 80.\n\n* one item\n* another item\n\n```lua\nkept   as it is\n```\n\nThe end."
	spec.Examples = []nodes.Example{{Title: "An example", Lua: `nodes.sample{ source_key = "doc" }`, Context: `{"doc": "x"}`, Needs: "files"}}
	page, text := nodes.ReferencePage(spec), nodes.DescribeNode(spec)
	for _, want := range []string{
		"| `source_key` | string | required | what to read; a key or a path such as `a.b[0]` |",
		"### Only with `mode = \"fixed\"`\n", "### Only with `mode = \"cues\"`\n",
		"| `size` | integer 1..2048 bytes | `10` | largest piece |",
		"| `ratio` | number above 0 |  | a ratio; earlier name `proportion` |",
		"| `options.depth` | integer 0..9 | required | how deep |",
		"| `headers` | object of strings |  | secret headers; secret |",
		"| `api_key` | string |  | a key; secret; else `SAMPLE_KEY` |",
		"| `words` | array of strings |  | texts |",
		"needs `api_key`", "not on a step with retries", "At most one of `left`, `right` is given.",
		"| `{output_key}_count` | integer | number of elements |", "| `_mark_<step>` | string | a fixed name |",
		"only with mode = \"fixed\" or \"cues\"", "only in the `_error_output` of a failed step",
		"```lua\nnodes.sample{ source_key = \"doc\" }\n```", "```json\n{\"doc\": \"x\"}\n```", "It writes a file.",
	} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	for _, want := range []string{
		"sample - A node for tests\n", "A paragraph with code that", "\n  * one item\n  * another item\n", "\n  kept   as it is\n",
		"  source_key string, required\n      what to read;", "Only with mode = \"cues\"\n  size integer at least 1 characters, default 1200\n",
		"    options.depth integer 0..9, required\n", "  {output_key}_count  integer\n      number of elements\n",
		"Example: An example\n  nodes.sample{ source_key = \"doc\" }\n  with the context {\"doc\": \"x\"}\n",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the text lacks %q:\n%s", want, text)
		}
	}
	for _, line := range strings.Split(text, "\n") {
		if len(line) > 80 {
			t.Errorf("a line has %d columns: %s", len(line), line)
		}
	}
	n := named("sample")
	n.Spec = *spec
	if got := nodes.NodeTable([]*nodes.Node{&n}, "ref/"); !strings.Contains(got, "| [sample](ref/sample.md) | A node for tests | `{k}` `{k}_title` `{k}_size` `_mark_<step>` `{k}_count` `{k}_success` |") {
		t.Error(got)
	}
	if got := nodes.ReferenceIndex([]*nodes.Node{&n}); !strings.Contains(got, "[sample](sample.md)") {
		t.Error(got)
	}
	// Nothing depends on the order of a map.
	for range 20 {
		if nodes.ReferencePage(spec) != page || nodes.DescribeNode(spec) != text {
			t.Fatal("the documentation differs from run to run")
		}
	}
}
