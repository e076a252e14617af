package flow

import (
	"fmt"

	"github.com/ironflow/ironflow/nodes"
)

// verdict decides a step whose dependencies have all ended: whether it runs
// (notSkipped), or why not. It looks at final states only, so the order in
// which they came about changes nothing.
func (s *State) verdict(p *Plan, i int) (skip, string) {
	if source := int(p.recovers[i]); source >= 0 {
		switch name := p.steps[source].Name; s.statuses[source] {
		case Success:
			return unneeded, fmt.Sprintf("not needed: step %q succeeded", name)
		case Skipped:
			return unneeded, fmt.Sprintf("not needed: step %q was skipped", name)
		}
	}
	for _, d := range p.named[i] {
		if reason := s.blocks(p, i, d); reason != "" {
			return afterFailed, reason
		}
	}
	if step := p.steps[i]; step.HasRoute {
		if !s.routed(p, i, step.Route) {
			return routeSkip, s.routeReason(p, i, step.Route)
		}
	}
	return notSkipped, ""
}

// blocks says why dependency d keeps step i from running; "" when it does not.
func (s *State) blocks(p *Plan, i int, d int32) string {
	name := p.steps[d].Name
	switch s.statuses[d] {
	case Failed:
		if s.recovered(p, d) {
			return ""
		}
		s.cause[i] = d
		return fmt.Sprintf("step %q failed", name)
	case Skipped:
		if s.skips[d] == routeSkip {
			return ""
		}
		// Whoever depends on the source waits for the recovery step anyway and
		// goes by how the source ended.
		if source := p.recovers[d]; source >= 0 && contains(p.named[i], source) {
			return ""
		}
		s.cause[i] = s.cause[d]
		if s.skips[d] == unneeded {
			return fmt.Sprintf("step %q was skipped: %s", name, s.reasons[int(d)])
		}
		if c := s.cause[d]; c >= 0 {
			return fmt.Sprintf("step %q was skipped because step %q failed", name, p.steps[c].Name)
		}
		return fmt.Sprintf("step %q was skipped", name)
	}
	return ""
}

// routed reports whether a dependency published the route that the step waits
// for: its own output `_route_<its name>`.
func (s *State) routed(p *Plan, i int, route string) bool {
	for _, d := range p.deps[i] {
		if s.statuses[d] == Success && d != p.recovers[i] {
			if v, ok := s.board.of(d, RouteKey(p.steps[d].Name)); ok && v == route {
				return true
			}
		}
	}
	return false
}

// RouteKey is the key under which a step publishes the route that it took.
func RouteKey(step string) string { return "_route_" + step }

func (s *State) routeReason(p *Plan, i int, route string) string {
	var first string
	for _, d := range p.named[i] {
		name := p.steps[d].Name
		if v, ok := s.board.of(d, RouteKey(name)); ok {
			return fmt.Sprintf("route %q was not taken: step %q published route %s", route, name, nodes.Describe(v))
		}
		if first != "" {
			continue
		}
		switch s.statuses[d] {
		case Skipped:
			first = fmt.Sprintf("route %q was not taken: step %q was skipped", route, name)
		default:
			first = fmt.Sprintf("route %q was not taken: step %q published no route", route, name)
		}
	}
	return first
}

func contains(list []int32, x int32) bool {
	for _, e := range list {
		if e == x {
			return true
		}
	}
	return false
}
