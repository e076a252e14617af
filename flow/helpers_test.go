package flow

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
)

// goFunc is a function step written in Go.
type goFunc func(ctx context.Context, view value.View) (any, error)

func (f goFunc) Call(ctx context.Context, args ...any) (any, error) {
	view, _ := args[0].(value.View)
	return f(ctx, view)
}

func publish(out any) nodes.Func {
	return goFunc(func(context.Context, value.View) (any, error) { return out, nil })
}

func failWith(text string) nodes.Func {
	return goFunc(func(context.Context, value.View) (any, error) { return nil, fmt.Errorf("%s", text) })
}

// step makes a function step without outputs; line is filled in by newFlow.
func step(name string, dependsOn ...string) *Step {
	return &Step{Name: name, DependsOn: dependsOn, Func: publish(nil), Backoff: 1}
}

func (s *Step) with(change func(*Step)) *Step {
	change(s)
	return s
}

func (s *Step) fn(f nodes.Func) *Step        { s.Func = f; return s }
func (s *Step) recover(h string) *Step       { s.OnError = h; return s }
func (s *Step) retry(n int, b float64) *Step { s.Retries, s.Backoff = n, b; return s }
func (s *Step) within(seconds float64) *Step { s.HasTimeout, s.Timeout = true, seconds; return s }
func (s *Step) routed(r string) *Step        { s.HasRoute, s.Route = true, r; return s }
func (s *Step) node(n *nodes.Node, params map[string]any) *Step {
	s.Func, s.Node, s.Params = nil, n, params
	return s
}

// newFlow puts step n on line n of flow.lua.
func newFlow(steps ...*Step) *Flow {
	for i, s := range steps {
		if s.Line == 0 {
			s.File, s.Line = "flow.lua", i+1
		}
	}
	return &Flow{Name: "test", File: "flow.lua", SHA256: strings.Repeat("ab", 32), Steps: steps, Registry: nodes.NewRegistry()}
}

func mustPlan(t testing.TB, f *Flow) *Plan {
	t.Helper()
	p, problems := NewPlan(f)
	if p == nil {
		t.Fatalf("no plan: %v", problems)
	}
	return p
}

func names(p *Plan) []string {
	var out []string
	for i := range p.Len() {
		out = append(out, p.Step(i).Name)
	}
	return out
}

func texts(problems []nodes.Problem) []string {
	var out []string
	for _, p := range problems {
		out = append(out, p.String())
	}
	return out
}

func run(t testing.TB, r *Runner, f *Flow, initial map[string]any) *Result {
	t.Helper()
	res, err := r.Run(t.Context(), mustPlan(t, f), initial)
	if err != nil {
		t.Fatal(err)
	}
	return res
}

func statuses(r *Result) map[string]Status {
	out := map[string]Status{}
	for _, s := range r.Record.Steps {
		out[s.Name] = s.Status
	}
	return out
}

func stepRecord(t testing.TB, r *Result, name string) StepRecord {
	t.Helper()
	i := slices.IndexFunc(r.Record.Steps, func(s StepRecord) bool { return s.Name == name })
	if i < 0 {
		t.Fatalf("no step %q in the record", name)
	}
	return r.Record.Steps[i]
}

// writer is a node with a declared list output, a twin and a template.
func writer() *nodes.Node {
	return &nodes.Node{
		Spec: nodes.Spec{
			Name: "writer", Summary: "Publishes a text",
			Params: []nodes.Param{
				{Name: "text", Type: nodes.String, Interpolate: true, Help: "what to publish"},
				{Name: "source_key", Type: nodes.String, Role: nodes.Source, Help: "what to read"},
				{Name: "size", Type: nodes.Integer, Range: nodes.Between(1, 9), Help: "a number"},
				{Name: "output_key", Type: nodes.String, Role: nodes.OutputKey, Default: "out", Help: "key"},
			},
			Outputs: []nodes.OutputSpec{
				{Suffix: "", Type: nodes.Any, Help: "the text"},
				{Suffix: "_embeddings", Type: nodes.Any, Twin: true, Help: "the text again"},
			},
		},
		Run: func(_ context.Context, call *nodes.Call) (nodes.Output, error) {
			v := any(call.String("text"))
			if call.Given("source_key") {
				var err error
				if v, err = call.Source("source_key"); err != nil {
					return nil, err
				}
			}
			return nodes.Output{"": v, "_embeddings": v}, nil
		},
	}
}
