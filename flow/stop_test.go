package flow

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
	"github.com/ironflow/ironflow/providers"
)

// countingClock counts the waits that are under way and ends them late.
type countingClock struct {
	active atomic.Int32
	slow   time.Duration
}

func (c *countingClock) Now() time.Time { return time.Now() }

func (c *countingClock) Sleep(ctx context.Context, d time.Duration) error {
	c.active.Add(1)
	defer c.active.Add(-1)
	err := providers.SystemClock().Sleep(ctx, d)
	time.Sleep(c.slow)
	return err
}

// TestWaitsAreCalledOff: neither the timeout of a step that has ended nor the
// wait of one that timed out goes on while the run does.
func TestWaitsAreCalledOff(t *testing.T) {
	clock := &countingClock{}
	watch := goFunc(func(context.Context, value.View) (any, error) {
		for deadline := time.Now().Add(3 * time.Second); clock.active.Load() > 0; time.Sleep(time.Millisecond) {
			if time.Now().After(deadline) {
				return nil, errors.New("waits go on")
			}
		}
		return nil, nil
	})
	res := run(t, &Runner{Env: &nodes.Env{Clock: clock}}, newFlow(
		step("quick").within(300),
		step("waiting").fn(failWith("x")).retry(1, 300).within(0.02).recover("h"), step("h"),
		step("watch", "quick", "waiting").fn(watch),
	), nil)
	if res.Status != Success {
		t.Error(res.Err)
	}
}

// TestRunOutlivesItsGoroutines: Run returns after the last of them.
func TestRunOutlivesItsGoroutines(t *testing.T) {
	clock := &countingClock{slow: 30 * time.Millisecond}
	for range 5 {
		run(t, &Runner{Env: &nodes.Env{Clock: clock}, MaxRun: time.Hour}, newFlow(step("a").within(300).fn(goFunc(func(context.Context, value.View) (any, error) {
			for clock.active.Load() < 2 {
				time.Sleep(time.Millisecond)
			}
			return nil, nil
		}))), nil)
		if n := clock.active.Load(); n != 0 {
			t.Fatalf("%d waits go on after Run", n)
		}
	}
}

// TestCancellationComesBeforeItsConsequences: an attempt that fails because
// the run is cancelled is cancelled, never failed, retried or recovered.
func TestCancellationComesBeforeItsConsequences(t *testing.T) {
	goroutines(t)
	for range 40 {
		ctx, cancel := context.WithCancel(t.Context())
		returned := make(chan struct{})
		p := mustPlan(t, newFlow(step("a").fn(goFunc(func(ctx context.Context, _ value.View) (any, error) {
			cancel()
			<-ctx.Done()
			defer close(returned)
			return nil, ctx.Err()
		})).recover("h"), step("h"), step("b", "a"), step("z").fn(untilCancelled())))
		// The loop stands still until both the cancellation and the end of the
		// attempt wait for it.
		r := &Runner{OnEvent: func(e Event) {
			if e.Type == StepStarted && e.Step == "z" {
				<-returned
				time.Sleep(2 * time.Millisecond)
			}
		}}
		res, err := r.Run(ctx, p, nil)
		if err != nil {
			t.Fatal(err)
		}
		for name, status := range statuses(res) {
			if status != Cancelled {
				t.Fatalf("%s is %s", name, status)
			}
		}
	}
}

// TestTimeoutKeepsTheLastOutput: a timeout between two attempts hands on the
// structured output of the attempt before; one during an attempt as well.
func TestTimeoutKeepsTheLastOutput(t *testing.T) {
	var handed any
	f := newFlow(
		step("a").node(failing(nodes.Output{"": "page"}), nil).retry(1, 300).within(0.02).recover("h"),
		step("h").fn(goFunc(func(_ context.Context, v value.View) (any, error) {
			handed, _ = v.Get(KeyErrorOutput)
			return nil, nil
		})),
	)
	res := run(t, &Runner{}, f, nil)
	if want := map[string]any{"out": "page", "out_success": false}; res.Status != Success || !value.Equal(handed, want) {
		t.Errorf("%s, handed %v", res.Status, handed)
	}
	if s := stepRecord(t, res, "a"); s.Error.Kind != KindTimeout || !value.Equal(s.ErrorOutput, handed) {
		t.Errorf("record %+v", s)
	}
}
