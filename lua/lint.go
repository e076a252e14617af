package lua

import (
	"fmt"
	"slices"

	glua "github.com/yuin/gopher-lua"

	"github.com/ironflow/ironflow/nodes"
)

// lint warns about functions that read globals which nothing defines: most
// often a mistyped name. It looks at the functions given to steps and at all
// that they can reach.
func (l *loader) lint() {
	globals := l.vm.L.G.Global
	if globals.Metatable != glua.LNil {
		return // the file has its own idea of what a global is
	}
	known := map[string]bool{}
	for k, _ := globals.Next(glua.LNil); k != glua.LNil; k, _ = globals.Next(k) {
		if s, ok := k.(glua.LString); ok {
			known[string(s)] = true
		}
	}
	for _, name := range loadOnlyGlobals() {
		known[name] = false
	}
	r := &reach{seen: map[glua.LValue]bool{}, protos: map[*glua.FunctionProto]bool{}}
	for _, f := range l.ordered {
		before := len(r.reads)
		r.value(f.fn)
		for i := range r.reads[before:] {
			r.reads[before+i].step = f.step
		}
	}
	for _, name := range r.sets {
		if !slices.Contains(loadOnlyGlobals(), name) {
			known[name] = true
		}
	}
	names := make([]string, 0, len(known))
	for name, ok := range known {
		if ok {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, read := range r.reads {
		if !known[read.name] {
			l.problems = append(l.problems, nodes.Problem{
				Severity: nodes.Warning, File: read.file, Line: read.line, Step: read.step, Message: undefinedText(read.name, names),
			})
		}
	}
}

// loadOnlyGlobals are the globals that exist only while the file loads.
func loadOnlyGlobals() []string { return []string{"Flow", "nodes"} }

func undefinedText(name string, names []string) string {
	if slices.Contains(loadOnlyGlobals(), name) {
		return fmt.Sprintf("reads the global %q, which exists only while the file loads and is nil in a function", name)
	}
	hint := ""
	if near := nodes.Nearest(name, names); len(near) > 0 {
		hint = "; did you mean " + nodes.QuoteList(near, "or") + "?"
	} else if name == "ctx" {
		hint = "; a function gets it as its argument: function(ctx) ... end"
	}
	return fmt.Sprintf("reads the global %q, which nothing defines, so it is nil%s", name, hint)
}

// globalRead is one place where code reads a global.
type globalRead struct {
	name, file string
	line       int
	step       string // the first step whose function reaches it
}

// reach collects the globals that functions and all that they can reach read
// and assign, each place once.
type reach struct {
	seen   map[glua.LValue]bool
	protos map[*glua.FunctionProto]bool
	reads  []globalRead
	sets   []string
}

// maxReach bounds how many functions and tables are looked at, and how many
// fields of one table, since a file may have built large ones.
const maxReach = 200000

func (r *reach) value(root glua.LValue) {
	queue := []glua.LValue{root}
	add := func(v glua.LValue) {
		switch v.(type) {
		case *glua.LFunction, *glua.LTable:
			if !r.seen[v] && len(r.seen) < maxReach {
				r.seen[v] = true
				queue = append(queue, v)
			}
		}
	}
	for len(queue) > 0 {
		v := queue[len(queue)-1]
		queue = queue[:len(queue)-1]
		switch v := v.(type) {
		case *glua.LFunction:
			if v.IsG {
				continue
			}
			r.proto(v.Proto)
			for _, u := range v.Upvalues {
				if u != nil {
					add(u.Value())
				}
			}
		case *glua.LTable:
			visited := 0
			for k, e := v.Next(glua.LNil); k != glua.LNil && visited < maxReach; k, e = v.Next(k) {
				add(e)
				visited++
			}
			add(v.Metatable)
		}
	}
}

// proto reads compiled code: instructions are 6 bits of operation, and for
// globals 18 bits that number a constant, the name.
func (r *reach) proto(p *glua.FunctionProto) {
	if r.protos[p] {
		return
	}
	r.protos[p] = true
	for pc, inst := range p.Code {
		op, at := int(inst>>26), int(inst&0x3ffff)
		if op != glua.OP_GETGLOBAL && op != glua.OP_SETGLOBAL || at >= len(p.Constants) {
			continue
		}
		name, ok := p.Constants[at].(glua.LString)
		switch {
		case !ok:
		case op == glua.OP_SETGLOBAL:
			r.sets = append(r.sets, string(name))
		default:
			r.reads = append(r.reads, globalRead{name: string(name), file: p.SourceName, line: p.DbgSourcePositions[pc]})
		}
	}
	for _, inner := range p.FunctionPrototypes {
		r.proto(inner)
	}
}
