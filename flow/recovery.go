package flow

import "slices"

// recoveries checks every on_error and adds the sound ones to the graph.
func (c *checker) recoveries(g *graph) {
	for i, s := range c.flow.Steps {
		if s.OnError == "" {
			continue
		}
		if h, ok := c.recovery(g, int32(i), s); ok {
			g.recovery[i], g.recovers[h] = h, int32(i)
		} else {
			g.open[i] = true
		}
	}
	c.returns(g)
}

// recovery checks what on_error names by itself.
func (c *checker) recovery(g *graph, source int32, s *Step) (int32, bool) {
	h, ok := c.byName[s.OnError]
	if !ok {
		c.add(s, "on_error names %q, which is no step of this flow%s", s.OnError, c.near(s.OnError))
		return 0, false
	}
	handler := c.flow.Steps[h]
	sound := true
	fail := func(format string, args ...any) {
		c.add(s, format, args...)
		sound = false
	}
	switch {
	case h == source:
		c.add(s, "on_error names the step itself; name another step")
		return 0, false
	case handler.Guards != "":
		c.add(s, "on_error names %q, the condition of a step_if; name a step of its own", s.OnError)
		return 0, false
	}
	if first := g.recovers[h]; first >= 0 {
		fail("on_error names %q, which already recovers %q; a recovery step serves one step, so declare another", s.OnError, shown(c.flow.Steps[first]))
	}
	if handler.OnError != "" {
		fail("on_error names %q, which has an on_error of its own; a recovery step cannot be recovered, so remove one of the two", s.OnError)
	}
	if handler.HasRoute {
		fail("on_error names %q, which has a route or is declared with step_if; a recovery step runs only because of the failure, so remove its condition", s.OnError)
	}
	if slices.Contains(g.named[h], source) {
		fail("on_error names %q, which depends on this step and so could never run after its failure; remove %q from its depends_on", s.OnError, s.Name)
	}
	return h, sound
}

// returns finds recovery steps that depend on their source through others.
// Such a step lies on a circle: it waits for a dependent of its source, which
// waits for it.
func (c *checker) returns(g *graph) {
	edges := g.edges(true)
	if len(topological(edges)) == len(edges) {
		return
	}
	for _, knot := range knots(edges) {
		inside := make(map[int32]bool, len(knot))
		for _, v := range knot {
			inside[v] = true
		}
		for _, h := range knot {
			source := g.recovers[h]
			if source < 0 {
				continue
			}
			if through, ok := wayBack(g, h, source, inside); ok {
				c.add(c.flow.Steps[source], "on_error names %q, which depends on this step through %q and so could never run after its failure; remove that dependency", c.flow.Steps[h].Name, c.flow.Steps[through].Name)
				g.cutRecovery(h, source)
				g.open[source], g.open[h] = true, true
			}
		}
	}
}

// wayBack looks for a dependent of source among the steps that h depends on,
// directly or not. Each of them is in the knot.
func wayBack(g *graph, h, source int32, inside map[int32]bool) (int32, bool) {
	seen := map[int32]bool{h: true}
	queue := []int32{h}
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		for _, w := range g.named[v] {
			if seen[w] || !inside[w] {
				continue
			}
			if slices.Contains(g.named[w], source) {
				return w, true
			}
			seen[w] = true
			queue = append(queue, w)
		}
	}
	return 0, false
}
