package nodes

import "slices"

// param returns the declaration of a parameter by name or alias: the first one
// whose group active accepts, or else the first of all and false.
func (s *Spec) param(name string, active func(*When) bool) (*Param, bool) {
	var first *Param
	for i := range s.Params {
		p := &s.Params[i]
		if p.Name != name && (p.Alias == "" || p.Alias != name) {
			continue
		}
		if active == nil || active(p.When) {
			return p, true
		}
		if first == nil {
			first = p
		}
	}
	return first, false
}

// ParamNames returns every parameter name once, in declaration order.
func (s *Spec) ParamNames() []string {
	var names []string
	for _, p := range s.Params {
		if !slices.Contains(names, p.Name) {
			names = append(names, p.Name)
		}
	}
	return names
}

// OutputKeyParam returns the declaration of `output_key`, if the node has one.
func (s *Spec) OutputKeyParam() (*Param, bool) {
	for i := range s.Params {
		if s.Params[i].Role == OutputKey {
			return &s.Params[i], true
		}
	}
	return nil, false
}

// AllOutputs returns the declared outputs and those that the host adds:
// `_count` behind a main output that is an Array, and `_success`.
func (s *Spec) AllOutputs() []OutputSpec {
	out := slices.Clone(s.Outputs)
	if _, ok := s.OutputKeyParam(); !ok {
		return out
	}
	has := func(suffix string) bool {
		return slices.ContainsFunc(out, func(o OutputSpec) bool { return o.Name == "" && o.Suffix == suffix })
	}
	if !has("_count") {
		for _, o := range s.Outputs {
			if o.Key() == "" && o.Type == Array {
				out = append(out, OutputSpec{Suffix: "_count", Type: Integer, Help: "number of elements", When: o.When})
			}
		}
	}
	if !has("_success") {
		out = append(out, OutputSpec{Suffix: "_success", Type: Boolean, Help: "true when the step succeeded"})
	}
	return out
}
