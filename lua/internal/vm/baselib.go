package vm

import (
	"math"
	"strconv"
	"strings"

	glua "github.com/yuin/gopher-lua"

	"github.com/ironflow/ironflow/lua/internal/convert"
)

// place returns "file:line: " of the function at a call level, as error(m,
// level) puts it in front of a message.
func place(L *glua.LState, level int) string {
	dbg, ok := L.GetStack(level)
	if !ok {
		return ""
	}
	if _, err := L.GetInfo("Sl", dbg, glua.LNil); err != nil {
		return ""
	}
	if dbg.CurrentLine <= 0 || dbg.Source == trampolineName {
		return ""
	}
	return dbg.Source + ":" + strconv.Itoa(dbg.CurrentLine) + ": "
}

func baseError(_ *VM, L *glua.LState) int {
	level := L.OptInt(2, 1)
	obj := L.Get(1)
	if text := glua.LVAsString(obj); glua.LVCanConvToString(obj) && level > 0 {
		obj = glua.LString(place(L, level) + text)
	}
	L.Error(obj, 0)
	return 0
}

// baseAssert raises any message value as it is; a string gets the place of the
// caller, as in reference Lua.
func baseAssert(_ *VM, L *glua.LState) int {
	if glua.LVAsBool(L.CheckAny(1)) {
		return L.GetTop()
	}
	switch m := L.Get(2).(type) {
	case *glua.LNilType:
		L.RaiseError("assertion failed!")
	case glua.LString, glua.LNumber:
		L.RaiseError("%s", m.String())
	default:
		L.Error(m, 0)
	}
	return 0
}

func (v *VM) next(L *glua.LState, t *glua.LTable, key glua.LValue) int {
	k, val := glua.LValue(glua.LNil), glua.LValue(glua.LNil)
	if l := convert.LazyOf(t); l != nil {
		var err error
		if k, val, err = l.Next(L, key); err != nil {
			v.Raise(L, err)
		}
	} else {
		if key == glua.LNil {
			if err := convert.CheckRead(t, nil); err != nil {
				v.Raise(L, err)
			}
		}
		k, val = t.Next(key)
	}
	L.Push(k)
	if k == glua.LNil {
		return 1
	}
	L.Push(val)
	return 2
}

// checkTable reads a table argument; a value that exists only while the file
// loads says so.
func checkTable(L *glua.LState, n int) *glua.LTable {
	checkLoadOnly(L, n)
	return L.CheckTable(n)
}

func checkLoadOnly(L *glua.LState, n int) {
	if ud, ok := L.Get(n).(*glua.LUserData); ok {
		if p, ok := ud.Value.(poison); ok {
			L.RaiseError("%s", p.String())
		}
	}
}

func baseNext(v *VM, L *glua.LState) int { return v.next(L, checkTable(L, 1), L.Get(2)) }

func basePairs(v *VM, L *glua.LState) int {
	t := checkTable(L, 1)
	L.Push(v.builtin("next"))
	L.Push(t)
	L.Push(glua.LNil)
	return 3
}

func ipairsStep(_ *VM, L *glua.LState) int {
	i := L.CheckInt(2) + 1
	lv := checkTable(L, 1).RawGetInt(i)
	if lv == glua.LNil {
		L.Push(lv)
		return 1
	}
	L.Push(glua.LNumber(i))
	L.Push(lv)
	return 2
}

func baseIpairs(v *VM, L *glua.LState) int {
	t := checkTable(L, 1)
	L.Push(v.builtin("ipairs step"))
	L.Push(t)
	L.Push(glua.LNumber(0))
	return 3
}

func baseRawget(v *VM, L *glua.LState) int {
	t, key := checkTable(L, 1), L.CheckAny(2)
	if l := convert.LazyOf(t); l != nil {
		lv, err := l.Get(L, key)
		if err != nil {
			v.Raise(L, err)
		}
		L.Push(lv)
		return 1
	}
	lv := L.RawGet(t, key)
	if lv == glua.LNil {
		if err := convert.CheckRead(t, key); err != nil {
			v.Raise(L, err)
		}
	}
	L.Push(lv)
	return 1
}

func baseRawset(_ *VM, L *glua.LState) int {
	t, key, val := checkTable(L, 1), L.CheckAny(2), L.CheckAny(3)
	if l := convert.LazyOf(t); l != nil {
		l.Set(L, key, val)
	} else {
		convert.Written(t, key)
		L.RawSet(t, key, val)
	}
	L.SetTop(1)
	return 1
}

// baseSetmetatable takes tables only, as in reference Lua; gopher-lua would
// also change the metatable of all strings or numbers.
func baseSetmetatable(v *VM, L *glua.LState) int {
	t := checkTable(L, 1)
	mt := L.Get(2)
	if mt != glua.LNil && mt.Type() != glua.LTTable || L.GetTop() < 2 {
		L.ArgError(2, "nil or table expected")
	}
	if old, ok := t.Metatable.(*glua.LTable); ok && old.RawGetString("__metatable") != glua.LNil {
		L.RaiseError("cannot change a protected metatable")
	}
	if err := convert.CheckRead(t, nil); err != nil {
		v.Raise(L, err) // the integers would be lost with their guard
	}
	t.Metatable = mt
	L.SetTop(1)
	return 1
}

func baseGetmetatable(v *VM, L *glua.LState) int {
	obj := L.CheckAny(1)
	if obj.Type() == glua.LTString {
		v.settleStrings()
		v.drain()
	}
	mt := L.GetMetatable(obj)
	if v.eng.codec.Hidden(mt) {
		mt = glua.LNil
	}
	L.Push(mt)
	return 1
}

func baseTonumber(_ *VM, L *glua.LState) int {
	lv := L.CheckAny(1)
	base := L.OptInt(2, 10)
	if base < 2 || base > 36 {
		L.ArgError(2, "base out of range")
	}
	if n, ok := lv.(glua.LNumber); ok && base == 10 {
		L.Push(n)
		return 1
	}
	if base != 10 && !glua.LVCanConvToString(lv) {
		L.CheckString(1)
	}
	if n, ok := parseNumber(glua.LVAsString(lv), base); ok && glua.LVCanConvToString(lv) {
		L.Push(glua.LNumber(n))
	} else {
		L.Push(glua.LNil)
	}
	return 1
}

// parseNumber reads a number as reference Lua does: decimal with exponent or
// hexadecimal in base 10, an integer otherwise; blanks around are allowed.
// "inf" and "nan", which the C library accepts, are not numbers here.
func parseNumber(s string, base int) (float64, bool) {
	s = strings.Trim(s, " \t\n\v\f\r")
	digits := strings.TrimLeft(s, "+-")
	if len(s)-len(digits) > 1 || digits == "" || strings.ContainsAny(digits, "_ ") {
		return 0, false
	}
	sign := 1.0
	if s[0] == '-' {
		sign = -1
	}
	lower := strings.ToLower(digits)
	hex := strings.HasPrefix(lower, "0x")
	if base == 16 && hex {
		lower, hex = lower[2:], false
	}
	if base != 10 {
		return parseInteger(lower, base, sign)
	}
	if hex && !strings.ContainsAny(lower, ".p") {
		return parseInteger(lower[2:], 16, sign)
	}
	if hex && !strings.Contains(lower, "p") {
		lower += "p0"
	}
	if c := lower[0]; c != '.' && (c < '0' || c > '9') {
		return 0, false
	}
	f, err := strconv.ParseFloat(lower, 64)
	if err != nil && !math.IsInf(f, 0) {
		return 0, false
	}
	return sign * f, true
}

func parseInteger(digits string, base int, sign float64) (float64, bool) {
	if digits == "" {
		return 0, false
	}
	n := 0.0
	for _, c := range []byte(digits) {
		d := 99
		switch {
		case c >= '0' && c <= '9':
			d = int(c - '0')
		case c >= 'a' && c <= 'z':
			d = int(c-'a') + 10
		}
		if d >= base {
			return 0, false
		}
		n = n*float64(base) + float64(d)
	}
	return sign * n, true
}

func basePrint(v *VM, L *glua.LState) int {
	var b strings.Builder
	for i := 1; i <= L.GetTop(); i++ {
		if i > 1 {
			b.WriteByte('\t')
		}
		b.WriteString(L.ToStringMeta(L.Get(i)).String())
	}
	v.logLine(L, "info", b.String())
	return 0
}
