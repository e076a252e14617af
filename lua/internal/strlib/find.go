package strlib

import (
	"strings"

	glua "github.com/yuin/gopher-lua"
)

const specials = "^$*+?.([%-"

// startIndex turns the optional init argument into a byte offset within
// 0..len(s).
func startIndex(L *glua.LState, n int, s string) int {
	i := optInt(L, n, 1)
	if i < 0 {
		i += len(s) + 1
	}
	return min(max(i-1, 0), len(s))
}

// search finds the first match of pat in s at or after byte from. start is -1
// when there is none.
func (m *matcher) search(from int) (start, end int) {
	p := 0
	if m.pat != "" && m.pat[0] == '^' {
		if e := m.try(from, 1); e >= 0 {
			return from, e
		}
		return -1, -1
	}
	for s := from; s <= len(m.src); s++ {
		if e := m.try(s, p); e >= 0 {
			return s, e
		}
		if m.err != nil {
			break
		}
	}
	return -1, -1
}

// capture returns capture i of the match s..e; without captures capture 0 is
// the whole match.
func (m *matcher) capture(i, s, e int) glua.LValue {
	if i >= m.level {
		if i != 0 {
			m.fail(errCaptureIndex)
			return glua.LNil
		}
		return glua.LString(m.src[s:e])
	}
	switch c := m.caps[i]; c.size {
	case capPosition:
		return glua.LNumber(c.start + 1)
	case capUnfinished:
		m.fail(errUnfinished)
		return glua.LNil
	default:
		return glua.LString(m.src[c.start : c.start+c.size])
	}
}

// pushCaptures pushes every capture; the whole match when there is none and
// whole is set.
func (m *matcher) pushCaptures(L *glua.LState, s, e int, whole bool) int {
	n := m.level
	if n == 0 && whole {
		n = 1
	}
	for i := range n {
		v := m.capture(i, s, e)
		checkMatch(L, m)
		L.Push(v)
	}
	return n
}

func (l Lib) find(L *glua.LState) int {
	s, pat := L.CheckString(1), L.CheckString(2)
	from := startIndex(L, 3, s)
	if glua.LVAsBool(L.Get(4)) || !strings.ContainsAny(pat, specials) {
		i := strings.Index(s[from:], pat)
		if i < 0 {
			L.Push(glua.LNil)
			return 1
		}
		L.Push(glua.LNumber(from + i + 1))
		L.Push(glua.LNumber(from + i + len(pat)))
		return 2
	}
	m := newMatcher(L.Context(), s, pat)
	start, end := m.search(from)
	checkMatch(L, m)
	if start < 0 {
		L.Push(glua.LNil)
		return 1
	}
	L.Push(glua.LNumber(start + 1))
	L.Push(glua.LNumber(end))
	return 2 + m.pushCaptures(L, start, end, false)
}

func (l Lib) match(L *glua.LState) int {
	s, pat := L.CheckString(1), L.CheckString(2)
	m := newMatcher(L.Context(), s, pat)
	start, end := m.search(startIndex(L, 3, s))
	checkMatch(L, m)
	if start < 0 {
		L.Push(glua.LNil)
		return 1
	}
	return m.pushCaptures(L, start, end, true)
}

// gmatch returns an iterator; as in reference Lua a leading '^' is not an
// anchor here.
func (l Lib) gmatch(L *glua.LState) int {
	s, pat := L.CheckString(1), L.CheckString(2)
	m := newMatcher(nil, s, pat)
	pos := 0
	L.Push(L.NewFunction(func(L *glua.LState) int {
		m.ctx, m.err = L.Context(), nil
		if m.ctx != nil {
			m.done = m.ctx.Done()
		}
		for ; pos <= len(s); pos++ {
			start := pos
			e := m.try(start, 0)
			checkMatch(L, m)
			if e < 0 {
				continue
			}
			if pos = e; e == start {
				pos++
			}
			return m.pushCaptures(L, start, e, true)
		}
		L.Push(glua.LNil)
		return 1
	}))
	return 1
}
