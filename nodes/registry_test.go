package nodes_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/nodes"
)

func named(name string) nodes.Node {
	return nodes.Node{Spec: nodes.Spec{Name: name, Summary: "A test"}, Run: func(context.Context, *nodes.Call) (nodes.Output, error) { return nil, nil }}
}

func TestRegistry(t *testing.T) {
	reg := nodes.NewRegistry()
	if err := reg.Register(named("acme.shout"), named("acme.ask")); err != nil {
		t.Fatal(err)
	}
	if err := reg.RegisterBuiltin(named("log")); err != nil {
		t.Fatal(err)
	}
	clone := reg.Clone()
	if err := clone.Register(named("acme.more")); err != nil {
		t.Fatal(err)
	}
	if got := reg.Names(); !slices.Equal(got, []string{"acme.ask", "acme.shout", "log"}) {
		t.Errorf("names %v", got)
	}
	if got := clone.List(); len(got) != 4 || got[1].Spec.Name != "acme.more" {
		t.Errorf("the clone lists %d", len(got))
	}
	if _, ok := reg.Lookup("acme.more"); ok {
		t.Error("a clone changed its original")
	}
	for _, tt := range []struct {
		err  error
		want string
	}{
		{reg.Register(named("shout")), `node name "shout": names without a prefix are reserved for built-in nodes; call it "acme.shout", with your own prefix`},
		{reg.Register(named("acme.ask")), `node "acme.ask" is registered twice`},
		{reg.Register(named("acme.Shout")), `node name "acme.Shout": want lower-case letters`},
		{reg.Register(named("acme.")), `node name "acme.": want lower-case letters`},
		{reg.Register(named("acme.9")), `node name "acme.9": want lower-case letters`},
		{reg.Register(nodes.Node{Spec: nodes.Spec{Name: "a.b", Summary: "x"}}), `node "a.b" has no Run function`},
	} {
		if tt.err == nil || !strings.HasPrefix(tt.err.Error(), tt.want) {
			t.Errorf("got %v, want %s", tt.err, tt.want)
		}
	}
}

func TestSpecMistakes(t *testing.T) {
	type P = nodes.Param
	mode := P{Name: "mode", Type: nodes.String, Enum: []string{"a", "b"}, Help: "x"}
	key := P{Name: "output_key", Type: nodes.String, Role: nodes.OutputKey, Help: "x"}
	params := func(list ...P) nodes.Spec { return nodes.Spec{Name: "x.y", Summary: "A test", Params: list} }
	outputs := func(list ...nodes.OutputSpec) nodes.Spec {
		return nodes.Spec{Name: "x.y", Summary: "A test", Params: []P{mode, key}, Outputs: list}
	}
	tests := []struct {
		spec nodes.Spec
		want string
	}{
		{nodes.Spec{Name: "x.y"}, `node "x.y" has no summary`},
		{params(P{Type: nodes.String, Help: "x"}), `node "x.y": parameter 1 has no name`},
		{params(P{Name: "a", Type: nodes.String}), `node "x.y": parameter "a" has no help`},
		{params(P{Name: "a", Type: "text", Help: "x"}), `node "x.y": parameter "a": unknown type "text"`},
		{params(P{Name: "a", Type: nodes.String, Help: "x"}, P{Name: "a", Type: nodes.String, Help: "x"}), `node "x.y": parameter "a" is declared twice for the same group`},
		{params(mode, P{Name: "a", Type: nodes.String, Help: "x", When: nodes.Only("mode", "a", "b")}, P{Name: "a", Type: nodes.String, Help: "x", When: nodes.Only("mode", "b")}), `node "x.y": parameter "a" is declared twice for the same group`},
		{params(P{Name: "a", Type: nodes.String, Help: "x", When: nodes.Only("mode", "a")}), `node "x.y": parameter "a": is grouped by "mode", which is no enum parameter`},
		{params(mode, P{Name: "a", Type: nodes.String, Help: "x", When: nodes.Only("mode", "c")}), `node "x.y": parameter "a": is grouped by mode="c", which is not allowed there`},
		{params(P{Name: "a", Type: nodes.String, Help: "x", Required: true, Default: "y"}), `node "x.y": parameter "a": required and has a default`},
		{params(P{Name: "a", Type: nodes.Integer, Help: "x", Default: 5, Range: nodes.Between(6, 9)}), `node "x.y": parameter "a": default: got 5, allowed: 6..9`},
		{params(P{Name: "a", Type: nodes.String, Help: "x", Range: nodes.Between(6, 9)}), `node "x.y": parameter "a": has a range but is no number`},
		{params(P{Name: "a", Type: nodes.Integer, Help: "x", Enum: []string{"1"}}), `node "x.y": parameter "a": has a list of values but is no string`},
		{params(P{Name: "a", Type: nodes.String, Help: "x", NoRetries: true}), `node "x.y": parameter "a": NoRetries is for booleans`},
		{params(P{Name: "a", Type: nodes.String, Help: "x", Secret: true, Interpolate: true}), `node "x.y": parameter "a": a secret is never interpolated`},
		{params(P{Name: "a", Type: nodes.String, Help: "x", Needs: []string{"b"}}), `node "x.y": parameter "a": needs "b", which is no parameter`},
		{params(P{Name: "a", Type: nodes.Object, Help: "x", Fields: []P{{Name: "b", Type: nodes.String}}}), `node "x.y": parameter "a": member 1 needs a name and help`},
		{params(P{Name: "a", Type: nodes.Object, Help: "x", Fields: []P{{Name: "b", Type: "z", Help: "x"}}}), `node "x.y": parameter "a": member "b": unknown type "z"`},
		{params(P{Name: "a", Type: nodes.Array, Help: "x", Elem: &P{Type: "z"}}), `node "x.y": parameter "a": elements: unknown type "z"`},
		{params(P{Name: "output_key", Type: nodes.Integer, Role: nodes.OutputKey, Help: "x"}), `node "x.y": parameter "output_key": an output key is a string`},
		{nodes.Spec{Name: "x.y", Summary: "t", Params: []P{mode}, Choices: []nodes.Choice{{Params: []string{"mode", "z"}}}}, `node "x.y": a choice names "z", which is no parameter`},
		{nodes.Spec{Name: "x.y", Summary: "t", Params: []P{mode}, Choices: []nodes.Choice{{Params: []string{"mode"}}}}, `node "x.y": a choice needs at least two parameters`},
		{nodes.Spec{Name: "x.y", Summary: "t", Outputs: []nodes.OutputSpec{{Type: nodes.Any, Help: "x"}}}, `node "x.y": output "": a suffix needs a parameter with the role OutputKey`},
		{outputs(nodes.OutputSpec{Type: nodes.Function, Help: "x"}), `node "x.y": output "": unknown type "function"`},
		{outputs(nodes.OutputSpec{Type: nodes.Any}), `node "x.y": output "" has no help`},
		{outputs(nodes.OutputSpec{Type: nodes.Any, Help: "x"}, nodes.OutputSpec{Type: nodes.Any, Help: "x", When: nodes.Only("mode", "a")}), `node "x.y": output "" is declared twice`},
		{outputs(nodes.OutputSpec{Type: nodes.Any, Help: "x", When: nodes.Only("mode", "c")}), `node "x.y": output "": is grouped by mode="c", which is not allowed there`},
	}
	for _, tt := range tests {
		n := named("x.y")
		n.Spec = tt.spec
		if err := nodes.NewRegistry().Register(n); errText(err) != tt.want {
			t.Errorf("got  %v\nwant %s", err, tt.want)
		}
	}
	n := named("sample")
	n.Spec = *sample()
	if err := nodes.NewRegistry().RegisterBuiltin(n); err != nil {
		t.Errorf("a correct Spec is refused: %v", err)
	}
}

func TestAllOutputs(t *testing.T) {
	var keys []string
	for _, o := range sample().AllOutputs() {
		keys = append(keys, o.Key())
	}
	if got := strings.Join(keys, " "); got != " _title _size _mark_<step> _code _count _success" {
		t.Errorf("got %q", got)
	}
}

func TestRangeText(t *testing.T) {
	for _, tt := range []struct {
		r       *nodes.Range
		want    string
		in, out float64
	}{
		{nodes.Between(1, 2048), "1..2048", 1, 2049},
		{nodes.AtLeast(0), "at least 0", 0, -1},
		{nodes.Above(0.5), "above 0.5", 0.6, 0.5},
		{&nodes.Range{Min: 0, Max: 3, OpenMin: true}, "above 0, at most 3", 3, 0},
	} {
		if tt.r.String() != tt.want || !tt.r.Contains(tt.in) || tt.r.Contains(tt.out) {
			t.Errorf("%s: want %s", tt.r, tt.want)
		}
	}
}

func TestProblemText(t *testing.T) {
	for _, tt := range []struct {
		p    nodes.Problem
		want string
	}{
		{nodes.Problem{Severity: nodes.Error, File: "f.lua", Line: 3, Step: "s", Node: "n", Param: "p", Message: "m"}, `f.lua:3: step "s": n: p: m`},
		{nodes.Problem{Severity: nodes.Warning, File: "f.lua", Message: "m"}, `f.lua: warning: m`},
		{nodes.Problem{Message: "m"}, `m`},
	} {
		if got := tt.p.String(); got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}
