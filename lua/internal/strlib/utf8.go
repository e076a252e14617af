package strlib

import (
	"strings"
	"unicode/utf8"

	glua "github.com/yuin/gopher-lua"
)

// CharPattern is utf8.charpattern: it matches one character of valid UTF-8.
const CharPattern = "[\x00-\x7F\xC2-\xF4][\x80-\xBF]*"

// UTF8 returns the functions of the utf8 table: len, char, codepoint, codes,
// with the meaning they have in Lua 5.3, positions in bytes from 1.
func (l Lib) UTF8() map[string]glua.LGFunction {
	return map[string]glua.LGFunction{
		"len":       l.utf8Len,
		"char":      l.utf8Char,
		"codepoint": l.utf8Codepoint,
		"codes":     l.utf8Codes,
	}
}

// decode reads one character; surrogates and overlong forms are invalid.
func decode(s string) (r rune, size int, ok bool) {
	r, size = utf8.DecodeRuneInString(s)
	return r, size, size > 1 || size == 1 && r != utf8.RuneError
}

func bytePos(i, n int) int {
	if i < 0 {
		i += n + 1
	}
	return i
}

// utf8Len is utf8.len(s [, i [, j]]): the number of characters that start
// between bytes i and j, or nil and the position of the first invalid byte.
func (l Lib) utf8Len(L *glua.LState) int {
	s := L.CheckString(1)
	i := bytePos(optInt(L, 2, 1), len(s))
	j := bytePos(optInt(L, 3, -1), len(s))
	if i < 1 || i > len(s)+1 {
		L.ArgError(2, "initial position out of string")
	}
	if j > len(s) {
		L.ArgError(3, "final position out of string")
	}
	n := 0
	for i <= j {
		_, size, ok := decode(s[i-1:])
		if !ok {
			L.Push(glua.LNil)
			L.Push(glua.LNumber(i))
			return 2
		}
		i += size
		n++
	}
	L.Push(glua.LNumber(n))
	return 1
}

func (l Lib) utf8Char(L *glua.LState) int {
	var b strings.Builder
	for n := 1; n <= L.GetTop(); n++ {
		f := float64(L.CheckNumber(n))
		if f != float64(int32(toInt(f))) || !utf8.ValidRune(rune(f)) {
			badArgument(L, n, "%v is not a Unicode character (0 to 0x10FFFF without surrogates)", L.Get(n))
		}
		b.WriteRune(rune(f))
	}
	L.Push(glua.LString(b.String()))
	return 1
}

// utf8Codepoint is utf8.codepoint(s [, i [, j]]): the characters that start
// between bytes i and j (default i).
func (l Lib) utf8Codepoint(L *glua.LState) int {
	s := L.CheckString(1)
	i := bytePos(optInt(L, 2, 1), len(s))
	j := bytePos(optInt(L, 3, i), len(s))
	if i < 1 {
		L.ArgError(2, "out of range")
	}
	if j > len(s) {
		L.ArgError(3, "out of range")
	}
	n := 0
	for i <= j {
		r, size, ok := decode(s[i-1:])
		if !ok {
			L.RaiseError("invalid UTF-8 code at byte %d", i)
		}
		L.Push(glua.LNumber(r))
		i += size
		n++
	}
	return n
}

// utf8Codes is for p, c in utf8.codes(s): byte position and character.
func (l Lib) utf8Codes(L *glua.LState) int {
	s := L.CheckString(1)
	L.Push(L.NewFunction(func(L *glua.LState) int {
		i := toInt(float64(L.CheckNumber(2)))
		if i > 0 && i <= len(s) {
			_, size, _ := decode(s[i-1:])
			i += size
		} else {
			i = 1
		}
		if i > len(s) {
			return 0
		}
		r, _, ok := decode(s[i-1:])
		if !ok {
			L.RaiseError("invalid UTF-8 code at byte %d", i)
		}
		L.Push(glua.LNumber(i))
		L.Push(glua.LNumber(r))
		return 2
	}))
	L.Push(glua.LString(s))
	L.Push(glua.LNumber(0))
	return 3
}
