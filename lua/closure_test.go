package lua

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"reflect"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ironflow/ironflow/flow"
	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
)

func TestFileRunsOnce(t *testing.T) {
	var out bytes.Buffer
	h := NewHost(Options{Env: &nodes.Env{Log: slog.New(slog.NewTextHandler(&out, nil))}})
	f, err := load(t, h, `
local helper = require("lib.util")
local id, count = uuid4(), 0
shared = { list = {1, 2} }
log("loading the file")
local function bump() count = count + 1 return count end
local flow = Flow.new("once")
flow:step("a", function(ctx) bump(); return { id = id, n = bump(), m = helper.twice(21), mid = helper.id, g = #shared.list } end)
flow:step("b", function(ctx) shared.list[3] = 3; return { id = id, n = bump(), mid = require("lib.util").id, same = require("lib.util") == helper } end)
flow:step("c", function(ctx) return { flow = tostring(flow) } end)
flow:step("d", function(ctx) return { n = nodes.log } end)
return flow`, map[string]string{"lib/util.lua": `log("loading the module") return { id = uuid4(), twice = function(x) return 2 * x end }`})
	if err != nil {
		t.Fatal(err)
	}
	a := call(t, f, "a", nil).(map[string]any)
	b := call(t, f, "b", nil).(map[string]any)
	again := call(t, f, "a", nil).(map[string]any)
	if a["id"] != b["id"] || a["id"] == "" || a["mid"] != b["mid"] || b["same"] != true {
		t.Errorf("values differ between functions: %v %v", a, b)
	}
	if a["n"] != int64(2) || b["n"] != int64(1) || a["m"] != int64(42) || a["g"] != int64(2) {
		t.Errorf("captured state is not that of the load: %v %v", a, b)
	}
	if !reflect.DeepEqual(a, again) {
		t.Errorf("a second run differs: %v %v", a, again)
	}
	for _, line := range []string{"loading the file", "loading the module"} {
		if n := strings.Count(out.String(), line); n != 1 {
			t.Errorf("%q was logged %d times", line, n)
		}
	}
	_, err = step(t, f, "c").Func.Call(context.Background(), value.Map(nil))
	if err == nil || !strings.Contains(err.Error(), "a flow exists only while the file loads") {
		t.Errorf("using the flow in a function: %v", err)
	}
	_, err = step(t, f, "d").Func.Call(context.Background(), value.Map(nil))
	if err == nil || !strings.Contains(err.Error(), "f.lua:11:") {
		t.Errorf("using nodes in a function: %v", err)
	}
}

func TestFunctionsRunSideBySide(t *testing.T) {
	f := good(t, `
local n, words = 0, {"a", "b"}
local flow = Flow.new("x")
flow:step("a", function(ctx) for i = 1, 50 do n = n + ctx.by; words[#words + 1] = "c" end return { n = n, words = #words } end)
return flow`)
	want := map[string]any{"n": int64(100), "words": int64(52)}
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 20 {
				out, err := step(t, f, "a").Func.Call(context.Background(), value.Map{"by": int64(2)})
				if err != nil || !reflect.DeepEqual(out, want) {
					t.Errorf("got %v, %v", out, err)
				}
			}
		})
	}
	wg.Wait()
}

func TestSessionSharesOneVM(t *testing.T) {
	f := good(t, `
local n = 0
local flow = Flow.new("x")
flow:step("a", nodes.each{ transform = function(item, i) n = n + 1; return item * 2 + n end })
return flow`)
	fn := step(t, f, "a").Params["transform"].(nodes.SessionFunc)
	next, done := fn.Session(context.Background())
	defer done()
	for i := int64(1); i <= 3; i++ {
		out, err := next(context.Background(), int64(10), i)
		if err != nil || out != 20+i {
			t.Errorf("item %d: %v, %v", i, out, err)
		}
	}
	if out, err := fn.Call(context.Background(), int64(10), int64(1)); err != nil || out != int64(21) {
		t.Errorf("a call of its own: %v, %v", out, err)
	}
}

// Whatever a function does, it ends in time with a message and leaves nothing
// behind.
func TestRunawayFunctions(t *testing.T) {
	limits := DefaultLimits()
	limits.MaxSeconds = 0.3
	short := NewHost(Options{Limits: limits})
	limits = DefaultLimits()
	limits.MaxCallDepth = 2000
	shallow := NewHost(Options{Limits: limits})
	cases := []struct{ name, body, want string }{
		{"loop", "while true do end", "ran longer than 0.3 s (IRONFLOW_LUA_MAX_SECONDS)"},
		{"loop in pcall", "while true do pcall(function() while true do end end) end", "IRONFLOW_LUA_MAX_SECONDS"},
		{"recursion", "local function f() return 1 + f() end return f()", "stack overflow"},
		{"huge string", "return string.rep('x', 2^40)", "IRONFLOW_LUA_MAX_STRING_BYTES"},
		{"slow pattern", "return (string.rep('a', 30000)):match('.-.-.-.-.-.-b')", "IRONFLOW_LUA_MAX_SECONDS"},
		{"cyclic table", "local t = {} t.t = t return t", "$.t: the table contains itself"},
		{"error table", "error({})", "table"},
		{"error object", "error({ message = 'quota', code = 3 })", "quota"},
		{"error nil", "error(nil)", "nil"},
		{"error number", "error(42)", "42"},
		{"error level 2", "error('x', 2)", "x"},
		{"yield", "coroutine.yield(1)", "yield"},
		{"function returned", "return function() end", "function is not a JSON value"},
		{"unknown field", "return ctx.a.b", "attempt to index"},
	}
	before := runtime.NumGoroutine()
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			h := short
			if c.name == "recursion" {
				h = shallow
			}
			f, err := load(t, h, "local flow = Flow.new('x')\nflow:step('a', function(ctx)\n"+c.body+"\nend)\nreturn flow", nil)
			if err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			_, err = step(t, f, "a").Func.Call(context.Background(), value.Map(nil))
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("took %v", took)
			}
			var e *ScriptError
			if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
				t.Fatalf("got %v, want %q", err, c.want)
			}
		})
	}
	for range 100 {
		if runtime.NumGoroutine() <= before {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%d goroutines before, %d after", before, runtime.NumGoroutine())
}

func TestFunctionErrors(t *testing.T) {
	f := good(t, `
local flow = Flow.new("x")
flow:step("raise", function(ctx)
  error("no luck")
end)
flow:step("loop", function(ctx) while true do end end)
flow:step("each", nodes.each{ transform = function(item) return item + 1 end })
return flow`)
	_, err := step(t, f, "raise").Func.Call(context.Background(), value.Map(nil))
	var e *ScriptError
	if !errors.As(err, &e) || e.File != "f.lua" || e.Line != 4 || err.Error() != "f.lua:4: no luck" {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Millisecond)
	defer cancel()
	if _, err = step(t, f, "loop").Func.Call(ctx, value.Map(nil)); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want the deadline", err)
	}
	why := errors.New("the operator stopped it")
	ctx2, cancel2 := context.WithCancelCause(context.Background())
	time.AfterFunc(20*time.Millisecond, func() { cancel2(why) })
	if _, err = step(t, f, "loop").Func.Call(ctx2, value.Map(nil)); !errors.Is(err, context.Canceled) || !errors.Is(err, why) {
		t.Errorf("got %v, want the cause", err)
	}
}

// An endless file is ended by the limit, and by the caller.
func TestRunawayLoad(t *testing.T) {
	limits := DefaultLimits()
	limits.MaxSeconds = 0.2
	_, err := load(t, NewHost(Options{Limits: limits}), "while true do end", nil)
	var e *LoadError
	if !errors.As(err, &e) || e.Kind != KindLimit || !strings.Contains(err.Error(), "IRONFLOW_LUA_MAX_SECONDS") {
		t.Errorf("got %v", err)
	}
	h := NewHost(Options{})
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, cancel)
	t.Chdir(files(t, map[string]string{"f.lua": "while true do end"}))
	if _, err := h.Load(ctx, "f.lua", nodes.NewRegistry()); !errors.Is(err, context.Canceled) {
		t.Errorf("got %v, want context.Canceled", err)
	}
}

func TestLint(t *testing.T) {
	f := mustLoad(t, `
local flow = Flow.new("x")
local function helper(x)
  return strng.upper(x)
end
config = { a = 1 }
flow:step("a", function(ctx)
  later = 1
  local u = helper(ctx.a)
  return { u = u, c = config.a, l = later, e = env("HOME"), j = json_null, t = table.concat({}) }
end)
flow:step("b", nodes.each{ transform = function(item)
  return nodes
end })
flow:step("c", function() return ctx.x end)
return flow`)
	plan, problems := flow.NewPlan(f)
	if plan == nil {
		t.Fatal(listing(problems))
	}
	want := []string{
		`f.lua:4: warning: step "a": reads the global "strng", which nothing defines, so it is nil; did you mean "string"?`,
		`f.lua:13: warning: step "b": reads the global "nodes", which exists only while the file loads and is nil in a function`,
		`f.lua:15: warning: step "c": reads the global "ctx", which nothing defines`,
	}
	if got := strings.Split(strings.TrimSpace(listing(problems)), "\n"); len(got) != len(want) {
		t.Fatalf("got\n%s", listing(problems))
	} else {
		for i := range want {
			if !strings.HasPrefix(got[i], want[i]) {
				t.Errorf("got  %s\nwant %s", got[i], want[i])
			}
		}
	}
}
