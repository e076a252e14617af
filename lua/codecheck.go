package lua

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	glua "github.com/yuin/gopher-lua"

	"github.com/ironflow/ironflow/flow"
	"github.com/ironflow/ironflow/nodes"
)

// codeNode is the node whose source text is Lua.
const codeNode = "code"

// checkCode compiles the source texts of the nodes `code`, so that a syntax
// error is found before anything runs, and keeps them for lint.
func (l *loader) checkCode() {
	for _, s := range l.steps {
		if s.Node == nil || s.Node.Spec.Name != codeNode {
			continue
		}
		source, ok := s.Params["source"].(string)
		if !ok {
			continue
		}
		c, err := compileCode(s.Name, source)
		if err == nil {
			l.codes = append(l.codes, codeSource{s, c})
			continue
		}
		text := err.Error()
		var e *LoadError
		if errors.As(err, &e) {
			text = e.Msg
			if e.Line > 0 {
				text = fmt.Sprintf("line %d of the text: %s", e.Line, text)
			}
		}
		l.note(codeProblem(s, nodes.Error, text))
	}
}

// codeSource is the compiled source text of a step.
type codeSource struct {
	step  *flow.Step
	chunk *chunk
}

// lintCode warns about globals that a source text reads and nothing defines.
// What it assigns itself counts; what the file or another text assigns does
// not, because each text runs in a VM of its own.
func (l *loader) lintCode() {
	if len(l.codes) == 0 {
		return
	}
	for _, code := range l.codes {
		r := &reach{protos: map[*glua.FunctionProto]bool{}}
		r.proto(code.chunk.proto)
		known := append(slices.Clone(l.standard), "ctx")
		known = append(known, r.sets...)
		for _, read := range r.reads {
			if !slices.Contains(known, read.name) {
				text := fmt.Sprintf("line %d of the text: %s", read.line, undefinedText(read.name, known))
				l.problems = append(l.problems, codeProblem(code.step, nodes.Warning, text))
			}
		}
	}
}

// standardGlobals are the names of the globals that every function has: those
// of a VM in which no file has run yet, without what exists only while it loads.
func standardGlobals(L *glua.LState) []string {
	var names []string
	L.G.Global.ForEach(func(k, _ glua.LValue) {
		if name, ok := k.(glua.LString); ok && !slices.Contains(loadOnlyGlobals(), string(name)) {
			names = append(names, string(name))
		}
	})
	return names
}

func codeProblem(s *flow.Step, severity nodes.Severity, text string) nodes.Problem {
	return nodes.Problem{
		Severity: severity, File: s.File, Line: s.Line, Step: cmp.Or(s.Guards, s.Name),
		Node: codeNode, Param: "source", Message: text,
	}
}
