package vm

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	glua "github.com/yuin/gopher-lua"
)

// allowed is every global, and every field of a library, that a VM may have.
const allowed = `_G _VERSION assert base64_decode base64_encode coroutine env error getmetatable ipairs json_array json_null
json_object json_parse json_stringify log math next now_rfc3339 now_unix_ms pairs pcall print rawequal rawget rawset select
setmetatable string table tonumber tostring type unpack utf8 uuid4 xpcall
coroutine.create coroutine.resume coroutine.running coroutine.status coroutine.wrap coroutine.yield
math.abs math.acos math.asin math.atan math.atan2 math.ceil math.cos math.cosh math.deg math.exp math.floor math.fmod math.frexp
math.huge math.ldexp math.log math.log10 math.max math.min math.mod math.modf math.pi math.pow math.rad math.random math.randomseed
math.sin math.sinh math.sqrt math.tan math.tanh
string.byte string.char string.find string.format string.gmatch string.gsub string.len string.lower string.match string.rep
string.reverse string.sub string.upper
table.concat table.getn table.insert table.maxn table.remove table.sort
utf8.char utf8.charpattern utf8.codepoint utf8.codes utf8.len`

const listGlobals = `
local out = {}
for k, v in pairs(_G) do
  out[#out + 1] = k
  if type(v) == "table" and k ~= "_G" then for f in pairs(v) do out[#out + 1] = k .. "." .. f end end
end
for k in pairs(getmetatable("")) do if k ~= "__index" then out[#out + 1] = "string metatable " .. k end end
table.sort(out)
return table.concat(out, " ")`

func TestGlobalsAreTheAllowList(t *testing.T) {
	want := strings.Fields(allowed)
	slices.Sort(want)
	e := testEngine(nil)
	v, out := load(t, e, listGlobals)
	if got := out[0].String(); got != strings.Join(want, " ") {
		t.Errorf("loader has\n%s\nwant\n%s", got, strings.Join(want, " "))
	}
	v.Close()
	if got := mustEval(t, e, listGlobals); got != strings.Join(want, " ") {
		t.Errorf("handler has\n%s\nwant\n%s", got, strings.Join(want, " "))
	}
}

func TestForbiddenNames(t *testing.T) {
	e := testEngine(nil)
	for _, name := range strings.Fields(`os io package debug dofile loadfile load loadstring module getfenv setfenv newproxy
collectgarbage _printregs require channel string.dump string.gfind Flow nodes _GOPHER_LUA_VERSION`) {
		if got := mustEval(t, e, "return type("+name+")"); got != "nil" {
			t.Errorf("%s is a %v", name, got)
		}
	}
}

func TestMetatablesOfOtherTypesAreSafe(t *testing.T) {
	e := testEngine(nil)
	for _, body := range []string{
		`setmetatable("", {})`, `setmetatable(1, {})`, `setmetatable(print, {})`, `setmetatable(json_null, {})`,
		`setmetatable(ctx, {})`, `setmetatable({}, 1)`, `setmetatable({})`, `getmetatable(json_null).x = 1`, `json_null.x = 1`,
	} {
		h := handlers(t, e, "return function(ctx) "+body+" end")[0]
		if _, err := h.Run(context.Background(), withContext(nil)); err == nil {
			t.Errorf("%s: no error", body)
		}
	}
}

func TestPrintAndLog(t *testing.T) {
	var out logs
	e := testEngine(func(c *Config) { c.Log = out.add })
	mustEval(t, e, `
print("a", 1, nil, true)
print()
log("plain", 2, nil, json_null, { b = 1, a = { 1, 2 } })
log("WARN", "careful")
log("debug")
log("Error", "x")
log(json_array({}))`)
	want := []string{"info: a\t1\tnil\ttrue", "info: ", `info: plain 2 nil null {"a":[1,2],"b":1}`, "warn: careful", "debug: ", "error: x", "info: []"}
	if !slices.Equal(out.lines, want) {
		t.Errorf("got %q, want %q", out.lines, want)
	}
	for _, body := range []string{`log()`, `log({1, a = 2})`} {
		if _, err := eval(t, e, body); err == nil {
			t.Errorf("%s: no error", body)
		}
	}
}

// The logger gets the context of the call, so that a host can name the step.
func TestLogGetsTheCallersContext(t *testing.T) {
	type key struct{}
	got := ""
	e := testEngine(func(c *Config) {
		c.Log = func(ctx context.Context, _, text string) { got = fmt.Sprint(ctx.Value(key{}), " ", text) }
	})
	h := handlers(t, e, `return function() coroutine.wrap(function() print("hi") end)() end`)[0]
	if _, err := h.Run(context.WithValue(context.Background(), key{}, "step"), nil); err != nil || got != "step hi" {
		t.Errorf("%q, %v", got, err)
	}
}

func TestHostFunctions(t *testing.T) {
	at := time.Date(2026, 3, 4, 5, 6, 7, 250_000_000, time.FixedZone("x", 3600))
	e := testEngine(func(c *Config) {
		c.Now = func() time.Time { return at }
		c.Env = func(k string) (string, bool) { return "value of " + k, k != "MISSING" }
	})
	for body, want := range map[string]string{
		`return { env("HOME"), tostring(env("MISSING")) }`:                         `["value of HOME","nil"]`,
		`return now_rfc3339()`:                                                     `"2026-03-04T04:06:07.250+00:00"`,
		`return now_unix_ms()`:                                                     `1772597167250`,
		`return base64_encode("Hello, IronFlow!")`:                                 `"SGVsbG8sIElyb25GbG93IQ=="`,
		`return base64_decode("SGVsbG8sIElyb25GbG93IQ==")`:                         `"Hello, IronFlow!"`,
		`return base64_decode(base64_encode("a\0\255b")) == "a\0\255b"`:            `true`,
		`return base64_encode("")`:                                                 `""`,
		`return json_parse('{"a":[1,2.5,null,true,"x"],"b":{},"c":[]}')`:           `{"a":[1,2.5,null,true,"x"],"b":{},"c":[]}`,
		`return json_stringify({ name = "Alice", roles = { "admin", "editor" } })`: `"{\"name\":\"Alice\",\"roles\":[\"admin\",\"editor\"]}"`,
		`return json_stringify(json_array())`:                                      `"[]"`,
		`return json_stringify(json_object())`:                                     `"{}"`,
		`return json_stringify({})`:                                                `"{}"`,
		`return json_stringify(json_null)`:                                         `"null"`,
		`return json_stringify("<&>")`:                                             `"\"<&>\""`,
		`return json_stringify(json_parse('{"b":1,"a":2}'))`:                       `"{\"a\":2,\"b\":1}"`,
		`return { json_parse("null") == json_null, json_null and true, tostring(json_null), type(json_null) }`:      `[true,true,"null","userdata"]`,
		`return #uuid4() == 36 and uuid4():match("^%x+%-%x+%-4%x+%-[89ab]%x+%-%x+$") ~= nil and uuid4() ~= uuid4()`: `true`,
		`return getmetatable(json_array({})) == nil`:                                                                `true`,
		`local t = setmetatable(json_parse("[1]"), { __index = { x = 5 } }) return t.x`:                             `5`,
	} {
		wantJSON(t, mustEval(t, e, body), want)
	}
	for body, want := range map[string]string{
		`json_parse("{")`:                              "flow.lua:1: json_parse: ",
		`json_parse("[9007199254740993]")`:             "$[1]: integer 9007199254740993 is beyond +-2^53",
		`json_stringify({ a = { 1, { b = print } } })`: "json_stringify: $.a[2].b: a function is not a JSON value",
		`json_stringify(0/0)`:                          "$: NaN is not a JSON number",
		`json_stringify("\255")`:                       "not valid UTF-8",
		`base64_decode("SGVsbG8")`:                     "base64_decode: ",
		`base64_decode("SGVs\nbG8=")`:                  "base64_decode: ",
		`base64_decode("SGVsbG9=")`:                    "base64_decode: ", // left-over bits
		`base64_decode("_-8=")`:                        "base64_decode: ",
		`json_array(setmetatable({}, {}))`:             "has a metatable already",
		`env()`:                                        "bad argument #1",
	} {
		if _, err := eval(t, e, body); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", body, err, want)
		}
	}
}

// What one VM seeds does not reach another.
func TestRandomIsPerVM(t *testing.T) {
	e := testEngine(nil)
	seeded := `math.randomseed(42) return { math.random(1000000), math.random(1000000) }`
	a, b := mustEval(t, e, seeded), mustEval(t, e, seeded)
	if fmt.Sprint(a) != fmt.Sprint(b) {
		t.Errorf("the same seed gives %v and %v", a, b)
	}
	plain := `return { math.random(1e9), math.random(1e9) }`
	if c, d := mustEval(t, e, plain), mustEval(t, e, plain); fmt.Sprint(c) == fmt.Sprint(d) {
		t.Errorf("two unseeded VMs give the same numbers: %v", c)
	}
}

func TestConfigGlobals(t *testing.T) {
	e := testEngine(func(c *Config) {
		c.Globals = map[string]Func{
			"double":  func(_ *VM, L *glua.LState) int { L.Push(2 * L.CheckNumber(1)); return 1 },
			"loading": func(v *VM, L *glua.LState) int { L.Push(glua.LBool(v.Loading())); return 1 },
		}
	})
	h := handlers(t, e, `
local d, at_load = double, loading()
return function() return { d(2), double(3), d == double, at_load, loading() } end`)[0]
	got, err := h.Run(context.Background(), nil)
	if err != nil {
		t.Fatal(err)
	}
	wantJSON(t, got, "[4,6,true,true,false]")
}

var errSample = errors.New("a sample failure")

func TestGoErrorsKeepTheirIdentity(t *testing.T) {
	e := testEngine(func(c *Config) {
		c.Globals = map[string]Func{
			"fail":  func(v *VM, L *glua.LState) int { v.Raise(L, fmt.Errorf("calling: %w", errSample)); return 0 },
			"crash": func(*VM, *glua.LState) int { panic(errSample) },
			"index": func(*VM, *glua.LState) int { var s []int; return s[3] },
		}
	})
	for body, want := range map[string]string{
		"\n fail()": "flow.lua:2: calling: a sample failure",
		`local ok, e = pcall(fail) error("wrapped: " .. e, 0)`:           "wrapped: calling: a sample failure",
		`local ok, e = pcall(fail) assert(type(e) == "string") error(e)`: "a sample failure",
		`coroutine.wrap(function() fail() end)()`:                        "flow.lua:1: calling: a sample failure",
		`("x"):gsub("x", fail)`:                                          "calling: a sample failure",
		`crash()`:                                                        "flow.lua:1: internal error in crash: a sample failure",
	} {
		_, err := eval(t, e, body)
		var se *ScriptError
		if !errors.As(err, &se) || !errors.Is(err, errSample) || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v (%T), want %q with its identity", body, err, err, want)
		}
	}
	_, err := eval(t, e, "index()")
	var internal *InternalError
	if !errors.As(err, &internal) || internal.Where != "index" || !strings.Contains(internal.Stack, "sandbox_test.go") {
		t.Errorf("a Go panic gives %v", err)
	}
	if _, err := eval(t, e, `pcall(fail) error("another")`); err == nil || errors.Is(err, errSample) {
		t.Errorf("an unrelated error has the identity of a caught one: %v", err)
	}
}

func TestErrorValues(t *testing.T) {
	e := testEngine(nil)
	for body, want := range map[string]string{
		`error("plain")`:              "flow.lua:1: plain",
		`error("plain", 0)`:           "flow.lua:1: plain",
		`error({})`:                   "flow.lua:1: error was called with the table {}",
		`error({ code = 5 })`:         `flow.lua:1: error was called with the table {"code":5}`,
		`error({ message = "told" })`: "flow.lua:1: told",
		`error({ print })`:            "flow.lua:1: error was called with a table",
		`error(nil)`:                  "flow.lua:1: error was called with nil",
		`error()`:                     "flow.lua:1: error was called with nil",
		`error(true)`:                 "flow.lua:1: error was called with true",
		`error(print)`:                "flow.lua:1: error was called with a function",
		"\n\nerror(setmetatable({}, { __tostring = function() return 'custom' end }))": "flow.lua:3: custom",
		`error(setmetatable({}, { __tostring = function() error("again") end }))`:      "flow.lua:1: error was called with the table {}",
		`local x = nil; x.y = 1`:         "flow.lua:1: attempt to index a non-table object(nil) with key 'y'",
		"\nundefined_function()":         "flow.lua:2: attempt to call a non-function object",
		`return { a = { 1, 2, x = 3 } }`: "$.a: the table has both positions 1..2 and the key \"x\"",
	} {
		_, err := eval(t, e, body)
		if err == nil || err.Error() != want && !strings.Contains(err.Error(), "$") || !strings.Contains(fmt.Sprint(err), want) {
			t.Errorf("%q: error %q, want %q", body, err, want)
		}
	}
	_, err := eval(t, e, "\n\n error('where')")
	var se *ScriptError
	if !errors.As(err, &se) || se.File != "flow.lua" || se.Line != 3 || se.Message != "where" || se.Trace == "" {
		t.Errorf("%#v", se)
	}
}
