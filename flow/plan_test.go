package flow

import (
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"testing"
)

func TestPlanOrder(t *testing.T) {
	for _, c := range []struct {
		name  string
		steps []*Step
		want  []string
	}{
		{"empty", nil, nil},
		{"order of declaration", []*Step{step("c"), step("a"), step("b")}, []string{"c", "a", "b"}},
		{"declared before its dependency", []*Step{step("a", "z"), step("b"), step("z")}, []string{"b", "z", "a"}},
		{"earliest declared that is ready", []*Step{step("a", "c"), step("b"), step("c"), step("d")}, []string{"b", "c", "a", "d"}},
		{"recovery before the dependents of its source", []*Step{step("a").recover("h"), step("b", "a"), step("h")}, []string{"a", "h", "b"}},
		{"recovery after its source", []*Step{step("h"), step("a").recover("h")}, []string{"a", "h"}},
		{"named twice", []*Step{step("a"), step("b", "a", "a")}, []string{"a", "b"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := names(mustPlan(t, newFlow(c.steps...))); !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}

// randomFlow makes a flow without mistakes. Dependencies point to steps of a
// random hidden order, so some point ahead in the order of declaration.
func randomFlow(rng *rand.Rand, n int) *Flow {
	steps := make([]*Step, n)
	for i := range steps {
		steps[i] = step(fmt.Sprintf("s%d", i))
	}
	hidden := rng.Perm(n)
	handler := map[int]bool{}
	for at, i := range hidden {
		for range rng.IntN(3) {
			if at > 0 {
				steps[i].DependsOn = append(steps[i].DependsOn, steps[hidden[rng.IntN(at)]].Name)
			}
		}
	}
	for range n / 4 {
		source, h := rng.IntN(n), rng.IntN(n)
		if source == h || handler[source] || handler[h] || steps[source].OnError != "" || steps[h].OnError != "" {
			continue
		}
		steps[source].OnError = steps[h].Name
		if p, _ := NewPlan(newFlow(steps...)); p == nil {
			steps[source].OnError = ""
			continue
		}
		handler[h] = true
	}
	return newFlow(steps...)
}

// naive is the plan as its definition says, without any care for speed.
type naive struct {
	order []string
	deps  map[string]map[string]bool // all dependencies, recovery included
	all   map[string]map[string]bool // ancestors
}

func naivePlan(f *Flow) naive {
	n := naive{deps: map[string]map[string]bool{}, all: map[string]map[string]bool{}}
	handler, source := map[string]string{}, map[string]string{}
	for _, s := range f.Steps {
		if s.OnError != "" {
			handler[s.Name], source[s.OnError] = s.OnError, s.Name
		}
	}
	for _, s := range f.Steps {
		deps := map[string]bool{}
		for _, d := range s.DependsOn {
			deps[d] = true
			if h := handler[d]; h != "" {
				deps[h] = true
			}
		}
		if a := source[s.Name]; a != "" {
			deps[a] = true
		}
		n.deps[s.Name] = deps
	}
	placed := map[string]bool{}
	for len(n.order) < len(f.Steps) {
		for _, s := range f.Steps {
			ok := !placed[s.Name]
			for d := range n.deps[s.Name] {
				ok = ok && placed[d]
			}
			if !ok {
				continue
			}
			placed[s.Name] = true
			n.order = append(n.order, s.Name)
			all := map[string]bool{}
			for d := range n.deps[s.Name] {
				all[d] = true
				for a := range n.all[d] {
					all[a] = true
				}
			}
			n.all[s.Name] = all
			break
		}
	}
	return n
}

func TestPlanMatchesItsDefinition(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 300 {
		f := randomFlow(rng, 1+rng.IntN(25))
		p, want := mustPlan(t, f), naivePlan(f)
		if got := names(p); !slices.Equal(got, want.order) {
			t.Fatalf("order %v, want %v", got, want.order)
		}
		for i := range p.Len() {
			for j := range p.Len() {
				if got := p.DependsOn(i, j); got != want.all[p.Step(i).Name][p.Step(j).Name] {
					t.Fatalf("%s depends on %s: %v", p.Step(i).Name, p.Step(j).Name, got)
				}
			}
		}
	}
}

func chainOf(n int) []*Step {
	steps := make([]*Step, n)
	for i := range steps {
		steps[i] = step(fmt.Sprintf("step-%d", i))
		if i > 0 {
			steps[i].DependsOn = []string{steps[i-1].Name}
		}
	}
	return steps
}

func sideBySide(n int) []*Step {
	steps := make([]*Step, n)
	for i := range steps {
		steps[i] = step(fmt.Sprintf("step-%d", i))
	}
	return steps
}

// layers makes full layers: each step depends on all of the layer before.
func layers(count, width int) []*Step {
	var steps []*Step
	var before []string
	for l := range count {
		var layer []string
		for i := range width {
			s := step(fmt.Sprintf("l%d-%d", l, i), before...)
			steps, layer = append(steps, s), append(layer, s.Name)
		}
		before = layer
	}
	return steps
}

// readers lets each step read what the first one publishes, so that planning
// has to look for missing dependencies too.
func readers(steps []*Step) []*Step {
	n := writer()
	for i, s := range steps {
		s.node(n, map[string]any{"text": "${ctx.k0} ${ctx.initial}", "output_key": fmt.Sprintf("k%d", i)})
	}
	return steps
}

// shapes are the flows that must plan in linear time and memory; each is made
// in a size and in twice that.
func shapes() map[string]func(n int) []*Step {
	return map[string]func(n int) []*Step{
		"chain":         chainOf,
		"side by side":  sideBySide,
		"two layers":    func(n int) []*Step { return layers(2, isqrt(n)) },
		"many layers":   func(n int) []*Step { return layers(n/100, 100) },
		"reading chain": func(n int) []*Step { return readers(chainOf(n)) },
		"fan in": func(n int) []*Step {
			steps := sideBySide(n)
			for _, s := range steps[:n-1] {
				steps[n-1].DependsOn = append(steps[n-1].DependsOn, s.Name)
			}
			return steps
		},
		"documents": func(n int) []*Step {
			var steps []*Step
			for i := range n / 4 {
				a, b, c := fmt.Sprintf("read-%d", i), fmt.Sprintf("chunk-%d", i), fmt.Sprintf("embed-%d", i)
				steps = append(steps, step(a), step(b, a), step(c, b).recover(fmt.Sprintf("fallback-%d", i)), step(fmt.Sprintf("fallback-%d", i)))
			}
			return steps
		},
	}
}

// isqrt is the width of two full layers with n dependencies.
func isqrt(n int) int {
	w := 1
	for w*w < n {
		w++
	}
	return w
}

func TestPlanningMemoryIsLinear(t *testing.T) {
	for name, shape := range shapes() {
		t.Run(name, func(t *testing.T) {
			used := func(n int) float64 {
				f := newFlow(shape(n)...)
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				mustPlan(t, f)
				runtime.ReadMemStats(&after)
				return float64(after.TotalAlloc - before.TotalAlloc)
			}
			small, large := used(5000), used(10000)
			if large/small > 2.3 {
				t.Errorf("planning 5,000 steps allocates %.0f bytes, 10,000 steps %.0f: %.2f times", small, large, large/small)
			}
		})
	}
}

func BenchmarkPlan(b *testing.B) {
	for name, shape := range shapes() {
		for _, n := range []int{5000, 10000} {
			b.Run(fmt.Sprintf("%s/%d", name, n), func(b *testing.B) {
				f := newFlow(shape(n)...)
				b.ReportAllocs()
				for b.Loop() {
					mustPlan(b, f)
				}
			})
		}
	}
}
