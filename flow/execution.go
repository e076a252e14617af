package flow

import (
	"context"
	"sync"
	"time"

	"github.com/ironflow/ironflow/nodes"
)

// execution is one run: a loop that feeds [Advance] and does what it asks for.
// All fields belong to the loop; attempts and timers send it messages.
type execution struct {
	runner *Runner
	plan   *Plan
	env    *nodes.Env
	id     string
	grace  time.Duration

	state    *State
	recorder *recorder
	seq      int64
	ended    bool

	ctx       context.Context
	stop      context.CancelCauseFunc
	cancelled *CancelError

	running []*attempt
	timers  []context.CancelFunc // of timeouts
	waits   []context.CancelFunc // between attempts
	// stopping are attempts that were told to stop, the first one to be given
	// up first; patience fires when its grace is over.
	stopping []*attempt
	patience *time.Timer

	messages chan message
	over     chan struct{} // closed when nobody reads messages any more
	tasks    sync.WaitGroup
}

// message is a signal, or else progress of an attempt.
type message struct {
	signal   Signal
	progress *progress
}

type progress struct {
	attempt     *attempt
	done, total int
	unit        string
}

func (x *execution) send(m message) {
	select {
	case x.messages <- m:
	case <-x.over:
	}
}

func (x *execution) run(parent context.Context) {
	x.ctx, x.stop = context.WithCancelCause(parent)
	if x.runner.MaxRun > 0 {
		x.sleep(x.ctx, x.runner.MaxRun, func() { x.stop(&limitError{x.runner.MaxRun}) })
	}
	x.patience = time.NewTimer(time.Hour)
	x.patience.Stop()
	x.advance(Signal{Kind: Begin})
	for !x.ended {
		done := x.ctx.Done()
		if x.cancelled != nil {
			done = nil
		}
		select {
		case m := <-x.messages:
			x.message(m)
		case <-done:
			x.cancel()
		case <-x.patience.C:
			x.giveUp()
		}
	}
	close(x.over)
	x.stop(context.Canceled)
	x.patience.Stop()
	x.tasks.Wait()
}

func (x *execution) message(m message) {
	if m.progress != nil {
		x.progress(m.progress)
		return
	}
	// An attempt may fail because the run's context is done before the loop has
	// noticed that: the cancellation comes first.
	if x.cancelled == nil && x.ctx.Err() != nil {
		x.cancel()
	}
	x.advance(m.signal)
}

func (x *execution) cancel() {
	x.cancelled = cancelError(context.Cause(x.ctx))
	x.cancelled.Reason = validText(x.env.Redactor.Redact(x.cancelled.Reason))
	x.advance(Signal{Kind: Cancel, Reason: x.cancelled.Reason, Limit: x.cancelled.Limit > 0})
}

func (x *execution) advance(sig Signal) {
	switch sig.Kind {
	case Succeeded, Errored:
		if a := x.running[sig.Step]; a != nil && a.number == sig.Attempt {
			x.running[sig.Step] = nil
		}
	}
	_, actions := Advance(x.plan, x.state, sig)
	for i := range actions {
		x.do(&actions[i])
	}
}

func (x *execution) do(a *Action) {
	switch a.Kind {
	case Emit:
		x.emit(&a.Event, a.Step)
	case Start:
		x.start(a.Step, a.Attempt)
	case Stop:
		x.interrupt(a.Step)
	case Wait:
		step, attempt := a.Step, a.Attempt
		x.waits[step] = x.sleep(x.ctx, a.Duration, func() {
			x.send(message{signal: Signal{Kind: WaitOver, Step: step, Attempt: attempt}})
		})
	case StopWait:
		x.waits[a.Step]()
	case Arm:
		step := a.Step
		x.timers[step] = x.sleep(x.ctx, a.Duration, func() {
			x.send(message{signal: Signal{Kind: BudgetSpent, Step: step}})
		})
	case Disarm:
		x.timers[a.Step]()
	case End:
		x.ended = true
	}
}

// sleep calls then after d, unless the context ends or the returned function
// is called before.
func (x *execution) sleep(parent context.Context, d time.Duration, then func()) context.CancelFunc {
	ctx, cancel := context.WithCancel(parent)
	x.tasks.Go(func() {
		defer cancel()
		if x.env.Clock.Sleep(ctx, d) == nil {
			then()
		}
	})
	return cancel
}

func (x *execution) emit(e *Event, step int) {
	x.seq++
	e.Seq, e.RunID, e.Time = x.seq, x.id, x.env.Clock.Now().UTC()
	x.recorder.event(e, step)
	if x.runner.OnEvent != nil {
		x.runner.OnEvent(*e)
	}
}

func (x *execution) progress(p *progress) {
	if x.running[p.attempt.step] != p.attempt {
		return
	}
	step := x.plan.Step(p.attempt.step)
	x.emit(&Event{
		Type: StepProgress, Step: step.Name, Node: step.NodeName(), Attempt: p.attempt.number,
		Done: p.done, Total: p.total, Unit: validText(x.env.Redactor.Redact(p.unit)),
	}, p.attempt.step)
}

// interrupt tells an attempt to stop and starts its grace.
func (x *execution) interrupt(step int) {
	a := x.running[step]
	if x.cancelled == nil {
		seconds := x.plan.Step(step).Timeout
		a.cancel(&TimeoutError{Seconds: seconds, text: "timed out after " + number(seconds) + " s"})
	}
	a.patience = time.Now().Add(x.grace)
	if x.stopping = append(x.stopping, a); len(x.stopping) == 1 {
		x.patience.Reset(x.grace)
	}
}

// giveUp ends, as far as the run goes, the attempts whose grace is over. Their
// goroutines cannot be ended from outside.
func (x *execution) giveUp() {
	now := time.Now()
	for len(x.stopping) > 0 {
		a := x.stopping[0]
		if x.running[a.step] == a {
			if left := a.patience.Sub(now); left > 0 {
				x.patience.Reset(left)
				return
			}
			x.leave(a)
		}
		x.stopping = x.stopping[1:]
	}
}

func (x *execution) leave(a *attempt) {
	if !a.ended.CompareAndSwap(false, true) {
		return // its last message is on the way
	}
	x.tasks.Done()
	step := x.plan.Step(a.step)
	text := "did not stop within " + x.grace.String() + " after it was told to, so it was left behind and may still be working"
	x.env.Log.Error("the step "+text, "step", step.Name, "node", step.NodeName())
	x.advance(Signal{
		Kind: Errored, Step: a.step, Attempt: a.number, Left: text,
		Failure: newStepError(x.plan.Flow, step, a.number, kindOf(step, nil), context.Cause(a.ctx), text),
	})
}
