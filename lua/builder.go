package lua

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	glua "github.com/yuin/gopher-lua"

	"github.com/ironflow/ironflow/flow"
	"github.com/ironflow/ironflow/lua/internal/vm"
	"github.com/ironflow/ironflow/nodes"
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

// unknownMethod records the call of a method that does not exist and returns
// something that the rest of the chain can go on with.
func (l *loader) unknownMethod(L *glua.LState, what, name string, names []string) int {
	args := arguments(L)
	if len(args) > 0 {
		if ud, ok := args[0].(*glua.LUserData); ok {
			switch obj := ud.Value.(type) {
			case *builderObject:
				l.reject(obj)
				l.record(L, obj.step.Name, "a %s has no method %q%s", what, name, nodes.DidYouMean(name, names))
				return l.push(L, obj)
			case *flowObject:
				l.record(L, firstString(args[1:]), "a %s has no method %q%s", what, name, nodes.DidYouMean(name, names))
				return l.push(L, l.broken(L, obj, args[1:]))
			}
		}
	}
	l.record(L, firstString(args), "a %s has no method %q%s", what, name, nodes.DidYouMean(name, names))
	return l.push(L, l.broken(L, l.anyFlow(), args))
}

func (l *loader) push(L *glua.LState, obj any) int {
	mt, label := l.builderMethods, "a step builder"
	if _, ok := obj.(*flowObject); ok {
		mt, label = l.flowMethods, "a flow"
	}
	L.Push(l.object(obj, mt, label))
	return 1
}

// anyFlow is where a mistaken call without a flow belongs: the latest flow.
func (l *loader) anyFlow() *flowObject {
	if n := len(l.flows); n > 0 {
		return l.flows[n-1]
	}
	return &flowObject{first: map[string]*flow.Step{}}
}

// broken declares what a rejected call may have meant to declare, every text
// among its arguments, so that what refers to it is not reported too.
func (l *loader) broken(L *glua.LState, f *flowObject, args []glua.LValue) *builderObject {
	var first *flow.Step
	for _, arg := range args {
		if name, ok := arg.(glua.LString); ok {
			s := l.add(L, f, &flow.Step{Name: string(name), Broken: true})
			if first == nil {
				first = s
			}
		}
	}
	if first == nil {
		first = l.add(L, f, &flow.Step{Broken: true})
	}
	return &builderObject{flow: f, step: first}
}

// add gives a step its place and puts it into the flow.
func (l *loader) add(L *glua.LState, f *flowObject, s *flow.Step) *flow.Step {
	s.Backoff = 1
	s.File, s.Line = l.here(L)
	l.steps = append(l.steps, s)
	if _, taken := f.first[s.Name]; !taken && s.Name != "" {
		f.first[s.Name] = s
	}
	f.steps = append(f.steps, s)
	return s
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

// guard declares the step `_if_<name>` that a step_if stands behind.
func (l *loader) guard(L *glua.LState, f *flowObject, name string, condition glua.LValue, good bool) *flow.Step {
	g := &flow.Step{Guards: name, Broken: !good}
	if good {
		g.Name = "_if_" + name
	}
	var value any
	switch c := condition.(type) {
	case glua.LString:
		value = string(c)
	case *glua.LFunction:
		value = l.function(c, name)
	default:
		l.record(L, name, "the condition of flow:step_if is %s, want text such as \"ctx.count > 0\" or a function", describe(condition))
	}
	node, ok := l.registry.Lookup("if_node")
	switch {
	case value == nil:
		g.Broken = true
	case !ok:
		g.Broken = true
		l.record(L, name, "step_if needs the node if_node, which is not registered here")
	default:
		g.Node, g.Params = node, map[string]any{"condition": value}
	}
	return l.add(L, f, g)
}

// checkStepName reads the name of a step from the arguments. good is false
// when the declaration has to be rejected; name is then the text that still
// counts as declared.
func (l *loader) checkStepName(L *glua.LState, f *flowObject, method string, args []glua.LValue, at int) (name string, good bool) {
	s, ok := argument(args, at).(glua.LString)
	if !ok {
		name = firstString(args)
		l.record(L, name, "flow:%s: the name of the step is %s, want a string", method, describe(argument(args, at)))
		return name, false
	}
	name = string(s)
	switch first := f.first[name]; {
	case strings.HasPrefix(name, "_"):
		l.record(L, name, "step name %q is not allowed: names with a leading _ are ours; %s", shorten(name), stepNameRule)
	case !stepName.MatchString(name):
		l.record(L, name, "step name %q is not allowed: %s", shorten(name), stepNameRule)
	case first != nil:
		l.record(L, name, "is declared twice, first in %s:%d; give each step a name of its own", first.File, first.Line)
	default:
		return name, true
	}
	return name, false
}

// handlerValue is what a step does; the zero value is a rejected handler.
type handlerValue struct {
	decl *declaration
	fn   *Function
}

// handler reads the handler of a step.
func (l *loader) handler(L *glua.LState, step, usage string, v glua.LValue) handlerValue {
	switch v := v.(type) {
	case *glua.LFunction:
		return handlerValue{fn: l.function(v, step)}
	case *glua.LUserData:
		switch obj := v.Value.(type) {
		case *declaration:
			l.useDeclaration(obj, step)
			return handlerValue{decl: obj}
		case *nodeType:
			l.record(L, step, "the handler is the node type nodes.%s itself; call it with its parameters: nodes.%s{...}", obj.name, obj.name)
			return handlerValue{}
		}
	}
	l.record(L, step, "the handler is %s, want nodes.<type>{...} or function(ctx) ... end, as in %s", describe(v), usage)
	return handlerValue{}
}

// declare adds a step to its flow. One that was rejected counts as declared
// all the same; what it holds is kept until the load ends and is checked then.
func (l *loader) declare(L *glua.LState, f *flowObject, name string, h handlerValue, good bool) *flow.Step {
	s := &flow.Step{Name: name, Broken: !good}
	switch {
	case h.fn != nil:
		s.Func = h.fn
	case h.decl != nil && h.decl.node != nil:
		s.Node, s.Params = h.decl.node, h.decl.params
		if len(h.decl.rejected) > 0 {
			s.Broken = true
			l.rejected[s] = h.decl.rejected
		}
	default:
		s.Broken = true
	}
	return l.add(L, f, s)
}

// builder returns the builder that a method was called on.
func (l *loader) builder(L *glua.LState, method string) (*builderObject, []glua.LValue) {
	args := arguments(L)
	if len(args) > 0 {
		if ud, ok := args[0].(*glua.LUserData); ok {
			switch obj := ud.Value.(type) {
			case *builderObject:
				return obj, args[1:]
			case *flowObject:
				l.record(L, "", "%s belongs to a step: flow:step(...):%s(...)", method, method)
				return l.broken(L, obj, nil), args[1:]
			}
		}
	}
	l.record(L, "", "call %s with a colon: flow:step(...):%s(...)", method, method)
	return l.broken(L, l.anyFlow(), nil), args
}

// before returns the step that dependencies and routes go to.
func (b *builderObject) before() *flow.Step {
	if b.guard != nil {
		return b.guard
	}
	return b.step
}

// reject notes that a call on the builder, perhaps one of depends_on, could
// not be understood.
func (l *loader) reject(b *builderObject) {
	target := b.before()
	target.Broken = true
	l.unclear[target] = true
}

func (l *loader) dependsOn(L *glua.LState) int {
	b, args := l.builder(L, "depends_on")
	target := b.before()
	reject := func(format string, a ...any) {
		l.reject(b)
		l.record(L, b.step.Name, "depends_on: "+format, a...)
	}
	if len(args) == 0 {
		reject(`want the names of steps, as in :depends_on("a", "b")`)
	}
	for _, arg := range args {
		switch v := arg.(type) {
		case glua.LString:
			target.DependsOn = append(target.DependsOn, string(v))
		case *glua.LTable:
			names, bad := stringList(v)
			target.DependsOn = append(target.DependsOn, names...)
			if bad != "" {
				reject("%s; want names of steps, as in :depends_on({\"a\", \"b\"})", bad)
			}
		default:
			reject(`got %s, want names of steps, as in :depends_on("a", "b") or :depends_on({"a", "b"})`, describe(arg))
		}
	}
	return l.push(L, b)
}

// stringList reads a list of strings; bad says what else is in it.
func stringList(t *glua.LTable) (names []string, bad string) {
	keys := 0
	for k, v := t.Next(glua.LNil); k != glua.LNil; k, v = t.Next(k) {
		keys++
		s, ok := v.(glua.LString)
		if n, isNumber := k.(glua.LNumber); !isNumber || int(n) != keys {
			return names, fmt.Sprintf("the table has the key %s", describe(k))
		}
		if !ok {
			return names, fmt.Sprintf("element %d is %s", keys, describe(v))
		}
		names = append(names, string(s))
	}
	return names, ""
}

func (l *loader) retries(L *glua.LState) int {
	b, args := l.builder(L, "retries")
	limit, ok := argument(args, 0).(glua.LNumber)
	switch {
	case !ok:
		l.record(L, b.step.Name, "retries: got %s, want the number of extra attempts, 0..100", describe(argument(args, 0)))
	case float64(limit) != math.Trunc(float64(limit)) || math.Abs(float64(limit)) > math.MaxInt32:
		l.record(L, b.step.Name, "retries: got %s, want a whole number of extra attempts, 0..100", describe(limit))
	default:
		b.step.Retries = int(limit)
	}
	if len(args) > 1 {
		if backoff, ok := args[1].(glua.LNumber); ok {
			b.step.Backoff = float64(backoff)
		} else {
			l.record(L, b.step.Name, "retries: the second argument is %s, want the first wait in seconds, 0..300", describe(args[1]))
		}
	}
	l.tooMany(L, b, "retries", args, 2)
	return l.push(L, b)
}

func (l *loader) timeout(L *glua.LState) int {
	b, args := l.builder(L, "timeout")
	if seconds, ok := argument(args, 0).(glua.LNumber); ok {
		b.step.Timeout, b.step.HasTimeout = float64(seconds), true
	} else {
		l.record(L, b.step.Name, "timeout: got %s, want seconds above 0", describe(argument(args, 0)))
	}
	l.tooMany(L, b, "timeout", args, 1)
	return l.push(L, b)
}

func (l *loader) route(L *glua.LState) int {
	b, args := l.builder(L, "route")
	if name, ok := argument(args, 0).(glua.LString); ok {
		target := b.before()
		target.Route, target.HasRoute = string(name), true
	} else {
		l.record(L, b.step.Name, "route: got %s, want the name of a route as a string", describe(argument(args, 0)))
	}
	l.tooMany(L, b, "route", args, 1)
	return l.push(L, b)
}

func (l *loader) onError(L *glua.LState) int {
	b, args := l.builder(L, "on_error")
	if name, ok := argument(args, 0).(glua.LString); ok {
		b.step.OnError = string(name)
	} else {
		l.record(L, b.step.Name, "on_error: got %s, want the name of a step as a string", describe(argument(args, 0)))
	}
	l.tooMany(L, b, "on_error", args, 1)
	return l.push(L, b)
}

func (l *loader) tooMany(L *glua.LState, b *builderObject, method string, args []glua.LValue, most int) {
	if len(args) > most {
		l.record(L, b.step.Name, "%s: got %d arguments, want at most %d", method, len(args), most)
	}
}
