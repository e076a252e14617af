package flow

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
)

func TestRunRecovery(t *testing.T) {
	for _, c := range []struct {
		name   string
		steps  []*Step
		status Status
		want   string // name=status, in plan order
		reason map[string]string
	}{
		{"failure skips dependents, independent branches go on",
			[]*Step{step("a").fn(failWith("x")), step("b", "a"), step("c", "b"), step("d"), step("e", "d")},
			Failed, "a=failed b=skipped c=skipped d=success e=success",
			map[string]string{"b": `step "a" failed`, "c": `step "b" was skipped because step "a" failed`}},
		{"the first blocking dependency in plan order",
			[]*Step{step("z").fn(failWith("x")), step("a").fn(failWith("x")), step("b", "a", "z")},
			Failed, "z=failed a=failed b=skipped", map[string]string{"b": `step "z" failed`}},
		{"recovered",
			[]*Step{step("a").fn(failWith("x")).recover("h"), step("h").fn(publish("saved")), step("b", "a"), step("c", "b")},
			Success, "a=failed h=success b=success c=success", nil},
		{"not needed",
			[]*Step{step("a").recover("h"), step("h"), step("b", "a"), step("j", "a", "h")},
			Success, "a=success h=skipped b=success j=success", map[string]string{"h": `not needed: step "a" succeeded`}},
		{"a step that names only the recovery step is skipped, and its dependents",
			[]*Step{step("a").recover("h"), step("h"), step("only", "h"), step("after", "only")},
			Success, "a=success h=skipped only=skipped after=skipped",
			map[string]string{"only": `step "h" was skipped: not needed: step "a" succeeded`, "after": `step "only" was skipped`}},
		{"a step that names only the recovery step runs after a failure",
			[]*Step{step("a").fn(failWith("x")).recover("h"), step("h"), step("only", "h")},
			Success, "a=failed h=success only=success", nil},
		{"the recovery step fails",
			[]*Step{step("a").fn(failWith("x")).recover("h"), step("h").fn(failWith("y")), step("b", "a"), step("j", "a", "h")},
			Failed, "a=failed h=failed b=skipped j=skipped", map[string]string{"b": `step "a" failed`, "j": `step "a" failed`}},
		{"the recovery step's dependency fails",
			[]*Step{step("a").fn(failWith("x")).recover("h"), step("d").fn(failWith("z")), step("h", "d"), step("b", "a", "h")},
			Failed, "a=failed d=failed h=skipped b=skipped", map[string]string{"h": `step "d" failed`, "b": `step "a" failed`}},
		{"the recovery step's dependency fails, but nobody needs it",
			[]*Step{step("a").recover("h"), step("d").fn(failWith("z")), step("h", "d"), step("b", "a", "h")},
			Failed, "a=success d=failed h=skipped b=success", map[string]string{"h": `not needed: step "a" succeeded`}},
		{"the source is skipped",
			[]*Step{step("x").fn(failWith("x")), step("a", "x").recover("h"), step("h"), step("b", "a")},
			Failed, "x=failed a=skipped h=skipped b=skipped", map[string]string{"h": `not needed: step "a" was skipped`}},
		{"a timeout is recovered",
			[]*Step{step("a").fn(untilCancelled()).within(0.01).recover("h"), step("h"), step("b", "a")},
			Success, "a=failed h=success b=success", nil},
		{"retries before recovery",
			[]*Step{step("a").fn(failWith("x")).retry(2, 0).recover("h"), step("h"), step("b", "a")},
			Success, "a=failed h=success b=success", nil},
		{"route taken",
			[]*Step{step("c").fn(publish(map[string]any{"_route_c": "yes"})), step("y", "c").routed("yes"), step("n", "c").routed("no"), step("join", "y", "n")},
			Success, "c=success y=success n=skipped join=success", map[string]string{"n": `route "no" was not taken: step "c" published route "yes"`}},
		{"routes inside a branch that was not taken",
			[]*Step{step("c").fn(publish(map[string]any{"_route_c": "no"})), step("inner", "c").routed("yes"), step("y", "inner").routed("yes"), step("join", "y")},
			Success, "c=success inner=skipped y=skipped join=success", map[string]string{"y": `route "yes" was not taken: step "inner" was skipped`}},
		{"only the own output of a direct dependency counts",
			[]*Step{step("c").fn(publish(map[string]any{"_route_c": "yes", "_route_d": "yes"})), step("d", "c"), step("y", "d").routed("yes")},
			Success, "c=success d=success y=skipped", map[string]string{"y": `route "yes" was not taken: step "d" published no route`}},
		{"a failed dependency wins over a route that was not taken",
			[]*Step{step("c").fn(publish(map[string]any{"_route_c": "no"})), step("d").fn(failWith("x")), step("y", "c", "d").routed("yes"), step("join", "y")},
			Failed, "c=success d=failed y=skipped join=skipped", map[string]string{"y": `step "d" failed`}},
		{"a recovery step may publish a route of its own",
			[]*Step{step("c").fn(failWith("x")).recover("h"), step("h").fn(publish(map[string]any{"_route_h": "yes"})), step("y", "c").routed("yes")},
			Success, "c=failed h=success y=success", nil},
		{"no steps", nil, Success, "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := run(t, &Runner{}, newFlow(c.steps...), nil)
			var got []string
			for _, s := range res.Record.Steps {
				got = append(got, s.Name+"="+string(s.Status))
				if want, ok := c.reason[s.Name]; ok && s.Reason != want {
					t.Errorf("%s: reason %q, want %q", s.Name, s.Reason, want)
				}
				if s.Status == Skipped && s.Reason == "" {
					t.Errorf("%s was skipped without a reason", s.Name)
				}
			}
			if strings.Join(got, " ") != c.want || res.Status != c.status {
				t.Errorf("got  %s %s\nwant %s %s", res.Status, strings.Join(got, " "), c.status, c.want)
			}
			if (res.Err == nil) != (c.status == Success) {
				t.Errorf("error %v", res.Err)
			}
		})
	}
}

func TestWhatAStepSees(t *testing.T) {
	set := func(kv ...any) nodes.Func {
		m := map[string]any{}
		for i := 0; i < len(kv); i += 2 {
			m[kv[i].(string)] = kv[i+1]
		}
		return publish(m)
	}
	var seen sync.Map
	look := func(name string) nodes.Func {
		return goFunc(func(_ context.Context, v value.View) (any, error) {
			m := map[string]any{}
			for _, k := range v.Keys() {
				m[k], _ = v.Get(k)
			}
			seen.Store(name, m)
			return nil, nil
		})
	}
	f := newFlow(
		step("a").fn(set("x", "a", "y", "a")),
		step("stranger").fn(set("x", "stranger", "s", 1)),
		step("b", "a").fn(set("x", "b")),
		step("c", "a").fn(set("x", "c")),
		step("overrides", "b", "c").fn(look("overrides")),
		step("scalar", "a").fn(publish("text")),
		step("list", "a").fn(publish([]string{"p", "q"})),
		step("last", "list", "scalar").fn(look("last")),
		step("failing", "a").fn(failWith("boom")).recover("h"),
		step("h").fn(look("h")),
		step("next", "failing").fn(look("next")),
		step("null", "a").fn(set("x", nil)),
		step("sees null", "null").with(func(s *Step) { s.Name = "sees-null" }).fn(look("sees-null")),
	)
	res := run(t, &Runner{}, f, map[string]any{"in": "initial", "x": "initial"})
	if res.Status != Success {
		t.Fatal(res.Err)
	}
	for name, want := range map[string]map[string]any{
		"overrides": {"in": "initial", "x": "c", "y": "a"},
		"last":      {"in": "initial", "x": "a", "y": "a", "result": []any{"p", "q"}},
		"h": {"in": "initial", "x": "a", "y": "a",
			"_error_message": "boom", "_error_step": "failing", "_error_node_type": "function"},
		"next":      {"in": "initial", "x": "a", "y": "a"},
		"sees-null": {"in": "initial", "x": nil, "y": "a"},
	} {
		got, _ := seen.Load(name)
		if !value.Equal(got, want) {
			t.Errorf("%s sees %v, want %v", name, got, want)
		}
	}
	if want := map[string]any{"in": "initial", "x": nil, "y": "a", "s": int64(1), "result": []any{"p", "q"}}; !value.Equal(res.Context, want) {
		t.Errorf("final context %v, want %v", res.Context, want)
	}
}

// TestViewsOfManyPublishers goes past the size at which a key's values move to
// another form, in both orders of publication.
func TestViewsOfManyPublishers(t *testing.T) {
	const n = 3000
	steps := make([]*Step, 0, 2*n)
	for i := range n {
		steps = append(steps, step(fmt.Sprintf("make-%d", i)))
	}
	for i := range n {
		steps = append(steps, step(fmt.Sprintf("read-%d", i), fmt.Sprintf("make-%d", i)))
	}
	p := mustPlan(t, newFlow(steps...))
	s := NewState(p, map[string]any{"result": "initial"}, 0)
	for _, i := range rand.New(rand.NewPCG(1, 1)).Perm(n) {
		s.board.publish(int32(i), map[string]any{"result": int64(i)})
	}
	for i := range n {
		r, _ := p.Index(fmt.Sprintf("read-%d", i))
		m, _ := p.Index(fmt.Sprintf("make-%d", i))
		if v, _ := s.View(p, r).Get("result"); v != int64(m) {
			t.Fatalf("read-%d sees %v, want %d", i, v, m)
		}
		if own, _ := s.Output(m, "result"); own != int64(m) {
			t.Fatalf("make-%d published %v", i, own)
		}
		if v, _ := s.View(p, m).Get("result"); v != "initial" {
			t.Fatalf("make-%d sees %v", i, v)
		}
	}
	if v := s.Context()["result"]; v != int64(n-1) {
		t.Errorf("the final value is %v", v)
	}
}

func TestRunFailures(t *testing.T) {
	res := run(t, &Runner{}, newFlow(
		step("a").fn(failWith("first")), step("saved").fn(failWith("second")).recover("h"), step("h"),
		step("b").fn(failWith("third")), step("after", "a"), step("ok"),
	), nil)
	var got []string
	for _, f := range res.Failures {
		got = append(got, f.Error())
	}
	want := []string{`flow.lua:1: step "a": first`, `flow.lua:4: step "b": third`}
	if !slices.Equal(got, want) {
		t.Errorf("failures %q, want %q", got, want)
	}
	if res.Err != error(res.Failures[0]) {
		t.Errorf("Err is %v, want the first failure", res.Err)
	}
	if res := run(t, &Runner{}, newFlow(step("a").fn(failWith("x")).recover("h"), step("h")), nil); len(res.Failures) != 0 || res.Err != nil {
		t.Errorf("a recovered failure stands: %v, %v", res.Failures, res.Err)
	}
}
