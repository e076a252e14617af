package vm

import (
	"context"
	"testing"

	"github.com/ironflow/ironflow/nodes/value"
)

// An empty handler: a fresh VM, the call, and the conversion of its result.
func BenchmarkEmptyHandler(b *testing.B) {
	h := handlers(b, testEngine(nil), "return function(ctx) end")[0]
	args := withContext(map[string]any{"a": int64(1)})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := h.Run(context.Background(), args); err != nil {
			b.Fatal(err)
		}
	}
}

// A handler that uses a captured helper and a string method.
func BenchmarkSmallHandler(b *testing.B) {
	h := handlers(b, testEngine(nil), `
local function greet(n) return "hello " .. n:upper() end
return function(ctx) return { greeting = greet(ctx.name) } end`)[0]
	args := withContext(map[string]any{"name": "ada"})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := h.Run(context.Background(), args); err != nil {
			b.Fatal(err)
		}
	}
}

// A handler that reads one scalar beside 10,000 x 1,600 embedding values.
func BenchmarkScalarBesideVectors(b *testing.B) {
	h := handlers(b, testEngine(nil), "return function(ctx) return ctx.n end")[0]
	args := withContext(map[string]any{"n": int64(1), "v": value.NewVectors(make([]float64, 16_000_000), 1600)})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := h.Run(context.Background(), args); err != nil {
			b.Fatal(err)
		}
	}
}

// A handler in a file that holds a table of 100,000 entries it does not reach.
func BenchmarkUnreachedTable(b *testing.B) {
	h := handlers(b, testEngine(nil), `
local big, n = {}, 7
for i = 1, 100000 do big[i] = "entry " .. i end
keep = function() return big end
return function(ctx) return n end`)[0]
	b.ReportAllocs()
	for b.Loop() {
		if _, err := h.Run(context.Background(), nil); err != nil {
			b.Fatal(err)
		}
	}
}

// Reading a whole matrix of 1,000 x 1,000 numbers.
func BenchmarkReadMatrix(b *testing.B) {
	h := handlers(b, testEngine(nil), "return function(ctx) return #ctx.v end")[0]
	args := withContext(map[string]any{"v": value.NewVectors(make([]float64, 1_000_000), 1000)})
	b.ReportAllocs()
	for b.Loop() {
		if _, err := h.Run(context.Background(), args); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkPcall(b *testing.B) {
	e := testEngine(nil)
	h := handlers(b, e, "return function(ctx) local f = function() return 1 end for i = 1, 1000 do pcall(f) end end")[0]
	b.ReportAllocs()
	for b.Loop() {
		if _, err := h.Run(context.Background(), nil); err != nil {
			b.Fatal(err)
		}
	}
}
