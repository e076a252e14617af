package flow

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ironflow/ironflow/nodes"
)

// Limits of a declaration.
const (
	MaxNameBytes = 128
	MaxRetries   = 100
	// MaxBackoff bounds both `backoff` and the wait that it doubles to, in
	// seconds.
	MaxBackoff = 300
)

// maxCompared bounds how many names are compared with mistyped ones, so that a
// large flow full of mistakes is still checked at once.
const maxCompared = 1 << 20

// checker gathers the problems of one flow.
type checker struct {
	flow     *Flow
	problems []nodes.Problem
	byName   map[string]int32 // the first declaration of each name
	names    []string         // those a flow author may write, for suggestions
	compared int
}

func newChecker(f *Flow) *checker {
	c := &checker{flow: f, problems: slices.Clone(f.Problems), byName: make(map[string]int32, len(f.Steps))}
	for i, s := range f.Steps {
		if _, ok := c.byName[s.Name]; !ok {
			c.byName[s.Name] = int32(i)
			if s.Guards == "" && s.Name != "" {
				c.names = append(c.names, s.Name)
			}
		}
	}
	return c
}

func (c *checker) add(s *Step, format string, args ...any) {
	c.problems = append(c.problems, problemAt(s, nodes.Error, fmt.Sprintf(format, args...)))
}

// problemAt places a problem at a step. A guard is shown as the step that it
// stands before, since that is what the flow declares.
func problemAt(s *Step, severity nodes.Severity, message string) nodes.Problem {
	return nodes.Problem{Severity: severity, File: s.File, Line: s.Line, Step: shown(s), Message: message}
}

func shown(s *Step) string {
	if s.Guards != "" {
		return s.Guards
	}
	return s.Name
}

// sortProblems orders by file and line, and drops what is there twice.
func sortProblems(list []nodes.Problem) []nodes.Problem {
	slices.SortStableFunc(list, func(a, b nodes.Problem) int {
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line)
	})
	seen := make(map[nodes.Problem]bool, len(list))
	return slices.DeleteFunc(list, func(p nodes.Problem) bool {
		twice := seen[p]
		seen[p] = true
		return twice
	})
}

// near is nodes.DidYouMean over step names, as long as that stays cheap.
func (c *checker) near(name string) string {
	if c.compared += len(c.names); c.compared > maxCompared {
		return ""
	}
	return nodes.DidYouMean(name, c.names)
}

// declarations checks each step by itself.
func (c *checker) declarations() {
	for i, s := range c.flow.Steps {
		if !s.Broken {
			c.name(i, s)
		}
		c.numbers(s)
		if s.HasRoute && s.Route == "" {
			c.add(s, `route is empty; name the route that a dependency publishes, such as :route("true")`)
		}
		if s.HasRoute && len(s.DependsOn) == 0 {
			c.add(s, `has a route but no dependency that could publish it; add :depends_on("...") with the step that decides`)
		}
	}
}

func (c *checker) name(i int, s *Step) {
	if s.Guards != "" {
		return
	}
	if why := nameProblem(s.Name); why != "" {
		c.add(s, "step name %s %s; allowed are 1 to %d of letters, digits, \"_\", \".\" and \"-\", the first one a letter or digit", nodes.Describe(s.Name), why, MaxNameBytes)
	}
	if first := c.byName[s.Name]; int(first) != i {
		f := c.flow.Steps[first]
		c.add(s, "a step of this name is already declared at %s:%d; rename one of them", f.File, f.Line)
	}
}

// nameProblem says what is wrong with a step name; "" = nothing.
func nameProblem(name string) string {
	switch {
	case name == "":
		return "is empty"
	case len(name) > MaxNameBytes:
		return fmt.Sprintf("has %d bytes", len(name))
	case name[0] == '_':
		return `starts with "_", which is reserved`
	}
	for i, r := range name {
		letter := 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9'
		if !letter && (i == 0 || !strings.ContainsRune("_.-", r)) {
			if i == 0 {
				return fmt.Sprintf("starts with %q", r)
			}
			return fmt.Sprintf("has a %q", r)
		}
	}
	return ""
}

func (c *checker) numbers(s *Step) {
	if s.Retries < 0 || s.Retries > MaxRetries {
		c.add(s, "retries is %d, allowed: 0..%d extra attempts", s.Retries, MaxRetries)
	}
	if !(s.Backoff >= 0 && s.Backoff <= MaxBackoff) {
		c.add(s, "backoff is %s, allowed: 0..%d (s)", number(s.Backoff), MaxBackoff)
	}
	if s.HasTimeout && !(s.Timeout > 0 && s.Timeout <= math.MaxFloat64) {
		c.add(s, "timeout is %s, allowed: a number of seconds above 0", number(s.Timeout))
	}
}

func number(f float64) string { return strconv.FormatFloat(f, 'g', -1, 64) }

// graph resolves the names in depends_on and on_error.
func (c *checker) graph() *graph {
	n := len(c.flow.Steps)
	g := &graph{
		steps: c.flow.Steps, named: make([][]int32, n),
		recovers: make([]int32, n), recovery: make([]int32, n), open: make([]bool, n),
	}
	seen := make([]int32, n) // 1 + the last step that named this one
	for i, s := range c.flow.Steps {
		g.recovers[i], g.recovery[i] = -1, -1
		g.open[i] = s.Broken
		g.named[i] = make([]int32, 0, len(s.DependsOn))
		wrong := map[string]bool{}
		for _, name := range s.DependsOn {
			d, ok := c.byName[name]
			switch {
			case wrong[name]:
			case name == s.Name || s.Guards != "" && name == s.Guards:
				wrong[name] = true
				c.add(s, "depends on itself; remove %q from depends_on", name)
			case !ok:
				wrong[name] = true
				g.open[i] = true
				c.add(s, "depends on %q, which is no step of this flow%s", name, c.near(name))
			case seen[d] != int32(i)+1:
				seen[d] = int32(i) + 1
				g.named[i] = append(g.named[i], d)
			}
		}
	}
	return g
}

// parameters checks the parameters of every node step.
func (c *checker) parameters() {
	for _, s := range c.flow.Steps {
		if s.Broken || s.Node == nil {
			continue
		}
		found := append(nodes.Check(&s.Node.Spec, s.Params), nodes.CheckRetries(&s.Node.Spec, s.Params, s.Retries)...)
		for _, p := range found {
			p.File, p.Line, p.Step = s.File, s.Line, shown(s)
			c.problems = append(c.problems, p)
		}
	}
}

// maxCircles bounds the circles named for steps that are tangled in many.
const maxCircles = 20

// cycles names each circle of steps that wait for one another, takes out the
// edge that closes it, and looks again. With recovery, circles of depends_on
// alone are gone already.
func (c *checker) cycles(g *graph, withRecovery bool) {
	for range maxCircles {
		edges := g.edges(withRecovery)
		if len(topological(edges)) == len(edges) {
			return
		}
		for _, knot := range knots(edges) {
			c.reportCircle(g, circle(edges, knot), withRecovery)
			for _, v := range knot {
				g.open[v] = true
			}
		}
	}
	// More circles than anyone reads: cut the rest, so that planning can go on.
	for _, knot := range knots(g.edges(withRecovery)) {
		for _, v := range knot {
			g.named[v] = nil
			c.dropRecovery(g, v)
		}
	}
}

func (c *checker) dropRecovery(g *graph, source int32) {
	if h := g.recovery[source]; h >= 0 {
		g.recovery[source], g.recovers[h] = -1, -1
	}
}

func (c *checker) reportCircle(g *graph, way []int32, withRecovery bool) {
	var text strings.Builder
	for _, v := range way {
		text.WriteString(g.steps[v].Name + " -> ")
	}
	text.WriteString(g.steps[way[0]].Name)
	first := g.steps[way[0]]
	if withRecovery {
		c.add(first, "cycle through on_error: %s (each step waits for the next, and for the recovery of what it depends on); remove one of these dependencies or recoveries", text.String())
	} else {
		c.add(first, "dependency cycle: %s (each step waits for the next); remove one of these dependencies", text.String())
	}
	g.cut(way, withRecovery)
}

// cut takes out the edge that closes a circle: one that recovery adds, or else
// the one that points furthest ahead in the order of declaration, since that
// is most often the mistaken one.
func (g *graph) cut(way []int32, withRecovery bool) {
	best, gap := 0, int32(math.MinInt32)
	for i, v := range way {
		w := way[(i+1)%len(way)]
		if withRecovery && !slices.Contains(g.named[v], w) {
			g.cutRecovery(v, w)
			return
		}
		if w-v > gap {
			best, gap = i, w-v
		}
	}
	v, w := way[best], way[(best+1)%len(way)]
	g.named[v] = slices.DeleteFunc(g.named[v], func(d int32) bool { return d == w })
}

// cutRecovery undoes the recovery because of which v waits for w.
func (g *graph) cutRecovery(v, w int32) {
	h := w
	if g.recovers[v] == w {
		h = v
	}
	if source := g.recovers[h]; source >= 0 {
		g.recovery[source] = -1
	}
	g.recovers[h] = -1
}
