package lua

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	glua "github.com/yuin/gopher-lua"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
	"github.com/ironflow/ironflow/transport"
)

const defineUsage = `nodes.define("acme.name", { summary = "...", params = {...}, outputs = {...}, run = function(config, ctx) ... end })`

// defineNode is nodes.define(name, declaration): it adds a node to the flow's
// registry. One with a mistake is recorded; steps that use it are not reported.
func (l *loader) defineNode(L *glua.LState) int {
	args := arguments(L)
	if len(args) > 0 && l.isNodes(args[0]) {
		l.record(L, "", "write nodes.define(...) with a dot, not a colon")
		args = args[1:]
	}
	name, ok := argument(args, 0).(glua.LString)
	if !ok {
		l.record(L, "", "nodes.define: the name is %s; want %s", describe(argument(args, 0)), defineUsage)
		return 0
	}
	d := &definition{l: l, L: L, name: string(name)}
	table, ok := argument(args, 1).(*glua.LTable)
	switch {
	case !ok:
		d.problem("", "the declaration is %s; want %s", describe(argument(args, 1)), defineUsage)
	case !strings.Contains(d.name, "."):
		d.problem("", "names without a prefix are reserved for built-in nodes; call it %q, with a prefix of your own", "acme."+d.name)
	}
	var node nodes.Node
	if ok {
		node = d.node(table)
	}
	if !d.bad {
		if err := l.registry.Register(node); err != nil {
			d.problem("", "%s", strings.TrimPrefix(err.Error(), fmt.Sprintf("node %q: ", d.name)))
		}
	}
	if d.bad {
		l.badNodes[d.name] = true
	}
	return 0
}

// definition is one call of nodes.define.
type definition struct {
	l    *loader
	L    *glua.LState
	name string
	bad  bool
}

// problem records a mistake at a place inside the declaration (`params.text`).
func (d *definition) problem(path, format string, args ...any) {
	d.bad = true
	if path != "" {
		path += ": "
	}
	d.l.record(d.L, "", "nodes.define(%q): %s%s", shorten(d.name), path, fmt.Sprintf(format, args...))
}

// node reads the whole declaration.
func (d *definition) node(t *glua.LTable) nodes.Node {
	r := d.fields(t, "", "summary", "doc", "params", "outputs", "run", "exec", "timeout", "env")
	n := nodes.Node{Spec: nodes.Spec{
		Name: d.name, Summary: r.text("summary"), Doc: r.text("doc"),
	}}
	if n.Spec.Summary == "" {
		n.Spec.Summary = "A node of this flow"
	}
	n.Spec.Params = d.params(r.get("params"), "params")
	n.Spec.Outputs = d.outputs(r.get("outputs"))
	d.outputKey(&n.Spec)
	run, exec := r.get("run"), r.get("exec")
	switch {
	case run != glua.LNil && exec != glua.LNil:
		d.problem("", "has both run and exec; give one of them")
	case exec != glua.LNil:
		return d.program(r, n.Spec)
	default:
		fn, ok := run.(*glua.LFunction)
		if !ok {
			d.problem("run", "got %s, want function(config, ctx) ... end, or exec = {\"program\", \"argument\"}", describe(run))
			break
		}
		for _, name := range []string{"timeout", "env"} {
			if r.get(name) != glua.LNil {
				d.problem(name, "belongs to exec; a step has :timeout(...)")
			}
		}
		n.Run = luaRun(&n.Spec, d.l.function(fn, ""))
	}
	return n
}

// outputKey adds the parameter output_key to a node with outputs by suffix
// that does not declare it.
func (d *definition) outputKey(s *nodes.Spec) {
	suffixed := slices.ContainsFunc(s.Outputs, func(o nodes.OutputSpec) bool { return o.Name == "" })
	for i := range s.Params {
		if s.Params[i].Name == "output_key" {
			s.Params[i].Role, s.Params[i].NonEmpty = nodes.OutputKey, true
			return
		}
	}
	if suffixed {
		s.Params = append(s.Params, nodes.Param{
			Name: "output_key", Type: nodes.String, Role: nodes.OutputKey, NonEmpty: true,
			Default: d.name[strings.LastIndexByte(d.name, '.')+1:], Help: "start of the published keys",
		})
	}
}

// outputs reads what the node publishes: a table by suffix ("" and names that
// start with _) or by fixed name, or a list of such keys. Without it, there is
// one main output of any type.
func (d *definition) outputs(v glua.LValue) []nodes.OutputSpec {
	if v == glua.LNil {
		return []nodes.OutputSpec{{Type: nodes.Any, Help: "what run returns as [\"\"]"}}
	}
	t, ok := v.(*glua.LTable)
	if !ok {
		d.problem("outputs", "got %s, want a table such as { [\"\"] = { type = \"string\", help = \"...\" } }", describe(v))
		return nil
	}
	var out []nodes.OutputSpec
	for k, v := t.Next(glua.LNil); k != glua.LNil; k, v = t.Next(k) {
		key, isText := k.(glua.LString)
		o := nodes.OutputSpec{Type: nodes.Any, Help: noHelp}
		path := fmt.Sprintf("outputs[%s]", describe(k))
		if !isText {
			if key, ok = v.(glua.LString); ok { // a list of keys
				v = glua.LNil
			}
		}
		switch v := v.(type) {
		case *glua.LNilType:
		case glua.LString:
			o.Type = d.typeName(path, string(v))
		case *glua.LTable:
			r := d.fields(v, path, "type", "help", "name")
			if name := r.text("type"); name != "" {
				o.Type = d.typeName(path+".type", name)
			}
			if help := r.text("help"); help != "" {
				o.Help = help
			}
			if name := r.text("name"); name != "" {
				key = glua.LString(name)
				o.Name = name
			}
		default:
			d.problem(path, "got %s, want a type or a table { type = ..., help = ... }", describe(v))
		}
		if o.Name == "" && key != "" && !strings.HasPrefix(string(key), "_") {
			o.Name = string(key)
		} else if o.Name == "" {
			o.Suffix = string(key)
		}
		out = append(out, o)
	}
	return out
}

// luaRun is the Run of a node whose body is a Lua function.
func luaRun(spec *nodes.Spec, fn *Function) func(context.Context, *nodes.Call) (nodes.Output, error) {
	names, outputs, node := spec.ParamNames(), slices.Clone(spec.Outputs), spec.Name
	return func(ctx context.Context, call *nodes.Call) (nodes.Output, error) {
		config := parameters{}
		for _, name := range names {
			if v := call.Value(name); v != nil {
				config[name] = revealed(v)
			}
		}
		result, err := fn.Call(ctx, config, call.View())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", node, err)
		}
		return bySuffix(node, outputs, result)
	}
}

// revealed makes a parameter readable for the node's own code.
func revealed(v any) any {
	m, ok := v.(map[string]any)
	if !ok {
		return v
	}
	if !slices.ContainsFunc(slices.Collect(maps.Values(m)), func(e any) bool { _, secret := e.(transport.Secret); return secret }) {
		return v
	}
	return parameters(m)
}

// bySuffix reads what a node returned as its outputs. A value that is no
// object is the main output.
func bySuffix(node string, outputs []nodes.OutputSpec, result any) (nodes.Output, error) {
	keys := make([]string, len(outputs))
	types := map[string]nodes.Type{}
	for i, o := range outputs {
		keys[i], types[o.Key()] = o.Key(), o.Type
	}
	_, hasMain := types[""]
	m, isObject := result.(map[string]any)
	switch {
	case result == nil:
		return nodes.Output{}, nil
	case !isObject && hasMain:
		return nodes.Output{"": result}, nil
	case !isObject:
		return nil, fmt.Errorf("%s: returned %s, want a table with the keys %s", node, nodes.Describe(result), nodes.QuoteList(keys, "or"))
	}
	out := nodes.Output{}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		t, ok := types[k]
		if !ok && k != "_success" && k != "_count" {
			return nil, fmt.Errorf("%s: returned the key %q, which its outputs do not declare (%s); a table as the main output is returned as { [\"\"] = {...} }",
				node, k, nodes.QuoteList(keys, "and"))
		}
		out[k] = m[k]
		if empty, isMap := m[k].(map[string]any); isMap && len(empty) == 0 && t == nodes.Array {
			out[k] = value.Array(nil)
		}
	}
	return out, nil
}
