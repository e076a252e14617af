package nodes

import (
	"math"
	"slices"
)

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

const (
	templatePattern = `\$\{ctx[.\[]`
	numberPattern   = `^\s*[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?\s*$`
	booleanPattern  = `^(true|false)$`
)

func textLike(pattern string) map[string]any {
	return map[string]any{"type": "string", "pattern": pattern}
}

// schema is the schema of one value, with what the declaration says about it.
func (p *Param) schema() map[string]any {
	var forms []any
	function := false
	for _, t := range append([]Type{p.Type}, p.Or...) {
		switch t {
		case Function:
			function = true
		case Any:
			forms = append(forms, map[string]any{})
		default:
			forms = append(forms, p.form(t)...)
		}
	}
	out := map[string]any{}
	if len(forms) == 1 {
		out = forms[0].(map[string]any)
	} else if len(forms) > 1 {
		out["anyOf"] = forms
	}
	if p.Help != "" {
		out["description"] = p.Help
	}
	if p.Default != nil {
		out["default"] = p.Default
	}
	if p.Secret {
		out["writeOnly"] = true
	}
	if p.Env != "" {
		out["x-env"] = p.Env
	}
	if p.Unit != "" {
		out["x-unit"] = p.Unit
	}
	if function {
		out["x-lua"] = "a Lua function"
	}
	return out
}

// form gives the schemas of the ways in which a value of type t is written.
func (p *Param) form(t Type) []any {
	switch t {
	case String:
		return p.stringForms()
	case Number, Integer:
		return []any{p.numberForm(t), textLike(numberPattern), textLike(templatePattern)}
	case Boolean:
		return []any{map[string]any{"type": "boolean"}, textLike(booleanPattern), textLike(templatePattern)}
	case Array:
		form := map[string]any{"type": "array"}
		if p.Elem != nil {
			form["items"] = p.leaf(p.Elem)
		}
		if p.NonEmpty {
			form["minItems"] = 1
		}
		return []any{form}
	}
	form := map[string]any{"type": "object"}
	if p.NonEmpty {
		form["minProperties"] = 1
	}
	switch {
	case len(p.Fields) > 0:
		p.fields(form)
	case p.Secret:
		form["additionalProperties"] = map[string]any{"type": "string"}
	case p.Elem != nil:
		form["additionalProperties"] = p.leaf(p.Elem)
	}
	return []any{form}
}

func (p *Param) stringForms() []any {
	form := map[string]any{"type": "string"}
	if len(p.Enum) > 0 {
		form["enum"] = anyStrings(p.Enum)
	} else if p.NonEmpty || p.Role == OutputKey {
		form["pattern"] = `\S`
	}
	if p.takesTemplate() && len(p.Enum) > 0 {
		return []any{form, textLike(templatePattern)}
	}
	return []any{form}
}

func (p *Param) numberForm(t Type) map[string]any {
	form := map[string]any{"type": string(t)}
	if r := p.Range; r != nil {
		switch {
		case math.IsInf(r.Min, 0):
		case r.OpenMin:
			form["exclusiveMinimum"] = r.Min
		default:
			form["minimum"] = r.Min
		}
		if !math.IsInf(r.Max, 0) {
			form["maximum"] = r.Max
		}
	}
	return form
}

// leaf is the schema of a member, which may be a placeholder where the whole
// is interpolated.
func (p *Param) leaf(member *Param) map[string]any {
	s := member.schema()
	if p.takesTemplate() && member.Type != Any {
		return map[string]any{"anyOf": []any{s, textLike(templatePattern)}}
	}
	return s
}

func (p *Param) fields(form map[string]any) {
	properties := map[string]any{}
	var required []any
	for i := range p.Fields {
		f := &p.Fields[i]
		properties[f.Name] = p.leaf(f)
		if f.Required {
			required = append(required, f.Name)
		}
	}
	form["properties"] = properties
	form["additionalProperties"] = false
	if len(required) > 0 {
		form["required"] = required
	}
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
