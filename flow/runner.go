package flow

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime"
	"slices"
	"time"

	"github.com/google/uuid"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
	"github.com/ironflow/ironflow/providers"
)

// DefaultGrace is how long a step may go on after it was told to stop.
const DefaultGrace = 5 * time.Second

// DefaultConcurrency is how many steps run at once when nothing else is set:
// at least 8, since steps that call models wait on the network.
func DefaultConcurrency() int { return max(8, runtime.NumCPU()) }

// Runner runs plans in this process. It may serve any number of runs at once.
type Runner struct {
	// Env is what nodes are given; nil is an empty one. Its FlowDir is set to
	// the flow's own.
	Env *nodes.Env
	// MaxConcurrency bounds the attempts that run at once; 0 =
	// DefaultConcurrency. A step that waits for its next attempt takes no place.
	MaxConcurrency int
	// MaxRun bounds the whole run; 0 = no bound.
	MaxRun time.Duration
	// Grace is how long a node or function may go on after its context was
	// cancelled, in real time; 0 = DefaultGrace. Then the run goes on without
	// it and says so.
	Grace time.Duration
	// OnEvent gets every event, one after the other, on the goroutine of Run.
	// It should return soon, since the run waits for it.
	OnEvent func(Event)
	// RunID names the run; "" = a random UUID (version 4).
	RunID string
}

// Result is the end of a run.
type Result struct {
	RunID  string
	Status Status
	// Err is nil after a success, else a *StepError (the first in plan order
	// that was not recovered) or a *CancelError.
	Err error
	// Failures are all failures that were not recovered, in plan order. A
	// cancelled run may have some as well.
	Failures []*StepError
	// Context is the final context, private keys included.
	Context map[string]any
	Record  *Record

	published []string
}

// Public returns the final context without private keys: what a parent flow is
// given.
func (r *Result) Public() map[string]any {
	out := make(map[string]any, len(r.Context))
	for k, v := range r.Context {
		if !Private(k) {
			out[k] = v
		}
	}
	return out
}

// Published returns the keys that steps published, in byte order, without
// private ones and twins.
func (r *Result) Published() []string { return r.published }

// Run runs a plan to its end with a copy of the initial context, and returns
// when everything that it started has ended. Whether the run succeeded says
// the result; the error is an initial context that holds something else than
// context values, and nothing has run then.
//
// Cancelling ctx cancels the run; the text of its cause is the reason that the
// record shows.
func (r *Runner) Run(ctx context.Context, p *Plan, initial map[string]any) (*Result, error) {
	normal, err := value.Normalize(maps.Clone(initial))
	if err != nil {
		return nil, fmt.Errorf("initial context: %w", err)
	}
	start, _ := normal.(map[string]any)
	limit := r.MaxConcurrency
	if limit <= 0 {
		limit = DefaultConcurrency()
	}
	x := &execution{
		runner: r, plan: p, env: r.env(p), id: r.RunID, grace: r.Grace,
		state:   NewState(p, start, limit),
		running: make([]*attempt, p.Len()), timers: make([]context.CancelFunc, p.Len()), waits: make([]context.CancelFunc, p.Len()),
		messages: make(chan message, min(limit, 256)), over: make(chan struct{}),
	}
	if x.id == "" {
		x.id = uuid.NewString()
	}
	if x.grace <= 0 {
		x.grace = DefaultGrace
	}
	x.recorder = newRecorder(x.id, p.Len())
	x.run(ctx)
	return x.result(), nil
}

// env completes what nodes are given.
func (r *Runner) env(p *Plan) *nodes.Env {
	var env nodes.Env
	if r.Env != nil {
		env = *r.Env
	}
	if env.Log == nil {
		env.Log = slog.New(slog.DiscardHandler)
	}
	if env.Clock == nil {
		env.Clock = providers.SystemClock()
	}
	if p.Flow.Dir != "" {
		env.FlowDir = p.Flow.Dir
	}
	return &env
}

func (x *execution) result() *Result {
	out := &Result{
		RunID: x.id, Status: x.state.Status(), Context: x.state.Context(),
		Record: x.recorder.record(x.plan, x.state, x.env.Redactor),
	}
	for i := range x.plan.Len() {
		if x.state.StepStatus(i) == Failed && !x.state.recovered(x.plan, int32(i)) {
			out.Failures = append(out.Failures, x.state.Failure(i))
		}
	}
	if x.state.cancelled {
		out.Err = x.cancelled
	} else if len(out.Failures) > 0 {
		out.Err = out.Failures[0]
	}
	for k := range out.Record.Context {
		if _, ok := x.state.board.keys[k]; ok {
			out.published = append(out.published, k)
		}
	}
	slices.Sort(out.published)
	return out
}

// limitError is the cause with which a run that takes too long is cancelled.
type limitError struct{ limit time.Duration }

func (e *limitError) Error() string {
	return fmt.Sprintf("it took longer than %v, the limit set by IRONFLOW_MAX_RUN_SECONDS", e.limit)
}

// cancelError turns the cause of a cancelled context into the run's error.
func cancelError(cause error) *CancelError {
	e := &CancelError{Reason: cause.Error(), Err: cause}
	var limit *limitError
	switch {
	case errors.As(cause, &limit):
		e.Limit = limit.limit
	case cause == context.Canceled: //nolint:errorlint // only the bare error says nothing by itself
		e.Reason = "its caller cancelled it"
	case cause == context.DeadlineExceeded: //nolint:errorlint // as above
		e.Reason = "the deadline that its caller set has passed"
	}
	return e
}
