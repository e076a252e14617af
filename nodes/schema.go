package nodes

import "slices"

// Schema gives the parameters of a node as a JSON Schema (draft 2020-12), ready
// for encoding/json. Groups are if/then rules, exclusive parameters are "not"
// rules. Extensions start with "x-": x-env, x-unit, x-lua for what JSON cannot
// say, x-outputs for the published keys. A schema accepts what [Check] accepts,
// except for Lua functions and for {} where Lua cannot tell an empty array from
// an empty object.
func Schema(spec *Spec) map[string]any {
	s := &schemaWriter{spec: spec, properties: map[string]any{}}
	for _, name := range spec.ParamNames() {
		s.param(name)
	}
	s.choices()
	out := map[string]any{
		"$schema":              "https://json-schema.org/draft/2020-12/schema",
		"title":                spec.Name,
		"description":          spec.Summary,
		"type":                 "object",
		"properties":           s.properties,
		"additionalProperties": false,
		"x-outputs":            outputSchemas(spec),
	}
	if len(s.required) > 0 {
		out["required"] = s.required
	}
	if len(s.rules) > 0 {
		out["allOf"] = s.rules
	}
	return out
}

type schemaWriter struct {
	spec       *Spec
	properties map[string]any
	required   []any
	rules      []any
}

func (s *schemaWriter) rule(r map[string]any) { s.rules = append(s.rules, r) }

// param writes all declarations of one name.
func (s *schemaWriter) param(name string) {
	var declared []*Param
	for i := range s.spec.Params {
		if s.spec.Params[i].Name == name {
			declared = append(declared, &s.spec.Params[i])
		}
	}
	first := declared[0]
	if first.When == nil {
		s.properties[name] = first.schema()
		if first.Required && first.Env == "" {
			if first.Alias == "" {
				s.required = append(s.required, name)
			} else {
				s.rule(present(first))
			}
		}
	} else {
		s.grouped(name, declared)
	}
	if first.Alias != "" {
		s.properties[first.Alias] = map[string]any{"$ref": "#/properties/" + name, "deprecated": true, "description": "earlier name of " + name}
		s.rule(map[string]any{"not": map[string]any{"required": []any{name, first.Alias}}})
	}
	for _, other := range first.Needs {
		if o, _ := s.spec.param(other, nil); o != nil {
			s.rule(map[string]any{"if": present(first), "then": present(o)})
		}
	}
}

// grouped writes a parameter that belongs to values of an enum parameter.
func (s *schemaWriter) grouped(name string, declared []*Param) {
	property := map[string]any{"description": declared[0].Help}
	if len(declared) > 1 {
		property["description"] = "see the rules for each group"
	}
	s.properties[name] = property
	var inactive []any
	lenient := false
	for _, p := range declared {
		then := map[string]any{"properties": map[string]any{name: p.schema()}}
		if p.Required && p.Env == "" {
			then["allOf"] = []any{present(p)}
		}
		s.rule(map[string]any{"if": s.active(p.When), "then": then})
		inactive = append(inactive, s.inactive(p.When))
		if d, _ := s.spec.param(p.When.Param, nil); d != nil && d.Lenient {
			lenient = true
		}
	}
	if !lenient {
		s.rule(map[string]any{"if": map[string]any{"allOf": inactive}, "then": map[string]any{"not": present(declared[0])}})
	}
}

// active is the condition that a group is active: its enum parameter is known
// and has one of the values, by default too.
func (s *schemaWriter) active(w *When) map[string]any {
	d, _ := s.spec.param(w.Param, nil)
	cond := s.oneOf(d, w.In)
	if d.When != nil {
		return map[string]any{"allOf": []any{cond, s.active(d.When)}}
	}
	return cond
}

// inactive is the condition that a group is known not to be active.
func (s *schemaWriter) inactive(w *When) map[string]any {
	d, _ := s.spec.param(w.Param, nil)
	var others []string
	for _, v := range d.Enum {
		if !slices.Contains(w.In, v) {
			others = append(others, v)
		}
	}
	cond := s.oneOf(d, others)
	if d.When != nil {
		return map[string]any{"anyOf": []any{cond, s.inactive(d.When)}}
	}
	return cond
}

func (s *schemaWriter) oneOf(d *Param, values []string) map[string]any {
	cond := map[string]any{"properties": map[string]any{d.Name: map[string]any{"enum": anyStrings(values)}}}
	def, _ := d.Default.(string)
	if d.Env != "" || !slices.Contains(values, def) {
		cond["required"] = []any{d.Name}
	}
	return cond
}

func (s *schemaWriter) choices() {
	for _, c := range s.spec.Choices {
		var each []any
		for i, a := range c.Params {
			p, _ := s.spec.param(a, nil)
			each = append(each, present(p))
			for _, b := range c.Params[:i] {
				q, _ := s.spec.param(b, nil)
				s.rule(map[string]any{"not": map[string]any{"allOf": []any{present(q), present(p)}}})
			}
		}
		if c.Required {
			s.rule(map[string]any{"anyOf": each})
		}
	}
}

// present is the condition that a parameter is given, under either name.
func present(p *Param) map[string]any {
	given := map[string]any{"required": []any{p.Name}}
	if p.Alias == "" {
		return given
	}
	return map[string]any{"anyOf": []any{given, map[string]any{"required": []any{p.Alias}}}}
}

func anyStrings(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

func outputSchemas(spec *Spec) []any {
	var out []any
	for _, o := range spec.AllOutputs() {
		entry := map[string]any{"key": o.shownKey(), "type": string(o.Type), "description": o.Help}
		if o.When != nil {
			entry["only_with"] = map[string]any{o.When.Param: anyStrings(o.When.In)}
		}
		if o.OnFailure {
			entry["on_failure"] = true
		}
		out = append(out, entry)
	}
	return out
}

// shownKey is the published key as documentation writes it.
func (o OutputSpec) shownKey() string {
	if o.Name != "" {
		return o.Name
	}
	return "{output_key}" + o.Suffix
}
