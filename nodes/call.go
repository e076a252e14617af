package nodes

import (
	"fmt"
	"slices"

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
