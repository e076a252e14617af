package vm

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"
)

// Scripts that would never end, each with another way to escape.
var endless = []string{
	`while true do end`,
	`while true do pcall(function() while true do end end) end`,
	`local function again() while true do pcall(again) end end again()`,
	`coroutine.wrap(function() while true do end end)()`,
	`while true do coroutine.resume(coroutine.create(function() while true do end end)) end`,
	`while true do local co = coroutine.wrap(function() while true do coroutine.yield() end end) co() end`,
	`xpcall(function() while true do end end, function() while true do end end)`,
	`setmetatable({}, { __index = function() while true do end end }).x()`,
	`for x in function() return 1 end do end`,
	`local s = ("a"):rep(100000) while true do pcall(string.find, s, ".-b") end`,
	`table.sort({ 1, 2, 3 }, function() while true do end end)`,
	`error(setmetatable({}, { __tostring = function() while true do end end }))`,
	`while true do local ok, e = pcall(error) end`,
	`repeat local ok = pcall(function() for i = 1, 1e15 do end end) until false`,
}

func TestTimeLimit(t *testing.T) {
	e := testEngine(func(c *Config) { c.Limits.MaxSeconds = 0.05 })
	for _, body := range endless {
		start := time.Now()
		_, err := eval(t, e, body)
		if d := time.Since(start); d > 5*time.Second {
			t.Errorf("%s: went on for %v", body, d)
		}
		var limit *LimitError
		if !errors.As(err, &limit) || limit.Variable != "IRONFLOW_LUA_MAX_SECONDS" ||
			!strings.Contains(err.Error(), "ran longer than 0.05 s (IRONFLOW_LUA_MAX_SECONDS)") {
			t.Errorf("%s: error %v", body, err)
		}
		if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
			t.Errorf("%s: the limit looks like the end of the run: %v", body, err)
		}
	}
	if _, err := eval(t, e, "\n\nwhile true do end"); err == nil || !strings.HasPrefix(err.Error(), "flow.lua:3: ran longer") {
		t.Errorf("the place is missing: %v", err)
	}
}

// The end of the run is told apart from a limit and keeps its identity.
func TestCancelledRun(t *testing.T) {
	e := testEngine(nil)
	for _, body := range endless {
		h := handlers(t, e, "return function() "+body+"\nend")[0]
		ctx, cancel := context.WithCancel(context.Background())
		time.AfterFunc(20*time.Millisecond, cancel)
		_, err := h.Run(ctx, nil)
		var limit *LimitError
		if !errors.Is(err, context.Canceled) || errors.As(err, &limit) {
			t.Errorf("%s: error %v", body, err)
		}
	}
	h := handlers(t, e, "return function() while true do end end")[0]
	ctx, cancel := context.WithTimeoutCause(context.Background(), 20*time.Millisecond, errSample)
	defer cancel()
	_, err := h.Run(ctx, nil)
	if !errors.Is(err, context.DeadlineExceeded) || !errors.Is(err, errSample) {
		t.Errorf("a deadline with a cause: %v", err)
	}
	done, cancelled := context.WithCancel(context.Background())
	cancelled()
	if _, err := h.Run(done, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that has ended before: %v", err)
	}
}

func TestTimeLimitCanBeOff(t *testing.T) {
	e := testEngine(func(c *Config) { c.Limits = Limits{} })
	if got := mustEval(t, e, `local n = 0 for i = 1, 100000 do n = n + 1 end return n .. ("x"):rep(3)`); got != "100000xxx" {
		t.Errorf("got %v", got)
	}
}

// Scripts that would fill all memory fail, name the limit, and give it back.
func TestMemoryLimit(t *testing.T) {
	runtime.GC()
	limit := heapBytes() + 40<<20
	// On a loaded machine filling the memory may take longer than the usual limit
	// on time, which is not what is tested here.
	e := testEngine(func(c *Config) { c.Limits.MaxMemoryBytes, c.Limits.MaxSeconds = limit, 120 })
	for _, body := range []string{
		`local s = "0123456789" while true do s = s .. s end`,
		`local t = {} while true do t[#t + 1] = ("x"):rep(100000) .. #t end`,
		`local t = {} for i = 1, 1e12 do t[i] = { i } end`,
		`local t = {} while true do pcall(function() t[#t + 1] = ("x"):rep(100000) .. #t end) end`,
		`local function f(t) return f({ t, ("x"):rep(1000) .. "y" }) end f({})`,
	} {
		_, err := eval(t, e, body)
		var le *LimitError
		if !errors.As(err, &le) || le.Variable != "IRONFLOW_LUA_MAX_MEMORY_BYTES" || !strings.Contains(err.Error(), "IRONFLOW_LUA_MAX_MEMORY_BYTES") {
			t.Errorf("%s: error %v", body, err)
		}
	}
	runtime.GC()
	if got := mustEval(t, e, `local s = ("x"):rep(1000000) return #s`); got != int64(1000000) {
		t.Errorf("a small handler afterwards gives %v", got)
	}
	// Garbage alone is no reason to fail.
	mustEval(t, e, `for i = 1, 1500 do local s = ("x"):rep(100000) .. i end`)
}

// The watchdog is a timer: nothing of it runs while no handler does.
func TestWatchdogStops(t *testing.T) {
	before := runtime.NumGoroutine()
	e := testEngine(nil)
	for range 50 {
		mustEval(t, e, `return 1`)
	}
	if e.dog.runs != nil || e.dog.armed {
		t.Error("the watchdog is armed while nothing runs")
	}
	if n := runtime.NumGoroutine(); n > before {
		t.Errorf("%d goroutines more than before", n-before)
	}
}

func TestDeepRecursion(t *testing.T) {
	e := testEngine(nil)
	for _, body := range []string{
		`local function f() return 1 + f() end return f()`,
		`local t = setmetatable({}, { __index = function(t, k) return t[k .. "x"] end }) return t.a`,
		`local t = {} t.x = setmetatable({}, { __tostring = function(s) return tostring(s) end }) return tostring(t.x)`,
		`local function f() return ("x"):gsub("x", f) end return f()`,
		`local function f(...) return 1 + f(1, ...) end return f()`,
		`local function f() local ok, e = pcall(f) if not ok then error(e, 0) end return ok end return f()`,
		`local function f() return coroutine.wrap(f)() end return f()`,
		`local function f() table.sort({ 1, 2, 3 }, f) end return f()`,
		`local mt = {} mt.__add = function(a, b) return a + b end return setmetatable({}, mt) + 1`,
		`return unpack({}, 1, 1e8)`,
		`return ("x"):rep(1e6):byte(1, -1)`,
	} {
		_, err := eval(t, e, body)
		if err == nil || !strings.Contains(err.Error(), "overflow") {
			t.Errorf("%s: error %v", body, err)
		}
		var internal *InternalError
		if errors.As(err, &internal) {
			t.Errorf("%s: internal error %v", body, err)
		}
	}
	if got := mustEval(t, e, `local function f(n) if n == 0 then return 0 end return 1 + f(n - 1) end return f(15000)`); got != int64(15000) {
		t.Errorf("15,000 levels give %v", got)
	}
	if got := mustEval(t, e, `local function f(n) if n == 0 then return "done" end return f(n - 1) end return f(1e5)`); got != "done" {
		t.Errorf("tail calls give %v", got)
	}
}

func TestConversionLimits(t *testing.T) {
	e := testEngine(func(c *Config) { c.Limits.MaxDepth, c.Limits.MaxNodes = 10, 1000 })
	for body, want := range map[string]string{
		`local t = {} for i = 1, 10 do t = { t } end return t`:  "nested deeper than 10 levels (IRONFLOW_MAX_CONVERSION_DEPTH)",
		`local t = {} for i = 1, 1000 do t[i] = i end return t`: "more than 1000 values in one conversion (IRONFLOW_MAX_CONVERSION_NODES)",
		`return json_parse("[" .. ("1,"):rep(1000) .. "1]")`:    "IRONFLOW_MAX_CONVERSION_NODES",
		`return json_parse(("["):rep(11) .. ("]"):rep(11))`:     "$[1][1][1][1][1][1][1][1][1][1]: nested deeper than 10",
		`local t = {} t.a = { b = t } return t`:                 "$.a.b: the table contains itself (through 2 tables)",
	} {
		if _, err := eval(t, e, body); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", body, err, want)
		}
	}
	mustEval(t, e, `local t = {} for i = 1, 9 do t = { t } end return t`)
}

func TestStringLimitReachesTheLibraries(t *testing.T) {
	e := testEngine(func(c *Config) { c.Limits.MaxStringBytes = 1000 })
	for _, body := range []string{
		`return ("x"):rep(2000)`, `return base64_encode(("x"):rep(900))`, `return json_stringify({ ("x"):rep(600), ("x"):rep(600) })`,
		`return table.concat({ ("x"):rep(600), ("x"):rep(600) })`,
	} {
		if _, err := eval(t, e, body); err == nil || !strings.Contains(err.Error(), "IRONFLOW_LUA_MAX_STRING_BYTES") {
			t.Errorf("%s: error %v", body, err)
		}
	}
}
