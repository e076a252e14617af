package vm

import (
	"math"
	"slices"

	glua "github.com/yuin/gopher-lua"

	"github.com/ironflow/ironflow/lua/internal/strlib"
)

// entry is one field of a library: a function of gopher-lua or strlib, one of
// ours, or a value.
type entry struct {
	raw glua.LGFunction
	fn  Func
	val glua.LValue
}

// library is one table of functions, by field name.
type library map[string]entry

// stock names the functions that are taken from gopher-lua as they are.
func stock() map[string][]string {
	return map[string][]string{
		"":       {"rawequal", "select", "tostring", "type", "unpack"},
		"string": {"byte", "char", "len", "sub"},
		"table":  {"getn", "insert", "maxn", "remove", "sort"},
		"math": {"abs", "acos", "asin", "atan", "atan2", "ceil", "cos", "cosh", "deg", "exp", "floor", "fmod",
			"frexp", "ldexp", "log", "log10", "max", "min", "mod", "modf", "pow", "rad", "sin", "sinh", "sqrt", "tan", "tanh"},
	}
}

// libraries lists every global there is in a VM, by library.
func (e *Engine) libraries(str strlib.Lib) map[string]library {
	libs := map[string]library{"": {}, "string": {}, "table": {}, "math": {}, "coroutine": {}, "utf8": {}}
	takeStock(libs)
	raw := func(lib string, fns map[string]glua.LGFunction) {
		for name, f := range fns {
			libs[lib][name] = entry{raw: f}
		}
	}
	own := func(lib string, fns map[string]Func) {
		for name, f := range fns {
			libs[lib][name] = entry{fn: f}
		}
	}
	raw("string", str.Strings())
	raw("table", str.Tables())
	raw("utf8", str.UTF8())
	libs["utf8"]["charpattern"] = entry{val: glua.LString(strlib.CharPattern)}
	libs["math"]["pi"] = entry{val: glua.LNumber(math.Pi)}
	libs["math"]["huge"] = entry{val: glua.LNumber(math.Inf(1))}
	libs[""]["_VERSION"] = entry{val: glua.LString(glua.LuaVersion)}
	libs[""]["json_null"] = entry{val: e.codec.Null}
	own("math", map[string]Func{"random": mathRandom, "randomseed": mathRandomseed})
	own("coroutine", map[string]Func{
		"create": coCreate, "resume": coResume, "running": coRunning,
		"status": coStatus, "wrap": coWrap, "yield": coYield,
	})
	own("", map[string]Func{
		"assert": baseAssert, "error": baseError, "getmetatable": baseGetmetatable, "ipairs": baseIpairs,
		"next": baseNext, "pairs": basePairs, "pcall": basePcall, "print": basePrint, "rawget": baseRawget,
		"rawset": baseRawset, "setmetatable": baseSetmetatable, "tonumber": baseTonumber, "xpcall": baseXpcall,

		"env": hostEnv, "log": hostLog, "json_parse": hostJSONParse, "json_stringify": hostJSONStringify,
		"json_array":  marker("json_array", func(e *Engine) *glua.LTable { return e.codec.ArrayMark }),
		"json_object": marker("json_object", func(e *Engine) *glua.LTable { return e.codec.ObjectMark }),
		"uuid4":       hostUUID, "now_rfc3339": hostNow, "now_unix_ms": hostNowMS,
		"base64_encode": hostEncode, "base64_decode": hostDecode,
	})
	own("", e.cfg.Globals)
	return libs
}

// takeStock reads the stock functions out of a state that is then dropped.
func takeStock(libs map[string]library) {
	L := glua.NewState(glua.Options{SkipOpenLibs: true})
	defer L.Close()
	for _, open := range []glua.LGFunction{glua.OpenBase, glua.OpenString, glua.OpenTable, glua.OpenMath} {
		L.Push(L.NewFunction(open))
		L.Call(0, 0)
	}
	for lib, names := range stock() {
		from := L.G.Global
		if lib != "" {
			from = from.RawGetString(lib).(*glua.LTable)
		}
		for _, name := range names {
			libs[lib][name] = entry{raw: from.RawGetString(name).(*glua.LFunction).GFunction}
		}
	}
}

// hiddenBuiltin returns a function that scripts get only as a result.
func hiddenBuiltin(path string) (entry, bool) {
	if path == "ipairs step" {
		return entry{fn: ipairsStep}, true
	}
	return entry{}, false
}

// builtin returns a base function of this VM.
func (v *VM) builtin(name string) glua.LValue { return v.field("", name) }

// field returns one function or value of a library, always the same one in
// one VM.
func (v *VM) field(lib, name string) glua.LValue {
	path := name
	if lib != "" {
		path = lib + "." + name
	}
	if lv, ok := v.fns[path]; ok {
		return lv
	}
	e, ok := v.eng.libs[lib][name]
	if !ok {
		if e, ok = hiddenBuiltin(path); !ok {
			return glua.LNil
		}
	}
	lv := e.val
	if lv == nil {
		fn := (*glua.LFunction)(nil)
		if e.raw != nil {
			fn = v.guarded(path, e.raw)
		} else {
			fn = v.NewFunction(path, e.fn)
		}
		if v.load != nil {
			v.load.names[fn] = path
		}
		lv = fn
	}
	if v.fns == nil {
		v.fns = map[string]glua.LValue{}
	}
	v.fns[path] = lv
	return lv
}

// library returns the table of a library of this VM, with what the file
// changed in it.
func (v *VM) library(name string) *glua.LTable {
	if t, ok := v.libs[name]; ok {
		return t
	}
	lib := v.eng.libs[name]
	t := v.L.CreateTable(0, len(lib))
	if v.libs == nil {
		v.libs = map[string]*glua.LTable{}
	}
	v.libs[name] = t
	if v.load != nil {
		v.load.libNames[t] = name
	}
	for _, f := range sortedNames(lib) {
		if v.copy == nil || !v.copy.img.replaced(name, f) {
			t.RawSetString(f, v.field(name, f))
		}
	}
	if v.copy != nil {
		v.copyDelta(t, v.copy.img.libs[name])
	}
	return t
}

func sortedNames(lib library) []string {
	names := make([]string, 0, len(lib))
	for n := range lib {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// openStrings gives strings a metatable that makes the string library when a
// script first calls a method of a string.
func (v *VM) openStrings() {
	v.str = v.L.CreateTable(0, 1)
	v.str.RawSetString("__index", v.L.NewFunction(func(L *glua.LState) int {
		v.settleStrings()
		v.drain()
		L.Push(L.GetField(L.Get(1), L.CheckString(2)))
		return 1
	}))
	v.L.SetMetatable(glua.LString(""), v.str)
}

// settleStrings completes the metatable of strings.
func (v *VM) settleStrings() {
	if _, lazy := v.str.RawGetString("__index").(*glua.LFunction); !lazy || v.have["\x00strings"] {
		return
	}
	v.settled("\x00strings")
	v.str.RawSetString("__index", v.library("string"))
	if v.copy != nil {
		v.copyDelta(v.str, v.copy.img.strings)
	}
}

func (v *VM) settled(name string) {
	if v.have == nil {
		v.have = map[string]bool{}
	}
	v.have[name] = true
}

// settle makes the global of that name what it has to be in this VM. Reading a
// name in compiled code settles it before the code runs, so a script cannot
// tell that the others are missing.
func (v *VM) settle(name string) {
	if v.all || v.have[name] {
		return
	}
	v.settled(name)
	if v.copy != nil {
		if lv, ok := v.copy.img.globals.set[glua.LString(name)]; ok {
			v.globals.RawSetString(name, v.copyValue(lv))
			return
		}
		if v.copy.img.replaced("", name) {
			return
		}
	}
	switch {
	case name == "_G":
		v.globals.RawSetString(name, v.globals)
		v.settleAll()
	case name != "" && v.eng.libs[name] != nil:
		v.globals.RawSetString(name, v.library(name))
	default:
		if lv := v.field("", name); lv != glua.LNil && name != "ipairs step" {
			v.globals.RawSetString(name, lv)
		}
	}
}

// settleAll makes all globals: in a loader, and wherever a script can reach
// the table of globals itself.
func (v *VM) settleAll() {
	if v.all {
		return
	}
	names := append(sortedNames(v.eng.libs[""]), "_G", "coroutine", "math", "string", "table", "utf8")
	slices.Sort(names)
	for _, n := range names {
		v.settle(n)
	}
	v.settleStrings()
	if v.copy != nil {
		g := v.copy.img.globals
		for _, k := range g.order {
			if s, ok := k.(glua.LString); ok {
				v.settle(string(s))
			} else {
				v.globals.RawSet(v.copyValue(k), v.copyValue(g.set[k]))
			}
		}
		if g.meta != glua.LNil {
			v.globals.Metatable = v.copyValue(g.meta)
		}
	}
	v.all = true
}
