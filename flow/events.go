package flow

import (
	"encoding/json"
	"time"
)

// EventType names what happened.
type EventType string

// The types of events. A step has one step_started for each attempt, between
// two attempts a step_retrying, and exactly one of step_succeeded, step_failed,
// step_skipped and step_cancelled at its end.
const (
	RunStarted    EventType = "run_started"
	StepStarted   EventType = "step_started"
	StepProgress  EventType = "step_progress"
	StepRetrying  EventType = "step_retrying"
	StepSucceeded EventType = "step_succeeded"
	StepFailed    EventType = "step_failed"
	StepSkipped   EventType = "step_skipped"
	StepCancelled EventType = "step_cancelled"
	RunFinished   EventType = "run_finished"
)

// Event is one thing that happened in a run. It never holds inputs, outputs or
// secrets.
type Event struct {
	Seq   int64 // from 1, without gaps
	Time  time.Time
	RunID string
	Type  EventType

	Step, Node string
	// Attempt is the attempt that started or ended (from 1), for step_retrying
	// the one that follows; 0 for a step that never started.
	Attempt int
	// Duration is set on the last event of a step that had started, from its
	// first attempt on, and on run_finished.
	Duration time.Duration
	// Done of Total Units are the progress of the running attempt.
	Done, Total int
	Unit        string
	// Reason says why a step was skipped or cancelled, when the next attempt
	// follows, or why the run was cancelled.
	Reason string
	Error  *ErrorInfo
	// Status is that of the run, on run_finished.
	Status Status
}

// ErrorInfo is a failure in events and records.
type ErrorInfo struct {
	Message string    `json:"message"`
	Step    string    `json:"step,omitempty"`
	File    string    `json:"file,omitempty"`
	Line    int       `json:"line,omitempty"`
	Kind    ErrorKind `json:"kind"`
}

// MarshalJSON writes the fields that apply to the type of event.
func (e Event) MarshalJSON() ([]byte, error) {
	out := struct {
		Seq        int64      `json:"seq"`
		Time       string     `json:"time"`
		RunID      string     `json:"run_id"`
		Type       EventType  `json:"type"`
		Step       string     `json:"step,omitempty"`
		Node       string     `json:"node,omitempty"`
		Attempt    int        `json:"attempt,omitempty"`
		DurationMS *int64     `json:"duration_ms,omitempty"`
		Done       *int       `json:"done,omitempty"`
		Total      *int       `json:"total,omitempty"`
		Unit       string     `json:"unit,omitempty"`
		Reason     string     `json:"reason,omitempty"`
		Error      *ErrorInfo `json:"error,omitempty"`
		Status     Status     `json:"status,omitempty"`
	}{
		Seq: e.Seq, Time: timeText(e.Time), RunID: e.RunID, Type: e.Type, Step: e.Step, Node: e.Node,
		Attempt: e.Attempt, Unit: e.Unit, Reason: e.Reason, Error: e.Error, Status: e.Status,
	}
	switch {
	case e.Type == StepProgress:
		out.Done, out.Total = &e.Done, &e.Total
	case e.Type == RunFinished, e.ends() && e.Attempt > 0:
		ms := e.Duration.Milliseconds()
		out.DurationMS = &ms
	}
	return json.Marshal(out)
}

// ends reports whether this is the last event of a step.
func (e Event) ends() bool {
	switch e.Type {
	case StepSucceeded, StepFailed, StepSkipped, StepCancelled:
		return true
	}
	return false
}

// timeText is a time as RFC 3339 in UTC.
func timeText(t time.Time) string { return t.UTC().Format(time.RFC3339Nano) }
