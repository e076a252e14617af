package strlib

import (
	"math"
	"strings"

	glua "github.com/yuin/gopher-lua"
)

func (l Lib) gsub(L *glua.LState) int {
	s, pat := L.CheckString(1), L.CheckString(2)
	repl := L.Get(3)
	switch v := repl.(type) {
	case glua.LNumber:
		repl = glua.LString(v.String())
	case glua.LString, *glua.LTable, *glua.LFunction:
	default:
		L.ArgError(3, "string/function/table expected")
	}
	limit := optInt(L, 4, math.MaxInt)
	anchored := strings.HasPrefix(pat, "^")
	p := 0
	if anchored {
		p = 1
	}
	m := newMatcher(L.Context(), s, pat)
	var out strings.Builder
	// Text up to copied is in out already; it grows only when something is
	// replaced, so a subject without matches is returned as it is.
	src, copied, count := 0, 0, 0
	for count < limit {
		e := m.try(src, p)
		checkMatch(L, m)
		if e >= 0 {
			count++
			out.WriteString(s[copied:src])
			copied = e
			l.replacement(L, m, &out, repl, src, e)
			if l.over(out.Len()) {
				l.tooLong(L, "string.gsub")
			}
		}
		switch {
		case e > src:
			src = e
		case src < len(s):
			src++
		default:
			anchored = true
		}
		if anchored {
			break
		}
	}
	if copied == 0 && out.Len() == 0 && count == 0 {
		L.Push(glua.LString(s))
	} else {
		if l.over(out.Len() + len(s) - copied) {
			l.tooLong(L, "string.gsub")
		}
		out.WriteString(s[copied:])
		L.Push(glua.LString(out.String()))
	}
	L.Push(glua.LNumber(count))
	return 2
}

// replacement appends what stands for the match s..e.
func (l Lib) replacement(L *glua.LState, m *matcher, out *strings.Builder, repl glua.LValue, s, e int) {
	var v glua.LValue
	switch r := repl.(type) {
	case glua.LString:
		expand(L, m, out, string(r), s, e)
		return
	case *glua.LTable:
		key := m.capture(0, s, e)
		checkMatch(L, m)
		v = L.GetTable(r, key)
	case *glua.LFunction:
		L.Push(r)
		n := m.pushCaptures(L, s, e, true)
		L.Call(n, 1)
		v = L.Get(-1)
		L.Pop(1)
	}
	switch v := v.(type) {
	case glua.LString:
		out.WriteString(string(v))
	case glua.LNumber:
		out.WriteString(v.String())
	default:
		if glua.LVAsBool(v) {
			L.RaiseError("invalid replacement value (a %s)", v.Type())
		}
		out.WriteString(m.src[s:e])
	}
}

// expand appends a replacement string: %0 is the whole match, %1 to %9 are
// captures, % before anything else is that character.
func expand(L *glua.LState, m *matcher, out *strings.Builder, repl string, s, e int) {
	for {
		i := strings.IndexByte(repl, '%')
		if i < 0 {
			out.WriteString(repl)
			return
		}
		out.WriteString(repl[:i])
		if i+1 == len(repl) {
			// Reference Lua reads the terminator of its C string here.
			out.WriteByte(0)
			return
		}
		switch c := repl[i+1]; {
		case c == '0':
			out.WriteString(m.src[s:e])
		case c >= '1' && c <= '9':
			v := m.capture(int(c-'1'), s, e)
			checkMatch(L, m)
			out.WriteString(v.String())
		default:
			out.WriteByte(c)
		}
		repl = repl[i+2:]
	}
}
