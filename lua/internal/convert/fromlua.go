package convert

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"unicode/utf8"

	glua "github.com/yuin/gopher-lua"

	"github.com/ironflow/ironflow/nodes/value"
)

// Options guide one conversion out of Lua. The zero value is usable.
type Options struct {
	// Func gives the context value for a function; without it a function is
	// an error.
	Func func(*glua.LFunction) (any, error)
	// Userdata does the same for userdata other than Null.
	Userdata func(*glua.LUserData) (any, error)
	// Origins are those of the VM that the value lives in.
	Origins *Origins
	// Table is asked before a table is converted; handled=false goes on with
	// the usual rules. Hosts use it for tables that stand for something else.
	Table func(*glua.LTable) (v any, handled bool, err error)
}

type fromLua struct {
	budget
	Options
	open []*glua.LTable // the tables around the current value
}

// FromLua makes the context value of a Lua value: nil for nil and for Null.
func (c *Codec) FromLua(ctx context.Context, lv glua.LValue, opts Options) (any, error) {
	f := fromLua{budget: budget{c: c, ctx: ctx}, Options: opts}
	return f.value(lv)
}

func (f *fromLua) value(lv glua.LValue) (any, error) {
	if err := f.add(1); err != nil {
		return nil, err
	}
	switch v := lv.(type) {
	case *glua.LNilType:
		return nil, nil
	case glua.LBool:
		return bool(v), nil
	case glua.LNumber:
		return number(float64(v))
	case glua.LString:
		if !utf8.ValidString(string(v)) {
			return nil, pathErr("%s is not valid UTF-8; base64_encode carries raw bytes", quoteShort(string(v)))
		}
		return string(v), nil
	case *glua.LTable:
		return f.table(v)
	case *glua.LFunction:
		if f.Func != nil {
			return f.Func(v)
		}
	case *glua.LUserData:
		if v == f.c.Null {
			return nil, nil
		}
		if f.Userdata != nil {
			return f.Userdata(v)
		}
		if s, ok := v.Value.(fmt.Stringer); ok {
			return nil, pathErr("%s is not a JSON value", s)
		}
	}
	return nil, pathErr("a %s is not a JSON value", lv.Type())
}

func quoteShort(s string) string {
	const limit = 40
	if len(s) <= limit {
		return strconv.Quote(s)
	}
	return strconv.Quote(s[:limit]) + "..."
}

func (f *fromLua) table(t *glua.LTable) (any, error) {
	if f.Table != nil {
		if v, handled, err := f.Table(t); handled || err != nil {
			return v, err
		}
	}
	if l := lazyOf(t); l != nil {
		return f.lazy(l)
	}
	if f.Origins != nil {
		if list, ok := f.Origins.lists[t]; ok && f.unchanged(t, list) {
			return list, nil
		}
	}
	if slices.Contains(f.open, t) {
		return nil, pathErr("the table contains itself (%s)", f.cycle(t))
	}
	f.open = append(f.open, t)
	defer func() { f.open = f.open[:len(f.open)-1] }()
	if err := f.deeper(len(f.open)); err != nil {
		return nil, err
	}
	return f.content(t)
}

func (f *fromLua) cycle(t *glua.LTable) string {
	n := len(f.open) - slices.Index(f.open, t)
	if n == 1 {
		return "directly"
	}
	return fmt.Sprintf("through %d tables", n)
}

// content converts by the kinds of keys that t has.
func (f *fromLua) content(t *glua.LTable) (any, error) {
	n := t.MaxN()
	keys, err := f.stringKeys(t, n)
	if err != nil {
		return nil, err
	}
	switch mark := t.Metatable; {
	case len(keys) > 0 && n > 0:
		return nil, pathErr("the table has both positions 1..%d and the key %q; use either an array or an object", n, keys[0])
	case mark == f.c.ArrayMark && len(keys) > 0:
		return nil, pathErr("an array cannot have the key %q", keys[0])
	case mark == f.c.ObjectMark && n > 0:
		return nil, pathErr("an object cannot have positions, but has 1..%d", n)
	case n > 0 || mark == f.c.ArrayMark:
		if g := guardOf(t); g != nil && len(g.ints) > 0 {
			return nil, pathErr("the table has both positions 1..%d and string keys; use either an array or an object", n)
		}
		return f.array(t, n)
	}
	return f.object(t, keys)
}

// stringKeys returns the string keys of t in byte order; any other key that is
// not a position is an error.
func (f *fromLua) stringKeys(t *glua.LTable, n int) ([]string, error) {
	if n > 0 {
		if k, _ := t.Next(glua.LNumber(n)); k == glua.LNil {
			return nil, nil // positions only, which is the usual array
		}
	}
	var keys []string
	var odd string
	t.ForEach(func(k, _ glua.LValue) {
		switch k := k.(type) {
		case glua.LString:
			keys = append(keys, string(k))
		case glua.LNumber:
			if i := int(k); float64(k) == float64(i) && i >= 1 && i <= n {
				return
			}
			odd = max(odd, "the key "+k.String()+" is neither a string nor a position of an array")
		default:
			odd = max(odd, "a key is a "+k.Type().String()+"; only strings and positions 1..n are allowed")
		}
	})
	if odd != "" {
		return nil, pathErr("%s", odd)
	}
	slices.Sort(keys)
	return keys, nil
}

func (f *fromLua) array(t *glua.LTable, n int) (any, error) {
	if f.c.maxNodes > 0 && n > f.c.maxNodes {
		return nil, f.add(n)
	}
	out := make([]any, n)
	for i := range n {
		lv := t.RawGetInt(i + 1)
		if lv == glua.LNil {
			return nil, pathErr("the array has %d positions but none at %d; use json_null for an empty place", n, i+1)
		}
		v, err := f.value(lv)
		if err != nil {
			return nil, value.InIndex(err, i)
		}
		out[i] = v
	}
	return out, nil
}

func (f *fromLua) object(t *glua.LTable, keys []string) (any, error) {
	out := make(map[string]any, len(keys))
	if g := guardOf(t); g != nil {
		for k, n := range g.ints {
			out[k] = n.value
		}
	}
	for _, k := range keys {
		if !utf8.ValidString(k) {
			return nil, pathErr("the key %s is not valid UTF-8", quoteShort(k))
		}
		v, err := f.value(t.RawGetString(k))
		if err != nil {
			return nil, value.InKey(err, k)
		}
		out[k] = v
	}
	return out, nil
}

// unchanged reports whether t still holds what list holds.
func (f *fromLua) unchanged(t *glua.LTable, list value.List) bool {
	if f.add(list.Len()) != nil || t.MaxN() != list.Len() || t.Metatable != f.c.ArrayMark {
		return false
	}
	extra := false
	if k, _ := t.Next(glua.LNumber(list.Len())); list.Len() > 0 && k != glua.LNil {
		extra = true
	} else if k, _ := t.Next(glua.LNil); list.Len() == 0 && k != glua.LNil {
		extra = true
	}
	if extra {
		return false
	}
	for i := range list.Len() {
		if !f.same(t.RawGetInt(i+1), list.At(i)) {
			return false
		}
	}
	return true
}

func (f *fromLua) same(lv glua.LValue, v any) bool {
	switch v := v.(type) {
	case nil:
		return lv == f.c.Null
	case bool:
		return lv == glua.LBool(v)
	case string:
		s, ok := lv.(glua.LString)
		return ok && string(s) == v
	case float64:
		n, ok := lv.(glua.LNumber)
		return ok && float64(n) == v
	case int64:
		n, ok := lv.(glua.LNumber)
		return ok && float64(n) == float64(v)
	case []any:
		t, ok := lv.(*glua.LTable)
		return ok && f.unchanged(t, value.Array(v))
	case value.List:
		t, ok := lv.(*glua.LTable)
		return ok && f.unchanged(t, v)
	case map[string]any:
		t, ok := lv.(*glua.LTable)
		return ok && f.sameObject(t, v)
	}
	return false
}

func (f *fromLua) sameObject(t *glua.LTable, m map[string]any) bool {
	g := guardOf(t)
	n, ok := 0, t.Metatable == glua.LNil || g != nil
	if g != nil {
		n = len(g.ints)
		for k, big := range g.ints {
			ok = ok && m[k] == big.value
		}
	}
	t.ForEach(func(k, lv glua.LValue) {
		s, isString := k.(glua.LString)
		if !ok || !isString {
			ok = false
			return
		}
		v, has := m[string(s)]
		n++
		ok = has && f.same(lv, v)
	})
	return ok && n == len(m)
}
