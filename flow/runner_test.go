package flow

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
	"github.com/ironflow/ironflow/providers"
	"github.com/ironflow/ironflow/transport"
)

// goroutines fails the test when goroutines are left over at its end.
func goroutines(t *testing.T) {
	t.Helper()
	before := runtime.NumGoroutine()
	t.Cleanup(func() {
		deadline := time.Now().Add(3 * time.Second)
		for runtime.NumGoroutine() > before {
			if time.Now().After(deadline) {
				buf := make([]byte, 1<<16)
				t.Errorf("%d goroutines before, %d after:\n%s", before, runtime.NumGoroutine(), buf[:runtime.Stack(buf, true)])
				return
			}
			time.Sleep(time.Millisecond)
		}
	})
}

// untilCancelled blocks until its context is done.
func untilCancelled() nodes.Func {
	return goFunc(func(ctx context.Context, _ value.View) (any, error) {
		<-ctx.Done()
		return nil, ctx.Err()
	})
}

func TestRunRecovery(t *testing.T) {
	for _, c := range []struct {
		name   string
		steps  []*Step
		status Status
		want   string // name=status, in plan order
		reason map[string]string
	}{
		{"failure skips dependents, independent branches go on",
			[]*Step{step("a").fn(failWith("x")), step("b", "a"), step("c", "b"), step("d"), step("e", "d")},
			Failed, "a=failed b=skipped c=skipped d=success e=success",
			map[string]string{"b": `step "a" failed`, "c": `step "b" was skipped because step "a" failed`}},
		{"the first blocking dependency in plan order",
			[]*Step{step("z").fn(failWith("x")), step("a").fn(failWith("x")), step("b", "a", "z")},
			Failed, "z=failed a=failed b=skipped", map[string]string{"b": `step "z" failed`}},
		{"recovered",
			[]*Step{step("a").fn(failWith("x")).recover("h"), step("h").fn(publish("saved")), step("b", "a"), step("c", "b")},
			Success, "a=failed h=success b=success c=success", nil},
		{"not needed",
			[]*Step{step("a").recover("h"), step("h"), step("b", "a"), step("j", "a", "h")},
			Success, "a=success h=skipped b=success j=success", map[string]string{"h": `not needed: step "a" succeeded`}},
		{"a step that names only the recovery step is skipped, and its dependents",
			[]*Step{step("a").recover("h"), step("h"), step("only", "h"), step("after", "only")},
			Success, "a=success h=skipped only=skipped after=skipped",
			map[string]string{"only": `step "h" was skipped: not needed: step "a" succeeded`, "after": `step "only" was skipped`}},
		{"a step that names only the recovery step runs after a failure",
			[]*Step{step("a").fn(failWith("x")).recover("h"), step("h"), step("only", "h")},
			Success, "a=failed h=success only=success", nil},
		{"the recovery step fails",
			[]*Step{step("a").fn(failWith("x")).recover("h"), step("h").fn(failWith("y")), step("b", "a"), step("j", "a", "h")},
			Failed, "a=failed h=failed b=skipped j=skipped", map[string]string{"b": `step "a" failed`, "j": `step "a" failed`}},
		{"the recovery step's dependency fails",
			[]*Step{step("a").fn(failWith("x")).recover("h"), step("d").fn(failWith("z")), step("h", "d"), step("b", "a", "h")},
			Failed, "a=failed d=failed h=skipped b=skipped", map[string]string{"h": `step "d" failed`, "b": `step "a" failed`}},
		{"the recovery step's dependency fails, but nobody needs it",
			[]*Step{step("a").recover("h"), step("d").fn(failWith("z")), step("h", "d"), step("b", "a", "h")},
			Failed, "a=success d=failed h=skipped b=success", map[string]string{"h": `not needed: step "a" succeeded`}},
		{"the source is skipped",
			[]*Step{step("x").fn(failWith("x")), step("a", "x").recover("h"), step("h"), step("b", "a")},
			Failed, "x=failed a=skipped h=skipped b=skipped", map[string]string{"h": `not needed: step "a" was skipped`}},
		{"a timeout is recovered",
			[]*Step{step("a").fn(untilCancelled()).within(0.01).recover("h"), step("h"), step("b", "a")},
			Success, "a=failed h=success b=success", nil},
		{"retries before recovery",
			[]*Step{step("a").fn(failWith("x")).retry(2, 0).recover("h"), step("h"), step("b", "a")},
			Success, "a=failed h=success b=success", nil},
		{"route taken",
			[]*Step{step("c").fn(publish(map[string]any{"_route_c": "yes"})), step("y", "c").routed("yes"), step("n", "c").routed("no"), step("join", "y", "n")},
			Success, "c=success y=success n=skipped join=success", map[string]string{"n": `route "no" was not taken: step "c" published route "yes"`}},
		{"routes inside a branch that was not taken",
			[]*Step{step("c").fn(publish(map[string]any{"_route_c": "no"})), step("inner", "c").routed("yes"), step("y", "inner").routed("yes"), step("join", "y")},
			Success, "c=success inner=skipped y=skipped join=success", map[string]string{"y": `route "yes" was not taken: step "inner" was skipped`}},
		{"only the own output of a direct dependency counts",
			[]*Step{step("c").fn(publish(map[string]any{"_route_c": "yes", "_route_d": "yes"})), step("d", "c"), step("y", "d").routed("yes")},
			Success, "c=success d=success y=skipped", map[string]string{"y": `route "yes" was not taken: step "d" published no route`}},
		{"a failed dependency wins over a route that was not taken",
			[]*Step{step("c").fn(publish(map[string]any{"_route_c": "no"})), step("d").fn(failWith("x")), step("y", "c", "d").routed("yes"), step("join", "y")},
			Failed, "c=success d=failed y=skipped join=skipped", map[string]string{"y": `step "d" failed`}},
		{"a recovery step may publish a route of its own",
			[]*Step{step("c").fn(failWith("x")).recover("h"), step("h").fn(publish(map[string]any{"_route_h": "yes"})), step("y", "c").routed("yes")},
			Success, "c=failed h=success y=success", nil},
		{"no steps", nil, Success, "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := run(t, &Runner{}, newFlow(c.steps...), nil)
			var got []string
			for _, s := range res.Record.Steps {
				got = append(got, s.Name+"="+string(s.Status))
				if want, ok := c.reason[s.Name]; ok && s.Reason != want {
					t.Errorf("%s: reason %q, want %q", s.Name, s.Reason, want)
				}
				if s.Status == Skipped && s.Reason == "" {
					t.Errorf("%s was skipped without a reason", s.Name)
				}
			}
			if strings.Join(got, " ") != c.want || res.Status != c.status {
				t.Errorf("got  %s %s\nwant %s %s", res.Status, strings.Join(got, " "), c.status, c.want)
			}
			if (res.Err == nil) != (c.status == Success) {
				t.Errorf("error %v", res.Err)
			}
		})
	}
}

func TestWhatAStepSees(t *testing.T) {
	set := func(kv ...any) nodes.Func {
		m := map[string]any{}
		for i := 0; i < len(kv); i += 2 {
			m[kv[i].(string)] = kv[i+1]
		}
		return publish(m)
	}
	var seen sync.Map
	look := func(name string) nodes.Func {
		return goFunc(func(_ context.Context, v value.View) (any, error) {
			m := map[string]any{}
			for _, k := range v.Keys() {
				m[k], _ = v.Get(k)
			}
			seen.Store(name, m)
			return nil, nil
		})
	}
	f := newFlow(
		step("a").fn(set("x", "a", "y", "a")),
		step("stranger").fn(set("x", "stranger", "s", 1)),
		step("b", "a").fn(set("x", "b")),
		step("c", "a").fn(set("x", "c")),
		step("overrides", "b", "c").fn(look("overrides")),
		step("scalar", "a").fn(publish("text")),
		step("list", "a").fn(publish([]string{"p", "q"})),
		step("last", "list", "scalar").fn(look("last")),
		step("failing", "a").fn(failWith("boom")).recover("h"),
		step("h").fn(look("h")),
		step("next", "failing").fn(look("next")),
		step("null", "a").fn(set("x", nil)),
		step("sees null", "null").with(func(s *Step) { s.Name = "sees-null" }).fn(look("sees-null")),
	)
	res := run(t, &Runner{}, f, map[string]any{"in": "initial", "x": "initial"})
	if res.Status != Success {
		t.Fatal(res.Err)
	}
	for name, want := range map[string]map[string]any{
		"overrides": {"in": "initial", "x": "c", "y": "a"},
		"last":      {"in": "initial", "x": "a", "y": "a", "result": []any{"p", "q"}},
		"h": {"in": "initial", "x": "a", "y": "a",
			"_error_message": "boom", "_error_step": "failing", "_error_node_type": "function"},
		"next":      {"in": "initial", "x": "a", "y": "a"},
		"sees-null": {"in": "initial", "x": nil, "y": "a"},
	} {
		got, _ := seen.Load(name)
		if !value.Equal(got, want) {
			t.Errorf("%s sees %v, want %v", name, got, want)
		}
	}
	if want := map[string]any{"in": "initial", "x": nil, "y": "a", "s": int64(1), "result": []any{"p", "q"}}; !value.Equal(res.Context, want) {
		t.Errorf("final context %v, want %v", res.Context, want)
	}
}

// TestViewsOfManyPublishers goes past the size at which a key's values move to
// another form, in both orders of publication.
func TestViewsOfManyPublishers(t *testing.T) {
	const n = 3000
	steps := make([]*Step, 0, 2*n)
	for i := range n {
		steps = append(steps, step(fmt.Sprintf("make-%d", i)))
	}
	for i := range n {
		steps = append(steps, step(fmt.Sprintf("read-%d", i), fmt.Sprintf("make-%d", i)))
	}
	p := mustPlan(t, newFlow(steps...))
	s := NewState(p, map[string]any{"result": "initial"}, 0)
	for _, i := range rand.New(rand.NewPCG(1, 1)).Perm(n) {
		s.board.publish(int32(i), map[string]any{"result": int64(i)})
	}
	for i := range n {
		r, _ := p.Index(fmt.Sprintf("read-%d", i))
		m, _ := p.Index(fmt.Sprintf("make-%d", i))
		if v, _ := s.View(p, r).Get("result"); v != int64(m) {
			t.Fatalf("read-%d sees %v, want %d", i, v, m)
		}
		if own, _ := s.Output(m, "result"); own != int64(m) {
			t.Fatalf("make-%d published %v", i, own)
		}
		if v, _ := s.View(p, m).Get("result"); v != "initial" {
			t.Fatalf("make-%d sees %v", i, v)
		}
	}
	if v := s.Context()["result"]; v != int64(n-1) {
		t.Errorf("the final value is %v", v)
	}
}

func TestStructuredFailure(t *testing.T) {
	n := writer()
	n.Run = func(context.Context, *nodes.Call) (nodes.Output, error) {
		return nil, &nodes.Failure{Err: errors.New("status 404"), Output: nodes.Output{"": "page"}}
	}
	var handed any
	f := newFlow(
		step("get").node(n, map[string]any{"output_key": "http"}).recover("h"),
		step("h").fn(goFunc(func(_ context.Context, v value.View) (any, error) {
			handed, _ = v.Get("_error_output")
			return nil, nil
		})),
		step("after", "get"),
	)
	res := run(t, &Runner{}, f, nil)
	want := map[string]any{"http": "page", "http_success": false}
	if !value.Equal(handed, want) || res.Status != Success {
		t.Errorf("the recovery step was given %v, want %v; run %s", handed, want, res.Status)
	}
	if _, ok := res.Context["http"]; ok {
		t.Error("the output of a failure was published")
	}
	if s := stepRecord(t, res, "get"); s.Status != Failed || !value.Equal(s.ErrorOutput, want) || s.Error.Kind != KindNode || s.Error.Message != "status 404" {
		t.Errorf("record %+v", s)
	}
}

func TestStepErrorText(t *testing.T) {
	for _, c := range []struct {
		step *Step
		want string
		kind ErrorKind
	}{
		{step("a").fn(failWith("boom")), `flow.lua:1: step "a": boom`, KindFunction},
		{step("a").fn(failWith("boom")).retry(2, 0), `flow.lua:1: step "a": boom (attempt 3 of 3)`, KindFunction},
		{step("a").node(writer(), map[string]any{"source_key": "nix"}), `flow.lua:1: step "a": writer: source_key: "nix" is not in the context`, KindParameter},
		{step("a").fn(goFunc(func(context.Context, value.View) (any, error) { panic("oh") })), `flow.lua:1: step "a": internal error: panic: oh`, KindInternal},
		{step("a").fn(goFunc(func(context.Context, value.View) (any, error) { runtime.Goexit(); return nil, nil })), `flow.lua:1: step "a": internal error: the step ended its goroutine`, KindInternal},
		{step("a").fn(publish(func() {})), `flow.lua:1: step "a": the function's result is no context value: $: `, KindFunction},
		{step("a").fn(goFunc(func(context.Context, value.View) (any, error) {
			return nil, &providers.Error{Kind: providers.KindConnect, Provider: "x", Detail: "no"}
		})), `provider x: no`, KindProvider},
		{step("a").fn(failWith("bad \xff byte")), `bad \xff byte`, KindFunction},
		{step("a").fn(failWith(strings.Repeat("é", 9000))), `... (18000 bytes)`, KindFunction},
	} {
		res := run(t, &Runner{}, newFlow(c.step), nil)
		var e *StepError
		if !errors.As(res.Err, &e) || !strings.Contains(e.Error(), c.want) || e.Kind != c.kind {
			t.Errorf("error %v (%v), want %q of kind %s", res.Err, e, c.want, c.kind)
			continue
		}
		if e.Flow != "test" || e.Step != "a" || e.File != "flow.lua" || e.Line != 1 || e.Attempts != c.step.Retries+1 || e.Attempt != e.Attempts {
			t.Errorf("fields %+v", e)
		}
		if res.Record.Error == nil || res.Record.Error.Message != e.Message || res.Record.Error.Kind != c.kind {
			t.Errorf("record error %+v", res.Record.Error)
		}
	}
	cause := errors.New("cause")
	res := run(t, &Runner{}, newFlow(step("a").fn(goFunc(func(context.Context, value.View) (any, error) { return nil, fmt.Errorf("x: %w", cause) }))), nil)
	if !errors.Is(res.Err, cause) {
		t.Error("the cause is lost")
	}
}

func TestTimeouts(t *testing.T) {
	goroutines(t)
	var cause error
	f := newFlow(
		step("running").fn(goFunc(func(ctx context.Context, _ value.View) (any, error) {
			<-ctx.Done()
			cause = context.Cause(ctx)
			return "late success", nil
		})).within(0.02),
		step("waiting").fn(failWith("first")).retry(3, 300).within(0.02),
		step("enough").fn(publish("ok")).within(60),
	)
	start := time.Now()
	res := run(t, &Runner{}, f, nil)
	if d := time.Since(start); d > 5*time.Second {
		t.Errorf("took %v", d)
	}
	if !errors.Is(cause, context.DeadlineExceeded) {
		t.Errorf("the cause of the cancelled context is %v", cause)
	}
	for name, want := range map[string]string{
		"running": "timed out after 0.02 s",
		"waiting": "timed out after 0.02 s, which covers all attempts and waits, while waiting after attempt 1 of 4; attempt 1 failed: first",
	} {
		s := stepRecord(t, res, name)
		if s.Status != Failed || s.Error.Message != want || s.Error.Kind != KindTimeout {
			t.Errorf("%s: %+v", name, s.Error)
		}
	}
	if !errors.Is(res.Err, context.DeadlineExceeded) {
		t.Errorf("error %v is no deadline", res.Err)
	}
	if _, ok := res.Context["result"]; !ok || res.Context["result"] != "ok" {
		t.Errorf("context %v", res.Context)
	}
}

// TestOneBudget: the timeout covers attempts and waits together.
func TestOneBudget(t *testing.T) {
	f := newFlow(step("a").fn(goFunc(func(ctx context.Context, _ value.View) (any, error) {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(30 * time.Millisecond):
			return nil, errors.New("slow")
		}
	})).retry(100, 0).within(0.1))
	start := time.Now()
	res := run(t, &Runner{}, f, nil)
	s := stepRecord(t, res, "a")
	if d := time.Since(start); d > 2*time.Second || s.Error.Kind != KindTimeout || s.Attempts < 2 || s.Attempts > 5 {
		t.Errorf("after %v: %d attempts, %+v", d, s.Attempts, s.Error)
	}
	if n := strings.Count(s.Error.Message, "slow"); n != 1 {
		t.Errorf("the failure before is told %d times: %s", n, s.Error.Message)
	}
}

// waitClock records waits and does not wait.
type waitClock struct {
	mu    sync.Mutex
	waits []time.Duration
}

func (c *waitClock) Now() time.Time {
	return time.Date(2026, 1, 2, 3, 4, 5, 6000, time.FixedZone("x", 3600))
}
func (c *waitClock) Sleep(ctx context.Context, d time.Duration) error {
	c.mu.Lock()
	c.waits = append(c.waits, d)
	c.mu.Unlock()
	return ctx.Err()
}

func TestRetriesWaitByTheClock(t *testing.T) {
	clock := &waitClock{}
	var calls atomic.Int32
	f := newFlow(step("a").fn(goFunc(func(ctx context.Context, _ value.View) (any, error) {
		info, ok := StepFromContext(ctx)
		if n := int(calls.Add(1)); !ok || info.Attempt != n || info.Step != "a" || info.Retries != 4 || info.Env.Clock != clock {
			t.Errorf("attempt %d has %+v", n, info)
		}
		if calls.Load() < 5 {
			return nil, errors.New("not yet")
		}
		return 7, nil
	})).retry(4, 1.5))
	var types []string
	res := run(t, &Runner{Env: &nodes.Env{Clock: clock}, OnEvent: func(e Event) {
		types = append(types, fmt.Sprintf("%s %d", e.Type, e.Attempt))
	}}, f, nil)
	if want := []time.Duration{1500 * time.Millisecond, 3 * time.Second, 6 * time.Second, 12 * time.Second}; !slices.Equal(clock.waits, want) {
		t.Errorf("waits %v, want %v", clock.waits, want)
	}
	if s := stepRecord(t, res, "a"); s.Attempts != 5 || s.Status != Success {
		t.Errorf("record %+v", s)
	}
	want := []string{"run_started 0", "step_started 1", "step_retrying 2", "step_started 2", "step_retrying 3", "step_started 3",
		"step_retrying 4", "step_started 4", "step_retrying 5", "step_started 5", "step_succeeded 5", "run_finished 0"}
	if !slices.Equal(types, want) {
		t.Errorf("events %v", types)
	}
}

func TestConcurrencyAndNoBarriers(t *testing.T) {
	var now, most atomic.Int32
	busy := goFunc(func(context.Context, value.View) (any, error) {
		n := now.Add(1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		time.Sleep(2 * time.Millisecond)
		now.Add(-1)
		return nil, nil
	})
	for _, limit := range []int{1, 3, 0} {
		most.Store(0)
		steps := sideBySide(40)
		for _, s := range steps {
			s.Func = busy
		}
		run(t, &Runner{MaxConcurrency: limit}, newFlow(steps...), nil)
		if want := int32(limit); limit > 0 && most.Load() != want || limit == 0 && most.Load() < 8 {
			t.Errorf("limit %d: %d at once", limit, most.Load())
		}
	}
	// b starts although c, of the same "phase" as a, waits for b's dependent.
	gate := make(chan struct{})
	res := run(t, &Runner{}, newFlow(
		step("a"),
		step("c").fn(goFunc(func(context.Context, value.View) (any, error) { <-gate; return nil, nil })),
		step("b", "a").fn(goFunc(func(context.Context, value.View) (any, error) { close(gate); return nil, nil })),
	), nil)
	if res.Status != Success {
		t.Error(res.Err)
	}
}

func TestCancelledRun(t *testing.T) {
	goroutines(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	var started sync.WaitGroup
	started.Add(3)
	block := goFunc(func(ctx context.Context, _ value.View) (any, error) {
		started.Done()
		<-ctx.Done()
		return nil, context.Cause(ctx)
	})
	recovered := false
	f := newFlow(
		step("a").fn(block).retry(5, 0).recover("h"), step("b").fn(block).within(60), step("c", "a"),
		step("h").fn(goFunc(func(context.Context, value.View) (any, error) { recovered = true; return nil, nil })),
		step("late").fn(goFunc(func(ctx context.Context, _ value.View) (any, error) {
			started.Done()
			<-ctx.Done()
			return "done anyway", nil
		})),
		step("done").fn(publish(map[string]any{"x": 1})),
		step("waits").fn(failWith("once")).retry(1, 300),
	)
	var events []Event
	ready := make(chan struct{})
	go func() {
		started.Wait()
		<-ready
		cancel(errors.New("interrupted by SIGINT"))
	}()
	missing := 2
	r := &Runner{MaxConcurrency: 10, OnEvent: func(e Event) {
		events = append(events, e)
		if e.Type == StepRetrying || e.Type == StepSucceeded && e.Step == "done" {
			if missing--; missing == 0 {
				close(ready)
			}
		}
	}}
	res, err := r.Run(ctx, mustPlan(t, f), nil)
	if err != nil {
		t.Fatal(err)
	}
	var c *CancelError
	if res.Status != Cancelled || !errors.As(res.Err, &c) || c.Reason != "interrupted by SIGINT" || c.Limit != 0 {
		t.Errorf("%s: %v", res.Status, res.Err)
	}
	want := map[string]Status{"a": Cancelled, "b": Cancelled, "c": Cancelled, "h": Cancelled, "late": Success, "done": Success, "waits": Cancelled}
	if got := statuses(res); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if recovered {
		t.Error("a cancellation was recovered")
	}
	if e := res.Record.Error; e.Kind != KindCancelled || e.Message != "the run was cancelled: interrupted by SIGINT" || e.Step != "" {
		t.Errorf("record error %+v", e)
	}
	if s := stepRecord(t, res, "c"); s.Reason != "interrupted by SIGINT" || s.Attempts != 0 || !s.Started.IsZero() || s.Finished.IsZero() {
		t.Errorf("record %+v", s)
	}
	if last := events[len(events)-1]; last.Type != RunFinished || last.Error.Kind != KindCancelled {
		t.Errorf("last event %+v", last)
	}
}

func TestRunOfACancelledContext(t *testing.T) {
	goroutines(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	called := false
	f := newFlow(step("a").fn(goFunc(func(context.Context, value.View) (any, error) { called = true; return nil, nil })), step("b", "a"))
	for range 50 {
		res, err := (&Runner{}).Run(ctx, mustPlan(t, f), nil)
		if err != nil || res.Status != Cancelled || called || !errors.Is(res.Err, context.Canceled) {
			t.Fatalf("%v %v, called: %v", res, err, called)
		}
		if r := res.Err.Error(); r != "the run was cancelled: its caller cancelled it" {
			t.Fatal(r)
		}
	}
}

func TestMaxRun(t *testing.T) {
	goroutines(t)
	res := run(t, &Runner{MaxRun: 20 * time.Millisecond}, newFlow(step("a").fn(untilCancelled()), step("b", "a")), nil)
	var c *CancelError
	if res.Status != Cancelled || !errors.As(res.Err, &c) || c.Limit != 20*time.Millisecond || !strings.Contains(c.Error(), "IRONFLOW_MAX_RUN_SECONDS") {
		t.Errorf("%s: %v", res.Status, res.Err)
	}
	if res.Record.Error.Kind != KindRunLimit || !strings.Contains(res.Record.Error.Message, "20ms") {
		t.Errorf("record error %+v", res.Record.Error)
	}
}

// TestStuckSteps ignores every cancellation: the run ends all the same.
func TestStuckSteps(t *testing.T) {
	goroutines(t)
	free := make(chan struct{})
	defer close(free)
	stuck := goFunc(func(context.Context, value.View) (any, error) { <-free; return nil, nil })
	r := &Runner{Grace: 30 * time.Millisecond, MaxRun: 300 * time.Millisecond}
	res := run(t, r, newFlow(
		step("timeout").fn(stuck).within(0.01).recover("h"), step("h"), step("after", "timeout"),
		step("run").fn(stuck), step("nice").fn(untilCancelled()),
	), nil)
	want := map[string]Status{"timeout": Failed, "h": Success, "after": Success, "run": Cancelled, "nice": Cancelled}
	if got := statuses(res); !reflect.DeepEqual(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if m := stepRecord(t, res, "timeout").Error.Message; !strings.Contains(m, "timed out after 0.01 s; the attempt did not stop within 30ms") {
		t.Error(m)
	}
	if m := stepRecord(t, res, "run").Reason; !strings.Contains(m, "it was left behind") {
		t.Error(m)
	}
	if m := stepRecord(t, res, "nice").Reason; strings.Contains(m, "left behind") {
		t.Error(m)
	}
}

func TestBadInitialContext(t *testing.T) {
	if _, err := (&Runner{}).Run(t.Context(), mustPlan(t, newFlow(step("a"))), map[string]any{"x": make(chan int)}); err == nil || !strings.Contains(err.Error(), "initial context: $.x") {
		t.Errorf("error %v", err)
	}
}

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

func TestProgress(t *testing.T) {
	n := writer()
	n.Run = func(_ context.Context, call *nodes.Call) (nodes.Output, error) {
		for i := range 3 {
			call.Progress(i+1, 3, "batch")
		}
		return nodes.Output{"": "x"}, nil
	}
	var got []string
	run(t, &Runner{OnEvent: func(e Event) {
		if e.Type == StepProgress {
			got = append(got, fmt.Sprintf("%s %s %d: %d/%d %s", e.Step, e.Node, e.Attempt, e.Done, e.Total, e.Unit))
		}
	}}, newFlow(step("a").node(n, nil)), nil)
	if want := []string{"a writer 1: 1/3 batch", "a writer 1: 2/3 batch", "a writer 1: 3/3 batch"}; !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

func TestSecretsAreRemoved(t *testing.T) {
	const secret = "sk-very-secret-value"
	redactor := &transport.Redactor{}
	redactor.Add(transport.NewSecret(secret))
	var events strings.Builder
	f := newFlow(
		step("leak").fn(publish(map[string]any{"text": "key " + secret, "list": []any{secret, map[string]any{secret: 1.5}}, "strings": value.NewStrings([]string{"a", secret}), "n": value.NewFloats([]float64{1.5})})),
		step("fail").fn(failWith("no access with "+secret)).retry(1, 0).recover("h"),
		step("h").fn(goFunc(func(_ context.Context, v value.View) (any, error) {
			m, _ := v.Get("_error_message")
			return map[string]any{"told": m}, nil
		})),
		step("end").fn(failWith("again "+secret)),
	)
	res := run(t, &Runner{Env: &nodes.Env{Redactor: redactor}, OnEvent: func(e Event) {
		text, _ := e.MarshalJSON()
		events.Write(text)
	}}, f, map[string]any{"in": secret})
	record, err := res.Record.MarshalJSON()
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"events": events.String(), "record": string(record), "error": res.Err.Error(), "told": fmt.Sprint(res.Context["told"])} {
		if strings.Contains(text, secret) || !strings.Contains(text, "***") {
			t.Errorf("%s: %s", name, text)
		}
	}
	if !strings.Contains(string(record), `"list":["***",{"***":1.5}]`) || !strings.Contains(string(record), `"n":[1.5]`) {
		t.Errorf("record %s", record)
	}
}

// TestConcurrentRuns shares one plan and one runner.
func TestConcurrentRuns(t *testing.T) {
	p := mustPlan(t, newFlow(layers(4, 5)...))
	r := &Runner{}
	var wg sync.WaitGroup
	ids := sync.Map{}
	for range 20 {
		wg.Go(func() {
			res, err := r.Run(context.Background(), p, nil)
			if err != nil || res.Status != Success {
				t.Errorf("%v %v", res, err)
			}
			if _, twice := ids.LoadOrStore(res.RunID, true); twice {
				t.Error("a run id twice")
			}
		})
	}
	wg.Wait()
}
