package app

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/ironflow/ironflow/flow"
)

// eventLog turns the events of a run into log lines. A failure is not logged
// here: the error at the end of the command tells it, once.
type eventLog struct {
	log  *slog.Logger
	last map[string]time.Time // when a step's progress was last logged
}

// progressEvery bounds how often the progress of one step is logged.
const progressEvery = 2 * time.Second

func newEventLog(log *slog.Logger, plan *flow.Plan) *eventLog {
	return &eventLog{log: log.With("flow", plan.Flow.Name), last: map[string]time.Time{}}
}

func (l *eventLog) event(e flow.Event) {
	switch e.Type {
	case flow.RunStarted:
		l.log.Debug("run started", "run_id", e.RunID)
	case flow.StepStarted:
		l.last[e.Step] = e.Time
		l.log.Debug("step started", "step", e.Step, "node", e.Node, "attempt", e.Attempt)
	case flow.StepProgress:
		l.progress(e)
	case flow.StepRetrying:
		l.log.Warn("step retries", "step", e.Step, "attempt", e.Attempt, "reason", e.Reason, "error", message(e.Error))
	case flow.StepSucceeded:
		l.log.Info("step done", "step", e.Step, "node", e.Node, "took", round(e.Duration))
	case flow.StepFailed:
		l.log.Debug("step failed", "step", e.Step, "node", e.Node, "took", round(e.Duration))
	case flow.StepSkipped:
		l.log.Info("step skipped", "step", e.Step, "reason", e.Reason)
	case flow.StepCancelled:
		l.log.Info("step cancelled", "step", e.Step, "reason", e.Reason)
	case flow.RunFinished:
		l.log.Debug("run finished", "status", string(e.Status), "took", round(e.Duration))
	}
}

// progress logs now and then how far a long step is; short steps say nothing
// before they are done.
func (l *eventLog) progress(e flow.Event) {
	if e.Time.Sub(l.last[e.Step]) < progressEvery {
		return
	}
	l.last[e.Step] = e.Time
	l.log.Info("progress", "step", e.Step, "done", fmt.Sprintf("%s %d/%d", e.Unit, e.Done, e.Total))
}

func message(e *flow.ErrorInfo) string {
	if e == nil {
		return ""
	}
	return e.Message
}

// round drops the digits that nobody reads.
func round(d time.Duration) time.Duration {
	switch {
	case d > time.Second:
		return d.Round(10 * time.Millisecond)
	case d > time.Millisecond:
		return d.Round(10 * time.Microsecond)
	}
	return d.Round(time.Microsecond)
}
