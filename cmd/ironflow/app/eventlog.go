package app

import (
	"fmt"
	"log/slog"
	"time"

	"github.com/ironflow/ironflow/flow"
)

// eventLog turns the events of a run into log lines. The failure that ends the
// run is not logged: the error at the end of the command tells it, once. Those
// that were recovered, and further ones, are logged when that is known.
type eventLog struct {
	log     *slog.Logger
	shown   *slog.Logger         // for what a live view shows; discards while there is one
	last    map[string]time.Time // when a step's progress was last logged
	sources map[string]string    // of each recovery step, the step that it recovers
	failed  map[string]string    // why a step failed, unless it was recovered
}

// progressEvery bounds how often the progress of one step is logged.
const progressEvery = 2 * time.Second

func newEventLog(log *slog.Logger, plan *flow.Plan) *eventLog {
	l := &eventLog{log: log.With("flow", plan.Flow.Name), last: map[string]time.Time{}, sources: map[string]string{}, failed: map[string]string{}}
	l.shown = l.log
	for _, step := range plan.Flow.Steps {
		if step.OnError != "" {
			l.sources[step.OnError] = step.Name
		}
	}
	return l
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
		l.recovered(e.Step)
		l.shown.Info("step done", "step", e.Step, "node", e.Node, "took", round(e.Duration))
	case flow.StepFailed:
		l.failed[e.Step] = message(e.Error)
		l.log.Debug("step failed", "step", e.Step, "node", e.Node, "took", round(e.Duration))
	case flow.StepSkipped:
		l.shown.Info("step skipped", "step", e.Step, "reason", e.Reason)
	case flow.StepCancelled:
		l.shown.Info("step cancelled", "step", e.Step, "reason", e.Reason)
	case flow.RunFinished:
		l.log.Debug("run finished", "status", string(e.Status), "took", round(e.Duration))
	}
}

// recovered tells which failure a recovery step that succeeded has resolved.
func (l *eventLog) recovered(name string) {
	source := l.sources[name]
	if reason, ok := l.failed[source]; ok {
		l.log.Warn("step failed and was recovered", "step", source, "by", name, "error", reason)
		delete(l.failed, source)
	}
}

// others logs the failures beside the one that the command ends with.
func (l *eventLog) others(r *flow.Record) {
	for _, step := range r.Steps {
		reason, ok := l.failed[step.Name]
		if ok && (r.Error == nil || r.Error.Step != step.Name) {
			l.log.Error("step failed too", "step", step.Name, "at", fmt.Sprintf("%s:%d", step.Error.File, step.Error.Line), "error", reason)
		}
	}
}

// progress logs now and then how far a long step is; short steps say nothing
// before they are done.
func (l *eventLog) progress(e flow.Event) {
	if e.Time.Sub(l.last[e.Step]) < progressEvery {
		return
	}
	l.last[e.Step] = e.Time
	l.shown.Info("progress", "step", e.Step, "done", fmt.Sprintf("%s %d/%d", e.Unit, e.Done, e.Total))
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
