package lua

import (
	"strings"
	"testing"

	"github.com/yuin/gopher-lua/parse"

	"github.com/ironflow/ironflow/nodes"
)

func TestTypes(t *testing.T) {
	h := NewHost(Options{})
	reg := testRegistry(t, h)
	err := reg.Register(nodes.Node{
		Spec: nodes.Spec{Name: "acme.deep.shout", Summary: "Shouts\nloudly", Params: []nodes.Param{
			{Name: "mode", Type: nodes.String, Enum: []string{"a", "b"}, Default: "a", Help: "mode"},
			{Name: "size", Type: nodes.Integer, When: nodes.Only("mode", "a"), Help: "size in a"},
			{Name: "size", Type: nodes.String, When: nodes.Only("mode", "b"), Help: "size in b"},
			{Name: "list", Type: nodes.Array, Elem: &nodes.Param{Type: nodes.String, Or: []nodes.Type{nodes.Number}}, Required: true, Help: "many\nlines"},
			{Name: "auth", Type: nodes.Object, Fields: []nodes.Param{{Name: "user", Type: nodes.String, Required: true, Help: "name"}, {Name: "port", Type: nodes.Integer, Help: "number"}}, Help: "who"},
			{Name: "test", Type: nodes.String, Or: []nodes.Type{nodes.Function}, Alias: "check", Help: "test"},
			{Name: "class", Type: nodes.Boolean, Default: true, Help: "flag"},
		}},
		Run: h.runCode,
	})
	if err != nil {
		t.Fatal(err)
	}
	text := Types(reg)
	for _, want := range []string{
		"---@meta",
		"---@field message string the text",
		`---@field level? "info" | "warn" the level; default "info"`,
		`---@field openai_api_key? string key (with provider = "openai"); from OPENAI_API_KEY when absent`,
		"---@field batch_size? integer texts; 1..2048; default 64",
		"---@class ironflow.params.acme.deep.shout",
		`---@field mode? "a" | "b" mode; default "a"`,
		`---@field size? integer | string size in a (with mode = "a"); or: size in b (with mode = "b")`,
		"---@field list (string | number)[] many lines",
		"---@field auth? { user: string, port?: integer } who",
		"---@field test? string | fun(...: any): any test",
		"---@field check? string | fun(...: any): any earlier name of test",
		"---@class ironflow.nodes.acme\n---@field deep ironflow.nodes.acme.deep",
		"---@field shout fun(params: ironflow.params.acme.deep.shout): ironflow.Node Shouts loudly",
		`---@field ["acme.deep.shout"] fun(params: ironflow.params.acme.deep.shout): ironflow.Node`,
		"---@field log fun(params: ironflow.params.log): ironflow.Node",
		"function flow:step(name, handler) end", "function step:depends_on(name, ...) end", "function Flow.new(name) end",
		"---@field define fun(name: string, definition: ironflow.Definition) ",
		"function utf8.codes(s) end",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("missing: %s", want)
		}
	}
	// It is Lua, and speaks of every parameter of every node and of every global.
	if _, err := parse.Parse(strings.NewReader(text), "ironflow.d.lua"); err != nil {
		t.Errorf("not Lua: %v", err)
	}
	for _, n := range reg.List() {
		_, class, ok := strings.Cut(text, "---@class ironflow.params."+n.Spec.Name+"\n")
		class, _, _ = strings.Cut(class, "\n\n")
		for _, p := range n.Spec.ParamNames() {
			if !ok || !strings.Contains(class, "---@field "+p+"? ") && !strings.Contains(class, "---@field "+p+" ") {
				t.Errorf("%s.%s is missing", n.Spec.Name, p)
			}
		}
	}
	for _, name := range []string{"env", "json_parse", "json_stringify", "json_array", "json_object", "json_null", "log", "uuid4",
		"now_rfc3339", "now_unix_ms", "base64_encode", "base64_decode", "Flow", "nodes"} {
		if !strings.Contains(text, "function "+name+"(") && !strings.Contains(text, "\n"+name+" = ") {
			t.Errorf("the global %s is missing", name)
		}
	}
}
