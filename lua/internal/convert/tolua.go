package convert

import (
	"context"
	"slices"

	glua "github.com/yuin/gopher-lua"

	"github.com/ironflow/ironflow/nodes/value"
)

// Origins remembers which tables of one VM were made from a [value.List], so
// that a list that comes back untouched need not be built again. A nil
// *Origins remembers nothing. It belongs to one VM.
type Origins struct {
	lists map[*glua.LTable]value.List
}

func (o *Origins) note(t *glua.LTable, l value.List) {
	if o == nil {
		return
	}
	if o.lists == nil {
		o.lists = map[*glua.LTable]value.List{}
	}
	o.lists[t] = l
}

type toLua struct {
	budget
	L      *glua.LState
	guards []*bigInt // made so far; their paths grow on the way out
}

// ToLua makes the Lua value of a context value in L. It gives up when ctx
// (which may be nil) ends. An integer beyond +-2^53 does not fit a Lua number:
// it is an error, inside an object only when a script reads it.
func (c *Codec) ToLua(ctx context.Context, L *glua.LState, v any, o *Origins) (glua.LValue, error) {
	lv, _, err := c.toLua(ctx, L, v, o)
	return lv, err
}

func (c *Codec) toLua(ctx context.Context, L *glua.LState, v any, o *Origins) (glua.LValue, []*bigInt, error) {
	t := toLua{budget: budget{c: c, ctx: ctx}, L: L}
	lv, err := t.value(v, 0)
	if err != nil {
		return nil, nil, err
	}
	if list, ok := v.(value.List); ok {
		o.note(lv.(*glua.LTable), list)
	}
	return lv, t.guards, nil
}

func (t *toLua) value(v any, depth int) (glua.LValue, error) {
	if err := t.add(1); err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case nil:
		return t.c.Null, nil
	case bool:
		return glua.LBool(v), nil
	case string:
		return glua.LString(v), nil
	case float64:
		return glua.LNumber(v), nil
	case int64:
		return integer(v)
	case int:
		return integer(int64(v))
	case []any:
		return t.array(value.Array(v), depth+1)
	case map[string]any:
		return t.object(v, depth+1)
	case *value.Floats:
		return t.floats(v.Slice(), depth+1)
	case value.List:
		return t.array(v, depth+1)
	}
	return nil, pathErr("a %T is not a context value", v)
}

func integer(n int64) (glua.LValue, error) {
	if n > maxExact || n < -maxExact {
		return nil, pathErr("integer %d is beyond +-2^53 and cannot be read exactly in Lua; leave it unread, or have its source send it as a string", n)
	}
	return glua.LNumber(n), nil
}

// table makes a table with room for n elements that stays an array.
func (t *toLua) table(n int) *glua.LTable {
	tb := t.L.CreateTable(n, 0)
	tb.Metatable = t.c.ArrayMark
	return tb
}

func (t *toLua) floats(items []float64, depth int) (glua.LValue, error) {
	if err := t.deeper(depth); err != nil {
		return nil, err
	}
	if err := t.add(len(items)); err != nil {
		return nil, err
	}
	tb := t.table(len(items))
	for i, f := range items {
		tb.RawSetInt(i+1, glua.LNumber(f))
	}
	return tb, nil
}

func (t *toLua) array(l value.List, depth int) (glua.LValue, error) {
	if err := t.deeper(depth); err != nil {
		return nil, err
	}
	n := l.Len()
	if t.c.maxNodes > 0 && n > t.c.maxNodes {
		return nil, t.add(n)
	}
	tb := t.table(n)
	for i := range n {
		before := len(t.guards)
		lv, err := t.value(l.At(i), depth)
		if err != nil {
			return nil, value.InIndex(err, i)
		}
		for _, g := range t.guards[before:] {
			g.err = value.InIndex(g.err, i)
		}
		tb.RawSetInt(i+1, lv)
	}
	return tb, nil
}

// object fills the table in byte order of the keys, which is then the order of
// pairs.
func (t *toLua) object(m map[string]any, depth int) (glua.LValue, error) {
	if err := t.deeper(depth); err != nil {
		return nil, err
	}
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	tb := t.L.CreateTable(0, len(m))
	for _, k := range keys {
		if n, ok := m[k].(int64); ok {
			if _, err := integer(n); err != nil {
				t.guards = append(t.guards, t.c.guard(t.L, tb, k, n, err))
				continue
			}
		}
		before := len(t.guards)
		lv, err := t.value(m[k], depth)
		if err != nil {
			return nil, value.InKey(err, k)
		}
		for _, g := range t.guards[before:] {
			g.err = value.InKey(g.err, k)
		}
		tb.RawSetString(k, lv)
	}
	return tb, nil
}
