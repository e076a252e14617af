package lua

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/ironflow/ironflow/nodes"
)

// Types returns a definition file for lua-language-server: the globals, flows
// and step builders, and for each node of the registry a class with its
// parameters. An editor that reads it completes and explains flow files.
func Types(reg *nodes.Registry) string {
	w := &typeWriter{}
	w.line("---@meta ironflow")
	w.line("-- Definitions for lua-language-server. Put this file where your editor looks")
	w.line("-- for Lua libraries (Lua.workspace.library).")
	w.line("")
	w.b.WriteString(coreTypes)
	list := reg.List()
	for _, n := range list {
		w.params(&n.Spec)
	}
	w.catalogue(list)
	return w.b.String()
}

// coreTypes describes what package lua itself brings.
const coreTypes = `---What a node type returns: a node with its parameters, to be given to flow:step.
---@class ironflow.Node

---What a function step gets: the initial context and the outputs of the steps it depends on. Each key is converted when it is first read.
---@alias ironflow.Context table<string, any>

---@alias ironflow.Handler ironflow.Node | fun(ctx: ironflow.Context): any

---@class ironflow.Flow
local flow = {}

---Declares a step. A function publishes each key of the table it returns, and any other value under "result".
---@param name string 1 to 128 of A-Z a-z 0-9 _ . -, first a letter or digit
---@param handler ironflow.Handler
---@return ironflow.Step
function flow:step(name, handler) end

---Declares a step that runs only when the condition holds.
---@param condition string | fun(ctx: ironflow.Context): boolean text such as "ctx.count > 0", or a function
---@param name string
---@param handler ironflow.Handler
---@return ironflow.Step
function flow:step_if(condition, name, handler) end

---Sets provider settings for every node of the flow that does not set them, or any parameter of one node type.
---@overload fun(self: ironflow.Flow, settings: table<string, any>): ironflow.Flow
---@param node string
---@param params table<string, any>
---@return ironflow.Flow
function flow:defaults(node, params) end

---@class ironflow.Step
local step = {}

---The step runs after these and sees what they and their ancestors publish.
---@param name string | string[]
---@param ... string
---@return ironflow.Step
function step:depends_on(name, ...) end

---Extra attempts after a failure; the wait doubles each time, up to 300 s.
---@param max integer 0..100
---@param backoff? number seconds before the first extra attempt, 0..300; default 1
---@return ironflow.Step
function step:retries(max, backoff) end

---One budget for all attempts and waits.
---@param seconds number above 0
---@return ironflow.Step
function step:timeout(seconds) end

---The step runs only when a direct dependency published this route.
---@param name string
---@return ironflow.Step
function step:route(name) end

---Names the step that recovers this one.
---@param step string
---@return ironflow.Step
function step:on_error(step) end

---@class ironflow.FlowLibrary
Flow = {}

---Makes a flow; the file ends with "return flow".
---@param name string
---@return ironflow.Flow
function Flow.new(name) end

---JSON null: truthy, compare with ==.
---@type userdata
json_null = nil

---Reads JSON text.
---@param text string
---@return any
function json_parse(text) end

---Writes compact JSON with sorted keys.
---@param value any
---@return string
function json_stringify(value) end

---Marks a table as an array, so that it stays one when it is empty.
---@generic T: table
---@param t? T
---@return T
function json_array(t) end

---Marks a table as an object.
---@generic T: table
---@param t? T
---@return T
function json_object(t) end

---Reads a variable of the environment.
---@param key string
---@return string?
function env(key) end

---Logs its arguments, joined by blanks. A first argument that is a level (trace, debug, info, warn, error) sets it.
---@param ... any
function log(...) end

---A random UUID (version 4).
---@return string
function uuid4() end

---The time in UTC as RFC 3339.
---@return string
function now_rfc3339() end

---Milliseconds since 1970.
---@return integer
function now_unix_ms() end

---@param bytes string
---@return string
function base64_encode(bytes) end

---@param text string
---@return string
function base64_decode(text) end

---What there is of Lua 5.3's library for UTF-8; the rest of the language is Lua 5.1. Positions are in bytes, from 1.
---@class ironflow.utf8
---@field charpattern string matches one character of valid UTF-8
utf8 = {}

---Counts the characters that start between bytes i and j.
---@param s string
---@param i? integer default 1
---@param j? integer default -1
---@return integer? count nil when the text is not valid UTF-8
---@return integer? position of the first invalid byte
function utf8.len(s, i, j) end

---The text of these code points.
---@param ... integer
---@return string
function utf8.char(...) end

---The code points of the characters that start between bytes i and j.
---@param s string
---@param i? integer default 1
---@param j? integer default i
---@return integer ...
function utf8.codepoint(s, i, j) end

---Walks through a text: for position, code in utf8.codes(s) do.
---@param s string
---@return fun(s: string, position: integer): integer, integer
---@return string
---@return integer
function utf8.codes(s) end

`

type typeWriter struct{ b strings.Builder }

func (w *typeWriter) line(format string, args ...any) {
	if len(args) > 0 {
		format = fmt.Sprintf(format, args...)
	}
	w.b.WriteString(format + "\n")
}

// comment makes text fit on one line behind a definition.
func comment(s string) string { return strings.Join(strings.Fields(s), " ") }

// params writes the class of a node's parameters. A name that stands in
// several groups is one field with all their types.
func (w *typeWriter) params(s *nodes.Spec) {
	w.line("---%s", comment(s.Summary))
	w.line("---@class %s", paramsClass(s.Name))
	for _, name := range s.ParamNames() {
		var types, help []string
		optional := false
		for i := range s.Params {
			p := &s.Params[i]
			if p.Name != name {
				continue
			}
			if t := paramType(p); !slices.Contains(types, t) {
				types = append(types, t)
			}
			if h := paramHelp(p); !slices.Contains(help, h) {
				help = append(help, h)
			}
			optional = optional || !p.Required || p.When != nil || p.Env != ""
		}
		mark := ""
		if optional {
			mark = "?"
		}
		w.line("---@field %s%s %s %s", fieldName(name), mark, strings.Join(types, " | "), strings.Join(help, "; or: "))
		for i := range s.Params {
			if p := &s.Params[i]; p.Name == name && p.Alias != "" {
				w.line("---@field %s? %s earlier name of %s", fieldName(p.Alias), paramType(p), name)
				break
			}
		}
	}
	w.line("")
}

func paramsClass(node string) string { return "ironflow.params." + node }

// fieldName writes a name that is no identifier in brackets.
func fieldName(name string) string {
	for i, r := range name {
		letter := r == '_' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z'
		if !letter && (i == 0 || r < '0' || r > '9') {
			return "[" + strconv.Quote(name) + "]"
		}
	}
	return name
}

func paramHelp(p *nodes.Param) string {
	text := comment(p.Help)
	if p.When != nil {
		text += fmt.Sprintf(" (with %s = %s)", p.When.Param, nodes.QuoteList(p.When.In, "or"))
	}
	if p.Range != nil {
		text += fmt.Sprintf("; %s", p.Range)
	}
	if p.Unit != "" {
		text += " " + p.Unit
	}
	if p.Default != nil {
		text += "; default " + nodes.Describe(p.Default)
	}
	if p.Env != "" {
		text += "; from " + p.Env + " when absent"
	}
	return text
}

// paramType is the type of a parameter in the words of lua-language-server.
func paramType(p *nodes.Param) string {
	if len(p.Enum) > 0 {
		quoted := make([]string, len(p.Enum))
		for i, e := range p.Enum {
			quoted[i] = strconv.Quote(e)
		}
		return strings.Join(append(quoted, orTypes(p)...), " | ")
	}
	return strings.Join(append([]string{typeOf(p, p.Type)}, orTypes(p)...), " | ")
}

func orTypes(p *nodes.Param) []string {
	var out []string
	for _, t := range p.Or {
		out = append(out, typeOf(p, t))
	}
	return out
}

func typeOf(p *nodes.Param, t nodes.Type) string {
	switch t {
	case nodes.Array:
		if p.Elem != nil {
			return "(" + paramType(p.Elem) + ")[]"
		}
		return "any[]"
	case nodes.Object:
		switch {
		case len(p.Fields) > 0:
			return objectType(p.Fields)
		case p.Elem != nil:
			return "table<string, " + paramType(p.Elem) + ">"
		case p.Secret:
			return "table<string, string>"
		}
		return "table<string, any>"
	case nodes.Function:
		return "fun(...: any): any"
	}
	return string(t)
}

func objectType(fields []nodes.Param) string {
	parts := make([]string, len(fields))
	for i := range fields {
		mark := "?"
		if fields[i].Required {
			mark = ""
		}
		parts[i] = fieldName(fields[i].Name) + mark + ": " + paramType(&fields[i])
	}
	return "{ " + strings.Join(parts, ", ") + " }"
}

// catalogue writes the table `nodes`, and one class for each prefix.
func (w *typeWriter) catalogue(list []*nodes.Node) {
	classes := map[string][]string{"": nil} // prefix -> its fields
	for _, n := range list {
		name := n.Spec.Name
		mark := "?"
		if slices.ContainsFunc(n.Spec.Params, func(p nodes.Param) bool { return p.Required && p.When == nil && p.Env == "" }) {
			mark = ""
		}
		kind := fmt.Sprintf("fun(params%s: %s): ironflow.Node %s", mark, paramsClass(name), comment(n.Spec.Summary))
		prefix, last := "", name
		for i := range len(name) {
			if name[i] != '.' {
				continue
			}
			sub := name[:i]
			if _, known := classes[sub]; !known {
				classes[sub] = nil
				classes[prefix] = append(classes[prefix], fmt.Sprintf("%s ironflow.nodes.%s nodes of %s", sub[strings.LastIndexByte(sub, '.')+1:], sub, sub))
			}
			prefix, last = sub, name[i+1:]
		}
		classes[prefix] = append(classes[prefix], fieldName(last)+" "+kind)
		if prefix != "" {
			classes[""] = append(classes[""], fieldName(name)+" "+kind)
		}
	}
	for _, prefix := range slices.Sorted(maps.Keys(classes)) {
		if prefix == "" {
			continue
		}
		w.class("ironflow.nodes."+prefix, classes[prefix])
	}
	w.line("---The node types.")
	// A field and not a function of the table: checkers look for it in the class
	// that the table is said to have.
	define := "define fun(name: string, definition: ironflow.Definition) defines a node of this flow; its name has a prefix and a dot, such as acme.shout"
	w.class("ironflow.Nodes", append([]string{define}, classes[""]...))
	w.line("---@type ironflow.Nodes")
	w.line("nodes = {}")
	w.line("")
	w.b.WriteString(defineTypes)
}

func (w *typeWriter) class(name string, fields []string) {
	w.line("---@class %s", name)
	for _, f := range fields {
		w.line("---@field %s", f)
	}
	w.line("")
}

// defineTypes describes what nodes.define takes.
const defineTypes = `---@alias ironflow.Type "string" | "number" | "integer" | "boolean" | "array" | "object" | "function" | "any"

---One parameter of a node that a flow defines.
---@class ironflow.Param
---@field name? string only where parameters are given as a list
---@field type? ironflow.Type | ironflow.Type[]
---@field help? string
---@field required? boolean
---@field default? any
---@field enum? string[]
---@field min? number
---@field max? number
---@field unit? string
---@field env? string variable that is read when the parameter is absent
---@field secret? boolean never printed
---@field interpolate? boolean ${ctx...} is filled in
---@field source? boolean names a value of the context
---@field nonempty? boolean
---@field alias? string
---@field needs? string[]
---@field items? ironflow.Type | ironflow.Param elements of an array
---@field fields? table<string, ironflow.Param> members of an object
---@field when? table<string, string | string[]> values that another parameter must have

---@class ironflow.Output
---@field type? ironflow.Type
---@field help? string
---@field name? string a fixed key instead of output_key and a suffix

---@class ironflow.Definition
---@field summary? string
---@field doc? string
---@field params? table<string, ironflow.Param>
---@field outputs? table<string, ironflow.Type | ironflow.Output> by suffix: "" and "_name"
---@field run? fun(config: table, ctx: ironflow.Context): any returns the outputs by suffix
---@field exec? string[] a program and its arguments, instead of run
---@field timeout? number seconds for the program
---@field env? table<string, string> variables for the program

`
