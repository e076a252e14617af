package control

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/nodetest"
	"github.com/ironflow/ironflow/nodes/value"
	"github.com/ironflow/ironflow/transport/transporttest"
)

// flows runs "flows" in Go.
type flows func(ctx context.Context, env *nodes.Env, path string, in map[string]any) (map[string]any, error)

func (f flows) RunFlow(ctx context.Context, env *nodes.Env, path string, in map[string]any) (map[string]any, error) {
	return f(ctx, env, path, in)
}

func bench(t *testing.T, f flows) *nodetest.Bench {
	b := nodetest.New(t)
	b.Env.Flows = f
	return b
}

func echo(_ context.Context, _ *nodes.Env, path string, in map[string]any) (map[string]any, error) {
	return map[string]any{"got": in, "file": filepath.Base(path), "_private": "x"}, nil
}

func TestSubworkflowOnce(t *testing.T) {
	in := map[string]any{"n": 7, "list": []any{1, 2}, "secret": "not handed over"}
	input := map[string]any{"n": "${ctx.n}", "text": "n=${ctx.n}", "list": "${ctx.list}", "fixed": true}
	got := map[string]any{"got": map[string]any{"n": int64(7), "text": "n=7", "list": []any{int64(1), int64(2)}, "fixed": true}, "file": "child.lua"}
	for _, tt := range []struct {
		params map[string]any
		want   map[string]any
	}{
		{map[string]any{"flow": "sub/child.lua", "input": input}, got},
		{map[string]any{"flow": "sub/child.lua", "input": input, "output_key": "k"}, map[string]any{"k": got, "k_success": true}},
		{map[string]any{"flow": "child.lua"}, map[string]any{"got": map[string]any{}, "file": "child.lua"}},
	} {
		out, err := bench(t, echo).Run(subworkflow(), tt.params, in)
		if err != nil || !value.Equal(out, tt.want) {
			t.Errorf("got  %v, %v\nwant %v", out, err, tt.want)
		}
	}
}

func TestSubworkflowPath(t *testing.T) {
	var path string
	var depth int
	b := bench(t, func(_ context.Context, env *nodes.Env, p string, _ map[string]any) (map[string]any, error) {
		path, depth = p, env.Depth
		return nil, nil
	})
	b.Env.FlowDir, b.Env.Depth = "/flows/main", 15
	for flow, want := range map[string]string{"child.lua": "/flows/main/child.lua", "../other/c.lua": "/flows/other/c.lua", "/abs/c.lua": "/abs/c.lua", "${ctx.x}.lua": "/flows/main/${ctx.x}.lua"} {
		if _, err := b.Run(subworkflow(), map[string]any{"flow": flow}, nil); err != nil || path != want || depth != 16 {
			t.Errorf("%s: ran %s at depth %d, %v", flow, path, depth, err)
		}
	}
}

func TestSubworkflowErrors(t *testing.T) {
	failing := flows(func(context.Context, *nodes.Env, string, map[string]any) (map[string]any, error) {
		return nil, fmt.Errorf("step %q: %w", "embed", errBroken)
	})
	panicking := flows(func(context.Context, *nodes.Env, string, map[string]any) (map[string]any, error) { panic("oops") })
	for _, tt := range []struct {
		run    nodes.FlowRunner
		depth  int
		params map[string]any
		want   string
	}{
		{flows(echo), 0, nil, `subworkflow: flow: is required: file of the other flow, relative to the folder of this one`},
		{nil, 0, map[string]any{"flow": "c.lua"}, "subworkflow: flow: other flows cannot be run here; start the flow with `ironflow run`"},
		{flows(echo), 16, map[string]any{"flow": "c.lua"}, `subworkflow: flow: "c.lua" would be nested 17 deep, allowed: 16; does a flow call itself?`},
		{failing, 0, map[string]any{"flow": "c.lua"}, `subworkflow: flow "c.lua": step "embed": flow.lua:3: broken`},
		{failing, 0, map[string]any{"flow": "c.lua", "source_key": "two", "output_key": "k"}, `subworkflow: element 1 of 2: flow "c.lua": step "embed": flow.lua:3: broken`},
		{panicking, 0, map[string]any{"flow": "c.lua", "source_key": "two", "output_key": "k"}, `subworkflow: element 1 of 2: flow "c.lua": internal error: oops`},
		{flows(echo), 0, map[string]any{"flow": "c.lua", "source_key": "two"}, `subworkflow: source_key: needs output_key as well`},
		{flows(echo), 0, map[string]any{"flow": "c.lua", "item_key": "x"}, `subworkflow: item_key: needs source_key as well`},
		{flows(echo), 0, map[string]any{"flow": "c.lua", "max_concurrent": 2}, `subworkflow: max_concurrent: needs source_key as well`},
		{flows(echo), 0, map[string]any{"flow": "c.lua", "source_key": "two", "output_key": "k", "max_concurrent": 0}, `subworkflow: max_concurrent: got 0, allowed: 1..256 (flows)`},
		{flows(echo), 0, map[string]any{"flow": "c.lua", "source_key": "text", "output_key": "k"}, `subworkflow: source_key: "text" holds "x", want an array`},
	} {
		b := nodetest.New(t)
		b.Env.Flows, b.Env.Depth = tt.run, tt.depth
		if _, err := b.Run(subworkflow(), tt.params, map[string]any{"two": []any{1, 2}, "text": "x"}); err == nil || err.Error() != tt.want {
			t.Errorf("got  %v\nwant %s", err, tt.want)
		}
	}
}

func TestSubworkflowOverArray(t *testing.T) {
	transporttest.Baseline(t)
	var running, most atomic.Int32
	b := bench(t, func(_ context.Context, _ *nodes.Env, _ string, in map[string]any) (map[string]any, error) {
		now := running.Add(1)
		defer running.Add(-1)
		for {
			old := most.Load()
			if now <= old || most.CompareAndSwap(old, now) {
				break
			}
		}
		// The later elements end first.
		time.Sleep(time.Duration(12-in["doc"].(int64)) * time.Millisecond)
		return map[string]any{"n": in["doc"], "lang": in["lang"], "_x": 1}, nil
	})
	list := make([]any, 12)
	want := make([]any, 12)
	for i := range list {
		list[i] = i
		want[i] = map[string]any{"n": int64(i), "lang": "en"}
	}
	got, err := b.Run(subworkflow(), map[string]any{"flow": "c.lua", "source_key": "docs", "item_key": "doc", "input": map[string]any{"lang": "en"}, "max_concurrent": 3, "output_key": "r"},
		map[string]any{"docs": list})
	if err != nil || !value.Equal(got, map[string]any{"r": want, "r_count": int64(12), "r_success": true}) {
		t.Errorf("got %v, %v", got, err)
	}
	if most.Load() != 3 {
		t.Errorf("%d ran at the same time, want 3", most.Load())
	}
	if r := b.Reports(); len(r) != 12 || r[11] != (nodetest.Report{Done: 12, Total: 12, Unit: "flow"}) {
		t.Errorf("reports %v", r)
	}
	got, err = b.Run(subworkflow(), map[string]any{"flow": "c.lua", "source_key": "none", "output_key": "r"}, map[string]any{"none": []any{}})
	if err != nil || !value.Equal(got, map[string]any{"r": []any{}, "r_count": int64(0), "r_success": true}) {
		t.Errorf("empty: got %v, %v", got, err)
	}
}

// Whatever the timing, the error is that of the first element that fails, what
// lies behind it is cancelled, and nothing more is started.
func TestSubworkflowFirstFailure(t *testing.T) {
	transporttest.Baseline(t)
	for round := range 30 {
		var mu sync.Mutex
		started := map[int64]bool{}
		b := bench(t, func(ctx context.Context, _ *nodes.Env, _ string, in map[string]any) (map[string]any, error) {
			n := in["item"].(int64)
			mu.Lock()
			started[n] = true
			mu.Unlock()
			switch n {
			case 2: // fails late, but is the first
				time.Sleep(time.Duration(round%5) * time.Millisecond)
				return nil, errors.New("two")
			case 3:
				return nil, errors.New("three")
			case 4, 5: // would run for ever
				<-ctx.Done()
				return nil, ctx.Err()
			}
			return nil, nil
		})
		list := make([]any, 1000)
		for i := range list {
			list[i] = i
		}
		_, err := b.Run(subworkflow(), map[string]any{"flow": "c.lua", "source_key": "l", "output_key": "r", "max_concurrent": 4}, map[string]any{"l": list})
		if err == nil || err.Error() != `subworkflow: element 3 of 1000: flow "c.lua": two` {
			t.Fatalf("round %d: %v", round, err)
		}
		if len(started) > 900 {
			t.Errorf("round %d: %d elements were started", round, len(started))
		}
	}
}

func TestSubworkflowCancel(t *testing.T) {
	transporttest.Baseline(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	var once sync.Once
	b := bench(t, func(ctx context.Context, _ *nodes.Env, _ string, _ map[string]any) (map[string]any, error) {
		once.Do(func() { cancel(why) })
		<-ctx.Done()
		return nil, context.Cause(ctx)
	})
	_, err := b.RunContext(ctx, subworkflow(), map[string]any{"flow": "c.lua", "source_key": "l", "output_key": "r"}, map[string]any{"l": []any{1, 2, 3}})
	if !errors.Is(err, why) || strings.Contains(err.Error(), "element") {
		t.Errorf("got %v", err)
	}
}
