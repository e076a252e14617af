package lua

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	glua "github.com/yuin/gopher-lua"

	"github.com/ironflow/ironflow/lua/internal/convert"
	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
)

// nodeType is nodes.<name> before it is called. It also stands for a prefix:
// nodes.acme, whose fields are the types acme.<name>.
type nodeType struct{ name string }

// declaration is what nodes.<name>{...} returns: a node and its parameters as
// context values. Any number of steps may use it.
type declaration struct {
	name string
	// node is nil when there is no such type, which is recorded then.
	node   *nodes.Node
	params map[string]any
	// rejected are parameters that could not be read.
	rejected []string
	// pending are mistakes that wait for the step whose name belongs into the
	// message.
	pending []pendingProblem
	file    string
	line    int
	used    bool
}

// pendingProblem is a mistake in a declaration; path, when it is set, leads to
// the place inside the parameters.
type pendingProblem struct{ path, message string }

// openNodes puts the table `nodes` into the load VM. Its fields are made when
// they are read, so nodes that the flow defines are there at once.
func (l *loader) openNodes() {
	types := map[string]glua.LValue{}
	var typeMethods *glua.LTable
	typed := func(L *glua.LState, name string) int {
		v, ok := types[name]
		if !ok {
			v = l.object(&nodeType{name: name}, typeMethods, "nodes."+name)
			types[name] = v
		}
		L.Push(v)
		return 1
	}
	typeMethods = l.metatable("a node type", map[string]glua.LValue{
		"__call": l.goFunction("a node type", l.callNode),
		"__index": l.goFunction("a node type", func(L *glua.LState) int {
			t, ok := L.CheckUserData(1).Value.(*nodeType)
			if !ok {
				return 0
			}
			return typed(L, t.name+"."+keyText(L.Get(2)))
		}),
		"__newindex": l.goFunction("nodes", l.setNode),
	})
	table := l.vm.L.NewTable()
	table.RawSetString("define", l.goFunction("nodes.define", l.defineNode))
	table.Metatable = l.metatable("nodes", map[string]glua.LValue{
		"__index":    l.goFunction("nodes", func(L *glua.LState) int { return typed(L, keyText(L.Get(2))) }),
		"__newindex": l.goFunction("nodes", l.setNode),
	})
	l.nodesTable = table
	l.declarationMethods = l.metatable("a node", nil)
	l.vm.LoadOnly(table, "nodes")
	l.vm.SetLoadOnly("nodes", table)
}

func keyText(v glua.LValue) string {
	if s, ok := v.(glua.LString); ok {
		return string(s)
	}
	return "[" + describe(v) + "]"
}

func (l *loader) setNode(L *glua.LState) int {
	l.record(L, "", "nodes cannot be assigned (%q); declare one with nodes.define(\"acme.name\", {...})", keyText(L.Get(2)))
	return 0
}

// callNode is nodes.<name>(config).
func (l *loader) callNode(L *glua.LState) int {
	t, ok := L.CheckUserData(1).Value.(*nodeType)
	if !ok {
		return 0
	}
	d := &declaration{name: t.name, params: map[string]any{}}
	d.file, d.line = l.here(L)
	args := arguments(L)[1:]
	if node, ok := l.registry.Lookup(t.name); ok {
		d.node = node
	} else if !l.badNodes[t.name] {
		d.pend("", "%s", l.unknownNode(t.name))
	}
	if len(args) > 0 && l.isNodes(args[0]) {
		d.mistake("write nodes.%s{...} with a dot, not a colon", t.name)
		args = args[1:]
	}
	switch config := argument(args, 0).(type) {
	case *glua.LTable:
		l.readParams(d, config)
	case *glua.LNilType:
	default:
		d.rejected = append(d.rejected, everyParam)
		d.mistake("takes one table of parameters, nodes.%s{ name = value }, got %s", t.name, describe(config))
	}
	if len(args) > 1 {
		d.mistake("takes one table of parameters, got %d arguments", len(args))
	}
	l.declarations = append(l.declarations, d)
	L.Push(l.object(d, l.declarationMethods, "a node made by nodes."+t.name))
	return 1
}

// everyParam in declaration.rejected stands for all parameters.
const everyParam = "*"

func (l *loader) isNodes(v glua.LValue) bool {
	if ud, ok := v.(*glua.LUserData); ok {
		_, ok = ud.Value.(*nodeType)
		return ok
	}
	return v == glua.LValue(l.nodesTable)
}

// unknownNode says that there is no node of that name.
func (l *loader) unknownNode(name string) string {
	hint := "; `ironflow nodes` lists them"
	if near := nodes.Nearest(name, l.registry.Names()); len(near) > 0 {
		hint = "; did you mean " + nodes.QuoteList(near, "or") + "?"
	}
	return fmt.Sprintf("there is no node %q%s", name, hint)
}

// mistake notes a mistake in the call of a node type. Of a type that does not
// exist, nothing else is reported.
func (d *declaration) mistake(format string, args ...any) {
	if d.node != nil {
		d.pend("", format, args...)
	}
}

func (d *declaration) pend(path, format string, args ...any) {
	d.pending = append(d.pending, pendingProblem{path, fmt.Sprintf(format, args...)})
}

// readParams converts a table of parameters. Each that cannot be converted is
// a fault of its own.
func (l *loader) readParams(d *declaration, config *glua.LTable) {
	for k, v := config.Next(glua.LNil); k != glua.LNil; k, v = config.Next(k) {
		name, ok := k.(glua.LString)
		if !ok {
			d.reject(everyParam, "$["+describe(k)+"]", "parameters are given by name: { name = value }")
			continue
		}
		converted, err := l.param(v)
		if err == nil {
			d.params[string(name)] = converted
			continue
		}
		err = value.InKey(err, string(name))
		var at *value.PathError
		if !errors.As(err, &at) {
			at = &value.PathError{Path: "$", Msg: err.Error()}
		}
		d.reject(string(name), at.Path, at.Msg)
	}
}

func (d *declaration) reject(param, path, message string) {
	d.rejected = append(d.rejected, param)
	if d.node != nil {
		d.pend(path, "%s", message)
	}
}

// param converts one parameter: a function becomes a nodes.Func, anything else
// a context value.
func (l *loader) param(v glua.LValue) (any, error) {
	if fn, ok := v.(*glua.LFunction); ok {
		return l.function(fn, ""), nil
	}
	return l.vm.Convert(v, convert.Options{Userdata: loadOnlyValue})
}

// loadOnlyValue is the error for a flow, a builder or a node inside of
// parameters.
func loadOnlyValue(ud *glua.LUserData) (any, error) {
	return nil, &value.PathError{Path: "$", Msg: describe(ud) + " is not a JSON value"}
}

// useDeclaration notes that a step uses a declaration, and reports its
// mistakes under the step's name, once. step is empty for one that no step
// uses.
func (l *loader) useDeclaration(d *declaration, step string) {
	d.used = true
	for _, v := range d.params {
		if fn, ok := v.(*Function); ok && fn.step == "" {
			fn.step = step
		}
	}
	for _, p := range d.pending {
		if p.path != "" {
			path := "$.config"
			if step != "" {
				path = "$.steps[" + strconv.Quote(step) + "].config"
			}
			p.message = path + strings.TrimPrefix(p.path, "$") + ": " + p.message
		}
		problem := nodes.Problem{File: d.file, Line: d.line, Step: step, Message: p.message}
		if d.node != nil {
			problem.Node = d.name
		}
		l.note(problem)
	}
	d.pending = nil
}

// unused reports the mistakes of declarations that no step uses.
func (l *loader) unused() {
	for _, d := range l.declarations {
		if d.used {
			continue
		}
		l.useDeclaration(d, "")
		if d.node != nil {
			l.checkParams(nodes.Problem{File: d.file, Line: d.line}, d.node, d.params, 0, d.rejected)
		}
	}
}

// checkParams reports what is wrong with the parameters of a node that
// planning will not see. What only follows from a rejected parameter is left
// out.
func (l *loader) checkParams(at nodes.Problem, node *nodes.Node, params map[string]any, retries int, rejected []string) {
	if slices.Contains(rejected, everyParam) && len(params) == 0 {
		return
	}
	for _, p := range append(nodes.Check(&node.Spec, params), nodes.CheckRetries(&node.Spec, params, retries)...) {
		_, given := params[p.Param]
		if slices.Contains(rejected, p.Param) || !given && slices.Contains(rejected, everyParam) {
			continue
		}
		p.File, p.Line, p.Step = at.File, at.Line, at.Step
		l.note(p)
	}
}
