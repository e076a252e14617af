package flow

import (
	"context"
	"errors"
	"fmt"
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

func panicking() *nodes.Node {
	n := writer()
	n.Run = func(context.Context, *nodes.Call) (nodes.Output, error) { panic("oh") }
	return n
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
		{step("a").node(panicking(), nil), `flow.lua:1: step "a": writer: internal error of the node: oh`, KindInternal},
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
