package nodes

import (
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/ironflow/ironflow/nodes/template"
	"github.com/ironflow/ironflow/transport"
)

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
