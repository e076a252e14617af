package lua

import (
	"context"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/ironflow/ironflow/flow"
)

// FuzzLoad feeds arbitrary source to the loader: it must neither panic nor
// hang, and a flow that comes out can be planned.
func FuzzLoad(f *testing.F) {
	for _, seed := range []string{
		"", "return 1", "local flow = Flow.new('x') return flow",
		"local flow = Flow.new('x')\nflow:step('a', nodes.log{ message = 'x' }):depends_on('b'):retries(1, 2):timeout(3):route('r'):on_error('e')\nreturn flow",
		"local flow = Flow.new('x') flow:step_if('ctx.a > 1', 'b', function(ctx) return ctx end) flow:defaults{ provider = 'ollama' } return flow",
		shout + "return flow", "nodes.define('a.b', { exec = { 'x' }, params = { q = { type = 'array', items = 'string' } } })",
		"flow = Flow.new() flow.x.y = 1", "nodes.a.b.c{ nodes }", "setmetatable(_G, { __index = function(t, k) return k end }) return Flow.new('q'):step(a, b)",
		"while true do Flow.new('x') end", "local t = {} t[t] = t Flow.new(t) nodes.log(t)", "goto a ::a:: return ::b::", "\xef\xbb\xbf#!x\nreturn nil", "return Flow.new(('x'):rep(1e6))",
		"coroutine.wrap(function() coroutine.yield(Flow.new('x')) end)()", "error(Flow)", "pcall(nodes.log, nodes, nodes)", "require('f')", "Flow = nil nodes = nil string = nil",
	} {
		f.Add(seed)
	}
	limits := DefaultLimits()
	limits.MaxSeconds = 0.2
	h := NewHost(Options{Limits: limits})
	reg := testRegistry(f, h)
	path := filepath.Join(f.TempDir(), "f.lua")
	f.Fuzz(func(t *testing.T, source string) {
		if err := os.WriteFile(path, []byte(source), 0o644); err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		loaded, err := h.Load(context.Background(), path, reg)
		if took := time.Since(start); took > 10*time.Second {
			t.Errorf("loading took %v", took)
		}
		if err == nil {
			flow.NewPlan(loaded)
		}
	})
}

// FuzzCompile compares source whose long lists were broken up with the same
// source run as it is written.
func FuzzCompile(f *testing.F) {
	for _, seed := range []string{"x = 1", "return 1", "local a = {1,2,3} return #a", "for i = 1, 3 do break end", "local function f(...) return ... end return f(1, 2)", "goto x ::x::"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, source string) {
		_, _ = compile("f.lua", source)
	})
}
