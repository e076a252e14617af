package flow

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
)

// TestResultDoesNotDependOnTiming runs one flow with routes, recoveries,
// retries and shared keys 200 times with random delays.
func TestResultDoesNotDependOnTiming(t *testing.T) {
	flow := func(rng *rand.Rand) *Flow {
		var mu sync.Mutex
		delay := func() {
			mu.Lock()
			d := time.Duration(rng.IntN(600)) * time.Microsecond
			mu.Unlock()
			time.Sleep(d)
		}
		tries := map[string]int{}
		do := func(name string, fails int, out map[string]any) nodes.Func {
			return goFunc(func(_ context.Context, v value.View) (any, error) {
				delay()
				mu.Lock()
				tries[name]++
				n := tries[name]
				mu.Unlock()
				if n <= fails {
					return nil, fmt.Errorf("%s fails %d", name, n)
				}
				seen := []any{}
				for _, k := range v.Keys() {
					if x, _ := v.Get(k); !strings.HasPrefix(k, "seen_") {
						seen = append(seen, k, fmt.Sprint(x))
					}
				}
				all := map[string]any{"seen_" + name: seen, "shared": name}
				for k, x := range out {
					all[k] = x
				}
				return all, nil
			})
		}
		return newFlow(
			step("a").fn(do("a", 0, map[string]any{"x": "a", "_route_a": "left"})),
			step("b").fn(do("b", 1, map[string]any{"x": "b"})).retry(2, 0),
			step("c", "a").fn(do("c", 0, map[string]any{"x": "c"})).routed("left"),
			step("d", "a").fn(do("d", 0, nil)).routed("right"),
			step("e", "c", "d", "b").fn(do("e", 9, nil)).retry(1, 0).recover("h"),
			step("h", "b").fn(do("h", 0, map[string]any{"x": "h"})),
			step("f", "e").fn(do("f", 0, nil)),
			step("g", "b").fn(do("g", 9, nil)),
			step("i", "g", "f").fn(do("i", 0, nil)),
			step("j", "d", "f").fn(do("j", 0, nil)),
		)
	}
	rng := rand.New(rand.NewPCG(15, 16))
	var want string
	for n := range 200 {
		res := run(t, &Runner{MaxConcurrency: 1 + n%6, RunID: "fixed"}, flow(rng), map[string]any{"in": n*0 + 1})
		rec := *res.Record
		rec.Started, rec.Finished = time.Time{}, time.Time{}
		for i := range rec.Steps {
			rec.Steps[i].Started, rec.Steps[i].Finished = time.Time{}, time.Time{}
		}
		text, err := rec.MarshalJSON()
		if err != nil {
			t.Fatal(err)
		}
		if want == "" {
			want = string(text)
		}
		if string(text) != want {
			t.Fatalf("run %d differs:\n%s\n%s", n, text, want)
		}
	}
	if !strings.Contains(want, `"status":"failed"`) || !strings.Contains(want, `step \"g\" failed`) {
		t.Error(want)
	}
}

// TestSharedValues lets steps read and iterate one published value side by
// side; the race detector watches.
func TestSharedValues(t *testing.T) {
	data := make([]float64, 5000)
	read := goFunc(func(_ context.Context, v value.View) (any, error) {
		sum := 0.0
		for _, k := range v.Keys() {
			x, _ := v.Get(k)
			if list, ok := x.(value.List); ok {
				for i := range list.Len() {
					n, _ := value.Len(list.At(i))
					sum += float64(n)
				}
			}
			if m, ok := x.(map[string]any); ok {
				sum += float64(len(m["list"].([]any)))
			}
		}
		return map[string]any{"sum": sum}, nil
	})
	steps := []*Step{step("make").fn(publish(map[string]any{
		"vectors": value.NewVectors(data, 10), "object": map[string]any{"list": []any{1, 2, 3}},
	}))}
	for i := range 8 {
		steps = append(steps, step(fmt.Sprintf("read-%d", i), "make").fn(read))
	}
	res := run(t, &Runner{}, newFlow(steps...), nil)
	if res.Context["sum"] != int64(5003) && res.Context["sum"] != 5003.0 {
		t.Errorf("sum %v", res.Context["sum"])
	}
}
