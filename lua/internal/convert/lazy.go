package convert

import (
	"slices"

	glua "github.com/yuin/gopher-lua"

	"github.com/ironflow/ironflow/nodes/value"
)

// lazyField holds the *Lazy in the metatable of its table. Scripts cannot
// reach it, since the metatable is protected.
const lazyField = "\x00lazy"

// Lazy is a Lua table over a [value.View] that converts a key when it is first
// read. Writing changes only the table.
type Lazy struct {
	// Table is the Lua side.
	Table *glua.LTable

	c    *Codec
	view value.View
	o    *Origins
	// seen holds the keys of the view that are converted, or were overwritten
	// or removed by the script: the table alone decides about them.
	seen map[string]bool
	keys []string // of the view, in byte order; filled when first needed
}

// NewLazy makes a lazy table over view. raise must raise a Lua error; it is
// called when a key that the script reads cannot be converted.
func (c *Codec) NewLazy(L *glua.LState, view value.View, o *Origins, raise func(*glua.LState, error)) *Lazy {
	l := &Lazy{Table: L.CreateTable(0, 0), c: c, view: view, o: o, seen: map[string]bool{}}
	mt := L.CreateTable(0, 4)
	mt.RawSetString(lazyField, &glua.LUserData{Value: l, Metatable: glua.LNil})
	mt.RawSetString("__metatable", glua.LString("ctx"))
	mt.RawSetString("__index", L.NewFunction(func(L *glua.LState) int {
		v, err := l.get(L, L.Get(2))
		if err != nil {
			raise(L, err)
		}
		L.Push(v)
		return 1
	}))
	mt.RawSetString("__newindex", L.NewFunction(func(L *glua.LState) int {
		l.Set(L, L.Get(2), L.Get(3))
		return 0
	}))
	l.Table.Metatable = mt
	return l
}

// LazyOf returns the lazy side of a table, nil for an ordinary one.
func LazyOf(t *glua.LTable) *Lazy { return lazyOf(t) }

func lazyOf(t *glua.LTable) *Lazy {
	mt, ok := t.Metatable.(*glua.LTable)
	if !ok {
		return nil
	}
	ud, ok := mt.RawGetString(lazyField).(*glua.LUserData)
	if !ok {
		return nil
	}
	l, _ := ud.Value.(*Lazy)
	if l == nil || l.Table != t {
		return nil
	}
	return l
}

// get returns the value of a key that is not in the table yet.
func (l *Lazy) get(L *glua.LState, key glua.LValue) (glua.LValue, error) {
	s, ok := key.(glua.LString)
	if !ok || l.seen[string(s)] {
		return glua.LNil, nil
	}
	v, ok := l.view.Get(string(s))
	if !ok {
		return glua.LNil, nil
	}
	lv, guards, err := l.c.toLua(L.Context(), L, v, l.o)
	if err != nil {
		return nil, value.InKey(err, string(s))
	}
	for _, g := range guards {
		g.err = value.InKey(g.err, string(s))
	}
	l.seen[string(s)] = true
	l.Table.RawSetString(string(s), lv)
	return lv, nil
}

// Get is rawget: it reads a key, converting it when needed.
func (l *Lazy) Get(L *glua.LState, key glua.LValue) (glua.LValue, error) {
	if v := l.Table.RawGet(key); v != glua.LNil {
		return v, nil
	}
	return l.get(L, key)
}

// Set is rawset.
func (l *Lazy) Set(L *glua.LState, key, v glua.LValue) {
	if s, ok := key.(glua.LString); ok {
		l.seen[string(s)] = true
	}
	L.RawSet(l.Table, key, v)
}

func (l *Lazy) viewKeys() []string {
	if l.keys == nil {
		l.keys = l.view.Keys()
	}
	return l.keys
}

// Next is the next of Lua: first the keys of the view in byte order, then those
// that only the script has set.
func (l *Lazy) Next(L *glua.LState, key glua.LValue) (k, v glua.LValue, err error) {
	keys := l.viewKeys()
	i := 0
	own := false // key is one of the script's
	if s, ok := key.(glua.LString); ok {
		at, found := slices.BinarySearch(keys, string(s))
		i, own = at+1, !found
	} else {
		own = key != glua.LNil
	}
	if !own {
		for ; i < len(keys); i++ {
			k := glua.LString(keys[i])
			v, err := l.Get(L, k)
			if err != nil {
				return nil, nil, err
			}
			if v != glua.LNil {
				return k, v, nil
			}
		}
		key = glua.LNil
	}
	for {
		k, v = l.Table.Next(key)
		s, ok := k.(glua.LString)
		if !ok {
			return k, v, nil
		}
		if _, inView := slices.BinarySearch(keys, string(s)); !inView {
			return k, v, nil
		}
		key = k
	}
}

// lazy converts a lazy table: keys that the script did not touch are handed on
// as they are.
func (f *fromLua) lazy(l *Lazy) (any, error) {
	var odd error
	out := map[string]any{}
	l.Table.ForEach(func(k, _ glua.LValue) {
		if _, ok := k.(glua.LString); !ok && odd == nil {
			odd = pathErr("the table has keys that are not strings; use either an array or an object")
		}
	})
	if odd != nil {
		return nil, odd
	}
	for _, k := range l.viewKeys() {
		if !l.seen[k] {
			if v, ok := l.view.Get(k); ok {
				out[k] = v
			}
		}
	}
	if slices.Contains(f.open, l.Table) {
		return nil, pathErr("the table contains itself (%s)", f.cycle(l.Table))
	}
	f.open = append(f.open, l.Table)
	defer func() { f.open = f.open[:len(f.open)-1] }()
	keys, err := f.stringKeys(l.Table, 0)
	if err != nil {
		return nil, err
	}
	touched, err := f.object(l.Table, keys)
	if err != nil {
		return nil, err
	}
	for k, v := range touched.(map[string]any) {
		out[k] = v
	}
	return out, nil
}
