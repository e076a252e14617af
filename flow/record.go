package flow

import (
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/ironflow/ironflow/transport"
)

// Record is what remains of a run: the document that `ironflow run --json`
// prints. It is built from the run's events and its last state.
type Record struct {
	RunID, Flow, FlowSHA256 string
	Status                  Status
	Started, Finished       time.Time
	// Error is the first failure in plan order that was not recovered, or why
	// the run was cancelled; nil after a success.
	Error *ErrorInfo
	// Steps are in plan order.
	Steps []StepRecord
	// Context is the final context without private keys and without twins.
	Context map[string]any

	redactor *transport.Redactor
}

// StepRecord is what remains of a step.
type StepRecord struct {
	Name, Node string
	Status     Status
	Attempts   int
	// Started is when the first attempt began, zero if none did; Finished is
	// when the step reached its final state.
	Started, Finished time.Time
	// Reason says why the step was skipped or cancelled.
	Reason string
	Error  *ErrorInfo
	// ErrorOutput is the output of a structured failure, under full keys
	// without private ones; nil otherwise.
	ErrorOutput map[string]any
	// Outputs are the published keys in byte order, without private ones and
	// twins.
	Outputs []string
}

// recorder takes the times of a run from its events.
type recorder struct {
	runID             string
	started, finished time.Time
	begun, ended      []time.Time
}

func newRecorder(runID string, steps int) *recorder {
	return &recorder{runID: runID, begun: make([]time.Time, steps), ended: make([]time.Time, steps)}
}

// event notes the time of an event of step i, and fills in its duration.
func (r *recorder) event(e *Event, i int) {
	switch {
	case e.Type == RunStarted:
		r.started = e.Time
	case e.Type == RunFinished:
		r.finished = e.Time
		e.Duration = e.Time.Sub(r.started)
	case e.Type == StepStarted && r.begun[i].IsZero():
		r.begun[i] = e.Time
	case e.ends():
		r.ended[i] = e.Time
		if !r.begun[i].IsZero() {
			e.Duration = e.Time.Sub(r.begun[i])
		}
	}
}

func (r *recorder) record(p *Plan, s *State, redactor *transport.Redactor) *Record {
	rec := &Record{
		RunID: r.runID, Flow: p.Flow.Name, FlowSHA256: p.Flow.SHA256, Status: s.status,
		Started: r.started, Finished: r.finished,
		Steps: make([]StepRecord, p.Len()), Context: printed(p, s), redactor: redactor,
	}
	if i := s.Unrecovered(p); s.cancelled {
		rec.Error = s.cancelInfo()
	} else if i >= 0 {
		rec.Error = s.failures[i].info()
	}
	for i := range rec.Steps {
		step := p.Step(i)
		out := StepRecord{
			Name: step.Name, Node: step.NodeName(), Status: s.statuses[i], Attempts: int(s.attempt[i]),
			Started: r.begun[i], Finished: r.ended[i], Reason: s.reasons[i], Outputs: shownKeys(step, s.Outputs(i)),
		}
		if f := s.failures[i]; f != nil {
			out.Error = f.info()
			if f.Output != nil {
				keys := slices.Sorted(maps.Keys(f.Output))
				out.ErrorOutput = make(map[string]any, len(keys))
				for _, k := range shownKeys(step, keys) {
					out.ErrorOutput[k] = f.Output[k]
				}
			}
		}
		rec.Steps[i] = out
	}
	return rec
}

// Private reports whether a context key is private: usable in flows, never
// printed and never handed to a parent flow.
func Private(key string) bool { return strings.HasPrefix(key, "_") }

// shownKeys leaves private keys and twins out of a step's sorted keys.
func shownKeys(step *Step, keys []string) []string {
	out := make([]string, 0, len(keys))
	for _, k := range keys {
		if !Private(k) && !isTwin(step, keys, k) {
			out = append(out, k)
		}
	}
	return out
}

// isTwin reports whether a key of a step is a second name of another one.
func isTwin(step *Step, keys []string, key string) bool {
	if step.Node == nil {
		return false
	}
	for _, o := range step.Node.Spec.Outputs {
		if !o.Twin {
			continue
		}
		if o.Name != "" {
			if key == strings.ReplaceAll(o.Name, "<step>", step.Name) {
				return true
			}
		} else if main, ok := strings.CutSuffix(key, o.Suffix); ok && o.Suffix != "" {
			if _, also := slices.BinarySearch(keys, main); also {
				return true
			}
		}
	}
	return false
}

// printed is the final context without private keys and twins.
func printed(p *Plan, s *State) map[string]any {
	out := make(map[string]any, len(s.initial)+len(s.board.keys))
	for k, v := range s.initial {
		if !Private(k) {
			out[k] = v
		}
	}
	for k, pub := range s.board.keys {
		if Private(k) {
			continue
		}
		v, i := pub.newest()
		if isTwin(p.Step(int(i)), s.Outputs(int(i)), k) {
			delete(out, k)
			continue
		}
		out[k] = v
	}
	return out
}
