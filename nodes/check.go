package nodes

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/ironflow/ironflow/nodes/condition"
	"github.com/ironflow/ironflow/nodes/template"
)

// Check looks at the parameters of a node as the flow file gives them and
// returns every problem that can be seen before anything runs: unknown names,
// missing or ill-typed parameters, values out of range, malformed
// placeholders, parameters that have no effect. Values with placeholders are
// checked for their form only. raw holds context values and [Func]s.
func Check(spec *Spec, raw map[string]any) []Problem {
	c := checker{spec: spec, raw: raw}
	for _, name := range slices.Sorted(maps.Keys(raw)) {
		c.given(name)
	}
	c.missing()
	c.needs()
	c.choices()
	return c.problems
}

type checker struct {
	spec     *Spec
	raw      map[string]any
	problems []Problem
	// meant are the parameters that an unknown name is close to: that they are
	// missing follows from the mistake that is reported already.
	meant []string
}

func (c *checker) add(s Severity, param, format string, args ...any) {
	c.problems = append(c.problems, Problem{
		Severity: s, Node: c.spec.Name, Param: param, Message: fmt.Sprintf(format, args...),
	})
}

func (c *checker) given(name string) {
	p, ok := c.spec.param(name, func(w *When) bool { return groupOf(c.spec, c.raw, w) != inactive })
	if p == nil {
		c.meant = append(c.meant, Nearest(name, c.spec.ParamNames())...)
		c.add(Error, name, "unknown parameter%s", DidYouMean(name, c.spec.ParamNames()))
		return
	}
	if p.Alias == name {
		if _, both := c.raw[p.Name]; both {
			c.add(Error, name, "is the earlier name of %s; give only one of them", p.Name)
			return
		}
	}
	if !ok && c.noEffect(name, p) == Error {
		return
	}
	if err := p.checkLiteral(c.raw[name]); err != nil {
		c.add(Error, name, "%v", err)
		return
	}
	if !p.takesTemplate() && p.Type != Function && len(template.TreeKeys(c.raw[name])) > 0 {
		c.add(Warning, name, "is never interpolated: ${ctx...} stays as it is written")
	}
}

// noEffect reports a parameter of a group that is not active.
func (c *checker) noEffect(name string, p *Param) Severity {
	d, _ := c.spec.param(p.When.Param, nil)
	severity := Error
	if d.Lenient {
		severity = Warning
	}
	current, _ := discriminator(c.spec, c.raw, p.When.Param)
	c.add(severity, name, "has no effect with %s=%q; it belongs to %s", p.When.Param, current, groupsText(c.spec, name))
	return severity
}

// has reports whether the flow gives the parameter, under either name.
func (c *checker) has(name string) bool {
	if _, ok := c.raw[name]; ok {
		return true
	}
	p, _ := c.spec.param(name, nil)
	if p == nil || p.Alias == "" {
		return false
	}
	_, ok := c.raw[p.Alias]
	return ok
}

// needs finds parameters that are of no use without another one.
func (c *checker) needs() {
	for i, p := range c.spec.Params {
		if !c.has(p.Name) || slices.ContainsFunc(c.spec.Params[:i], func(q Param) bool { return q.Name == p.Name }) {
			continue
		}
		for _, other := range p.Needs {
			if !c.has(other) && !slices.Contains(c.meant, other) {
				c.add(Error, p.Name, "needs %s as well", other)
			}
		}
	}
}

// choices finds parameters that exclude one another, and sets of which none is
// given.
func (c *checker) choices() {
	for _, choice := range c.spec.Choices {
		var given []string
		meant := false
		for _, name := range choice.Params {
			if c.has(name) {
				given = append(given, name)
			}
			meant = meant || slices.Contains(c.meant, name)
		}
		switch {
		case len(given) > 1:
			c.add(Error, given[1], "cannot be combined with %s; give only one of %s", given[0], strings.Join(choice.Params, ", "))
		case len(given) == 0 && choice.Required && !meant:
			c.add(Error, choice.Params[0], "is required, or else %s", strings.Join(choice.Params[1:], " or "))
		}
	}
}

const noRetriesText = "cannot be true on a step with retries, because a repetition would do the work twice; remove :retries(...)"

// CheckRetries returns the problems that literal parameters have with a step
// that may be repeated (see [Param.NoRetries]).
func CheckRetries(spec *Spec, raw map[string]any, retries int) []Problem {
	c := checker{spec: spec, raw: raw}
	for i := range spec.Params {
		p := &spec.Params[i]
		if v, _ := p.parse(raw[p.Name]); p.NoRetries && retries > 0 && v == true {
			c.add(Error, p.Name, noRetriesText)
		}
	}
	return c.problems
}

func groupsText(spec *Spec, name string) string {
	var parts []string
	for _, p := range spec.Params {
		if (p.Name == name || p.Alias == name) && p.When != nil {
			parts = append(parts, p.When.Param+"="+QuoteList(p.When.In, "or"))
		}
	}
	return strings.Join(parts, " or ")
}

func (c *checker) missing() {
	for i := range c.spec.Params {
		p := &c.spec.Params[i]
		if !p.Required || groupOf(c.spec, c.raw, p.When) != active {
			continue
		}
		if c.has(p.Name) || p.Env != "" || slices.Contains(c.meant, p.Name) {
			continue
		}
		c.add(Error, p.Name, "is required: %s", p.requiredText())
	}
}

// requiredText is the help of a required parameter with its allowed values.
func (p *Param) requiredText() string {
	if len(p.Enum) == 0 {
		return p.Help
	}
	return p.Help + " (" + QuoteList(p.Enum, "or") + ")"
}

// takesTemplate reports whether text given for the parameter is a template:
// where the Spec says so, and for numbers and booleans.
func (p *Param) takesTemplate() bool {
	return p.Interpolate || p.Role == Source || p.Type == Number || p.Type == Integer || p.Type == Boolean
}

// checkLiteral checks a value as far as it can be known without a context.
func (p *Param) checkLiteral(v any) error {
	if p.takesTemplate() {
		switch v := v.(type) {
		case string:
			t, err := template.Parse(v)
			if err != nil {
				return err
			}
			if !t.IsLiteral() {
				if !slices.Contains(append([]Type{p.Type}, p.Or...), String) &&
					p.Type != Number && p.Type != Integer && p.Type != Boolean && p.Type != Any {
					return p.mismatch(v)
				}
				return nil
			}
			_, err = p.parse(t.Literal())
			return err
		case Func:
		default:
			if err := template.CheckTree(v); err != nil {
				return err
			}
			if keys := template.TreeKeys(v); len(keys) > 0 {
				return nil
			}
		}
	}
	if _, err := p.parse(v); err != nil {
		return err
	}
	if text, ok := v.(string); ok && p.Role == Condition {
		_, err := condition.Parse(text)
		return err
	}
	return nil
}

type groupState int

const (
	active groupState = iota
	inactive
	unknown // the enum parameter has a value that is not allowed or not known yet
)

// groupOf tells whether a group is active under the given raw parameters.
func groupOf(spec *Spec, raw map[string]any, w *When) groupState {
	if w == nil {
		return active
	}
	if d, _ := spec.param(w.Param, nil); d != nil && d.When != nil && groupOf(spec, raw, d.When) == inactive {
		return inactive
	}
	v, known := discriminator(spec, raw, w.Param)
	switch {
	case !known:
		return unknown
	case slices.Contains(w.In, v):
		return active
	}
	return inactive
}

// discriminator returns the value of an enum parameter, when it is known.
func discriminator(spec *Spec, raw map[string]any, name string) (string, bool) {
	d, _ := spec.param(name, nil)
	if d == nil {
		return "", false
	}
	v, given := raw[name]
	if !given {
		if d.Env != "" {
			return "", false
		}
		v = d.Default
	}
	s, ok := v.(string)
	if !ok || !slices.Contains(d.Enum, s) {
		return "", false
	}
	return s, true
}
