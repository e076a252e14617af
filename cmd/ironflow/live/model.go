package live

import (
	"fmt"
	"strings"
	"time"

	"github.com/ironflow/ironflow/flow"
)

// Model is what the events of a run have told so far. One goroutine at a time
// may use it.
type Model struct {
	clean  func(string) string
	steps  []step
	byName map[string]int
	// ended are the steps that have ended, in that order.
	ended []int
	// longest is the display width of the longest name that is shown.
	longest int
	// counts are the visible steps by state, total is their number.
	counts map[flow.Status]int
	total  int

	started time.Time
	took    time.Duration
	status  flow.Status
}

// waiting is between two attempts, which flow.Status does not tell apart.
const waiting flow.Status = "waiting"

type step struct {
	name    string // safe for a terminal
	hidden  bool   // belongs to the runner: shown only when it failed
	status  flow.Status
	attempt int
	started time.Time // of the first attempt
	took    time.Duration
	detail  string // progress, or why
}

// NewModel returns the model of a run of these steps, which are shown in this
// order. clean makes any text safe for one line of a terminal; nil is for texts
// that are.
func NewModel(steps []string, clean func(string) string) *Model {
	if clean == nil {
		clean = func(s string) string { return s }
	}
	m := &Model{clean: clean, status: flow.Pending, byName: make(map[string]int, len(steps)), counts: map[flow.Status]int{}}
	for _, name := range steps {
		m.add(name)
	}
	return m
}

func (m *Model) add(name string) int {
	i := len(m.steps)
	s := step{name: m.clean(name), hidden: strings.HasPrefix(name, "_"), status: flow.Pending}
	m.steps = append(m.steps, s)
	m.byName[name] = i
	if s.visible() {
		m.show(&m.steps[i])
	}
	return i
}

// show makes room for a step that has become visible.
func (m *Model) show(s *step) {
	m.longest = max(m.longest, textWidth(s.name))
	m.counts[s.status]++
	m.total++
}

// become changes the state of a step.
func (m *Model) become(s *step, status flow.Status) {
	before := s.visible()
	if before {
		m.counts[s.status]--
	}
	s.status = status
	switch {
	case before:
		m.counts[status]++
	case s.visible():
		m.show(s)
	}
}

// Event takes the next event of the run.
func (m *Model) Event(e flow.Event) {
	switch e.Type {
	case flow.RunStarted:
		m.started, m.status = e.Time, flow.Running
		return
	case flow.RunFinished:
		m.took, m.status = e.Duration, e.Status
		return
	}
	i, ok := m.byName[e.Step]
	if !ok {
		i = m.add(e.Step)
	}
	s := &m.steps[i]
	switch e.Type {
	case flow.StepStarted:
		m.become(s, flow.Running)
		s.attempt, s.detail = e.Attempt, ""
		if s.started.IsZero() {
			s.started = e.Time
		}
	case flow.StepProgress:
		s.detail = m.clean(progress(e))
	case flow.StepRetrying:
		m.become(s, waiting)
		s.detail = e.Reason
		if e.Error != nil {
			s.detail += ": " + e.Error.Message
		}
		s.detail = m.clean(s.detail)
	case flow.StepSucceeded:
		m.end(i, flow.Success, e)
	case flow.StepFailed:
		m.end(i, flow.Failed, e)
	case flow.StepSkipped:
		m.end(i, flow.Skipped, e)
	case flow.StepCancelled:
		m.end(i, flow.Cancelled, e)
	}
}

func (m *Model) end(i int, status flow.Status, e flow.Event) {
	s := &m.steps[i]
	m.become(s, status)
	s.took, s.detail = e.Duration, m.clean(e.Reason)
	m.ended = append(m.ended, i)
}

// progress is "batch 3/12".
func progress(e flow.Event) string {
	out := fmt.Sprintf("%d/%d", e.Done, e.Total)
	if e.Total <= 0 {
		out = fmt.Sprint(e.Done)
	}
	if e.Unit != "" {
		out = e.Unit + " " + out
	}
	return out
}

// visible reports whether a step counts and may have a line. It stays true
// once it is.
func (s *step) visible() bool { return !s.hidden || s.status == flow.Failed }

func (s *step) active() bool { return s.status == flow.Running || s.status == waiting }
