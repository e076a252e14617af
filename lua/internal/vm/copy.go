package vm

import (
	glua "github.com/yuin/gopher-lua"

	"github.com/ironflow/ironflow/lua/internal/convert"
)

// copier copies values of an image into one VM. Shells are made at once, so
// that cycles and shared values keep their identity; contents follow when the
// queue is drained, without recursion.
type copier struct {
	img    *Image
	shells map[glua.LValue]glua.LValue
	cells  map[*glua.Upvalue]*glua.Upvalue

	tables []*glua.LTable  // sources whose copies are empty
	upvals []*glua.Upvalue // sources whose copies are not set
	protos []*glua.FunctionProto
}

// copyValue returns the copy of a value of the image in this VM.
func (v *VM) copyValue(src glua.LValue) glua.LValue {
	switch s := src.(type) {
	case *glua.LFunction:
		return v.copyFunction(s)
	case *glua.LTable:
		return v.copyTable(s)
	case *glua.LUserData:
		if s == v.eng.codec.Null {
			return s
		}
		if p, ok := s.Value.(poison); ok {
			return v.shell(s, func() glua.LValue { return v.Poisoned(p.label) })
		}
		return v.copyPoison(s, "a userdata")
	case *glua.LState:
		return v.copyPoison(s, "a coroutine made while the file loaded")
	case glua.LChannel:
		return v.copyPoison(s, "a channel")
	case nil:
		return glua.LNil
	}
	return src
}

// shell returns the copy of src, made by create the first time.
func (v *VM) shell(src glua.LValue, create func() glua.LValue) glua.LValue {
	c := v.copy
	if dst, ok := c.shells[src]; ok {
		return dst
	}
	if c.shells == nil {
		c.shells = map[glua.LValue]glua.LValue{}
	}
	dst := create()
	c.shells[src] = dst
	return dst
}

func (v *VM) copyPoison(src glua.LValue, label string) glua.LValue {
	return v.shell(src, func() glua.LValue {
		if own, ok := v.copy.img.load.load.labels[src]; ok {
			label = own
		}
		return v.Poisoned(label)
	})
}

func (v *VM) copyFunction(src *glua.LFunction) glua.LValue {
	load := v.copy.img.load.load
	if path, ok := load.names[src]; ok {
		lib, name := splitPath(path)
		return v.field(lib, name)
	}
	if _, own := load.labels[src]; own || src.IsG {
		return v.copyPoison(src, "a library function made while the file loaded, such as a gmatch iterator,")
	}
	return v.shell(src, func() glua.LValue {
		c := v.copy
		dst := v.L.NewFunctionFromProto(src.Proto)
		for i, uv := range src.Upvalues {
			dst.Upvalues[i] = c.cell(uv)
		}
		c.protos = append(c.protos, src.Proto)
		return dst
	})
}

// cell returns the copy of an upvalue; closures that shared it share the copy.
func (c *copier) cell(src *glua.Upvalue) *glua.Upvalue {
	if dst, ok := c.cells[src]; ok {
		return dst
	}
	if c.cells == nil {
		c.cells = map[*glua.Upvalue]*glua.Upvalue{}
	}
	dst := &glua.Upvalue{}
	dst.SetValue(glua.LNil)
	c.cells[src] = dst
	c.upvals = append(c.upvals, src)
	return dst
}

func splitPath(path string) (lib, name string) {
	for i := range len(path) {
		if path[i] == '.' {
			return path[:i], path[i+1:]
		}
	}
	return "", path
}

func (v *VM) copyTable(src *glua.LTable) glua.LValue {
	from := v.copy.img.load
	if v.eng.codec.IsMark(src) || src == v.eng.poisonMeta {
		return src
	}
	switch src {
	case from.globals:
		v.settleAll()
		return v.globals
	case from.str:
		v.settleStrings()
		return v.str
	}
	if name, ok := from.load.libNames[src]; ok {
		return v.library(name)
	}
	if _, ok := from.load.labels[src]; ok {
		return v.copyPoison(src, "")
	}
	return v.shell(src, func() glua.LValue {
		v.copy.tables = append(v.copy.tables, src)
		fields := 0
		array := src.MaxN()
		for k, _ := src.Next(glua.LNumber(array)); k != glua.LNil && array > 0; k, _ = src.Next(k) {
			fields++
		}
		if array == 0 {
			src.ForEach(func(glua.LValue, glua.LValue) { fields++ })
		}
		return v.L.CreateTable(array, fields)
	})
}

// copyDelta applies what the file changed in one of the VM's own tables.
func (v *VM) copyDelta(t *glua.LTable, d delta) {
	for _, k := range d.order {
		t.RawSet(v.copyValue(k), v.copyValue(d.set[k]))
	}
	if d.meta != glua.LNil && d.meta != nil {
		t.Metatable = v.copyValue(d.meta)
	}
	for name := range d.gone {
		t.RawSetString(name, glua.LNil)
	}
}

// settleProto settles the globals that a function names.
func (v *VM) settleProto(p *glua.FunctionProto) {
	if v.all {
		return
	}
	if v.copy == nil {
		v.settleAll()
		return
	}
	for _, name := range v.copy.img.protoNames(p) {
		v.settle(name)
	}
}

// drainStep is how many values are copied between two looks at the context.
const drainStep = 1 << 12

// drain fills the shells made so far. It stops early when the context of the
// VM has ended; the script then fails at its next instruction.
func (v *VM) drain() {
	c := v.copy
	if c == nil {
		return
	}
	for n := 1; ; n++ {
		switch {
		case len(c.protos) > 0:
			p := c.protos[len(c.protos)-1]
			c.protos = c.protos[:len(c.protos)-1]
			v.settleProto(p)
		case len(c.upvals) > 0:
			uv := c.upvals[len(c.upvals)-1]
			c.upvals = c.upvals[:len(c.upvals)-1]
			c.cells[uv].SetValue(v.copyValue(uv.Value()))
		case len(c.tables) > 0:
			t := c.tables[len(c.tables)-1]
			c.tables = c.tables[:len(c.tables)-1]
			if !v.fill(c.shells[t].(*glua.LTable), t) {
				return
			}
		default:
			return
		}
		if n%drainStep == 0 && v.ended() {
			return
		}
	}
}

func (v *VM) ended() bool {
	ctx := v.L.Context()
	return ctx != nil && ctx.Err() != nil
}

func (v *VM) fill(dst, src *glua.LTable) bool {
	n := 0
	for k, lv := src.Next(glua.LNil); k != glua.LNil; k, lv = src.Next(k) {
		dst.RawSet(v.copyValue(k), v.copyValue(lv))
		if n++; n%drainStep == 0 && v.ended() {
			return false
		}
	}
	if !convert.CopyGuard(v.L, dst, src) && src.Metatable != glua.LNil {
		dst.Metatable = v.copyValue(src.Metatable)
	}
	return true
}
