package flow

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// world decides how every attempt of a random flow ends.
type world struct {
	plan    *Plan
	outcome map[string][]map[string]any // outputs of each attempt; nil = it fails
}

func randomWorld(t *testing.T, rng *rand.Rand, n int) *world {
	f := randomFlow(rng, n)
	handlers := map[string]bool{}
	for _, s := range f.Steps {
		handlers[s.OnError] = true
	}
	for _, s := range f.Steps {
		if len(s.DependsOn) > 0 && !handlers[s.Name] && rng.IntN(3) == 0 {
			s.routed("r")
		}
		s.retry(rng.IntN(3), []float64{0, 1}[rng.IntN(2)])
	}
	w := &world{plan: mustPlan(t, f), outcome: map[string][]map[string]any{}}
	for _, s := range f.Steps {
		for range s.Retries + 1 {
			var out map[string]any
			if rng.IntN(3) > 0 {
				out = map[string]any{fmt.Sprintf("k%d", rng.IntN(4)): s.Name, "own_" + s.Name: true}
				if rng.IntN(2) == 0 {
					out[RouteKey(s.Name)] = []any{"r", "other", int64(1)}[rng.IntN(3)]
				}
			}
			w.outcome[s.Name] = append(w.outcome[s.Name], out)
		}
	}
	return w
}

func (w *world) end(i, attempt int) Signal {
	s := w.plan.Step(i)
	if out := w.outcome[s.Name][attempt-1]; out != nil {
		return Signal{Kind: Succeeded, Step: i, Attempt: attempt, Outputs: out}
	}
	text := fmt.Sprintf("%s broke in attempt %d", s.Name, attempt)
	return Signal{Kind: Errored, Step: i, Attempt: attempt, Failure: newStepError(w.plan.Flow, s, attempt, KindFunction, errors.New(text), text)}
}

// drive runs the state machine with everything that is under way ending in a
// random order, and checks what must hold at each moment.
func (w *world) drive(t *testing.T, rng *rand.Rand, limit int, disturb bool) (*State, []Event) {
	t.Helper()
	var (
		s       = NewState(w.plan, map[string]any{"k0": "initial", "in": int64(1)}, limit)
		deps    = naivePlan(w.plan.Flow).deps
		pending []Signal
		armed   = map[int]bool{}
		events  []Event
		final   = map[string]EventType{}
		active  = map[int]bool{}
		over    bool
		gone    bool
	)
	feed := func(sig Signal) {
		if over {
			t.Fatal("the machine goes on after its end")
		}
		_, actions := Advance(w.plan, s, sig)
		for _, a := range actions {
			switch a.Kind {
			case Emit:
				e := a.Event
				events = append(events, e)
				if e.ends() {
					if final[e.Step] != "" {
						t.Fatalf("%s ends twice: %s and %s", e.Step, final[e.Step], e.Type)
					}
					final[e.Step] = e.Type
				}
			case Start:
				name := w.plan.Step(a.Step).Name
				for d := range deps[name] {
					if final[d] == "" {
						t.Fatalf("%s starts before %s has ended", name, d)
					}
				}
				if source := w.plan.recovers[a.Step]; source >= 0 && final[w.plan.Step(int(source)).Name] != StepFailed {
					t.Fatalf("%s recovers a step that did not fail", name)
				}
				if active[a.Step] || final[name] != "" || gone {
					t.Fatalf("%s starts again, too late or after a cancellation", name)
				}
				if active[a.Step] = true; limit > 0 && len(active) > limit {
					t.Fatalf("%d attempts at once, allowed %d", len(active), limit)
				}
				pending = append(pending, w.end(a.Step, a.Attempt))
			case Wait:
				pending = append(pending, Signal{Kind: WaitOver, Step: a.Step, Attempt: a.Attempt})
			case Arm:
				armed[a.Step] = true
			case Disarm:
				delete(armed, a.Step)
			case End:
				over = true
			}
		}
	}
	feed(Signal{Kind: Begin})
	for !over {
		if disturb {
			switch rng.IntN(12) {
			case 0: // late or repeated news change nothing
				feed(Signal{Kind: WaitOver, Step: rng.IntN(w.plan.Len()), Attempt: 77})
				feed(Signal{Kind: Succeeded, Step: rng.IntN(w.plan.Len()), Attempt: 77, Outputs: map[string]any{"bad": true}})
				feed(Signal{Kind: Begin})
			case 1:
				for _, i := range slices.Sorted(maps.Keys(armed)) {
					delete(armed, i)
					feed(Signal{Kind: BudgetSpent, Step: i})
					break
				}
			case 2:
				if rng.IntN(10) == 0 {
					feed(Signal{Kind: Cancel, Reason: "a test"})
					gone = true
				}
			}
			if over {
				break
			}
		}
		if len(pending) == 0 {
			t.Fatalf("nothing is under way, but the run has not ended")
		}
		i := rng.IntN(len(pending))
		sig := pending[i]
		pending = slices.Delete(pending, i, i+1)
		if sig.Kind == Succeeded || sig.Kind == Errored {
			delete(active, sig.Step)
		}
		feed(sig)
	}
	if len(armed) > 0 {
		t.Fatalf("timeouts of %v were not called off", armed)
	}
	for i := range w.plan.Len() {
		if !s.StepStatus(i).Ended() || final[w.plan.Step(i).Name] == "" {
			t.Fatalf("%s is %s at the end", w.plan.Step(i).Name, s.StepStatus(i))
		}
	}
	if last := events[len(events)-1]; last.Type != RunFinished || last.Status != s.Status() {
		t.Fatalf("the last event is %+v", last)
	}
	return s, events
}

// outcome is everything about an end that must not depend on timing.
type outcome struct {
	Status   Status
	Steps    map[string]string
	Context  map[string]any
	Failures map[string]string
	Views    map[string]map[string]any
}

func (w *world) outcomeOf(s *State) outcome {
	out := outcome{Status: s.Status(), Steps: map[string]string{}, Context: s.Context(), Failures: map[string]string{}, Views: map[string]map[string]any{}}
	for i := range w.plan.Len() {
		name := w.plan.Step(i).Name
		out.Steps[name] = fmt.Sprintf("%s after %d: %s", s.StepStatus(i), s.Attempts(i), s.Reason(i))
		if f := s.Failure(i); f != nil {
			out.Failures[name] = f.Error()
		}
		view := map[string]any{}
		v := s.View(w.plan, i)
		for _, k := range v.Keys() {
			view[k], _ = v.Get(k)
		}
		out.Views[name] = view
	}
	return out
}

func TestResultDoesNotDependOnOrder(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range 150 {
		w := randomWorld(t, rng, 1+rng.IntN(16))
		want := w.oracle()
		for range 6 {
			s, _ := w.drive(t, rng, rng.IntN(4), false)
			if got := w.outcomeOf(s); !reflect.DeepEqual(got, want) {
				t.Fatalf("flow %v\ngot  %+v\nwant %+v", describeFlow(w.plan.Flow), got, want)
			}
		}
	}
}

func TestInvariantsUnderDisturbance(t *testing.T) {
	rng := rand.New(rand.NewPCG(11, 12))
	seen := map[Status]int{}
	for range 2000 {
		w := randomWorld(t, rng, 1+rng.IntN(12))
		for _, s := range w.plan.steps {
			if rng.IntN(3) == 0 {
				s.within(1)
			}
		}
		s, _ := w.drive(t, rng, rng.IntN(4), true)
		for i := range w.plan.Len() {
			seen[s.StepStatus(i)]++
			if f := s.Failure(i); (f != nil) != (s.StepStatus(i) == Failed) {
				t.Fatal("a step that failed has no failure, or another one has")
			}
		}
		failed := s.Unrecovered(w.plan) >= 0
		switch {
		case s.cancelled != (s.Status() == Cancelled):
			t.Fatalf("cancelled run is %s", s.Status())
		case !s.cancelled && failed != (s.Status() == Failed):
			t.Fatalf("status %s, unrecovered failure: %v", s.Status(), failed)
		}
	}
	for _, status := range []Status{Success, Failed, Skipped, Cancelled} {
		if seen[status] < 100 {
			t.Errorf("only %d steps ended as %s; the test covers too little", seen[status], status)
		}
	}
}

func describeFlow(f *Flow) string {
	var b strings.Builder
	for _, s := range f.Steps {
		fmt.Fprintf(&b, "%s%v", s.Name, s.DependsOn)
		if s.OnError != "" {
			b.WriteString(" on_error " + s.OnError)
		}
		if s.HasRoute {
			b.WriteString(" route " + s.Route)
		}
		b.WriteString("; ")
	}
	return b.String()
}

func TestSameSignalsGiveSameActions(t *testing.T) {
	rng := rand.New(rand.NewPCG(13, 14))
	for seed := range uint64(50) {
		w := randomWorld(t, rng, 12)
		_, a := w.drive(t, rand.New(rand.NewPCG(seed, 1)), 2, true)
		_, b := w.drive(t, rand.New(rand.NewPCG(seed, 1)), 2, true)
		if !reflect.DeepEqual(a, b) {
			t.Fatal("two drives with the same signals emit different events")
		}
	}
}

func TestBackoff(t *testing.T) {
	for _, c := range []struct {
		seconds float64
		k       int
		want    time.Duration
	}{
		{1, 1, time.Second}, {1, 2, 2 * time.Second}, {1, 4, 8 * time.Second},
		{0.5, 1, 500 * time.Millisecond}, {0.5, 3, 2 * time.Second},
		{1, 9, 256 * time.Second}, {1, 10, 300 * time.Second}, {1, 100, 300 * time.Second},
		{300, 1, 300 * time.Second}, {300, 100, 300 * time.Second}, {0, 50, 0},
	} {
		if got := backoff(c.seconds, c.k); got != c.want {
			t.Errorf("backoff(%v, %d) = %v, want %v", c.seconds, c.k, got, c.want)
		}
	}
	if got := inSeconds(1e300); got != math.MaxInt64 {
		t.Errorf("a huge timeout is %v", got)
	}
}

// TestRetryWaitsGiveTheirSlotBack: with one slot, b runs while a waits.
func TestRetryWaitsGiveTheirSlotBack(t *testing.T) {
	p := mustPlan(t, newFlow(step("a").retry(1, 2), step("b")))
	s := NewState(p, nil, 1)
	w := &world{plan: p, outcome: map[string][]map[string]any{"a": {nil, {}}, "b": {{}}}}
	kinds := func(actions []Action) (out []string) {
		for _, a := range actions {
			switch a.Kind {
			case Emit:
				out = append(out, string(a.Event.Type))
			case Wait:
				out = append(out, "wait "+a.Duration.String())
			case Start:
				out = append(out, "start "+p.Step(a.Step).Name)
			case End:
				out = append(out, "end")
			default:
				out = append(out, fmt.Sprint(a.Kind))
			}
		}
		return out
	}
	for _, c := range []struct {
		sig  Signal
		want []string
	}{
		{Signal{Kind: Begin}, []string{"run_started", "step_started", "start a"}},
		{w.end(0, 1), []string{"wait 2s", "step_retrying", "step_started", "start b"}},
		{Signal{Kind: WaitOver, Step: 0, Attempt: 2}, nil},
		{w.end(1, 1), []string{"step_succeeded", "step_started", "start a"}},
		{w.end(0, 2), []string{"step_succeeded", "run_finished", "end"}},
	} {
		_, actions := Advance(p, s, c.sig)
		if got := kinds(actions); !slices.Equal(got, c.want) {
			t.Fatalf("after %+v: %v, want %v", c.sig, got, c.want)
		}
	}
}

func BenchmarkAdvance(b *testing.B) {
	for name, steps := range map[string][]*Step{"chain": chainOf(1000), "side by side": sideBySide(1000), "layers": layers(10, 100)} {
		b.Run(name, func(b *testing.B) {
			p := mustPlan(b, newFlow(steps...))
			b.ReportAllocs()
			for b.Loop() {
				s := NewState(p, nil, 8)
				var queue []Signal
				take := func(actions []Action) {
					for _, a := range actions {
						if a.Kind == Start {
							queue = append(queue, Signal{Kind: Succeeded, Step: a.Step, Attempt: 1})
						}
					}
				}
				_, actions := Advance(p, s, Signal{Kind: Begin})
				take(actions)
				for len(queue) > 0 {
					sig := queue[0]
					queue = queue[1:]
					_, actions := Advance(p, s, sig)
					take(actions)
				}
				if s.Status() != Success {
					b.Fatal(s.Status())
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(p.Len()), "ns/step")
		})
	}
}
