package flow

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"runtime/debug"
	"strings"
	"sync/atomic"
	"time"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
)

// maxMessage is the longest error text that events and records keep, in bytes.
const maxMessage = 8192

// attempt is one attempt of a step, on a goroutine of its own. It is also the
// context that the step's code gets.
type attempt struct {
	context.Context
	ctx    context.Context // the embedded one
	cancel context.CancelCauseFunc
	x      *execution
	step   int
	number int // from 1
	view   *View

	// ended is set by whoever ends the attempt first: its goroutine, or the
	// loop that leaves it behind.
	ended    atomic.Bool
	patience time.Time // owned by the loop
}

// StepInfo tells a function or node which attempt it serves.
type StepInfo struct {
	RunID, Flow, Step string
	Attempt           int // from 1
	Retries           int
	Env               *nodes.Env
}

// Logger is the logger of the host with the name of the step.
func (s StepInfo) Logger() *slog.Logger { return s.Env.Log.With("step", s.Step) }

type stepKey struct{}

// StepFromContext returns what a step's context tells about the attempt.
func StepFromContext(ctx context.Context) (StepInfo, bool) {
	a, ok := ctx.Value(stepKey{}).(*attempt)
	if !ok {
		return StepInfo{}, false
	}
	step := a.x.plan.Step(a.step)
	return StepInfo{
		RunID: a.x.id, Flow: a.x.plan.Flow.Name, Step: step.Name,
		Attempt: a.number, Retries: step.Retries, Env: a.x.env,
	}, true
}

// Value implements context.Context.
func (a *attempt) Value(key any) any {
	if key == (stepKey{}) {
		return a
	}
	return a.ctx.Value(key)
}

func (x *execution) start(step, number int) {
	a := &attempt{x: x, step: step, number: number, view: x.state.View(x.plan, step)}
	a.ctx, a.cancel = context.WithCancelCause(x.ctx)
	a.Context = a.ctx
	x.running[step] = a
	x.tasks.Add(1)
	go a.run()
}

func (a *attempt) run() {
	sig := Signal{Kind: Errored, Step: a.step, Attempt: a.number}
	defer func() {
		a.cancel(context.Canceled)
		if sig.Kind == Errored && sig.Failure == nil { // runtime.Goexit
			sig.Failure = a.failure(&panicError{"internal error: the step ended its goroutine"})
		}
		a.x.send(message{signal: sig})
		if a.ended.CompareAndSwap(false, true) {
			a.x.tasks.Done()
		}
	}()
	outputs, err := a.call()
	if err != nil {
		sig.Failure = a.failure(err)
		return
	}
	sig.Kind, sig.Outputs = Succeeded, outputs
}

// call does the work. A panic becomes an error.
func (a *attempt) call() (outputs map[string]any, err error) {
	if a.ctx.Err() != nil {
		return nil, context.Cause(a.ctx)
	}
	step, env := a.x.plan.Step(a.step), a.x.env
	defer func() {
		if r := recover(); r != nil {
			env.Log.Error("a step panicked", "step", step.Name, "panic", fmt.Sprint(r), "stack", string(debug.Stack()))
			outputs, err = nil, &panicError{fmt.Sprintf("internal error: panic: %v", r)}
		}
	}()
	if step.Func != nil {
		result, err := step.Func.Call(a, a.view)
		if err != nil {
			return nil, err
		}
		return functionOutputs(result)
	}
	own := *env
	own.Log = env.Log.With("step", step.Name)
	return nodes.Invoke(a, step.Node, step.Params, nodes.Host{
		Env: &own, View: a.view, Step: step.Name, Attempt: a.number, Retries: step.Retries,
		Progress: func(done, total int, unit string) {
			a.x.send(message{progress: &progress{attempt: a, done: done, total: total, unit: unit}})
		},
	})
}

// functionOutputs are what a function step publishes: nothing for nil, each key
// of an object, anything else under "result".
func functionOutputs(result any) (map[string]any, error) {
	if result == nil {
		return nil, nil
	}
	v, err := value.Normalize(result)
	if err != nil {
		return nil, fmt.Errorf("the function's result is no context value: %w", err)
	}
	if m, ok := v.(map[string]any); ok {
		return m, nil
	}
	return map[string]any{"result": v}, nil
}

// failure describes an error without secrets.
func (a *attempt) failure(err error) *StepError {
	step := a.x.plan.Step(a.step)
	text := validText(a.x.env.Redactor.Redact(err.Error()))
	if len(text) > maxMessage {
		text = fmt.Sprintf("%s... (%d bytes)", strings.ToValidUTF8(text[:maxMessage], ""), len(text))
	}
	f := newStepError(a.x.plan.Flow, step, a.number, kindOf(step, err), err, text)
	var structured *nodes.Failure
	if errors.As(err, &structured) {
		f.Output = structured.Published
		if f.Output == nil && len(structured.Output) > 0 {
			f.Output = maps.Clone(map[string]any(structured.Output))
		}
	}
	return f
}
