package lua

import (
	"fmt"
	"math"
	"slices"
	"strings"

	glua "github.com/yuin/gopher-lua"

	"github.com/ironflow/ironflow/nodes"
)

// noHelp stands where the author of a node describes nothing.
const noHelp = "not described by its author"

// fields are those of one table inside a declaration, at a path.
type fields struct {
	d    *definition
	path string
	t    *glua.LTable
}

// fields checks the names of the fields of a table.
func (d *definition) fields(t *glua.LTable, path string, allowed ...string) fields {
	for k, _ := t.Next(glua.LNil); k != glua.LNil; k, _ = t.Next(k) {
		name, ok := k.(glua.LString)
		switch {
		case !ok:
			d.problem(path, "the key %s is no name of a field", describe(k))
		case !slices.Contains(allowed, string(name)):
			d.problem(path, "there is no field %q here%s", string(name), nodes.DidYouMean(string(name), allowed))
		}
	}
	return fields{d, path, t}
}

func (f fields) get(name string) glua.LValue { return f.t.RawGetString(name) }

func (f fields) at(name string) string {
	if f.path == "" {
		return name
	}
	return f.path + "." + name
}

// field reads one field of a Go type; the zero value when it is absent.
func field[T glua.LValue](f fields, name, want string) (v T, given bool) {
	lv := f.get(name)
	if lv == glua.LNil {
		return v, false
	}
	v, ok := lv.(T)
	if !ok {
		f.d.problem(f.at(name), "got %s, want %s", describe(lv), want)
	}
	return v, ok
}

func (f fields) text(name string) string {
	s, _ := field[glua.LString](f, name, "a string")
	return string(s)
}

func (f fields) flag(name string) bool {
	b, _ := field[glua.LBool](f, name, "true or false")
	return bool(b)
}

func (f fields) texts(name string) []string {
	t, ok := field[*glua.LTable](f, name, "a list of strings")
	if !ok {
		return nil
	}
	list, bad := stringList(t)
	if bad != "" {
		f.d.problem(f.at(name), "%s, want a list of strings", bad)
	}
	return list
}

// params reads the parameters: a table by name, or a list of tables that hold
// the name themselves, where the order matters for the documentation.
func (d *definition) params(v glua.LValue, path string) []nodes.Param {
	if v == glua.LNil {
		return nil
	}
	t, ok := v.(*glua.LTable)
	if !ok {
		d.problem(path, "got %s, want a table such as { text = { type = \"string\", required = true } }", describe(v))
		return nil
	}
	var out []nodes.Param
	for k, v := t.Next(glua.LNil); k != glua.LNil; k, v = t.Next(k) {
		name, named := k.(glua.LString)
		at := path + "." + string(name)
		if !named {
			at = fmt.Sprintf("%s[%s]", path, describe(k))
		}
		var p nodes.Param
		switch v := v.(type) {
		case glua.LString: // text = "string"
			p = nodes.Param{Help: noHelp, Type: d.typeName(at, string(v))}
		case *glua.LTable:
			p = d.param(v, at)
			if !named {
				name = glua.LString(p.Name)
			}
		default:
			d.problem(at, "got %s, want a table such as { type = \"string\", required = true }", describe(v))
			continue
		}
		p.Name = string(name)
		if p.Name == "source_key" {
			// The name says what every node means by it.
			p.Role, p.Interpolate = nodes.Source, true
		}
		if p.Name == "" {
			d.problem(at, "has no name")
		}
		out = append(out, p)
	}
	return out
}

// paramFields are the fields of one parameter.
func paramFields() []string {
	return []string{"name", "type", "help", "required", "default", "enum", "min", "max", "unit", "env", "secret",
		"interpolate", "source", "nonempty", "alias", "needs", "items", "fields", "when"}
}

// param reads the declaration of one parameter, or of the elements of an
// array.
func (d *definition) param(t *glua.LTable, path string) nodes.Param {
	f := d.fields(t, path, paramFields()...)
	p := nodes.Param{
		Name: f.text("name"), Type: nodes.Any, Help: f.text("help"), Required: f.flag("required"), Enum: f.texts("enum"),
		Unit: f.text("unit"), Env: f.text("env"), Secret: f.flag("secret"), Interpolate: f.flag("interpolate"),
		NonEmpty: f.flag("nonempty"), Alias: f.text("alias"), Needs: f.texts("needs"),
	}
	if p.Help == "" {
		p.Help = noHelp
	}
	p.Type, p.Or = d.types(f, len(p.Enum) > 0)
	if f.flag("source") {
		p.Role, p.Interpolate = nodes.Source, true
	}
	p.Range = d.numbers(f)
	if items := f.get("items"); items != glua.LNil {
		p.Elem = d.items(items, f.at("items"))
	}
	if members := f.get("fields"); members != glua.LNil {
		p.Fields = d.params(members, f.at("fields"))
	}
	if w, ok := field[*glua.LTable](f, "when", `a table such as { mode = "split" }`); ok {
		p.When = d.when(w, f.at("when"))
	}
	if v := f.get("default"); v != glua.LNil {
		converted, err := d.l.vm.FromLua(v, nil)
		if err != nil {
			d.problem(f.at("default"), "%v", err)
		}
		p.Default = converted
	}
	return p
}

// types reads `type`: one name or a list of names. A parameter with an enum is
// a string without being told.
func (d *definition) types(f fields, enum bool) (nodes.Type, []nodes.Type) {
	switch v := f.get("type").(type) {
	case *glua.LNilType:
		if enum {
			return nodes.String, nil
		}
		return nodes.Any, nil
	case glua.LString:
		return d.typeName(f.at("type"), string(v)), nil
	case *glua.LTable:
		var list []nodes.Type
		for _, name := range f.texts("type") {
			list = append(list, d.typeName(f.at("type"), name))
		}
		if len(list) > 0 {
			return list[0], list[1:]
		}
	}
	d.problem(f.at("type"), "got %s, want one of %s, or a list of them", describe(f.get("type")), strings.Join(typeNames(), ", "))
	return nodes.Any, nil
}

func typeNames() []string {
	return []string{"string", "number", "integer", "boolean", "array", "object", "function", "any"}
}

func (d *definition) typeName(path, name string) nodes.Type {
	if !slices.Contains(typeNames(), name) {
		d.problem(path, "there is no type %q%s", name, nodes.DidYouMean(name, typeNames()))
		return nodes.Any
	}
	return nodes.Type(name)
}

// numbers reads the range from min and max.
func (d *definition) numbers(f fields) *nodes.Range {
	low, hasLow := field[glua.LNumber](f, "min", "a number")
	high, hasHigh := field[glua.LNumber](f, "max", "a number")
	switch {
	case !hasLow && !hasHigh:
		return nil
	case !hasLow:
		low = glua.LNumber(math.Inf(-1))
	case !hasHigh:
		high = glua.LNumber(math.Inf(1))
	}
	if low > high {
		d.problem(f.at("min"), "is above max")
	}
	return nodes.Between(float64(low), float64(high))
}

// items reads the declaration of array elements: a type or a table.
func (d *definition) items(v glua.LValue, path string) *nodes.Param {
	switch v := v.(type) {
	case glua.LString:
		return &nodes.Param{Type: d.typeName(path, string(v)), Help: noHelp}
	case *glua.LTable:
		p := d.param(v, path)
		return &p
	}
	d.problem(path, "got %s, want a type or a table { type = ... }", describe(v))
	return nil
}

// when reads the group of a parameter: { mode = "split" } or
// { mode = {"split", "fixed"} }.
func (d *definition) when(t *glua.LTable, path string) *nodes.When {
	k, v := t.Next(glua.LNil)
	name, ok := k.(glua.LString)
	if more, _ := t.Next(k); !ok || more != glua.LNil {
		d.problem(path, `want one parameter with the values it must have, such as { mode = "split" }`)
		return nil
	}
	switch v := v.(type) {
	case glua.LString:
		return nodes.Only(string(name), string(v))
	case *glua.LTable:
		if list, bad := stringList(v); bad == "" {
			return nodes.Only(string(name), list...)
		}
	}
	d.problem(path, "got %s, want a string or a list of strings", describe(v))
	return nil
}
