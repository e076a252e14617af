package convert

import (
	"maps"
	"slices"

	glua "github.com/yuin/gopher-lua"

	"github.com/ironflow/ironflow/nodes/value"
)

// guardField holds the *guard in the metatable of an object with integers that
// Lua cannot hold.
const guardField = "\x00guard"

// guard stands for the integers beyond +-2^53 of one object: they are not in
// the table, reading one is an error, and they come out exactly when the table
// is converted back.
type guard struct {
	ints map[string]*bigInt
}

type bigInt struct {
	value int64
	err   error // with the path
}

// guard adds the integer n under key to the guard of t.
func (c *Codec) guard(L *glua.LState, t *glua.LTable, key string, n int64, err error) *bigInt {
	g := guardOf(t)
	if g == nil {
		g = &guard{ints: map[string]*bigInt{}}
		g.attach(L, t)
	}
	big := &bigInt{value: n, err: value.InKey(err, key)}
	g.ints[key] = big
	return big
}

// attach makes g the guard of t.
func (g *guard) attach(L *glua.LState, t *glua.LTable) {
	mt := L.CreateTable(0, 3)
	mt.RawSetString(guardField, &glua.LUserData{Value: g, Metatable: glua.LNil})
	mt.RawSetString("__index", L.NewFunction(func(L *glua.LState) int {
		if err := g.check(L.Get(2)); err != nil {
			L.RaiseError("%s", err.Error())
		}
		L.Push(glua.LNil)
		return 1
	}))
	mt.RawSetString("__newindex", L.NewFunction(func(L *glua.LState) int {
		g.set(L.Get(2))
		L.RawSet(L.CheckTable(1), L.Get(2), L.Get(3))
		return 0
	}))
	t.Metatable = mt
}

// CopyGuard gives dst, a copy of src in another VM, its own guard of the same
// integers, and reports whether src has one. It only reads src.
func CopyGuard(L *glua.LState, dst, src *glua.LTable) bool {
	g := guardOf(src)
	if g == nil {
		return false
	}
	(&guard{ints: maps.Clone(g.ints)}).attach(L, dst)
	return true
}

func guardOf(t *glua.LTable) *guard {
	mt, ok := t.Metatable.(*glua.LTable)
	if !ok {
		return nil
	}
	ud, ok := mt.RawGetString(guardField).(*glua.LUserData)
	if !ok {
		return nil
	}
	g, _ := ud.Value.(*guard)
	return g
}

func (g *guard) check(key glua.LValue) error {
	if s, ok := key.(glua.LString); ok {
		if big := g.ints[string(s)]; big != nil {
			return big.err
		}
	}
	return nil
}

// set forgets the integer under a key that a script has assigned.
func (g *guard) set(key glua.LValue) {
	if s, ok := key.(glua.LString); ok {
		delete(g.ints, string(s))
	}
}

// CheckRead returns the error of reading key from t, or of reading all of t
// when key is nil; nil when there is none.
func CheckRead(t *glua.LTable, key glua.LValue) error {
	g := guardOf(t)
	if g == nil || len(g.ints) == 0 {
		return nil
	}
	if key != nil {
		return g.check(key)
	}
	keys := make([]string, 0, len(g.ints))
	for k := range g.ints {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return g.ints[keys[0]].err
}

// Written tells the guard of t, if there is one, that a script has assigned
// key without the metamethods.
func Written(t *glua.LTable, key glua.LValue) {
	if g := guardOf(t); g != nil {
		g.set(key)
	}
}
