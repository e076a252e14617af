package flow

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/nodes"
)

func TestProblems(t *testing.T) {
	long := strings.Repeat("n", 129)
	w := writer()
	for _, c := range []struct {
		name  string
		steps []*Step
		want  []string // substrings, in order; one for each problem
	}{
		{"none", []*Step{step("a"), step("b", "a").retry(100, 300).within(0.001)}, nil},
		{"longest name", []*Step{step(strings.Repeat("n", 128)), step("0.a-_B")}, nil},
		{"empty name", []*Step{step("")}, []string{`flow.lua:1: step name "" is empty; allowed are 1 to 128 of letters`}},
		{"long name", []*Step{step(long)}, []string{"has 129 bytes"}},
		{"reserved name", []*Step{step("_if_a")}, []string{`starts with "_", which is reserved`}},
		{"bad first character", []*Step{step(".a")}, []string{"starts with '.'"}},
		{"bad character", []*Step{step("a b"), step("aé")}, []string{"has a ' '", "has a 'é'"}},
		{"guard", []*Step{step("_if_a").with(func(s *Step) { s.Guards = "a" }), step("a", "_if_a").routed("true")}, nil},
		{"duplicate", []*Step{step("a"), step("b"), step("a")}, []string{`flow.lua:3: step "a": a step of this name is already declared at flow.lua:1; rename one of them`}},
		{"unknown dependency", []*Step{step("chunk"), step("b", "chnk")}, []string{`flow.lua:2: step "b": depends on "chnk", which is no step of this flow; did you mean "chunk"?`}},
		{"unknown twice in one step", []*Step{step("b", "x1", "x1", "x2")}, []string{`"x1"`, `"x2"`}},
		{"itself", []*Step{step("a", "a")}, []string{`step "a": depends on itself; remove "a" from depends_on`}},
		{"guard itself", []*Step{step("_if_a", "a").with(func(s *Step) { s.Guards = "a" }), step("a", "_if_a").routed("true")}, []string{`step "a": depends on itself`}},
		{"cycle of two", []*Step{step("a", "b"), step("b", "a")}, []string{`flow.lua:1: step "a": dependency cycle: a -> b -> a (each step waits for the next)`}},
		{"cycle of three with a tail", []*Step{step("tail", "c"), step("a", "c"), step("b", "a"), step("c", "b")}, []string{"dependency cycle: a -> c -> b -> a"}},
		{"two cycles", []*Step{step("a", "b"), step("b", "a"), step("c", "d"), step("d", "c", "a")}, []string{"a -> b -> a", "c -> d -> c"}},
		{"two circles with a step in common", []*Step{step("m", "x", "y"), step("x", "m"), step("y", "m")}, []string{"m -> x -> m", "m -> y -> m"}},
		{"route without dependency", []*Step{step("a").routed("x")}, []string{`has a route but no dependency that could publish it; add :depends_on("...")`}},
		{"empty route", []*Step{step("a"), step("b", "a").routed("")}, []string{"route is empty"}},
		{"retries", []*Step{step("a").retry(101, 1), step("b").retry(-1, 1), step("c").retry(4000000000, 0)},
			[]string{"retries is 101, allowed: 0..100", "retries is -1", "retries is 4000000000"}},
		{"backoff", []*Step{step("a").retry(1, 300.5), step("b").retry(1, -1), step("c").retry(1, math.NaN()), step("d").retry(1, math.Inf(1))},
			[]string{"backoff is 300.5, allowed: 0..300 (s)", "backoff is -1", "backoff is NaN", "backoff is +Inf"}},
		{"timeout", []*Step{step("a").within(0), step("b").within(-1), step("c").within(math.NaN()), step("d").within(math.Inf(1))},
			[]string{"timeout is 0, allowed: a number of seconds above 0", "timeout is -1", "timeout is NaN", "timeout is +Inf"}},

		{"recovery: unknown", []*Step{step("fallback"), step("a").recover("falback")}, []string{`on_error names "falback", which is no step of this flow; did you mean "fallback"?`}},
		{"recovery: self", []*Step{step("a").recover("a")}, []string{"on_error names the step itself"}},
		{"recovery: one for two", []*Step{step("a").recover("h"), step("b").recover("h"), step("h")}, []string{`flow.lua:2: step "b": on_error names "h", which already recovers "a"`}},
		{"recovery: own on_error", []*Step{step("a").recover("h"), step("h").recover("g"), step("g")}, []string{`step "a": on_error names "h", which has an on_error of its own`}},
		{"recovery: route", []*Step{step("a").recover("h"), step("x"), step("h", "x").routed("r")}, []string{`which has a route`}},
		{"recovery: guard", []*Step{step("a").recover("_if_h"), step("_if_h").with(func(s *Step) { s.Guards = "h" }), step("h", "_if_h").routed("true")}, []string{"the condition of a step_if"}},
		{"recovery: depends on its source", []*Step{step("a").recover("h"), step("h", "a")}, []string{`on_error names "h", which depends on this step`}},
		{"recovery: depends on its source through others", []*Step{step("a").recover("h"), step("b", "a"), step("c", "b"), step("h", "c")}, []string{`on_error names "h", which depends on this step through "b"`}},
		{"recovery: cycle", []*Step{step("a").recover("ha"), step("b").recover("hb"), step("x", "b"), step("y", "a"), step("ha", "x"), step("hb", "y")},
			[]string{"cycle through on_error: x -> hb -> y -> ha -> x"}},
		{"recovery: the handlers of a and b need b and a", []*Step{step("a").recover("ha"), step("b").recover("hb"), step("ha", "b"), step("hb", "a")},
			[]string{"cycle through on_error: ha -> hb -> ha"}},

		{"parameters", []*Step{step("a").node(w, map[string]any{"txt": "x", "size": int64(10), "text": "${ctx.a or 1}"})},
			[]string{`flow.lua:1: step "a": writer: size: got 10, allowed: 1..9`, `step "a": writer: text: `, `step "a": writer: txt: unknown parameter; did you mean "text"?`}},

		{"broken steps count as declared", []*Step{step("a").with(func(s *Step) { s.Broken = true; s.Func = nil; s.Name = "a" }), step("b", "a").recover("c"), step("c").with(func(s *Step) { s.Broken = true })}, nil},
		{"other mistakes of a broken step are its own", []*Step{step("a", "nope").with(func(s *Step) { s.Broken = true })}, []string{`depends on "nope"`}},
		{"no follow-ups", []*Step{
			step("a", "b"), step("b", "a"), // a cycle; what follows only hangs on it
			step("r", "a").node(w, map[string]any{"text": "${ctx.far}"}),
			step("far").node(w, map[string]any{"output_key": "far"}),
		}, []string{"dependency cycle"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, problems := NewPlan(newFlow(c.steps...))
			got := texts(problems)
			if len(got) != len(c.want) {
				t.Fatalf("%d problems, want %d:\n%s", len(got), len(c.want), strings.Join(got, "\n"))
			}
			for i, want := range c.want {
				if !strings.Contains(got[i], want) {
					t.Errorf("problem %d is\n%s\nwant in it\n%s", i+1, got[i], want)
				}
			}
			if (p == nil) != (len(c.want) > 0) {
				t.Errorf("plan is nil: %v", p == nil)
			}
		})
	}
}

func TestProblemsAreMergedAndSorted(t *testing.T) {
	f := newFlow(step("a", "x"), step("b").retry(101, 1), step("c", "y"))
	same := problemAt(f.Steps[1], nodes.Error, "retries is 101, allowed: 0..100 extra attempts")
	f.Problems = []nodes.Problem{
		{Severity: nodes.Error, File: "lib.lua", Line: 1, Message: "in a module"},
		{Severity: nodes.Warning, File: "flow.lua", Line: 2, Message: "from loading"},
		same,
	}
	_, problems := NewPlan(f)
	var lines []string
	for _, p := range problems {
		lines = append(lines, fmt.Sprintf("%s:%d", p.File, p.Line))
	}
	if want := []string{"flow.lua:1", "flow.lua:2", "flow.lua:2", "flow.lua:3", "lib.lua:1"}; !slices.Equal(lines, want) {
		t.Errorf("places %v, want %v\n%v", lines, want, texts(problems))
	}
	if len(f.Problems) != 3 {
		t.Error("the flow's own problems changed")
	}
}

// TestIndependentMistakes puts mistakes into different steps of valid flows:
// each gives exactly one message at its line.
func TestIndependentMistakes(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	mistakes := []func(s *Step){
		func(s *Step) { s.Retries = 101 },
		func(s *Step) { s.Backoff = -1 },
		func(s *Step) { s.HasTimeout, s.Timeout = true, 0 },
		func(s *Step) { s.DependsOn = append(s.DependsOn, "nowhere") },
		func(s *Step) { s.DependsOn = append(s.DependsOn, s.Name) },
		func(s *Step) { s.OnError = "nowhere" },
		func(s *Step) { s.OnError = s.Name },
		func(s *Step) { s.HasRoute, s.Route, s.DependsOn = true, "r", nil },
		func(s *Step) { s.node(writer(), map[string]any{"size": int64(0)}) },
		func(s *Step) { s.node(writer(), map[string]any{"unknown": true}) },
	}
	for range 500 {
		n := 5 + rng.IntN(20)
		steps := make([]*Step, n)
		for i := range steps {
			steps[i] = step(fmt.Sprintf("s%d", i))
			if i > 0 && rng.IntN(2) == 0 {
				steps[i].DependsOn = []string{steps[rng.IntN(i)].Name}
			}
		}
		count := 1 + rng.IntN(n)
		var want []int
		for _, i := range rng.Perm(n)[:count] {
			mistakes[rng.IntN(len(mistakes))](steps[i])
			want = append(want, i+1)
		}
		slices.Sort(want)
		_, problems := NewPlan(newFlow(steps...))
		var got []int
		for _, p := range problems {
			got = append(got, p.Line)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("mistakes on lines %v, messages on %v:\n%s", want, got, strings.Join(texts(problems), "\n"))
		}
	}
}

// TestIndependentCycles closes disjoint circles inside a chain of chains.
func TestIndependentCycles(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 200 {
		steps := chainOf(60)
		count := 1 + rng.IntN(5)
		for c := range count {
			first := c*10 + rng.IntN(4)
			last := first + 1 + rng.IntN(5)
			steps[first].DependsOn = append(steps[first].DependsOn, steps[last].Name)
		}
		if _, problems := NewPlan(newFlow(steps...)); len(problems) != count {
			t.Fatalf("%d cycles give %d messages:\n%s", count, len(problems), strings.Join(texts(problems), "\n"))
		}
	}
}

// TestManyMistakesAreCheap has a mistyped name and a dense tangle everywhere.
func TestManyMistakesAreCheap(t *testing.T) {
	steps := sideBySide(10000)
	for _, s := range steps {
		s.DependsOn = []string{s.Name + "x"}
	}
	_, problems := NewPlan(newFlow(steps...))
	if len(problems) != 10000 {
		t.Fatalf("%d problems", len(problems))
	}
	if !strings.Contains(problems[0].Message, "did you mean") || strings.Contains(problems[9999].Message, "did you mean") {
		t.Errorf("names are compared without end, or never: %v, %v", problems[0], problems[9999])
	}
	tangle := sideBySide(200)
	for i, s := range tangle {
		for j := range tangle {
			if i != j {
				s.DependsOn = append(s.DependsOn, tangle[j].Name)
			}
		}
	}
	_, problems = NewPlan(newFlow(tangle...))
	if len(problems) == 0 || len(problems) > 2*maxCircles {
		t.Errorf("%d problems for a tangle", len(problems))
	}
}

func TestMissingDependencies(t *testing.T) {
	w := writer()
	reads := func(name, key string, deps ...string) *Step {
		return step(name, deps...).node(w, map[string]any{"text": "${ctx." + key + "}", "output_key": name + "_out"})
	}
	from := func(name, source string, deps ...string) *Step {
		return step(name, deps...).node(w, map[string]any{"source_key": source, "output_key": name + "_out"})
	}
	makes := func(name, key string, deps ...string) *Step {
		return step(name, deps...).node(w, map[string]any{"text": "x", "output_key": key})
	}
	guard := func(name, of string) *Step {
		return makes(name, "guarded").with(func(s *Step) { s.Guards = of })
	}
	for _, c := range []struct {
		name    string
		steps   []*Step
		initial map[string]any
		want    []string
	}{
		{"template", []*Step{makes("chunk", "parts"), reads("show", "parts")}, nil,
			[]string{`flow.lua:2: step "show": writer: text: reads "parts", which step "chunk" publishes, but does not depend on that step; add :depends_on("chunk")`}},
		{"source", []*Step{makes("chunk", "parts"), from("show", "parts[0].text")}, nil, []string{`source_key: reads "parts", which step "chunk" publishes`}},
		{"a key that looks like a path", []*Step{makes("chunk", "a.b"), from("show", "a.b")}, nil, []string{`reads "a.b"`}},
		{"suffix and added key", []*Step{makes("chunk", "parts"), reads("show", "parts_success")}, nil, []string{`reads "parts_success"`}},
		{"in the initial context", []*Step{makes("chunk", "parts"), reads("show", "parts")}, map[string]any{"parts": nil}, nil},
		{"another initial key", []*Step{makes("chunk", "parts"), reads("show", "parts")}, map[string]any{"part": nil}, []string{"chunk"}},
		{"nobody publishes it", []*Step{reads("show", "parts")}, nil, nil},
		{"direct dependency", []*Step{makes("chunk", "parts"), reads("show", "parts", "chunk")}, nil, nil},
		{"dependency through others", []*Step{makes("chunk", "parts"), makes("x", "y", "chunk"), reads("show", "parts", "x")}, nil, nil},
		{"recovery of a dependency", []*Step{makes("a", "ka").recover("h"), makes("h", "parts"), reads("show", "parts", "a")}, nil, nil},
		{"an ancestor with open outputs", []*Step{makes("chunk", "parts"), step("f"), reads("show", "parts", "f")}, nil, nil},
		{"open outputs further up", []*Step{makes("chunk", "parts"), step("f"), makes("m", "y", "f"), reads("show", "parts", "m")}, nil, nil},
		{"a recovery step with open outputs", []*Step{makes("chunk", "parts"), makes("a", "ka").recover("h"), step("h"), reads("show", "parts", "a")}, nil, nil},
		{"open outputs elsewhere", []*Step{makes("chunk", "parts"), step("f"), reads("show", "parts")}, nil, []string{"chunk"}},
		{"its own output", []*Step{step("a").node(w, map[string]any{"source_key": "doc", "output_key": "doc"})}, nil, nil},
		{"only a dependent publishes it", []*Step{reads("a", "doc"), makes("b", "doc", "a")}, nil, nil},
		{"a later step that does not depend on it", []*Step{reads("a", "doc"), makes("b", "doc")}, nil, []string{`add :depends_on("b")`}},
		{"the last one before it", []*Step{makes("m1", "doc"), makes("m2", "doc"), reads("a", "doc"), makes("m3", "doc")}, nil, []string{`add :depends_on("m2")`}},
		{"a guard's output is asked of its step", []*Step{guard("_if_g", "g"), makes("g", "other", "_if_g").routed("true"), reads("a", "guarded")}, nil, []string{`add :depends_on("g")`}},
		{"a guard is shown as its step", []*Step{makes("chunk", "parts"), from("_if_g", "parts").with(func(s *Step) { s.Guards = "g" }), makes("g", "other", "_if_g").routed("true")}, nil, []string{`step "g": writer: source_key`}},
		{"keys of the error in a recovery step", []*Step{makes("a", "ka").recover("h"), reads("h", "_error_message"), makes("odd", "_error_message")}, nil, nil},
		{"what the source saw", []*Step{makes("doc", "text"), makes("a", "ka", "doc").recover("h"), reads("h", "text")}, nil, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, problems := NewPlan(newFlow(c.steps...))
			if p == nil {
				t.Fatal(problems)
			}
			got := p.MissingDependencies(c.initial)
			if len(got) != len(c.want) {
				t.Fatalf("got %v, want %v", texts(got), c.want)
			}
			for i := range got {
				if !strings.Contains(got[i].String(), c.want[i]) || got[i].Severity != nodes.Error {
					t.Errorf("got %v, want in it %q", got[i], c.want[i])
				}
			}
			// Validation does not know the initial context and only warns.
			warnings := len(p.MissingDependencies(nil))
			for _, q := range problems {
				if q.Severity != nodes.Warning || !strings.Contains(q.Message, "unless the initial context") {
					t.Errorf("unexpected problem %v", q)
				}
			}
			if len(problems) != warnings || len(p.Warnings) != 0 {
				t.Errorf("%d warnings, want %d; %v", len(problems), warnings, p.Warnings)
			}
		})
	}
}
