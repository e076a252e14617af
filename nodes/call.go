package nodes

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ironflow/ironflow/nodes/template"
	"github.com/ironflow/ironflow/nodes/value"
	"github.com/ironflow/ironflow/transport"
)

// Host is what the runner brings to one attempt of a step.
type Host struct {
	Env      *Env
	View     value.View
	Step     string
	Attempt  int // from 1
	Retries  int // how often the step may be repeated after a failure
	Progress func(done, total int, unit string)
}

// Call is one attempt of a step: the typed parameters and what the step sees.
// Reading a parameter that the Spec does not declare panics, so that a test
// finds it; a declared parameter that is absent, or belongs to another group,
// has the zero value.
type Call struct {
	spec   *Spec
	raw    map[string]any
	values map[string]any
	known  map[string]any // raw, with the resolved values of enum parameters
	host   Host
}

// NewCall resolves a node's parameters for one attempt: templates against the
// view, then defaults and environment, then types and ranges. The error is a
// *ParamError.
func NewCall(spec *Spec, raw map[string]any, host Host) (*Call, error) {
	host.Env = host.Env.complete()
	c := &Call{spec: spec, raw: raw, values: map[string]any{}, host: host}
	// A handler may have built the parameters, so everything that a load
	// checks is checked again.
	for _, p := range Check(spec, raw) {
		if p.Severity == Error {
			return nil, &ParamError{Node: spec.Name, Param: p.Param, Err: errors.New(p.Message)}
		}
	}
	if err := c.resolveAll(); err != nil {
		return nil, err
	}
	return c, nil
}

// resolveAll takes the parameters without a group first: a group may hang on
// an enum parameter whose value is known only now.
func (c *Call) resolveAll() error {
	known := map[string]any{}
	maps.Copy(known, c.raw)
	c.known = known
	for _, grouped := range []bool{false, true} {
		for i := range c.spec.Params {
			p := &c.spec.Params[i]
			if (p.When != nil) != grouped || groupOf(c.spec, known, p.When) != active {
				continue
			}
			if err := c.resolve(p); err != nil {
				return &ParamError{Node: c.spec.Name, Param: p.Name, Err: err}
			}
			if s, ok := c.values[p.Name].(string); ok && len(p.Enum) > 0 {
				known[p.Name] = s
			}
		}
	}
	return c.recheck(known)
}

// recheck finds what Check could not see, as the values of enum parameters
// were not known then: parameters of other groups.
func (c *Call) recheck(known map[string]any) error {
	again := checker{spec: c.spec, raw: known}
	for _, name := range slices.Sorted(maps.Keys(c.raw)) {
		p, ok := c.spec.param(name, func(w *When) bool { return groupOf(c.spec, known, w) == active })
		if ok || groupOf(c.spec, c.raw, p.When) == inactive {
			continue
		}
		again.noEffect(name, p)
	}
	for _, p := range again.problems {
		if p.Severity == Error {
			return &ParamError{Node: c.spec.Name, Param: p.Param, Err: errors.New(p.Message)}
		}
	}
	return nil
}

func (c *Call) resolve(p *Param) error {
	v, given := c.raw[p.Name]
	if !given && p.Alias != "" {
		v, given = c.raw[p.Alias]
	}
	if !given && p.Env != "" && c.host.Env.Lookup != nil {
		if s, _, ok := c.host.Env.Lookup(p.Env); ok {
			parsed, err := p.parse(s)
			if err != nil {
				return fmt.Errorf("from the variable %s: %w", p.Env, err)
			}
			c.learn(parsed)
			c.values[p.Name] = parsed
			return nil
		}
	}
	if !given {
		if p.Required {
			hint := ""
			if p.Env != "" {
				hint = " (or set " + p.Env + ")"
			}
			return fmt.Errorf("is required: %s%s", p.requiredText(), hint)
		}
		if p.Default != nil {
			parsed, err := p.parse(p.Default)
			if err != nil {
				return err
			}
			c.values[p.Name] = parsed
		}
		return nil
	}
	if _, isFunc := v.(Func); !isFunc && p.takesTemplate() {
		var err error
		if v, err = c.render(p, v); err != nil {
			return err
		}
	}
	parsed, err := p.parse(v)
	if err != nil {
		return err
	}
	if p.NoRetries && parsed == true && c.host.Retries > 0 {
		return errors.New(noRetriesText)
	}
	c.learn(parsed)
	c.values[p.Name] = parsed
	return nil
}

// render fills the placeholders of a text parameter as text, and those of any
// other value leaf by leaf.
func (c *Call) render(p *Param, v any) (any, error) {
	if s, ok := v.(string); ok && p.Type != Any {
		t, err := template.Parse(s)
		if err != nil {
			return nil, err
		}
		return t.Render(c.host.View)
	}
	if len(template.TreeKeys(v)) == 0 {
		return v, nil
	}
	return template.RenderTree(v, c.host.View)
}

// learn tells the redactor every secret in a resolved parameter.
func (c *Call) learn(v any) {
	if c.host.Env.Redactor == nil {
		return
	}
	switch v := v.(type) {
	case transport.Secret:
		c.host.Env.Redactor.Add(v)
	case map[string]any:
		for _, e := range v {
			c.learn(e)
		}
	case []any:
		for _, e := range v {
			c.learn(e)
		}
	}
}

func (c *Call) get(name string) any {
	if _, ok := c.values[name]; ok {
		return c.values[name]
	}
	if p, _ := c.spec.param(name, nil); p == nil {
		panic(fmt.Sprintf("node %s reads the parameter %q, which its Spec does not declare", c.spec.Name, name))
	}
	return nil
}

// Has reports whether the parameter has a value: given, from the environment,
// or by default.
func (c *Call) Has(name string) bool { return c.get(name) != nil }

// Given reports whether the flow itself gives the parameter.
func (c *Call) Given(name string) bool {
	c.get(name)
	_, ok := c.raw[name]
	if !ok {
		if p, _ := c.spec.param(name, nil); p.Alias != "" {
			_, ok = c.raw[p.Alias]
		}
	}
	return ok
}

// Raw returns the parameter as the flow gives it, placeholders included.
func (c *Call) Raw(name string) any {
	c.get(name)
	if v, ok := c.raw[name]; ok {
		return v
	}
	if p, _ := c.spec.param(name, nil); p.Alias != "" {
		return c.raw[p.Alias]
	}
	return nil
}

// Templated reports whether the flow gives the parameter with placeholders, so
// that context data had a hand in it.
func (c *Call) Templated(name string) bool {
	return len(template.TreeKeys(c.Raw(name))) > 0
}

// Value returns a parameter of any type.
func (c *Call) Value(name string) any { return c.get(name) }

// String returns a String parameter; "" when absent.
func (c *Call) String(name string) string { return typed[string](c, name) }

// Int returns an Integer parameter; 0 when absent.
func (c *Call) Int(name string) int { return int(typed[int64](c, name)) }

// Float returns a Number parameter; 0 when absent.
func (c *Call) Float(name string) float64 { return typed[float64](c, name) }

// Bool returns a Boolean parameter; false when absent.
func (c *Call) Bool(name string) bool { return typed[bool](c, name) }

// Object returns an Object parameter; nil when absent.
func (c *Call) Object(name string) map[string]any { return typed[map[string]any](c, name) }

// Func returns a Function parameter; nil when absent or of another type.
func (c *Call) Func(name string) Func {
	f, _ := c.get(name).(Func)
	return f
}

// Secret returns a Secret parameter; the zero Secret when absent.
func (c *Call) Secret(name string) transport.Secret { return typed[transport.Secret](c, name) }

// Array returns an Array parameter as a slice of context values; nil when
// absent.
func (c *Call) Array(name string) []any {
	switch v := c.get(name).(type) {
	case []any:
		return v
	case value.List:
		out := make([]any, v.Len())
		for i := range out {
			out[i] = v.At(i)
		}
		return out
	}
	return nil
}

func typed[T any](c *Call, name string) T {
	var zero T
	v := c.get(name)
	if v == nil {
		return zero
	}
	t, ok := v.(T)
	if !ok {
		panic(fmt.Sprintf("node %s reads the parameter %q as %T, but it holds %T", c.spec.Name, name, zero, v))
	}
	return t
}

// Strings returns an Array parameter whose elements are declared as strings.
func (c *Call) Strings(name string) []string {
	list := c.Array(name)
	out := make([]string, len(list))
	for i, e := range list {
		s, ok := e.(string)
		if !ok {
			panic(fmt.Sprintf("node %s: parameter %q is not declared as an array of strings", c.spec.Name, name))
		}
		out[i] = s
	}
	return out
}

// Source returns the context value that a Source parameter names. The error
// names the parameter, the path and the nearest keys.
func (c *Call) Source(name string) (any, error) {
	return c.Lookup(name, c.String(name))
}

// Lookup returns the context value at a path; name is the parameter that the
// path comes from, for the error.
func (c *Call) Lookup(name, path string) (any, error) {
	v, ok, err := value.Resolve(c.host.View, path)
	if err != nil {
		return nil, &ParamError{Node: c.spec.Name, Param: name, Err: err}
	}
	if !ok {
		return nil, &ParamError{Node: c.spec.Name, Param: name, Err: fmt.Errorf("%q is not in the context%s", path, c.keysHint(path))}
	}
	return v, nil
}

func (c *Call) keysHint(path string) string {
	var keys []string
	for _, k := range c.host.View.Keys() {
		if k[:min(1, len(k))] != "_" {
			keys = append(keys, k)
		}
	}
	if len(keys) == 0 {
		return ", which is empty here; give it with --set or add the step that publishes it to depends_on"
	}
	hint := "; did you mean " + QuoteList(Nearest(path, keys), "or") + "?"
	if len(Nearest(path, keys)) == 0 {
		shown := keys[:min(len(keys), 12)]
		hint = "; it has " + QuoteList(shown, "and")
		if more := len(keys) - len(shown); more > 0 {
			hint = fmt.Sprintf("; it has %s and %d more", strings.Join(quoted(shown), ", "), more)
		}
	}
	return hint + " (a step sees the initial context and the steps that it depends on)"
}

// SourceString is Source for a value that must be a string.
func (c *Call) SourceString(name string) (string, error) {
	v, err := c.Source(name)
	if err != nil {
		return "", err
	}
	s, ok := v.(string)
	if !ok {
		return "", c.Errorf(name, "%q holds %s, want a string", c.String(name), Describe(v))
	}
	return s, nil
}

// SourceStrings is Source for a value that must be an array of strings; the
// error names the 1-based position of the first other element.
func (c *Call) SourceStrings(name string) ([]string, error) {
	v, err := c.SourceArray(name)
	if err != nil {
		return nil, err
	}
	list, err := value.AsStrings(v)
	if err != nil {
		return nil, c.Errorf(name, "%q: %w", c.String(name), err)
	}
	return list, nil
}

// SourceArray is Source for a value that must be an array: []any or a
// value.List. An empty object counts as an empty array.
func (c *Call) SourceArray(name string) (any, error) {
	v, err := c.Source(name)
	if err != nil {
		return nil, err
	}
	if m, ok := v.(map[string]any); ok && len(m) == 0 {
		return []any{}, nil
	}
	if _, ok := value.Len(v); !ok {
		return nil, c.Errorf(name, "%q holds %s, want an array", c.String(name), Describe(v))
	}
	return v, nil
}

// Errorf makes an error that names the node and the parameter.
func (c *Call) Errorf(param, format string, args ...any) error {
	return &ParamError{Node: c.spec.Name, Param: param, Err: fmt.Errorf(format, args...)}
}

// View returns what the step sees of the context.
func (c *Call) View() value.View { return c.host.View }

// Step returns the name of the step.
func (c *Call) Step() string { return c.host.Step }

// Attempt returns the number of this attempt, from 1.
func (c *Call) Attempt() int { return c.host.Attempt }

// Retries returns how often the step may be repeated after a failure.
func (c *Call) Retries() int { return c.host.Retries }

// Env returns what the host offers; never nil, with a logger and a clock.
func (c *Call) Env() *Env { return c.host.Env }

// Progress reports how far the work is: done of total units ("batch").
func (c *Call) Progress(done, total int, unit string) {
	if c.host.Progress != nil {
		c.host.Progress(done, total, unit)
	}
}

// Params returns the given parameters of the listed names as resolved values,
// for nodes that hand a whole family of parameters on (provider settings).
func (c *Call) Params(names ...string) map[string]any {
	out := map[string]any{}
	for _, n := range slices.Sorted(slices.Values(names)) {
		if c.Given(n) {
			if v := c.get(n); v != nil {
				out[n] = v
			}
		}
	}
	return out
}
