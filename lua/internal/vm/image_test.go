package vm

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	glua "github.com/yuin/gopher-lua"
)

// runAll calls every handler once in a VM of its own and returns the results.
func runAll(t testing.TB, hs []*Handler) []any {
	t.Helper()
	var out []any
	for i, h := range hs {
		v, err := h.Run(context.Background(), nil)
		if err != nil {
			t.Fatalf("handler %d: %v", i, err)
		}
		out = append(out, v)
	}
	return out
}

// Running the file again could not pass this.
func TestFileRunsOnce(t *testing.T) {
	var out logs
	e := testEngine(func(c *Config) { c.Log = out.add })
	hs := handlers(t, e, `
local id = uuid4()
local count = 10
other_id = uuid4()
log("loading")
return function() count = count + 1 return { id, count, other_id } end,
       function() count = count + 1 return { id, count, other_id } end`)
	first := runAll(t, hs)
	second := runAll(t, hs)
	for _, got := range append(first, second...) {
		if fmt.Sprint(got) != fmt.Sprint(first[0]) {
			t.Errorf("runs differ: %v and %v", got, first[0])
		}
	}
	if n := first[0].([]any)[1]; n != int64(11) {
		t.Errorf("the counter starts at %v", n)
	}
	if len(out.lines) != 1 {
		t.Errorf("log lines %q", out.lines)
	}
}

// capturedCases are files that return handlers, and what each handler returns,
// as JSON.
var capturedCases = map[string]struct {
	src  string
	want []string
}{
	"upvalue shared by two closures": {`
local n = 0
local function inc() n = n + 1 end
local function get() return n end
return function() inc() inc() return get() end`, []string{"2"}},
	"shared through tables": {`
local state = { n = 1 }
local api = { inc = function() state.n = state.n + 1 end, state = state }
return function() api.inc() state.n = state.n * 10 api.inc() return { api.state.n, state == api.state } end`, []string{"[21,true]"}},
	"cycles": {`
local a, b = {}, {}
a.b, b.a, a.self = b, a, a
a[a] = "key"
local function f() return a.b.a == a and a.self == a and a[a] end
a.f = f
return function() return { f(), a.f == f } end`, []string{`["key",true]`}},
	"metatables and classes": {`
local Account = {} Account.__index = Account
function Account.new(n) return setmetatable({ n = n }, Account) end
function Account:add(k) self.n = self.n + k return self end
Account.__add = function(a, b) return Account.new(a.n + b.n) end
Account.__tostring = function(a) return "account " .. a.n end
local shared = Account.new(5)
return function() return { tostring(shared:add(1) + Account.new(2)), getmetatable(shared) == Account } end`, []string{`["account 8",true]`}},
	"recursive and mutually recursive functions": {`
local function fact(n) return n <= 1 and 1 or n * fact(n - 1) end
local even, odd
function even(n) if n == 0 then return true end return odd(n - 1) end
function odd(n) if n == 0 then return false end return even(n - 1) end
return function() return { fact(10), even(10), odd(7) } end`, []string{"[3628800,true,true]"}},
	"globals of the file": {`
limit = 3
function helper(x) return x * limit end
settings = { name = "s", list = { 1, 2, 3 } }
return function() limit = limit + 1 settings.list[4] = 4 return { helper(2), #settings.list, rawget(_G, "limit") } end,
       function() return { helper(2), #settings.list } end`, []string{"[8,4,4]", "[6,3]"}},
	"globals that helpers read": {`
function one() return two() end
function two() return three and three.value end
three = { value = "deep" }
local f = one
return function() return f() end`, []string{`"deep"`}},
	"library functions as locals": {`
local fmt, insert, floor, unpack, json = string.format, table.insert, math.floor, unpack, json_stringify
local str = string
return function() local t = {} insert(t, fmt("%d", 7)) return { t[1], floor(2.5), json({1}), fmt == string.format, str == string } end`,
		[]string{`["7",2,"[1]",true,true]`}},
	"libraries extended, replaced and removed": {`
function string.trim(s) return (s:gsub("^%s+", ""):gsub("%s+$", "")) end
local old = string.upper
string.upper = function(s) return "<" .. old(s) .. ">" end
table.unpack = unpack
math.sin = nil
tostring = function(v) return "T" end
xpcall = nil
return function() return { ("  x "):trim(), ("a"):upper(), table.unpack({ 1 }), type(math.sin), tostring(1), type(xpcall) } end,
       function() return ("  y "):trim() end,
       function() return _G.tostring(5) .. type(_G.xpcall) .. type(_G.math.sin) end`,
		[]string{`["x","<A>",1,"nil","T","nil"]`, `"y"`, `"Tnilnil"`}},
	"a global library replaced": {`
math = { answer = 42 }
local s = string
string = nil
return function() return { math.answer, type(string), ("x"):rep(2), s.rep("y", 2) } end`, []string{`[42,"nil","xx","yy"]`}},
	"the string metatable": {`
getmetatable("").__call = function(s, x) return s .. x end
getmetatable("").__index = function(s, k) if type(k) == "number" then return string.sub(s, k, k) end return string[k] end
return function() return { ("ab")("cd"), ("xyz")[2], ("xyz"):len() } end`, []string{`["abcd","y",3]`}},
	"a metatable of the globals": {`
setmetatable(_G, { __index = function(t, k) return "no " .. k .. (rawget(t, "kept") or "?") end })
kept = "!"
return function() return { missing, type(string) } end`, []string{`["no missing!","table"]`}},
	"the globals table itself": {`
local G = _G
x = 5
return function() G.y = G.x + 1 return { y, G.string == string, G._G == G, _G == G } end`, []string{"[6,true,true,true]"}},
	"json_null and marks": {`
local null, empty = json_null, json_array({})
local parsed = json_parse('{"a":null,"b":[]}')
return function() return { null == json_null, empty, parsed, json_parse("[null]")[1] == null } end`, []string{`[true,[],{"a":null,"b":[]},true]`}},
	"integers that Lua cannot hold": {`
local parsed = json_parse('{"id":9007199254740993,"sub":{"id":-9007199254740993,"n":1}}')
return function() parsed.sub.n = 2 return { parsed, pcall(function() return parsed.id end) } end,
  function() parsed.id = 5 return { parsed.id, parsed.sub } end`, []string{`[{"id":9007199254740993,"sub":{"id":-9007199254740993,"n":2}},false,"` +
		`flow.lua:3: $.id: integer 9007199254740993 is beyond +-2^53 and cannot be read exactly in Lua; leave it unread, or have its source send it as a string"]`,
		`[5,{"id":-9007199254740993,"n":1}]`}},
	"nil, false and holes": {`
local a, b, t = nil, false, { 1, nil, 3, n = 3 }
return function() return { a == nil, b == false, t[1], t[2] == nil, t[3], t.n } end`, []string{"[true,true,1,true,3,3]"}},
	"odd keys": {`
local k, f = {}, function() return "f" end
local t = { [true] = 1, [1.5] = 2, [-1] = 3, [0] = 4, [k] = 5, [f] = 6, [2^40] = 7 }
return function() return { t[true], t[1.5], t[-1], t[0], t[k], t[f], t[2^40] } end`, []string{"[1,2,3,4,5,6,7]"}},
	"order of pairs": {`
local t = {}
for i = 1, 20 do t["k" .. (i * 7 % 20)] = i end
local want = {} for k in pairs(t) do want[#want + 1] = k end
local w = table.concat(want, ",")
return function() local got = {} for k in pairs(t) do got[#got + 1] = k end return table.concat(got, ",") == w end`, []string{"true"}},
	"upvalues of a finished loop": {`
local fns = {}
for i = 1, 3 do local j = i * 10 fns[i] = function() j = j + 1 return j end end
return function() return { fns[1](), fns[1](), fns[2](), fns[3]() } end`, []string{"[11,12,21,31]"}},
	"varargs and closures made in the handler": {`
local function pack(...) return { n = select("#", ...), ... } end
return function() local n = 1 local function up() n = n + 1 return n end up() return { pack(1, nil, 3).n, up() } end`, []string{"[3,3]"}},
	"a long chain": {`
local list
for i = 1, 50000 do list = { next = list, v = i } end
return function() local n, l = 0, list while l do n = n + 1 l = l.next end return n end`, []string{"50000"}},
	"two handlers share a helper but not its state": {`
local seen = {}
local function once(k) if seen[k] then return "again" end seen[k] = true return "first" end
return function() return { once("a"), once("a") } end, function() return { once("a") } end`, []string{`["first","again"]`, `["first"]`}},
	"a string method without naming string": {`return function() return ("%d"):format(3) end`, []string{`"3"`}},
}

func TestCapturedState(t *testing.T) {
	e := testEngine(nil)
	for name, c := range capturedCases {
		hs := handlers(t, e, c.src)
		for range 2 { // the second run starts from the same state
			for i, got := range runAll(t, hs) {
				t.Run(name, func(t *testing.T) { wantJSON(t, got, c.want[i]) })
			}
		}
	}
}

// What a handler changes ends with its run: nothing reaches the template.
func TestTemplateStaysAsItIs(t *testing.T) {
	e := testEngine(nil)
	hs := handlers(t, e, `
local t, n = { list = { 1 } }, 0
g = { v = 1 }
function string.extra() return "e" end
return function()
  n = n + 1 t.list[#t.list + 1] = n t.new = true g.v = g.v + 1 g2 = "set"
  string.extra = nil string.own = 1 _G.math = nil setmetatable(t, { __len = function() return 9 end })
  getmetatable("").__add = function() return 1 end
  return { n, #t.list, g.v }
end,
function() return { n, #t.list, g.v, type(g2), type(string.extra), type(string.own), type(math), getmetatable(t) == nil, t.new == nil, getmetatable("").__add == nil } end`)
	for range 3 {
		got := runAll(t, hs)
		wantJSON(t, got[0], "[1,2,2]")
		wantJSON(t, got[1], `[0,1,1,"nil","function","nil","table",true,true,true]`)
	}
}

// A session keeps its state from call to call, and handlers in it share it.
func TestSessionKeepsState(t *testing.T) {
	hs := handlers(t, testEngine(nil), `
local n = 0
return function(x) n = n + (x or 1) return n end, function() return n end`)
	s := hs[0].Image().NewSession()
	defer s.Close()
	for want := int64(5); want <= 15; want += 5 {
		got, err := s.Call(context.Background(), hs[0], func(*VM) ([]glua.LValue, error) { return []glua.LValue{glua.LNumber(5)}, nil })
		if err != nil || got != want {
			t.Fatalf("got %v, %v, want %d", got, err, want)
		}
	}
	if got, err := s.Call(context.Background(), hs[1], nil); err != nil || got != int64(15) {
		t.Errorf("the other handler sees %v, %v", got, err)
	}
	if _, err := s.Call(context.Background(), hs[0], func(*VM) ([]glua.LValue, error) { return []glua.LValue{glua.LString("x")}, nil }); err == nil {
		t.Error("a failing call succeeded")
	}
	if got, err := s.Call(context.Background(), hs[1], nil); err != nil || got != int64(15) {
		t.Errorf("after a failed call: %v, %v", got, err)
	}
}

func TestLoadOnlyValues(t *testing.T) {
	e := testEngine(nil)
	v := e.NewLoader()
	flow := v.L.NewTable()
	flow.RawSetString("step", v.NewFunction("flow.step", func(_ *VM, L *glua.LState) int { return 0 }))
	builder := &glua.LUserData{Value: 1, Metatable: glua.LNil}
	v.SetLoadOnly("Flow", flow)
	v.LoadOnly(flow, `flow "f"`)
	v.LoadOnly(builder, `the builder of step "a"`)
	v.SetGlobal("make", v.NewFunction("make", func(_ *VM, L *glua.LState) int { L.Push(builder); return 1 }))
	out, err := v.Call(context.Background(), v.Function(compile(t, `
local flow, b, mk = Flow, make(), make
local co, it = coroutine.create(function() end), ("x"):gmatch(".")
local wrapped = coroutine.wrap(function() end)
local same = { flow, flow }
flow.step()
return function() return type(Flow), flow ~= nil, same[1] == same[2] and same[1] == flow end,
  function() return flow.step end, function() flow.x = 1 end, function() flow:step() end, function() return flow end, function() return b() end,
  function() return b.x end, function() return "a" .. b end, function() return tostring(b) end, function() return { x = b } end, function() return #flow end,
  function() mk() end, function() coroutine.resume(co) end, function() return coroutine.status(co) end, function() it() end, function() wrapped() end, function() return b + 1 end,
  function() print(flow) end, function() return json_stringify(flow) end, function() return b < b end, function() for k in pairs(flow) do end end`)))
	if err != nil {
		t.Fatal(err)
	}
	img := NewImage(v)
	err = img.Handler(out[0].(*glua.LFunction)).Do(context.Background(), nil, func(_ *VM, r []glua.LValue) error {
		if fmt.Sprint(r) != "[nil true true]" {
			t.Errorf("untouched use gives %v", r)
		}
		return nil
	})
	if err != nil {
		t.Errorf("untouched use: %v", err)
	}
	for i, lv := range out[1:] {
		_, err := img.Handler(lv.(*glua.LFunction)).Run(context.Background(), nil)
		if err == nil || !strings.Contains(err.Error(), "exists only while the file loads") {
			t.Errorf("use %d: error %v", i+1, err)
		}
	}
	_, err = img.Handler(out[3].(*glua.LFunction)).Run(context.Background(), nil)
	if err == nil || err.Error() != `flow.lua:8: flow "f" exists only while the file loads; a handler cannot use it` {
		t.Errorf("error %v", err)
	}
}

func TestModules(t *testing.T) {
	e := testEngine(func(c *Config) {
		c.Globals = map[string]Func{"require": func(v *VM, L *glua.LState) int {
			name := L.CheckString(1)
			if lv, ok := v.Module(name); ok {
				L.Push(lv)
				return 1
			}
			out, err := v.Protected(L, v.Function(compile(t, `loads = (loads or 0) + 1 return { name = "`+name+`", loads = loads, up = string.upper }`)))
			if err != nil {
				v.Raise(L, err)
			}
			v.SetModule(name, out[0])
			L.Push(out[0])
			return 1
		}}
	})
	hs := handlers(t, e, `
local m = require("a")
m.extra = "seen"
return function() local a, b = require("a"), require("b") return { a == m, a.extra, a.loads, b.loads, b == require("b"), b.up("x"), m.up("y") } end,
       function() return require("a").extra end`)
	got := runAll(t, hs)
	wantJSON(t, got[0], `[true,"seen",1,2,true,"X","Y"]`)
	wantJSON(t, got[1], `"seen"`)
}

// Sixteen goroutines run handlers of one image; -race watches.
func TestImageIsShared(t *testing.T) {
	e := testEngine(nil)
	hs := handlers(t, e, `
local cache, n = {}, 0
local Point = {} Point.__index = Point
function Point.new(x) return setmetatable({ x = x }, Point) end
function Point:move(d) self.x = self.x + d return self end
function string.shout(s) return s:upper() .. "!" end
local origin = Point.new(0)
config = { list = json_array({ 1, 2, 3 }) }
return function(ctx)
  n = n + 1
  cache[#cache + 1] = ctx.k
  config.list[#config.list + 1] = n
  local ok = pcall(function() error({}) end)
  for i in coroutine.wrap(function() for i = 1, 3 do coroutine.yield(i) end end) do origin:move(i) end
  return { n, #cache, #config.list, origin.x, ("a"):shout(), ok, select(2, ("a b"):gsub("%a", string.upper)), json_null == json_parse("null") }
end`)
	var wg sync.WaitGroup
	for range 16 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for range 30 {
				got, err := hs[0].Run(context.Background(), withContext(map[string]any{"k": "v"}))
				if err != nil {
					t.Error(err)
					return
				}
				wantJSON(t, got, `[1,1,4,6,"A!",false,2,true]`)
			}
		}()
	}
	wg.Wait()
}

func TestClosedLoader(t *testing.T) {
	v, _ := load(t, testEngine(nil), "return 1")
	NewImage(v)
	if _, err := v.Call(context.Background(), glua.LNil); err == nil {
		t.Error("a frozen loader runs code")
	}
}

func TestHandlerPlace(t *testing.T) {
	h := handlers(t, testEngine(nil), "\n\nreturn function() end")[0]
	if file, line := h.Place(); file != "flow.lua" || line != 3 {
		t.Errorf("%s:%d", file, line)
	}
}
