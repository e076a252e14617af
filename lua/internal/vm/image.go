package vm

import (
	"sync"

	glua "github.com/yuin/gopher-lua"
)

// Image is the heap of a load VM, kept as the read-only template for the VMs
// of its handlers. It is safe for concurrent use: nothing writes to it any
// more.
type Image struct {
	eng     *Engine
	load    *VM
	globals delta            // against a fresh VM
	libs    map[string]delta // the same for library tables
	strings delta            // and for the metatable of strings
	names   sync.Map         // *glua.FunctionProto to []string
}

// delta is what a file changed in a table of the VM itself.
type delta struct {
	set   map[glua.LValue]glua.LValue
	order []glua.LValue // of set, as pairs gives them
	gone  map[string]bool
	meta  glua.LValue
}

// NewImage closes a load VM and keeps its heap. No Lua may run in it
// afterwards.
func NewImage(load *VM) *Image {
	load.load.frozen = true
	load.L.RemoveContext()
	load.Close()
	i := &Image{eng: load.eng, load: load, libs: map[string]delta{}}
	hidden := load.load.hidden
	pristine := func(lib string) func(string) glua.LValue {
		return func(name string) glua.LValue { return load.fns[join(lib, name)] }
	}
	i.globals = diff(load.globals, load.eng.libs[""], func(name string) glua.LValue {
		if hidden[name] {
			return load.globals.RawGetString(name)
		}
		if name == "_G" {
			return load.globals
		}
		if t, ok := load.libs[name]; ok {
			return t
		}
		return load.fns[name]
	})
	for name := range load.libs {
		if load.globals.RawGetString(name) == glua.LNil {
			i.globals.gone[name] = true
		}
	}
	if load.globals.RawGetString("_G") == glua.LNil {
		i.globals.gone["_G"] = true
	}
	for name, t := range load.libs {
		i.libs[name] = diff(t, load.eng.libs[name], pristine(name))
	}
	i.strings = diff(load.str, library{"__index": {}}, func(name string) glua.LValue {
		if name == "__index" {
			return load.libs["string"]
		}
		return nil
	})
	return i
}

func join(lib, name string) string {
	if lib == "" {
		return name
	}
	return lib + "." + name
}

func diff(t *glua.LTable, lib library, pristine func(string) glua.LValue) delta {
	d := delta{set: map[glua.LValue]glua.LValue{}, gone: map[string]bool{}, meta: t.Metatable}
	for k, lv := t.Next(glua.LNil); k != glua.LNil; k, lv = t.Next(k) {
		if s, ok := k.(glua.LString); ok && pristine(string(s)) == lv {
			continue
		}
		d.set[k] = lv
		d.order = append(d.order, k)
	}
	for name := range lib {
		if t.RawGetString(name) == glua.LNil {
			d.gone[name] = true
		}
	}
	return d
}

// replaced reports whether the file changed or removed a field of a library
// ("" is the globals).
func (i *Image) replaced(lib, name string) bool {
	d := i.globals
	if lib != "" {
		d = i.libs[lib]
	}
	_, set := d.set[glua.LString(name)]
	return set || d.gone[name]
}

// protoNames returns the global names that a function and those inside it
// read or write.
func (i *Image) protoNames(p *glua.FunctionProto) []string {
	if names, ok := i.names.Load(p); ok {
		return names.([]string)
	}
	names := globalNames(p, nil, map[string]bool{})
	i.names.Store(p, names)
	return names
}

func globalNames(p *glua.FunctionProto, names []string, seen map[string]bool) []string {
	for _, inst := range p.Code {
		op, bx := int(inst>>26), int(inst&0x3ffff)
		if op != glua.OP_GETGLOBAL && op != glua.OP_SETGLOBAL || bx >= len(p.Constants) {
			continue
		}
		if s, ok := p.Constants[bx].(glua.LString); ok && !seen[string(s)] {
			seen[string(s)] = true
			names = append(names, string(s))
		}
	}
	for _, inner := range p.FunctionPrototypes {
		names = globalNames(inner, names, seen)
	}
	return names
}
