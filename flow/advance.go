package flow

import (
	"container/heap"
	"fmt"
	"math"
	"time"
)

// Advance takes one signal into the state and returns it with what is to be
// done next. It is deterministic and pure in that it knows only its arguments;
// for speed it changes the state in place and returns the same one, and the
// actions are valid until the next call.
//
// A signal that does not fit any more (the end of a wait that was called off, a
// timeout of a step that has ended) changes nothing, so a driver may be late.
// One call costs in proportion to the dependencies that it settles.
func Advance(p *Plan, s *State, sig Signal) (*State, []Action) {
	s.actions = s.actions[:0]
	i := sig.Step
	switch sig.Kind {
	case Begin:
		s.begin(p)
	case Succeeded, Errored:
		if s.holdsSlot(i) && int(s.attempt[i]) == sig.Attempt {
			s.slots--
			s.attemptEnded(p, i, sig)
		}
	case WaitOver:
		if s.phase[i] == waiting && int(s.attempt[i])+1 == sig.Attempt {
			s.push(i)
		}
	case BudgetSpent:
		s.budgetSpent(p, i)
	case Cancel:
		s.cancel(p, sig)
	}
	s.settle(p)
	s.fill(p)
	s.finish(p)
	return s, s.actions
}

func (s *State) begin(p *Plan) {
	if s.status != Pending {
		return
	}
	s.status = Running
	s.emit(Event{Type: RunStarted})
	for i, n := range s.left {
		if n == 0 {
			s.decide = append(s.decide, int32(i))
		}
	}
}

// holdsSlot reports whether an attempt of the step runs.
func (s *State) holdsSlot(i int) bool {
	return s.phase[i] == running || s.phase[i] == expired || s.phase[i] == stopped
}

func (s *State) attemptEnded(p *Plan, i int, sig Signal) {
	switch {
	case s.phase[i] == expired:
		f := s.timeoutError(p, i, true)
		if sig.Left != "" {
			f.Message += "; the attempt " + sig.Left
		}
		s.fail(p, i, f)
	case sig.Kind == Succeeded:
		// Work that was done before the cancellation reached it counts.
		s.board.publish(int32(i), sig.Outputs)
		s.end(p, i, Success, Event{Type: StepSucceeded})
	case s.phase[i] == stopped:
		reason := s.reason
		if sig.Left != "" {
			reason += "; the attempt " + sig.Left
		}
		s.reasons[i] = reason
		s.end(p, i, Cancelled, Event{Type: StepCancelled, Reason: reason})
	case sig.Attempt > p.steps[i].Retries:
		s.fail(p, i, sig.Failure)
	default:
		s.retry(p, i, sig.Failure)
	}
}

// retry gives the slot back and waits for the next attempt.
func (s *State) retry(p *Plan, i int, failure *StepError) {
	s.last[i] = failure
	step := p.steps[i]
	next := int(s.attempt[i]) + 1
	wait := backoff(step.Backoff, next-1)
	event := Event{Type: StepRetrying, Attempt: next, Error: failure.info()}
	if wait > 0 {
		event.Reason = fmt.Sprintf("attempt %d of %d follows in %v", next, step.Retries+1, wait)
		s.phase[i] = waiting
		s.act(Action{Kind: Wait, Step: i, Attempt: next, Duration: wait})
	} else {
		event.Reason = fmt.Sprintf("attempt %d of %d follows", next, step.Retries+1)
		s.push(i)
	}
	s.emitStep(p, i, event)
}

// backoff is the wait after attempt k: min(seconds * 2^(k-1), 300).
func backoff(seconds float64, k int) time.Duration {
	return inSeconds(min(seconds*math.Pow(2, float64(k-1)), MaxBackoff))
}

func inSeconds(f float64) time.Duration {
	if f >= math.MaxInt64/float64(time.Second) {
		return math.MaxInt64
	}
	return time.Duration(f * float64(time.Second))
}

func (s *State) budgetSpent(p *Plan, i int) {
	if !s.armed[i] {
		return
	}
	s.armed[i] = false
	switch s.phase[i] {
	case running:
		s.phase[i] = expired
		s.act(Action{Kind: Stop, Step: i, Attempt: int(s.attempt[i])})
	case waiting:
		s.act(Action{Kind: StopWait, Step: i})
		s.fail(p, i, s.timeoutError(p, i, false))
	case ready:
		s.fail(p, i, s.timeoutError(p, i, false))
	}
}

// timeoutError says in which attempt the budget ran out, and once what went
// wrong before. The output of a structured failure before is kept.
func (s *State) timeoutError(p *Plan, i int, during bool) *StepError {
	step, attempt := p.steps[i], int(s.attempt[i])
	text := fmt.Sprintf("timed out after %s s", number(step.Timeout))
	if step.Retries > 0 {
		where := "while waiting after"
		if during {
			where = "during"
		}
		text += fmt.Sprintf(", which covers all attempts and waits, %s attempt %d of %d", where, attempt, step.Retries+1)
	}
	f := newStepError(p.Flow, step, attempt, KindTimeout, nil, "")
	if last := s.last[i]; last != nil {
		text += fmt.Sprintf("; attempt %d failed: %s", last.Attempt, last.Message)
		f.Output = last.Output
	}
	f.Message, f.Err = text, &TimeoutError{Seconds: step.Timeout, text: text}
	return f
}

func (s *State) fail(p *Plan, i int, failure *StepError) {
	s.failures[i] = failure
	s.end(p, i, Failed, Event{Type: StepFailed, Error: failure.info()})
}

// end gives a step its final state and notes which steps can be decided now.
func (s *State) end(p *Plan, i int, status Status, event Event) {
	if s.armed[i] {
		s.armed[i] = false
		s.act(Action{Kind: Disarm, Step: i})
	}
	delete(s.last, i)
	s.phase[i], s.statuses[i] = ended, status
	s.open--
	event.Attempt = int(s.attempt[i])
	s.emitStep(p, i, event)
	for _, t := range p.next[i] {
		if s.left[t]--; s.left[t] == 0 {
			s.decide = append(s.decide, t)
		}
	}
}

func (s *State) cancel(p *Plan, sig Signal) {
	if s.cancelled || s.status != Running {
		return
	}
	reason := sig.Reason
	s.cancelled, s.reason, s.overLimit = true, reason, sig.Limit
	for i := range s.phase {
		switch s.phase[i] {
		case blocked, ready, waiting:
			if s.phase[i] == waiting {
				s.act(Action{Kind: StopWait, Step: i})
			}
			s.reasons[i] = reason
			s.end(p, i, Cancelled, Event{Type: StepCancelled, Reason: reason})
		case running:
			s.phase[i] = stopped
			s.act(Action{Kind: Stop, Step: i, Attempt: int(s.attempt[i])})
		}
	}
}

// settle decides every step whose dependencies have all ended.
func (s *State) settle(p *Plan) {
	for n := 0; n < len(s.decide); n++ {
		i := int(s.decide[n])
		if s.phase[i] != blocked {
			continue
		}
		if kind, reason := s.verdict(p, i); kind != notSkipped {
			s.skips[i], s.reasons[i] = kind, reason
			s.end(p, i, Skipped, Event{Type: StepSkipped, Reason: reason})
			continue
		}
		s.push(i)
	}
	s.decide = s.decide[:0]
}

// fill starts ready steps while there are free slots.
func (s *State) fill(p *Plan) {
	for s.slots < s.limit && len(s.queue) > 0 {
		i := int(heap.Pop(&s.queue).(int32))
		if s.phase[i] != ready {
			continue
		}
		s.phase[i], s.statuses[i] = running, Running
		s.slots++
		s.attempt[i]++
		attempt := int(s.attempt[i])
		if step := p.steps[i]; attempt == 1 && step.HasTimeout {
			s.armed[i] = true
			s.act(Action{Kind: Arm, Step: i, Duration: inSeconds(step.Timeout)})
		}
		s.emitStep(p, i, Event{Type: StepStarted, Attempt: attempt})
		s.act(Action{Kind: Start, Step: i, Attempt: attempt})
	}
}

func (s *State) finish(p *Plan) {
	if s.status != Running || s.open > 0 {
		return
	}
	event := Event{Type: RunFinished}
	switch first := s.Unrecovered(p); {
	case s.cancelled:
		s.status, event.Reason, event.Error = Cancelled, s.reason, s.cancelInfo()
	case first >= 0:
		s.status, event.Error = Failed, s.failures[first].info()
	default:
		s.status = Success
	}
	event.Status = s.status
	s.emit(event)
	s.act(Action{Kind: End})
}

// cancelInfo describes the end of a cancelled run.
func (s *State) cancelInfo() *ErrorInfo {
	info := &ErrorInfo{Message: (&CancelError{Reason: s.reason}).Error(), Kind: KindCancelled}
	if s.overLimit {
		info.Kind = KindRunLimit
	}
	return info
}

func (s *State) act(a Action) { s.actions = append(s.actions, a) }

func (s *State) emit(e Event) { s.act(Action{Kind: Emit, Step: -1, Event: e}) }

func (s *State) emitStep(p *Plan, i int, e Event) {
	e.Step, e.Node = p.steps[i].Name, p.steps[i].NodeName()
	s.act(Action{Kind: Emit, Step: i, Event: e})
}
