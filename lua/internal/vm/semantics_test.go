package vm

import (
	"context"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"
)

// The base and coroutine libraries give what reference Lua gives for the same
// script.
func TestSemantics(t *testing.T) {
	src, err := os.ReadFile("testdata/semantics.lua")
	if err != nil {
		t.Fatal(err)
	}
	want, err := os.ReadFile("testdata/semantics.txt")
	if err != nil {
		t.Fatal(err)
	}
	var out logs
	e := testEngine(func(c *Config) { c.Log = out.add })
	for _, kind := range []string{"loader", "handler"} {
		out.lines = nil
		if kind == "loader" {
			v, _ := load(t, e, strings.ReplaceAll(string(src), "semantics.lua", "flow.lua"))
			v.Close()
		} else if _, err := eval(t, e, strings.ReplaceAll(string(src), "semantics.lua", "flow.lua")); err != nil {
			t.Fatal(err)
		}
		compare(t, kind, strings.Split(strings.TrimSuffix(string(want), "\n"), "\n"), out.lines)
	}
}

var argName = regexp.MustCompile(`argument #(\d) to '?[\w?]*'?`)

func compare(t *testing.T, kind string, want, got []string) {
	t.Helper()
	if len(want) != len(got) {
		t.Errorf("%s: %d lines, want %d", kind, len(got), len(want))
	}
	for i := range min(len(want), len(got)) {
		g := argName.ReplaceAllString(strings.TrimPrefix(got[i], "info: "), "argument #$1")
		if w := argName.ReplaceAllString(want[i], "argument #$1"); g != w {
			t.Errorf("%s line %d\n got %s\nwant %s", kind, i+1, g, w)
		}
	}
}

// A yield through Go code would leave gopher-lua running the thread that has
// yielded; each must be an error that says what was crossed, and the coroutine
// must work on.
func TestYieldBoundaries(t *testing.T) {
	e := testEngine(nil)
	for body, want := range map[string]string{
		`coroutine.yield(1)`:        "attempt to yield outside a coroutine",
		`return coroutine.yield(1)`: "attempt to yield outside a coroutine",
		`coroutine.wrap(function() local t = setmetatable({}, {__index = function() return coroutine.yield(1) end}) return t.x end)()`: "across a metamethod",
		`coroutine.wrap(function() local t = setmetatable({}, {__add = function() return coroutine.yield(1) end}) return t + 1 end)()`: "across a metamethod",
		`coroutine.wrap(function() for x in function() coroutine.yield(1) end do end end)()`:                                           "an iterator",
		`coroutine.wrap(function() ("x"):gsub("x", function() coroutine.yield(1) end) end)()`:                                          "library callback",
		`coroutine.wrap(function() table.sort({2, 1}, function() coroutine.yield(1) end) end)()`:                                       "library callback",
		`coroutine.wrap(function() assert(pcall(function() coroutine.yield(1) end)) end)()`:                                            "across a pcall",
		`coroutine.wrap(function() assert(pcall(coroutine.yield, 1)) end)()`:                                                           "across a pcall",
	} {
		_, err := eval(t, e, body)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v, want %q", body, err, want)
		}
	}
	got := mustEval(t, e, `
local gen = coroutine.wrap(function()
  for i = 1, 3 do
    local ok = pcall(function() coroutine.yield("no") end)
    coroutine.yield({ i, ok })
  end
end)
local a, b, c = gen(), gen(), gen()
return { a[1], b[1], c[1], a[2] }`)
	wantJSON(t, got, "[1,2,3,false]")
	wantJSON(t, mustEval(t, e, `return { coroutine.wrap(string.rep)("x", 3), select(2, coroutine.resume(coroutine.create(math.max), 1, 5)) }`), `["xxx",5]`)
}

// A coroutine made in one call of a session goes on in the next, under that
// call's limits.
func TestCoroutineAcrossCalls(t *testing.T) {
	h := handlers(t, testEngine(nil), `
local co
return function() if not co then co = coroutine.wrap(function() local n = 0 while true do n = n + 1 coroutine.yield(n) end end) end return co() end`)[0]
	s := h.Image().NewSession()
	defer s.Close()
	for want := int64(1); want <= 3; want++ {
		ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
		got, err := s.Call(ctx, h, nil)
		cancel()
		if err != nil || got != want {
			t.Fatalf("call %d: %v, %v", want, got, err)
		}
	}
}
