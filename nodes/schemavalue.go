package nodes

import (
	"math"
)

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
	case Object, Function, Any:
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
