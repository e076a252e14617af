package lua

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/nodes/value"
)

func TestRequire(t *testing.T) {
	f, err := load(t, NewHost(Options{}), `
local a = require("a")
local again = require("a")
local flow = Flow.new("x")
assert(a == again and a.b.name == "b" and require("quiet") == true)
a.steps(flow)
flow:step("late", function(ctx) return { n = require("late.mod").n, b = require("late.mod").b == require("b"), same = require("a") == a } end)
return flow`, map[string]string{
		"a.lua":        `return { b = require("b"), steps = function(flow) flow:step("from_module", function() return { n = 7 } end) end }`,
		"b.lua":        `return { name = "b" }`,
		"quiet.lua":    `local x = 1`,
		"late/mod.lua": `n = (n or 0) + 1 return { n = n, b = require("b") }`,
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Problems) > 0 {
		t.Fatal(listing(f.Problems))
	}
	for range 2 {
		out := call(t, f, "late", nil).(map[string]any)
		if out["n"] != int64(1) || out["b"] != true || out["same"] != true {
			t.Errorf("got %v", out)
		}
	}
	if s := step(t, f, "from_module"); s.File != "a.lua" || s.Line != 1 {
		t.Errorf("the step's place is %s:%d", s.File, s.Line)
	}
}

func TestRequireRefuses(t *testing.T) {
	outside := filepath.Join(t.TempDir(), "secret.lua")
	if err := os.WriteFile(outside, []byte("return 'secret'"), 0o644); err != nil {
		t.Fatal(err)
	}
	cases := []struct{ name, source, want string }{
		{"missing", `require("nope")`, `module "nope": there is no file nope.lua`},
		{"parent", `require("..secret")`, `want a module name`},
		{"path", `require("../secret")`, `want a module name`},
		{"absolute", `require("/etc/passwd")`, `want a module name`},
		{"number", `require(5)`, `want a module name`},
		{"nothing", `require()`, `want a module name`},
		{"builtin", `require("os")`, `there is no file os.lua`},
		{"link to a file", `require("link")`, `module "link"`},
		{"link to a directory", `require("dirlink.secret")`, `module "dirlink.secret"`},
		{"directory", `require("dir")`, `is a directory, want a regular file`},
		{"circle", `require("c1")`, `require one another in a circle: c1 -> c2 -> c1`},
		{"syntax", `require("bad")`, `bad.lua:2: syntax error`},
		{"raised", `require("raises")`, `raises.lua:1: no luck`},
		{"sum of sources", `require("big1") require("big2")`, `IRONFLOW_MAX_FLOW_SOURCE_BYTES`},
		{"sandbox", `require("sandbox")`, `sandbox.lua:1: os is nil`},
		{"not UTF-8", `require("latin")`, `latin.lua:1: byte 0xe9 is not valid UTF-8`},
	}
	big := "--" + strings.Repeat("x", 600<<10)
	beside := map[string]string{
		"c1.lua": `return require("c2")`, "c2.lua": `return require("c1")`, "bad.lua": "local x = 1\nlocal = 2",
		"raises.lua": `error("no luck")`, "big1.lua": big, "big2.lua": big, "dir.lua/x": "",
		"sandbox.lua": `assert(os ~= nil or io ~= nil or debug ~= nil, "os is nil")`, "latin.lua": "return 'caf\xe9'",
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			list := map[string]string{"f.lua": c.source}
			for k, v := range beside {
				list[k] = v
			}
			dir := files(t, list)
			t.Chdir(dir)
			if err := os.Symlink(outside, filepath.Join(dir, "link.lua")); err != nil {
				t.Fatal(err)
			}
			if err := os.Symlink(filepath.Dir(outside), filepath.Join(dir, "dirlink")); err != nil {
				t.Fatal(err)
			}
			h := NewHost(Options{})
			_, err := h.Load(context.Background(), "f.lua", testRegistry(t, h))
			var e *LoadError
			if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %q", err, c.want)
			}
		})
	}
}

// A link that stays inside the directory is fine, and so is a circle that a
// pcall caught.
func TestRequireInside(t *testing.T) {
	dir := files(t, map[string]string{"lib/real.lua": "return 5", "f.lua": `
assert(require("alias") == 5)
assert(not pcall(require, "nope"))
return Flow.new("x")`})
	t.Chdir(dir)
	if err := os.Symlink("lib/real.lua", "alias.lua"); err != nil {
		t.Fatal(err)
	}
	h := NewHost(Options{})
	if _, err := h.Load(context.Background(), "f.lua", testRegistry(t, h)); err != nil {
		t.Error(err)
	}
}

func TestRequireInFunctionFails(t *testing.T) {
	f := mustLoad(t, `
local flow = Flow.new("x")
flow:step("a", function() return require("nope") end)
return flow`)
	_, err := step(t, f, "a").Func.Call(context.Background(), value.Map(nil))
	if err == nil || !strings.Contains(err.Error(), `f.lua:3: module "nope": there is no file nope.lua`) {
		t.Errorf("got %v", err)
	}
}

// Messages name files the way the user named the flow.
func TestShownPaths(t *testing.T) {
	dir := files(t, map[string]string{"flows/f.lua": `require("lib.m")`, "flows/lib/m.lua": "error('x')"})
	t.Chdir(dir)
	h := NewHost(Options{})
	_, err := h.Load(context.Background(), "flows/f.lua", testRegistry(t, h))
	if err == nil || !strings.HasPrefix(err.Error(), filepath.FromSlash("flows/lib/m.lua")+":1: x") {
		t.Errorf("got %v", err)
	}
}

func TestUnreadableFiles(t *testing.T) {
	t.Chdir(files(t, map[string]string{"dir/x": ""}))
	refused(t, "nope.lua", "nope.lua")
	refused(t, "dir", "is a directory, want a regular file")
}

// refused checks that a file cannot be read as a flow, which is no LoadError.
func refused(t *testing.T, path, want string) {
	t.Helper()
	h := NewHost(Options{})
	_, err := h.Load(context.Background(), path, testRegistry(t, h))
	var e *LoadError
	if err == nil || errors.As(err, &e) || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), path) {
		t.Errorf("%s: got %v, want %q and no LoadError", path, err, want)
	}
}
