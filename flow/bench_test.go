package flow

import (
	"fmt"
	"testing"

	"github.com/ironflow/ironflow/nodes"
)

// BenchmarkRun runs 1,000 steps that do nothing but publish one small value:
// Go functions and a native node, chained and side by side.
func BenchmarkRun(b *testing.B) {
	native := writer()
	for name, shape := range map[string]func(int) []*Step{"chain": chainOf, "side by side": sideBySide} {
		for _, kind := range []string{"function", "node"} {
			b.Run(fmt.Sprintf("%s/%s", name, kind), func(b *testing.B) {
				steps := shape(1000)
				for i, s := range steps {
					s.Func = publish(map[string]any{fmt.Sprintf("key-%d", i): int64(i)})
					if kind == "node" {
						s.node(native, map[string]any{"text": "x"})
					}
				}
				p := mustPlan(b, newFlow(steps...))
				r := &Runner{OnEvent: func(Event) {}}
				b.ReportAllocs()
				for b.Loop() {
					res, err := r.Run(b.Context(), p, map[string]any{"in": "x"})
					if err != nil || res.Status != Success {
						b.Fatal(err, res.Err)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/1000, "ns/step")
			})
		}
	}
}

// BenchmarkView reads a key of the first step at the end of a chain of 10,000,
// and one that 5,000 steps publish side by side.
func BenchmarkView(b *testing.B) {
	for name, steps := range map[string][]*Step{"chain": chainOf(10000), "one key, many publishers": sideBySide(10000)} {
		b.Run(name, func(b *testing.B) {
			last := len(steps) - 1
			steps[last].DependsOn = []string{steps[last-1].Name}
			p := mustPlan(b, newFlow(steps...))
			s := NewState(p, nil, 0)
			for i := range last {
				s.board.publish(int32(i), map[string]any{"result": int64(i), fmt.Sprintf("key-%d", i): true})
			}
			v := s.View(p, last)
			b.ReportAllocs()
			for b.Loop() {
				if x, _ := v.Get("result"); x != int64(last-1) {
					b.Fatal(x)
				}
				if _, ok := v.Get("key-0"); ok != (name == "chain") {
					b.Fatal("key-0")
				}
			}
		})
	}
}

var _ nodes.Func = goFunc(nil)
