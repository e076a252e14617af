package lua

import (
	"fmt"
	"strconv"

	glua "github.com/yuin/gopher-lua"

	"github.com/ironflow/ironflow/nodes"
)

// arguments returns what a Go function was called with.
func arguments(L *glua.LState) []glua.LValue {
	args := make([]glua.LValue, L.GetTop())
	for i := range args {
		args[i] = L.Get(i + 1)
	}
	return args
}

// argument returns one of them, nil (of Lua) when there are fewer.
func argument(args []glua.LValue, i int) glua.LValue {
	if i < len(args) {
		return args[i]
	}
	return glua.LNil
}

// firstString returns the first text among the arguments.
func firstString(args []glua.LValue) string {
	for _, a := range args {
		if s, ok := a.(glua.LString); ok {
			return string(s)
		}
	}
	return ""
}

// describe shows a Lua value in a message: its type, and what it holds when
// that is short.
func describe(v glua.LValue) string {
	switch v := v.(type) {
	case *glua.LNilType:
		return "nil"
	case glua.LString:
		if len(v) > 60 {
			return fmt.Sprintf("%q (%d bytes)", shorten(string(v)), len(v))
		}
		return strconv.Quote(string(v))
	case glua.LNumber:
		return strconv.FormatFloat(float64(v), 'g', -1, 64)
	case glua.LBool:
		return v.String()
	case *glua.LUserData:
		switch obj := v.Value.(type) {
		case *flowObject:
			return "a flow"
		case *builderObject:
			return fmt.Sprintf("what flow:step returned (write the step's name in quotes: %q)", obj.step.Name)
		case *declaration:
			return "a node"
		case *nodeType:
			return "the node type nodes." + obj.name
		}
		return "a userdata"
	}
	return "a " + v.Type().String()
}

// here returns the place of the statement that called the running Go function.
func (l *loader) here(L *glua.LState) (file string, line int) {
	// pcall and coroutines run in threads of their own.
	for ; L != nil; L = L.Parent {
		for level := 0; ; level++ {
			d, ok := L.GetStack(level)
			if !ok {
				break
			}
			if _, err := L.GetInfo("Sl", d, glua.LNil); err != nil || d.CurrentLine < 1 {
				continue // a Go function
			}
			if c := l.program.modules.chunk(d.Source); c != nil {
				return d.Source, c.start(d.CurrentLine)
			}
		}
	}
	return l.file, 0
}

// record notes a mistake in a declaration, at the statement that is running.
func (l *loader) record(L *glua.LState, step, format string, args ...any) {
	file, line := l.here(L)
	l.note(nodes.Problem{File: file, Line: line, Step: step, Message: fmt.Sprintf(format, args...)})
}

// note adds an error to the problems of the file.
func (l *loader) note(p nodes.Problem) {
	p.Severity = nodes.Error
	if len(l.problems) < maxProblems {
		l.problems = append(l.problems, p)
	}
}

// maxProblems bounds what a script with a mistake in a loop can record.
const maxProblems = 10000
