package convert

import (
	"context"
	"errors"
	"math"
	"reflect"
	"strings"
	"testing"

	glua "github.com/yuin/gopher-lua"

	"github.com/ironflow/ironflow/nodes/value"
)

func newState(t testing.TB) *glua.LState {
	t.Helper()
	L := glua.NewState()
	t.Cleanup(L.Close)
	return L
}

// luaValue evaluates a Lua expression; arr, obj and null are the marks.
func luaValue(t testing.TB, L *glua.LState, c *Codec, expr string) glua.LValue {
	t.Helper()
	mark := func(mt *glua.LTable) *glua.LFunction {
		return L.NewFunction(func(L *glua.LState) int {
			L.CheckTable(1).Metatable = mt
			L.SetTop(1)
			return 1
		})
	}
	L.SetGlobal("arr", mark(c.ArrayMark))
	L.SetGlobal("obj", mark(c.ObjectMark))
	L.SetGlobal("null", c.Null)
	if err := L.DoString("return " + expr); err != nil {
		t.Fatalf("%s: %v", expr, err)
	}
	defer L.Pop(1)
	return L.Get(-1)
}

func TestFromLua(t *testing.T) {
	L, c := newState(t), New(64, 1000)
	for expr, want := range map[string]any{
		"nil":                         nil,
		"null":                        nil,
		"true":                        true,
		"'text'":                      "text",
		"3":                           int64(3),
		"-0.0":                        int64(0),
		"10/2":                        int64(5),
		"2.5":                         2.5,
		"2^53":                        int64(1 << 53),
		"-2^53":                       -int64(1 << 53),
		"2^54":                        math.Pow(2, 54),
		"1e300":                       1e300,
		"{}":                          map[string]any{},
		"arr{}":                       []any{},
		"obj{}":                       map[string]any{},
		"{1, 'a', null}":              []any{int64(1), "a", nil},
		"arr{1}":                      []any{int64(1)},
		"{a = 1, ['b c'] = {x = {}}}": map[string]any{"a": int64(1), "b c": map[string]any{"x": map[string]any{}}},
		"{[1] = 'x', [2] = 'y'}":      []any{"x", "y"},
		"{1, 2, nil}":                 []any{int64(1), int64(2)},
		"{['1'] = 'string key'}":      map[string]any{"1": "string key"},
		"(function() local s = {} return {s, s} end)()": []any{map[string]any{}, map[string]any{}},
	} {
		got, err := c.FromLua(context.Background(), luaValue(t, L, c, expr), Options{})
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s = %#v, %v, want %#v", expr, got, err, want)
		}
	}
}

func TestFromLuaErrors(t *testing.T) {
	L, c := newState(t), New(5, 20)
	for expr, want := range map[string]string{
		"0/0":         "$: NaN is not a JSON number",
		"{a = {1/0}}": "$.a[1]: +Inf is not a JSON number",
		"{steps = {['x y'] = {config = {a = {1, 2, print}}}}}": `$.steps["x y"].config.a[3]: a function is not a JSON value`,
		"{print}":                       "$[1]: a function is not a JSON value",
		"{a = coroutine.create(print)}": "$.a: a thread is not a JSON value",
		"{1, 2, x = 3}":                 `$: the table has both positions 1..2 and the key "x"`,
		"{1, nil, 3}":                   "$: the array has 3 positions but none at 2",
		"{[2] = 'x'}":                   "$: the array has 2 positions but none at 1",
		"{[0] = 'x'}":                   "$: the key 0 is neither a string nor a position",
		"{[1.5] = 'x'}":                 "$: the key 1.5 is neither",
		"{[-1] = 'x', 5}":               "$: the key -1 is neither",
		"{[2^40] = 'x'}":                "is neither a string nor a position",
		"{a = {[true] = 1}}":            "$.a: a key is a boolean",
		"{[{}] = 1}":                    "$: a key is a table",
		"arr{a = 1}":                    `$: an array cannot have the key "a"`,
		"{b = arr{1, a = 1}}":           `$.b: the table has both`,
		"obj{1}":                        "$: an object cannot have positions",
		"{k = 'bad \\255'}":             `$.k: "bad \xff" is not valid UTF-8`,
		"{['\\255'] = 1}":               "$: the key \"\\xff\" is not valid UTF-8",
		"{{{{{{}}}}}}":                  "$[1][1][1][1][1]: nested deeper than 5 levels",
		"{1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20}": "more than 20 values",
		"(function() local t = {} t.a = {t} return t end)()":   "$.a[1]: the table contains itself (through 2 tables)",
		"(function() local t = {} t[1] = t return t end)()":    "$[1]: the table contains itself (directly)",
	} {
		_, err := c.FromLua(context.Background(), luaValue(t, L, c, expr), Options{})
		var pe *value.PathError
		if err == nil || !strings.Contains(err.Error(), want) || !errors.As(err, &pe) {
			t.Errorf("%s: error %v, want %q", expr, err, want)
		}
	}
	stop, cancel := context.WithCancel(context.Background())
	cancel()
	long := L.NewTable()
	for i := range 10000 {
		long.Append(glua.LNumber(i))
	}
	if _, err := New(0, 0).FromLua(stop, long, Options{}); !errors.Is(err, context.Canceled) {
		t.Errorf("an ended context: %v", err)
	}
}

func TestFunctionsAndUserdata(t *testing.T) {
	L, c := newState(t), New(64, 0)
	ud := &glua.LUserData{Value: 7, Metatable: glua.LNil}
	L.SetGlobal("ud", ud)
	opts := Options{
		Func:     func(f *glua.LFunction) (any, error) { return "a function", nil },
		Userdata: func(u *glua.LUserData) (any, error) { return u.Value, nil },
		Table: func(tb *glua.LTable) (any, bool, error) {
			return "special", tb.RawGetString("special") == glua.LTrue, nil
		},
	}
	got, err := c.FromLua(nil, luaValue(t, L, c, "{print, ud, {special = true}, {}}"), opts)
	if err != nil || !reflect.DeepEqual(got, []any{"a function", 7, "special", map[string]any{}}) {
		t.Errorf("%v, %v", got, err)
	}
	opts.Func = func(*glua.LFunction) (any, error) { return nil, &value.PathError{Path: "$", Msg: "no"} }
	if _, err := c.FromLua(nil, luaValue(t, L, c, "{a = {print}}"), opts); err == nil || err.Error() != "$.a[1]: no" {
		t.Errorf("%v", err)
	}
}

// sample holds every kind of context value.
func sample() map[string]any {
	return map[string]any{
		"null": nil, "t": true, "f": false, "s": "text", "i": int64(-5), "big": int64(1) << 53, "x": 2.5, "huge": 1e300,
		"empty": []any{}, "emptyobj": map[string]any{}, "list": []any{int64(1), "a", nil, []any{}},
		"floats": value.NewFloats([]float64{1, 2.5, -3}), "strings": value.NewStrings([]string{"a", "", "b"}),
		"vectors": value.NewVectors([]float64{1, 2, 3, 4, 5, 6}, 2), "none": value.NewFloats(nil),
		"nested": map[string]any{"a": map[string]any{"b": []any{map[string]any{"c": int64(1)}}}},
	}
}

func TestRoundTrip(t *testing.T) {
	L, c := newState(t), New(64, 1000)
	in := sample()
	lv, err := c.ToLua(context.Background(), L, in, nil)
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.FromLua(context.Background(), lv, Options{})
	if err != nil {
		t.Fatal(err)
	}
	a, _ := value.Marshal(in)
	b, _ := value.Marshal(out)
	if string(a) != string(b) {
		t.Errorf("in  %s\nout %s", a, b)
	}
}

func TestToLuaErrors(t *testing.T) {
	L, c := newState(t), New(3, 10)
	for _, tc := range []struct {
		v    any
		want string
	}{
		{int64(1<<53 + 1), "$: integer 9007199254740993 is beyond +-2^53"},
		{[]any{int64(1), -int64(1<<53 + 1)}, "$[2]: integer -9007199254740993"},
		{map[string]any{"a b": []any{map[string]any{"c": []any{[]any{}}}}}, `$["a b"][1].c: nested deeper than 3`},
		{value.NewFloats(make([]float64, 10)), "more than 10 values"},
		{value.NewVectors(make([]float64, 20), 2), "more than 10 values"},
		{struct{}{}, "$: a struct {} is not a context value"},
	} {
		_, err := c.ToLua(context.Background(), L, tc.v, nil)
		if err == nil || !strings.Contains(err.Error(), tc.want) {
			t.Errorf("%v: error %v, want %q", tc.v, err, tc.want)
		}
	}
}

// An integer beyond +-2^53 inside an object is an error only for who reads it,
// and passes through exactly.
func TestLargeIntegersInObjects(t *testing.T) {
	L, c := newState(t), New(64, 0)
	const big = int64(1<<53 + 1)
	in := map[string]any{"id": big, "name": "n", "sub": []any{map[string]any{"id": -big}}}
	lazy := c.NewLazy(L, value.Map{"order": in}, nil, func(L *glua.LState, err error) { L.RaiseError("%s", err.Error()) })
	L.SetGlobal("ctx", lazy.Table)
	run := func(src string) error { return L.DoString(src) }
	if err := run("assert(ctx.order.name == 'n')"); err != nil {
		t.Error(err)
	}
	for src, want := range map[string]string{
		"local x = ctx.order.id":           "$.order.id: integer 9007199254740993 is beyond",
		"local x = ctx.order.sub[1].id":    "$.order.sub[1].id: integer -9007199254740993",
		"local x = ctx.order.sub[1]['id']": "$.order.sub[1].id",
	} {
		if err := run(src); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", src, err, want)
		}
	}
	order := lazy.Table.RawGetString("order").(*glua.LTable)
	if err := CheckRead(order, nil); err == nil || !strings.Contains(err.Error(), "$.order.id") {
		t.Errorf("reading all: %v", err)
	}
	out, err := c.FromLua(context.Background(), order, Options{})
	if err != nil || !reflect.DeepEqual(out, any(in)) {
		t.Errorf("out %v, %v", out, err)
	}
	if err := run("ctx.order.id = 5 assert(ctx.order.id == 5) ctx.order.sub[1].id = nil assert(ctx.order.sub[1].id == nil)"); err != nil {
		t.Error(err)
	}
	out, err = c.FromLua(context.Background(), order, Options{})
	if err != nil || !reflect.DeepEqual(out, any(map[string]any{"id": int64(5), "name": "n", "sub": []any{map[string]any{}}})) {
		t.Errorf("after writing %v, %v", out, err)
	}
}

// A list that comes back untouched is the list itself.
func TestUntouchedListsComeBack(t *testing.T) {
	L, c := newState(t), New(64, 0)
	lists := map[string]value.List{
		"floats": value.NewFloats([]float64{1, 2.5}), "vectors": value.NewVectors([]float64{1, 2, 3, 4}, 2),
		"strings": value.NewStrings([]string{"a", "b"}), "spans": value.NewSpans(make([]value.Span, 2)),
		"none": value.NewFloats(nil),
	}
	for name, list := range lists {
		var o Origins
		lv, err := c.ToLua(nil, L, list, &o)
		if err != nil {
			t.Fatal(err)
		}
		got, err := c.FromLua(nil, lv, Options{Origins: &o})
		if err != nil || got != any(list) {
			t.Errorf("%s comes back as %T, %v", name, got, err)
		}
		tb := lv.(*glua.LTable)
		tb.Append(glua.LString("more"))
		got, err = c.FromLua(nil, lv, Options{Origins: &o})
		if n, _ := value.Len(got); err != nil || n != list.Len()+1 {
			t.Errorf("%s with one more is %v, %v", name, got, err)
		}
	}
	for name, change := range map[string]func(*glua.LTable){
		"element":    func(tb *glua.LTable) { tb.RawSetInt(1, glua.LNumber(9)) },
		"inner":      func(tb *glua.LTable) { tb.RawGetInt(2).(*glua.LTable).RawSetInt(1, glua.LNumber(9)) },
		"shorter":    func(tb *glua.LTable) { tb.RawSetInt(2, glua.LNil) },
		"string key": func(tb *glua.LTable) { tb.RawSetString("k", glua.LTrue) },
	} {
		var o Origins
		lv, _ := c.ToLua(nil, L, lists["vectors"], &o)
		change(lv.(*glua.LTable))
		if got, _ := c.FromLua(nil, lv, Options{Origins: &o}); got == any(lists["vectors"]) {
			t.Errorf("%s: a changed list comes back as the old one", name)
		}
	}
}

// countingView notes which keys were read.
type countingView struct {
	value.Map
	reads map[string]int
}

func (v countingView) Get(k string) (any, bool) { v.reads[k]++; return v.Map.Get(k) }

func TestLazy(t *testing.T) {
	L, c := newState(t), New(64, 0)
	view := countingView{value.Map{"a": int64(1), "b": []any{"x"}, "c": nil, "d": int64(1<<53 + 1)}, map[string]int{}}
	l := c.NewLazy(L, view, nil, func(L *glua.LState, err error) { L.RaiseError("%s", err.Error()) })
	L.SetGlobal("ctx", l.Table)
	do := func(src string) {
		t.Helper()
		if err := L.DoString(src); err != nil {
			t.Errorf("%s: %v", src, err)
		}
	}
	do(`assert(type(ctx) == "table" and #ctx == 0 and ctx.missing == nil)`)
	do(`assert(ctx.a == 1 and ctx.a == 1 and ctx.b == ctx.b)`)
	if view.reads["a"] != 1 || view.reads["c"] != 0 || view.reads["d"] != 0 {
		t.Errorf("reads %v", view.reads)
	}
	if err := L.DoString(`return ctx.d`); err == nil || !strings.Contains(err.Error(), "$.d: integer 9007199254740993") {
		t.Errorf("reading d: %v", err)
	}
	// What is not touched comes out exactly, what is touched as it is now.
	do(`ctx.a = nil ctx.new = "n" ctx.b[2] = "y" ctx.c = false assert(ctx.a == nil and ctx.c == false)`)
	got, err := c.FromLua(nil, l.Table, Options{})
	want := map[string]any{"b": []any{"x", "y"}, "c": false, "d": int64(1<<53 + 1), "new": "n"}
	if err != nil || !reflect.DeepEqual(got, any(want)) {
		t.Errorf("got %v, %v, want %v", got, err, want)
	}
	if view.Map["a"] != int64(1) || !reflect.DeepEqual(view.Map["b"], []any{"x"}) {
		t.Errorf("the view changed: %v", view.Map)
	}
	do(`ctx[1] = "x"`)
	if _, err := c.FromLua(nil, l.Table, Options{}); err == nil {
		t.Error("mixed keys pass")
	}
	do(`ctx[1] = nil ctx.me = ctx`)
	if _, err := c.FromLua(nil, l.Table, Options{}); err == nil || !strings.Contains(err.Error(), "contains itself") {
		t.Errorf("a cycle through ctx: %v", err)
	}
}

func TestLazyNext(t *testing.T) {
	L, c := newState(t), New(64, 0)
	view := value.Map{"b": int64(2), "a": int64(1), "d": int64(4), "c": int64(3)}
	l := c.NewLazy(L, view, nil, nil)
	keys := func() string {
		var out []string
		for k, v, err := l.Next(L, glua.LNil); k != glua.LNil; k, v, err = l.Next(L, k) {
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, k.String()+"="+v.String())
		}
		return strings.Join(out, " ")
	}
	if got := keys(); got != "a=1 b=2 c=3 d=4" {
		t.Errorf("untouched: %s", got)
	}
	l.Set(L, glua.LString("b"), glua.LNil)
	l.Set(L, glua.LString("z"), glua.LNumber(26))
	l.Set(L, glua.LString("d"), glua.LNumber(40))
	l.Set(L, glua.LNumber(1), glua.LString("one"))
	l.Set(L, glua.LString("bb"), glua.LTrue)
	if got := keys(); got != "a=1 c=3 d=40 1=one z=26 bb=true" {
		t.Errorf("changed: %s", got)
	}
	if v, err := l.Get(L, glua.LString("b")); err != nil || v != glua.LNil {
		t.Errorf("removed key reads %v, %v", v, err)
	}
	empty := c.NewLazy(L, value.Map{}, nil, nil)
	if k, _, err := empty.Next(L, glua.LNil); k != glua.LNil || err != nil {
		t.Errorf("empty: %v, %v", k, err)
	}
}

// JSON into Lua and back is the same JSON, as far as Lua can hold it.
func FuzzRoundTrip(f *testing.F) {
	for _, s := range []string{`null`, `[]`, `{}`, `{"a":[1,2.5,null,{"b":[]}],"":"x"}`, `9007199254740993`, `{"id":9007199254740993}`, `[1e300,-0.0]`} {
		f.Add(s)
	}
	L := glua.NewState()
	c := New(32, 10000)
	f.Fuzz(func(t *testing.T, s string) {
		in, err := value.ParseJSON(s)
		if err != nil {
			return
		}
		lv, err := c.ToLua(nil, L, in, nil)
		if err != nil {
			return
		}
		out, err := c.FromLua(nil, lv, Options{})
		if err != nil {
			t.Fatalf("%s goes in but not out: %v", s, err)
		}
		if !value.Equal(in, out) {
			t.Fatalf("%s: in %v, out %v", s, in, out)
		}
	})
}
