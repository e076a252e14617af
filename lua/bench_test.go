package lua

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/flow"
	"github.com/ironflow/ironflow/nodes/value"
)

// chainByLoop and chainByLine declare n steps, each depending on the one
// before.
func chainByLoop(n int) string {
	return fmt.Sprintf(`local flow = Flow.new("chain")
flow:step("s0", nodes.log{ message = "step 0" })
for i = 1, %d do
  flow:step("s" .. i, nodes.log{ message = "step " .. i }):depends_on("s" .. (i - 1))
end
return flow`, n-1)
}

func chainByLine(n int) string {
	var b strings.Builder
	b.WriteString("local flow = Flow.new(\"chain\")\nflow:step(\"s0\", nodes.log{ message = \"step 0\" })\n")
	for i := 1; i < n; i++ {
		fmt.Fprintf(&b, "flow:step(\"s%d\", nodes.log{ message = \"step %d\" }):depends_on(\"s%d\")\n", i, i, i-1)
	}
	return b.String() + "return flow"
}

func benchLoad(b *testing.B, source string, steps int) {
	h := NewHost(Options{})
	reg := testRegistry(b, h)
	path := filepath.Join(b.TempDir(), "f.lua")
	if err := os.WriteFile(path, []byte(source), 0o644); err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		f, err := h.Load(context.Background(), path, reg)
		if err != nil {
			b.Fatal(err)
		}
		plan, problems := flow.NewPlan(f)
		if plan == nil || plan.Len() != steps {
			b.Fatal(listing(problems))
		}
	}
}

// BenchmarkLoadAndPlan loads a chain of steps and plans it; one operation is
// one file.
func BenchmarkLoadAndPlan(b *testing.B) {
	b.Run("50 steps", func(b *testing.B) { benchLoad(b, chainByLine(50), 50) })
	b.Run("10000 steps in a loop", func(b *testing.B) { benchLoad(b, chainByLoop(10000), 10000) })
	b.Run("10000 steps line by line", func(b *testing.B) { benchLoad(b, chainByLine(10000), 10000) })
}

// BenchmarkFunction calls functions of a loaded file through nodes.Func, each
// call in a VM of its own.
func BenchmarkFunction(b *testing.B) {
	f := mustLoad(b, `
local helper, seen = { add = function(a, b) return a + b end }, 0
local flow = Flow.new("x")
flow:step("empty", function(ctx) end)
flow:step("closure", function(ctx) seen = seen + 1 return { n = helper.add(ctx.n, seen) } end)
return flow`)
	view := value.Map{"n": int64(41), "vectors": value.NewVectors(make([]float64, 1<<20), 1024)}
	for _, name := range []string{"empty", "closure"} {
		fn := step(b, f, name).Func
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := fn.Call(context.Background(), view); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
