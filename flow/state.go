package flow

import (
	"container/heap"
	"math"
	"time"
)

// Status is the state of a run or a step.
type Status string

// The states. A run is running, success, failed or cancelled.
const (
	Pending   Status = "pending"
	Running   Status = "running"
	Success   Status = "success"
	Failed    Status = "failed"
	Skipped   Status = "skipped"
	Cancelled Status = "cancelled"
)

// Ended reports whether the state is a final one.
func (s Status) Ended() bool { return s != Pending && s != Running }

// SignalKind says what a [Signal] reports.
type SignalKind int

// The kinds of signals.
const (
	// Begin starts the run. It is the first signal and comes once.
	Begin SignalKind = iota
	// Succeeded: attempt Attempt of Step ended with Outputs.
	Succeeded
	// Errored: attempt Attempt of Step ended with Failure.
	Errored
	// WaitOver: the wait before attempt Attempt of Step is over.
	WaitOver
	// BudgetSpent: the timeout of Step expired.
	BudgetSpent
	// Cancel ends the run early, for Reason.
	Cancel
)

// Signal is something that happened outside of the state machine.
type Signal struct {
	Kind    SignalKind
	Step    int // place in plan order
	Attempt int // from 1
	Outputs map[string]any
	Failure *StepError
	// Left says, for an attempt that ignored its cancellation, that it was left
	// behind; "" otherwise.
	Left string
	// Reason and Limit belong to Cancel: why in words, and whether it is the
	// time limit of the run.
	Reason string
	Limit  bool
}

// ActionKind says what an [Action] asks for.
type ActionKind int

// The kinds of actions.
const (
	// Start begins an attempt of a step. It ends with Succeeded or Errored.
	Start ActionKind = iota
	// Stop tells a running attempt to stop. It still has to report its end.
	Stop
	// Wait asks for WaitOver after Duration.
	Wait
	// StopWait says that a wait is not needed any more.
	StopWait
	// Arm asks for BudgetSpent after Duration.
	Arm
	// Disarm says that a timeout is not needed any more.
	Disarm
	// Emit publishes Event, which the driver numbers and dates.
	Emit
	// End says that all steps have ended.
	End
)

// Action is what the state machine asks its driver to do.
type Action struct {
	Kind     ActionKind
	Step     int
	Attempt  int
	Duration time.Duration
	Event    Event
}

// phase is where a step stands, finer than its Status.
type phase uint8

const (
	blocked phase = iota // a dependency has not ended
	ready                // waits for a free slot
	running              // an attempt runs
	waiting              // between two attempts
	expired              // an attempt runs on after the step's timeout
	stopped              // an attempt runs on after the run's cancellation
	ended
)

// skip is why a step was skipped, as far as its dependents care.
type skip uint8

const (
	notSkipped  skip = iota
	routeSkip        // its route was not taken: blocks nothing
	unneeded         // a recovery step whose source did not fail
	afterFailed      // something that it depends on is not there
)

// State is the state of a run: a plain value without clock, goroutine or
// input and output. The caller owns it, [Advance] changes it, and nothing else
// does; two states that saw the same signals in the same order are the same.
// One goroutine at a time may use it; the views it gives out are free.
type State struct {
	initial map[string]any
	limit   int

	status    Status
	cancelled bool
	reason    string // why the run was cancelled
	overLimit bool

	phase    []phase
	statuses []Status
	skips    []skip
	reasons  map[int]string
	// cause is the failed step that a skip goes back to, or -1.
	cause    []int32
	attempt  []int32 // the current or last attempt, 0 before the first
	armed    []bool
	left     []int32 // dependencies that have not ended
	failures map[int]*StepError
	// last is the failure of the latest attempt while a step may still succeed.
	last  map[int]*StepError
	board *board

	queue   minHeap // ready steps, the first in plan order first
	slots   int     // running attempts
	open    int     // steps that have not ended
	actions []Action
	decide  []int32
}

// NewState returns the state of a run that has not begun. The initial context
// must not change afterwards. At most limit attempts run at once; 0 = any
// number.
func NewState(p *Plan, initial map[string]any, limit int) *State {
	n := p.Len()
	if limit <= 0 {
		limit = math.MaxInt
	}
	s := &State{
		initial: initial, limit: limit, status: Pending,
		phase: make([]phase, n), statuses: make([]Status, n), skips: make([]skip, n), reasons: map[int]string{},
		cause: make([]int32, n), attempt: make([]int32, n), armed: make([]bool, n), left: make([]int32, n),
		failures: map[int]*StepError{}, last: map[int]*StepError{}, board: newBoard(n), open: n,
	}
	for i := range n {
		s.statuses[i], s.cause[i] = Pending, -1
		s.left[i] = int32(len(p.deps[i]))
	}
	return s
}

// Status returns the state of the run.
func (s *State) Status() Status { return s.status }

// StepStatus returns the state of a step.
func (s *State) StepStatus(i int) Status { return s.statuses[i] }

// Attempts returns how many attempts of a step were started.
func (s *State) Attempts(i int) int { return int(s.attempt[i]) }

// Reason says why a step was skipped or cancelled; "" otherwise.
func (s *State) Reason(i int) string { return s.reasons[i] }

// Failure returns how a step failed, or nil.
func (s *State) Failure(i int) *StepError { return s.failures[i] }

// Outputs returns the keys that a step published, in byte order.
func (s *State) Outputs(i int) []string { return s.board.own[i] }

// Output returns what a step published under a key.
func (s *State) Output(i int, key string) (any, bool) { return s.board.of(int32(i), key) }

// Context returns the initial context with everything that was published.
func (s *State) Context() map[string]any { return s.board.final(s.initial) }

// View returns what a step sees. It stays the same from the moment when all
// dependencies of the step have ended.
func (s *State) View(p *Plan, i int) *View {
	v := &View{initial: s.initial, board: s.board, before: p.before[i]}
	if source := int(p.recovers[i]); source >= 0 {
		if f := s.failures[source]; f != nil {
			v.extra = map[string]any{
				KeyErrorMessage: f.Message, KeyErrorStep: f.Step, KeyErrorNodeType: f.Node,
			}
			if f.Output != nil {
				v.extra[KeyErrorOutput] = f.Output
			}
		}
	}
	return v
}

// Unrecovered returns the first step in plan order whose failure stands, or
// -1.
func (s *State) Unrecovered(p *Plan) int {
	for i := range s.statuses {
		if s.statuses[i] == Failed && !s.recovered(p, int32(i)) {
			return i
		}
	}
	return -1
}

// recovered reports whether a failed step's recovery step succeeded.
func (s *State) recovered(p *Plan, i int32) bool {
	h := p.recovery[i]
	return h >= 0 && s.statuses[h] == Success
}

func (s *State) push(i int) {
	s.phase[i] = ready
	heap.Push(&s.queue, int32(i))
}
