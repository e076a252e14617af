package agentic

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/ironflow/ironflow/nodes/chunking/verify"
)

// document makes about n sentences of a hundred bytes in inputs of forty.
func benchDocument(n int) []verify.Input {
	var inputs []verify.Input
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "The %s at %s, which the council of %s renewed in %d, measured %d metres before the %s work began. ",
			things[i%10], places[i/10%10], places[i/100%10], 1800+i%200, 100+i, things[i/7%10])
		if i%40 == 39 {
			inputs = append(inputs, verify.Input{Text: b.String()})
			b.Reset()
		}
	}
	return append(inputs, verify.Input{Text: b.String()})
}

// BenchmarkRun is the cost of our own part: planning, parsing, verifying and
// grouping with a model in memory that answers at once.
func BenchmarkRun(b *testing.B) {
	for _, n := range []int{2500, 5000, 10_000} {
		inputs := benchDocument(n)
		size := 0
		for _, in := range inputs {
			size += len(in.Text)
		}
		opt := DefaultOptions()
		opt.MaxCalls = 10_000
		for _, local := range []bool{false, true} {
			b.Run(fmt.Sprintf("sentences=%d/local=%v", n, local), func(b *testing.B) {
				b.SetBytes(int64(size))
				b.ReportAllocs()
				for b.Loop() {
					// Answering is not our part: answers are made while the clock stands.
					var m Model
					if !local {
						m = prepared(b, opt, inputs)
					}
					r, err := Run(context.Background(), opt, inputs, m)
					if err != nil {
						b.Fatal(err)
					}
					if r.Report.Propositions < n || r.Report.Covered != n {
						b.Fatalf("%+v", r.Report)
					}
				}
			})
		}
	}
}

// prepared is a model that knows all answers before it is asked.
func prepared(b *testing.B, opt Options, inputs []verify.Input) Model {
	b.StopTimer()
	defer b.StartTimer()
	var mu sync.Mutex
	answers := map[string]string{}
	_, err := Run(context.Background(), opt, inputs, &echo{change: func(q Question, r Reply) (Reply, error) {
		mu.Lock()
		answers[q.User] = r.Text
		mu.Unlock()
		return r, nil
	}})
	if err != nil {
		b.Fatal(err)
	}
	return modelFunc(func(_ context.Context, q Question) (Reply, error) { return Reply{Text: answers[q.User]}, nil })
}
