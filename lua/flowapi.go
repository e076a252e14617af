package lua

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	glua "github.com/yuin/gopher-lua"

	"github.com/ironflow/ironflow/flow"
	"github.com/ironflow/ironflow/lua/internal/vm"
)

// flowObject is what Flow.new returns while the file loads.
type flowObject struct {
	name  string
	steps []*flow.Step
	first map[string]*flow.Step // by name
	// defaults by node name; "" holds those for every node.
	defaults map[string][]defaultValue
}

// builderObject is what flow:step and flow:step_if return.
type builderObject struct {
	flow *flowObject
	step *flow.Step
	// guard is the step that takes depends_on and route instead, for step_if.
	guard *flow.Step
}

// stepName is what a step may be called.
var stepName = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$`)

const stepNameRule = "use 1 to 128 of A-Z a-z 0-9 _ . - and start with a letter or digit"

// openFlow puts the table `Flow` and the methods of flows and builders into
// the load VM.
func (l *loader) openFlow() {
	l.flowMethods = l.methods("flow", map[string]glua.LGFunction{
		"step": l.flowStep, "step_if": l.flowStepIf, "defaults": l.flowDefaults,
	})
	l.builderMethods = l.methods("step builder", map[string]glua.LGFunction{
		"depends_on": l.dependsOn, "retries": l.retries, "timeout": l.timeout,
		"route": l.route, "on_error": l.onError,
	})
	table := l.vm.L.NewTable()
	table.RawSetString("new", l.goFunction("Flow.new", l.flowNew))
	l.vm.LoadOnly(table, "Flow")
	l.vm.SetLoadOnly("Flow", table)
}

// goFunction makes a function that exists only while the file loads.
func (l *loader) goFunction(name string, f glua.LGFunction) *glua.LFunction {
	fn := l.vm.NewFunction(name, func(_ *vm.VM, L *glua.LState) int { return f(L) })
	l.vm.LoadOnly(fn, name)
	return fn
}

// methods makes the metatable of an object with the given methods. A method
// that does not exist is one that records the mistake when it is called.
func (l *loader) methods(what string, list map[string]glua.LGFunction) *glua.LTable {
	index := l.vm.L.NewTable()
	var names []string
	for name, f := range list {
		index.RawSetString(name, l.goFunction(name, f))
		names = append(names, name)
	}
	slices.Sort(names)
	unknown := l.vm.L.NewTable()
	unknown.RawSetString("__index", l.goFunction(what, func(L *glua.LState) int {
		name := keyText(L.Get(2))
		L.Push(l.goFunction(name, func(L *glua.LState) int { return l.unknownMethod(L, what, name, names) }))
		return 1
	}))
	index.Metatable = unknown
	return l.metatable("a "+what, map[string]glua.LValue{
		"__index": index,
		"__newindex": l.goFunction(what, func(L *glua.LState) int {
			l.record(L, "", "a %s has no fields to set; remove the assignment to %q", what, keyText(L.Get(2)))
			return 0
		}),
	})
}

// metatable makes a metatable that scripts can neither see nor replace.
func (l *loader) metatable(what string, fields map[string]glua.LValue) *glua.LTable {
	mt := l.vm.L.NewTable()
	for k, v := range fields {
		mt.RawSetString(k, v)
	}
	mt.RawSetString("__metatable", glua.LString(what))
	mt.RawSetString("__tostring", l.goFunction(what, func(L *glua.LState) int {
		L.Push(glua.LString(what))
		return 1
	}))
	return mt
}

// object makes a value of the load VM. A function that uses it later is told
// by label that it exists only while the file loads.
func (l *loader) object(v any, mt *glua.LTable, label string) *glua.LUserData {
	ud := l.vm.L.NewUserData()
	ud.Value, ud.Metatable = v, mt
	l.vm.LoadOnly(ud, label)
	return ud
}

func (l *loader) flowNew(L *glua.LState) int {
	args := arguments(L)
	f := &flowObject{first: map[string]*flow.Step{}, defaults: map[string][]defaultValue{}}
	switch name := argument(args, 0).(type) {
	case glua.LString:
		f.name = string(name)
		if err := flowNameError(f.name); err != "" {
			l.record(L, "", "flow name %q: %s", shorten(f.name), err)
		}
	case *glua.LTable:
		l.record(L, "", `write Flow.new("name") with a dot and a name`)
	default:
		l.record(L, "", `Flow.new takes the name of the flow as a string, got %s`, describe(name))
	}
	l.flows = append(l.flows, f)
	return l.push(L, f)
}

func flowNameError(name string) string {
	switch {
	case strings.TrimSpace(name) == "":
		return "is empty; give the flow a name"
	case len(name) > 256 || !utf8.ValidString(name):
		return "want at most 256 bytes of UTF-8"
	case strings.ContainsFunc(name, func(r rune) bool { return r < ' ' || r == 0x7f }):
		return "holds control characters; remove them"
	}
	return ""
}

// self returns the flow that a method was called on. A call with a dot instead
// of a colon is recorded.
func (l *loader) self(L *glua.LState, args []glua.LValue, method string) (*flowObject, []glua.LValue, bool) {
	if len(args) > 0 {
		if ud, ok := args[0].(*glua.LUserData); ok {
			if f, ok := ud.Value.(*flowObject); ok {
				return f, args[1:], true
			}
		}
	}
	l.record(L, firstString(args), "call %s with a colon: flow:%s(...)", method, method)
	return l.anyFlow(), args, false
}

func (l *loader) flowStep(L *glua.LState) int {
	f, args, ok := l.self(L, arguments(L), "step")
	if !ok {
		return l.push(L, l.broken(L, f, args))
	}
	name, good := l.checkStepName(L, f, "step", args, 0)
	h := l.handler(L, name, `flow:step("name", handler)`, argument(args, 1))
	if len(args) > 2 {
		good = false
		l.record(L, name, "flow:step takes a name and a handler, got %d arguments; settings follow as :depends_on(...), :retries(...)", len(args))
	}
	return l.push(L, &builderObject{flow: f, step: l.declare(L, f, name, h, good)})
}

func (l *loader) flowStepIf(L *glua.LState) int {
	f, args, ok := l.self(L, arguments(L), "step_if")
	if !ok {
		return l.push(L, l.broken(L, f, args))
	}
	name, good := l.checkStepName(L, f, "step_if", args, 1)
	guard := l.guard(L, f, name, argument(args, 0), good)
	h := l.handler(L, name, `flow:step_if(condition, "name", handler)`, argument(args, 2))
	if len(args) > 3 {
		good = false
		l.record(L, name, "flow:step_if takes a condition, a name and a handler, got %d arguments", len(args))
	}
	step := l.declare(L, f, name, h, good)
	if guard.Name != "" {
		step.DependsOn = []string{guard.Name}
		step.Route, step.HasRoute = "true", true
	}
	return l.push(L, &builderObject{flow: f, step: step, guard: guard})
}
