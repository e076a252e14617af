package flow

import (
	"fmt"
	"maps"
	"slices"
)

// oracle says how a run ends, step by step in plan order, straight from the
// rules and without any machinery.
func (w *world) oracle() outcome {
	f := w.plan.Flow
	n := naivePlan(f)
	at := map[string]int{}
	for i, name := range n.order {
		at[name] = i
	}
	steps, source, handler := map[string]*Step{}, map[string]string{}, map[string]string{}
	for _, s := range f.Steps {
		steps[s.Name] = s
		if s.OnError != "" {
			source[s.OnError], handler[s.Name] = s.Name, s.OnError
		}
	}
	initial := map[string]any{"k0": "initial", "in": int64(1)}
	out := outcome{Status: Success, Steps: map[string]string{}, Failures: map[string]string{}, Views: map[string]map[string]any{}}
	status, why, kind, cause := map[string]Status{}, map[string]string{}, map[string]string{}, map[string]string{}
	published, message := map[string]map[string]any{}, map[string]string{}

	recovered := func(d string) bool { return handler[d] != "" && status[handler[d]] == Success }
	skip := func(name, as, reason string) { status[name], kind[name], why[name] = Skipped, as, reason }

	decide := func(s *Step) bool {
		if a := source[s.Name]; a != "" && status[a] != Failed {
			verb := "succeeded"
			if status[a] == Skipped {
				verb = "was skipped"
			}
			skip(s.Name, "unneeded", fmt.Sprintf("not needed: step %q %s", a, verb))
			return false
		}
		named := slices.Compact(slices.Sorted(slices.Values(s.DependsOn)))
		slices.SortFunc(named, func(a, b string) int { return at[a] - at[b] })
		for _, d := range named {
			switch {
			case status[d] == Failed && !recovered(d):
				cause[s.Name] = d
				skip(s.Name, "blocked", fmt.Sprintf("step %q failed", d))
				return false
			case status[d] == Skipped && kind[d] != "route" && (source[d] == "" || !slices.Contains(s.DependsOn, source[d])):
				cause[s.Name] = cause[d]
				reason := fmt.Sprintf("step %q was skipped", d)
				if kind[d] == "unneeded" {
					reason += ": " + why[d]
				} else if cause[d] != "" {
					reason += fmt.Sprintf(" because step %q failed", cause[d])
				}
				skip(s.Name, "blocked", reason)
				return false
			}
		}
		if !s.HasRoute {
			return true
		}
		for d := range n.deps[s.Name] {
			if v, ok := published[d]["_route_"+d]; ok && v == any("r") {
				return true
			}
		}
		reason := ""
		for _, d := range named {
			v, ok := published[d]["_route_"+d]
			if text, isText := v.(string); ok && isText {
				reason = fmt.Sprintf("step %q published route %q", d, text)
			} else if ok {
				reason = fmt.Sprintf("step %q published route %v", d, v)
			}
			if ok {
				break
			}
		}
		if reason == "" {
			reason = fmt.Sprintf("step %q published no route", named[0])
			if status[named[0]] == Skipped {
				reason = fmt.Sprintf("step %q was skipped", named[0])
			}
		}
		skip(s.Name, "route", `route "r" was not taken: `+reason)
		return false
	}

	for _, name := range n.order {
		s := steps[name]
		attempts := 0
		if decide(s) {
			status[name] = Failed
			for attempts = 1; attempts <= s.Retries+1; attempts++ {
				if o := w.outcome[name][attempts-1]; o != nil {
					status[name], published[name] = Success, o
					break
				}
				message[name] = fmt.Sprintf("%s broke in attempt %d", name, attempts)
			}
			attempts = min(attempts, s.Retries+1)
		}
		if status[name] == Failed {
			text := fmt.Sprintf("flow.lua:%d: step %q: %s", s.Line, name, message[name])
			if s.Retries > 0 {
				text += fmt.Sprintf(" (attempt %d of %d)", attempts, s.Retries+1)
			}
			out.Failures[name] = text
		}
		out.Steps[name] = fmt.Sprintf("%s after %d: %s", status[name], attempts, why[name])
	}

	merge := func(sees func(string) bool) map[string]any {
		m := maps.Clone(initial)
		for _, name := range n.order {
			if sees(name) {
				maps.Copy(m, published[name])
			}
		}
		return m
	}
	for _, name := range n.order {
		view := merge(func(a string) bool { return n.all[name][a] })
		if a := source[name]; a != "" && status[a] == Failed {
			view["_error_message"], view["_error_step"], view["_error_node_type"] = message[a], a, "function"
		}
		out.Views[name] = view
		if status[name] == Failed && !recovered(name) {
			out.Status = Failed
		}
	}
	out.Context = merge(func(string) bool { return true })
	return out
}
