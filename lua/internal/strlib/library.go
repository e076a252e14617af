package strlib

import (
	"fmt"
	"strings"
	"unicode/utf8"

	glua "github.com/yuin/gopher-lua"
)

// Lib makes the functions of this package for one host.
type Lib struct {
	// MaxBytes is the longest string a call may build; 0 means no limit.
	MaxBytes int
}

// Strings returns the functions of the string table that this package
// replaces, by field name.
func (l Lib) Strings() map[string]glua.LGFunction {
	return map[string]glua.LGFunction{
		"find":    l.find,
		"match":   l.match,
		"gmatch":  l.gmatch,
		"gsub":    l.gsub,
		"rep":     l.rep,
		"format":  l.format,
		"lower":   l.lower,
		"upper":   l.upper,
		"reverse": l.reverse,
	}
}

// Tables returns the functions of the table library that this package
// replaces.
func (l Lib) Tables() map[string]glua.LGFunction {
	return map[string]glua.LGFunction{"concat": l.concat}
}

// tooLong raises the error for a result over the limit.
func (l Lib) tooLong(L *glua.LState, name string) {
	L.RaiseError("%s: the result is longer than %d bytes (IRONFLOW_LUA_MAX_STRING_BYTES); build it in smaller pieces or raise the limit",
		name, l.MaxBytes)
}

func (l Lib) over(n int) bool { return l.MaxBytes > 0 && n > l.MaxBytes }

// live raises an error when the context of the VM has ended.
func live(L *glua.LState) {
	if ctx := L.Context(); ctx != nil && ctx.Err() != nil {
		L.RaiseError("%s", ctx.Err().Error())
	}
}

func checkMatch(L *glua.LState, m *matcher) {
	if m.err != nil {
		L.RaiseError("%s", m.err.Error())
	}
}

// optInt reads an optional integer argument; a string that is a number counts,
// as in reference Lua.
func optInt(L *glua.LState, n, def int) int {
	if L.Get(n) == glua.LNil {
		return def
	}
	return toInt(float64(L.CheckNumber(n)))
}

// toInt truncates and saturates, where Go's conversion would be undefined.
func toInt(f float64) int {
	const limit = 1 << 62
	switch {
	case f != f:
		return 0
	case f > limit:
		return limit
	case f < -limit:
		return -limit
	}
	return int(f)
}

func (l Lib) rep(L *glua.LState) int {
	s := L.CheckString(1)
	n := toInt(float64(L.CheckNumber(2)))
	if n <= 0 || s == "" {
		L.Push(glua.LString(""))
		return 1
	}
	if l.MaxBytes > 0 && n > l.MaxBytes/len(s) {
		l.tooLong(L, "string.rep")
	}
	if n > (1<<62)/len(s) {
		L.RaiseError("string.rep: the result is too long")
	}
	L.Push(glua.LString(strings.Repeat(s, n)))
	return 1
}

func (l Lib) caseMap(L *glua.LState, name string, unicode func(string) string, from, to byte) int {
	s := L.CheckString(1)
	if l.over(len(s)) {
		l.tooLong(L, name)
	}
	if utf8.ValidString(s) {
		s = unicode(s)
		if l.over(len(s)) {
			l.tooLong(L, name)
		}
		L.Push(glua.LString(s))
		return 1
	}
	b := []byte(s)
	for i, c := range b {
		if c >= from && c <= from+25 {
			b[i] = c - from + to
		}
	}
	L.Push(glua.LString(b))
	return 1
}

func (l Lib) lower(L *glua.LState) int {
	return l.caseMap(L, "string.lower", strings.ToLower, 'A', 'a')
}

func (l Lib) upper(L *glua.LState) int {
	return l.caseMap(L, "string.upper", strings.ToUpper, 'a', 'A')
}

func (l Lib) reverse(L *glua.LState) int {
	s := L.CheckString(1)
	if l.over(len(s)) {
		l.tooLong(L, "string.reverse")
	}
	b := make([]byte, len(s))
	for i := range len(s) {
		b[len(s)-1-i] = s[i]
	}
	L.Push(glua.LString(b))
	return 1
}

func (l Lib) concat(L *glua.LState) int {
	t := L.CheckTable(1)
	sep := ""
	if L.Get(2) != glua.LNil {
		sep = L.CheckString(2)
	}
	from := optInt(L, 3, 1)
	to := optInt(L, 4, t.Len())
	if from > to {
		L.Push(glua.LString(""))
		return 1
	}
	var b strings.Builder
	for i := from; ; i++ {
		v := t.RawGet(glua.LNumber(i))
		switch v := v.(type) {
		case glua.LString:
			b.WriteString(string(v))
		case glua.LNumber:
			b.WriteString(v.String())
		default:
			L.RaiseError("invalid value (%s) at index %d in table for 'concat'", v.Type(), i)
		}
		if i == to {
			break
		}
		b.WriteString(sep)
		if l.over(b.Len()) {
			l.tooLong(L, "table.concat")
		}
		if i&0xfff == 0 {
			live(L)
		}
	}
	if l.over(b.Len()) {
		l.tooLong(L, "table.concat")
	}
	L.Push(glua.LString(b.String()))
	return 1
}

// badArgument raises the error of reference Lua for argument n of a function.
func badArgument(L *glua.LState, n int, format string, args ...any) {
	L.ArgError(n, fmt.Sprintf(format, args...))
}
