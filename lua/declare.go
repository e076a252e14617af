package lua

import (
	"strings"

	glua "github.com/yuin/gopher-lua"

	"github.com/ironflow/ironflow/flow"
	"github.com/ironflow/ironflow/nodes"
)

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
// among its arguments, so that what refers to it is not reported too. A node
// among them is checked like that of any step.
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
	for _, arg := range args {
		if ud, ok := arg.(*glua.LUserData); ok {
			if d, ok := ud.Value.(*declaration); ok {
				l.useDeclaration(d, first.Name)
				l.giveNode(first, d)
			}
		}
	}
	return &builderObject{flow: f, step: first}
}

// giveNode makes a declaration what a step does. A step whose parameters were
// not all understood is broken.
func (l *loader) giveNode(s *flow.Step, d *declaration) {
	s.Node, s.Params = d.node, d.params
	if d.node == nil {
		s.Params, s.Broken = nil, true
	}
	if len(d.rejected) > 0 {
		s.Broken = true
		l.rejected[s] = d.rejected
	}
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
	case h.decl != nil:
		l.giveNode(s, h.decl)
	default:
		s.Broken = true
	}
	return l.add(L, f, s)
}
