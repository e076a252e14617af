package lua

import (
	"errors"
	"maps"
	"slices"
	"strings"

	glua "github.com/yuin/gopher-lua"

	"github.com/ironflow/ironflow/flow"
	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
)

// defaultValue is one parameter of flow:defaults.
type defaultValue struct {
	name  string
	value any
}

// providerParam is the parameter that chooses an embedding or chat vendor;
// credentials and addresses belong to its groups.
const providerParam = "provider"

// flowDefaults is flow:defaults{...} for provider settings of all nodes, and
// flow:defaults("node", {...}) for any parameter of one node. Later calls win.
func (l *loader) flowDefaults(L *glua.LState) int {
	f, args, ok := l.self(L, arguments(L), "defaults")
	if !ok {
		return l.push(L, f)
	}
	const usage = `want flow:defaults{ provider = "..." } or flow:defaults("node", { name = value })`
	node := ""
	if name, ok := argument(args, 0).(glua.LString); ok {
		node, args = string(name), args[1:]
		if _, known := l.registry.Lookup(node); !known {
			l.record(L, "", "%s", l.unknownNode(node))
			return l.push(L, f)
		}
	}
	config, ok := argument(args, 0).(*glua.LTable)
	switch {
	case !ok:
		l.record(L, "", "flow:defaults: got %s, %s", describe(argument(args, 0)), usage)
		return l.push(L, f)
	case len(args) > 1:
		l.record(L, "", "flow:defaults: got too many arguments, %s", usage)
	}
	if f.defaults == nil {
		f.defaults = map[string][]defaultValue{}
	}
	for k, v := config.Next(glua.LNil); k != glua.LNil; k, v = config.Next(k) {
		name, ok := k.(glua.LString)
		if !ok {
			l.record(L, "", "flow:defaults: the key %s is no name; %s", describe(k), usage)
			continue
		}
		var d defaultValue
		if d, ok = l.defaultParam(L, node, string(name), v); ok {
			f.defaults[node] = append(f.defaults[node], d)
		}
	}
	return l.push(L, f)
}

// defaultParam checks one default. A mistake is recorded here, so the steps
// that would inherit it are not reported each.
func (l *loader) defaultParam(L *glua.LState, node, name string, v glua.LValue) (defaultValue, bool) {
	specs := l.providerSpecs(name)
	if node != "" {
		n, _ := l.registry.Lookup(node)
		specs = []*nodes.Spec{&n.Spec}
		if names := n.Spec.ParamNames(); !slices.Contains(names, name) {
			l.record(L, "", "flow:defaults: %s has no parameter %q%s", node, name, nodes.DidYouMean(name, names))
			return defaultValue{}, false
		}
	} else if len(specs) == 0 {
		l.record(L, "", "flow:defaults: %q is not a provider setting%s; other parameters are given for one node: flow:defaults(\"node\", {...})",
			name, nodes.DidYouMean(name, l.providerNames()))
		return defaultValue{}, false
	}
	converted, err := l.param(v)
	if err != nil {
		var at *value.PathError
		if err = value.InKey(err, name); errors.As(err, &at) {
			err = &value.PathError{Path: "$.defaults" + strings.TrimPrefix(at.Path, "$"), Msg: at.Msg}
		}
		l.record(L, "", "flow:defaults: %v", err)
		return defaultValue{}, false
	}
	if text, ok := converted.(string); ok && node == "" && strings.Contains(text, "${ctx") {
		l.record(L, "", "flow:defaults: %s: provider settings are literals; ${ctx...} is never filled in here", name)
		return defaultValue{}, false
	}
	// Within another node the parameter may belong to another group with other
	// rules: it is good when one of them takes it.
	var first nodes.Problem
	for _, spec := range specs {
		p, bad := literalProblem(spec, name, converted)
		if !bad {
			return defaultValue{name, converted}, true
		}
		first = p
	}
	l.record(L, "", "flow:defaults: %s: %s", name, first.Message)
	return defaultValue{}, false
}

// literalProblem checks one parameter by itself, under each value of the enum
// parameter that its groups hang on.
func literalProblem(spec *nodes.Spec, name string, v any) (nodes.Problem, bool) {
	var found nodes.Problem
	for i := range spec.Params {
		p := &spec.Params[i]
		if p.Name != name && p.Alias != name {
			continue
		}
		raw := map[string]any{name: v}
		if p.When != nil {
			raw[p.When.Param] = p.When.In[0]
		}
		bad := false
		for _, q := range nodes.Check(spec, raw) {
			if q.Severity == nodes.Error && q.Param == name {
				found, bad = q, true
			}
		}
		if !bad {
			return nodes.Problem{}, false
		}
	}
	return found, true
}

// providerSetting reports whether a parameter is the choice of a provider, or
// belongs to one: credentials, addresses and how they are used.
func providerSetting(p *nodes.Param) bool {
	return p.Name == providerParam && len(p.Enum) > 0 || p.When != nil && p.When.Param == providerParam
}

// providerSpecs returns the nodes with a provider setting of that name.
func (l *loader) providerSpecs(name string) []*nodes.Spec {
	var specs []*nodes.Spec
	for _, n := range l.registry.List() {
		if slices.ContainsFunc(n.Spec.Params, func(p nodes.Param) bool { return p.Name == name && providerSetting(&p) }) {
			specs = append(specs, &n.Spec)
		}
	}
	return specs
}

func (l *loader) providerNames() []string {
	names := map[string]bool{}
	for _, n := range l.registry.List() {
		for i := range n.Spec.Params {
			if p := &n.Spec.Params[i]; providerSetting(p) {
				names[p.Name] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// fillDefaults gives each step of the flow the defaults that it does not set
// itself: first those for its node, then those for all. A default is left out
// where its group does not apply, or the node has no such parameter.
func fillDefaults(f *flowObject) {
	if len(f.defaults) == 0 {
		return
	}
	for _, s := range f.steps {
		if s.Node == nil {
			continue
		}
		params := maps.Clone(s.Params)
		if params == nil {
			params = map[string]any{}
		}
		// What chooses a group comes before what belongs to it.
		for _, grouped := range []bool{false, true} {
			for _, node := range []string{s.Node.Spec.Name, ""} {
				for _, d := range slices.Backward(f.defaults[node]) {
					fillDefault(s, params, d, node == "", grouped)
				}
			}
		}
		s.Params = params
	}
}

func fillDefault(s *flow.Step, params map[string]any, d defaultValue, setting, grouped bool) {
	for i := range s.Node.Spec.Params {
		p := &s.Node.Spec.Params[i]
		if p.Name != d.name && p.Alias != d.name || (p.When != nil) != grouped || setting && !providerSetting(p) {
			continue
		}
		_, given := params[p.Name]
		if _, alias := params[p.Alias]; given || alias && p.Alias != "" {
			return
		}
		if applies(&s.Node.Spec, params, p.When) {
			params[d.name] = d.value
			return
		}
	}
}

// applies reports whether a group is active under the given parameters.
func applies(spec *nodes.Spec, params map[string]any, w *nodes.When) bool {
	if w == nil {
		return true
	}
	for i := range spec.Params {
		if p := &spec.Params[i]; p.Name == w.Param {
			v, given := params[p.Name]
			if !given {
				v = p.Default
			}
			text, _ := v.(string)
			return slices.Contains(w.In, text)
		}
	}
	return false
}
