package nodes

import (
	"fmt"
	"slices"
	"strings"
)

// validate reports a mistake of the node's author, found when it registers.
func (s *Spec) validate() error {
	if err := checkName(s.Name); err != nil {
		return err
	}
	if s.Summary == "" {
		return fmt.Errorf("node %q has no summary", s.Name)
	}
	for i, p := range s.Params {
		if p.Name == "" {
			return fmt.Errorf("node %q: parameter %d has no name", s.Name, i+1)
		}
		if p.Help == "" {
			return fmt.Errorf("node %q: parameter %q has no help", s.Name, p.Name)
		}
		if err := s.validateParam(p); err != nil {
			return fmt.Errorf("node %q: parameter %q: %w", s.Name, p.Name, err)
		}
		for _, q := range s.Params[:i] {
			if q.Name == p.Name && overlap(q.When, p.When) {
				return fmt.Errorf("node %q: parameter %q is declared twice for the same group", s.Name, p.Name)
			}
		}
	}
	for _, c := range s.Choices {
		for _, name := range c.Params {
			if p, _ := s.param(name, nil); p == nil {
				return fmt.Errorf("node %q: a choice names %q, which is no parameter", s.Name, name)
			}
		}
		if len(c.Params) < 2 {
			return fmt.Errorf("node %q: a choice needs at least two parameters", s.Name)
		}
	}
	return s.validateOutputs()
}

func (s *Spec) validateOutputs() error {
	for i, o := range s.Outputs {
		at := fmt.Sprintf("node %q: output %q", s.Name, o.Key())
		if _, ok := s.OutputKeyParam(); o.Name == "" && !ok {
			return fmt.Errorf("%s: a suffix needs a parameter with the role OutputKey", at)
		}
		if !o.Type.isData() {
			return fmt.Errorf("%s: unknown type %q", at, o.Type)
		}
		if o.Help == "" {
			return fmt.Errorf("%s has no help", at)
		}
		if err := s.validateWhen(o.When); err != nil {
			return fmt.Errorf("%s: %w", at, err)
		}
		for _, q := range s.Outputs[:i] {
			if q.Key() == o.Key() && overlap(q.When, o.When) {
				return fmt.Errorf("%s is declared twice", at)
			}
		}
	}
	return nil
}

// isData reports whether t is the type of a context value.
func (t Type) isData() bool {
	switch t {
	case String, Number, Integer, Boolean, Array, Object, Any:
		return true
	case Function:
	}
	return false
}

func (s *Spec) validateParam(p Param) error {
	if err := s.validateWhen(p.When); err != nil {
		return err
	}
	for _, name := range p.Needs {
		if q, _ := s.param(name, nil); q == nil {
			return fmt.Errorf("needs %q, which is no parameter", name)
		}
	}
	if p.Role == OutputKey && p.Type != String {
		return fmt.Errorf("an output key is a string")
	}
	return p.validate()
}

// validate checks what a declaration says about itself, members included.
func (p *Param) validate() error {
	if p.Type != Function && !p.Type.isData() {
		return fmt.Errorf("unknown type %q", p.Type)
	}
	if p.Required && p.Default != nil {
		return fmt.Errorf("required and has a default")
	}
	if p.Range != nil && p.Type != Number && p.Type != Integer {
		return fmt.Errorf("has a range but is no number")
	}
	if len(p.Enum) > 0 && p.Type != String {
		return fmt.Errorf("has a list of values but is no string")
	}
	if p.NoRetries && p.Type != Boolean {
		return fmt.Errorf("NoRetries is for booleans")
	}
	if p.Secret && p.takesTemplate() {
		return fmt.Errorf("a secret is never interpolated")
	}
	if p.Default != nil {
		if _, err := p.parse(p.Default); err != nil {
			return fmt.Errorf("default: %w", err)
		}
	}
	for i := range p.Fields {
		f := &p.Fields[i]
		if f.Name == "" || f.Help == "" {
			return fmt.Errorf("member %d needs a name and help", i+1)
		}
		if err := f.validate(); err != nil {
			return fmt.Errorf("member %q: %w", f.Name, err)
		}
	}
	if p.Elem != nil {
		if err := p.Elem.validate(); err != nil {
			return fmt.Errorf("elements: %w", err)
		}
	}
	return nil
}

func (s *Spec) validateWhen(w *When) error {
	if w == nil {
		return nil
	}
	d, _ := s.param(w.Param, nil)
	if d == nil || len(d.Enum) == 0 {
		return fmt.Errorf("is grouped by %q, which is no enum parameter", w.Param)
	}
	for _, v := range w.In {
		if !slices.Contains(d.Enum, v) {
			return fmt.Errorf("is grouped by %s=%q, which is not allowed there", w.Param, v)
		}
	}
	return nil
}

func overlap(a, b *When) bool {
	if a == nil || b == nil || a.Param != b.Param {
		return true
	}
	return slices.ContainsFunc(a.In, func(v string) bool { return slices.Contains(b.In, v) })
}

// checkName accepts `name` and `vendor.name`, each part a Lua-like identifier.
func checkName(name string) error {
	for _, part := range strings.Split(name, ".") {
		if !identifier(part) {
			return fmt.Errorf("node name %q: want lower-case letters, digits and underscores, with a prefix and a dot for nodes that are not built in (acme.shout)", name)
		}
	}
	return nil
}

func identifier(s string) bool {
	for i, r := range s {
		letter := r == '_' || (r >= 'a' && r <= 'z')
		if !letter && (i == 0 || r < '0' || r > '9') {
			return false
		}
	}
	return s != ""
}
