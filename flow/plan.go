package flow

import (
	"hash/maphash"
	"slices"

	"github.com/ironflow/ironflow/nodes"
)

// Plan is a flow in the order in which its steps are merged and, as far as
// their dependencies go, started. Step numbers below are places in that order.
// A plan does not change, so any number of runs may share it.
//
// For each step it keeps the ancestors as a [set]: sets share their parts, and
// steps with the same dependencies share one set, so planning takes time and
// memory in proportion to steps and dependencies (see set).
type Plan struct {
	Flow *Flow
	// Warnings are what planning found that holds whatever the initial
	// context is: the warnings of NewPlan without missing dependencies.
	Warnings []nodes.Problem

	steps  []*Step
	place  map[string]int32
	named  [][]int32 // the steps that depends_on names, ascending
	deps   [][]int32 // named, and what recovery adds, ascending
	next   [][]int32 // the inverse of deps, ascending
	before []set     // all ancestors
	// recovers is the step that a recovery step stands in for, recovery the
	// step that stands in for this one; -1 = none.
	recovers, recovery []int32
	missing            []missingRead
}

// NewPlan checks a flow and brings its steps into plan order. The problems are
// those recorded while the flow loaded and all that the plan adds, sorted by
// file and line; the plan is nil if one of them is an error.
//
// Reads of keys that only a step publishes on which the reader does not depend
// are warnings here, since the initial context may hold them too; a run, which
// knows the initial context, asks [Plan.MissingDependencies].
func NewPlan(f *Flow) (*Plan, []nodes.Problem) {
	c := newChecker(f)
	c.declarations()
	g := c.graph()
	c.cycles(g, false)
	c.recoveries(g)
	c.cycles(g, true)
	c.parameters()
	p, order := buildPlan(f, g)
	open := make([]bool, len(order))
	for i, d := range order {
		open[i] = g.open[d]
	}
	p.missing = findMissing(p, open)
	p.Warnings = sortProblems(slices.Clone(c.problems))
	for _, m := range p.missing {
		c.problems = append(c.problems, p.missingProblem(m, nodes.Warning))
	}
	problems := sortProblems(c.problems)
	if slices.ContainsFunc(problems, func(q nodes.Problem) bool { return q.Severity == nodes.Error }) {
		return nil, problems
	}
	return p, problems
}

// Len returns the number of steps.
func (p *Plan) Len() int { return len(p.steps) }

// Step returns step i in plan order.
func (p *Plan) Step(i int) *Step { return p.steps[i] }

// Index returns the place of a step in plan order.
func (p *Plan) Index(name string) (int, bool) {
	i, ok := p.place[name]
	return int(i), ok
}

// DependsOn reports whether step i depends on step j, directly or not;
// recovery counts.
func (p *Plan) DependsOn(i, j int) bool { return p.before[i].has(j) }

// buildPlan orders the steps of a graph without cycles and returns the order,
// by number of declaration, beside the plan.
func buildPlan(f *Flow, g *graph) (*Plan, []int32) {
	order := g.order()
	n := len(order)
	p := &Plan{Flow: f, steps: make([]*Step, n), place: make(map[string]int32, n)}
	rank := make([]int32, len(g.steps)) // declaration -> place
	for i := range rank {
		rank[i] = -1
	}
	for i, d := range order {
		rank[d] = int32(i)
		p.steps[i] = g.steps[d]
		p.place[g.steps[d].Name] = int32(i)
	}
	p.recovers, p.recovery = make([]int32, n), make([]int32, n)
	p.named, p.deps = make([][]int32, n), make([][]int32, n)
	for i, d := range order {
		p.recovers[i], p.recovery[i] = ranked(rank, g.recovers[d]), ranked(rank, g.recovery[d])
		p.named[i] = ranks(rank, g.named[d])
		p.deps[i] = p.named[i]
		if extra := g.extra(d); len(extra) > 0 {
			p.deps[i] = slices.Compact(slices.Sorted(slices.Values(append(ranks(rank, extra), p.named[i]...))))
		}
	}
	p.next = inverse(p.deps)
	p.ancestors()
	return p, order
}

func ranked(rank []int32, d int32) int32 {
	if d < 0 {
		return -1
	}
	return rank[d]
}

// ranks turns declaration numbers into ascending places.
func ranks(rank []int32, list []int32) []int32 {
	out := make([]int32, len(list))
	for i, d := range list {
		out[i] = rank[d]
	}
	slices.Sort(out)
	return out
}

// inverse turns the lists of what each step needs into those of what needs it.
// All lists share one slice.
func inverse(deps [][]int32) [][]int32 {
	count := make([]int32, len(deps)+1)
	total := 0
	for _, list := range deps {
		total += len(list)
		for _, d := range list {
			count[d]++
		}
	}
	next, flat, at := make([][]int32, len(deps)), make([]int32, total), 0
	for i := range next {
		next[i] = flat[at : at : at+int(count[i])]
		at += int(count[i])
	}
	for i, list := range deps {
		for _, d := range list {
			next[d] = append(next[d], int32(i))
		}
	}
	return next
}

// ancestors fills in before. A layer of steps that all depend on the same
// steps is computed once.
func (p *Plan) ancestors() {
	p.before = make([]set, len(p.steps))
	seed := maphash.MakeSeed()
	known := map[uint64][]int32{}
	var key []byte
	for i, deps := range p.deps {
		switch len(deps) {
		case 0:
			continue
		case 1:
			p.before[i] = p.before[deps[0]].with(int(deps[0]))
			continue
		}
		key = key[:0]
		for _, d := range deps {
			key = append(key, byte(d), byte(d>>8), byte(d>>16), byte(d>>24))
		}
		h := maphash.Bytes(seed, key)
		if j := slices.IndexFunc(known[h], func(j int32) bool { return slices.Equal(p.deps[j], deps) }); j >= 0 {
			p.before[i] = p.before[known[h][j]]
			continue
		}
		all := setOf(deps)
		for _, d := range deps {
			all = union(all, p.before[d])
		}
		p.before[i] = all
		known[h] = append(known[h], int32(i))
	}
}
