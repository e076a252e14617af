package control

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/nodetest"
	"github.com/ironflow/ironflow/nodes/value"
)

func TestSpecs(t *testing.T) {
	reg := nodes.NewRegistry()
	if err := Register(reg); err != nil {
		t.Fatal(err)
	}
	for _, n := range reg.List() {
		nodetest.CheckSpec(t, &n.Spec)
	}
}

// returns is a function that returns v and checks that it gets the context.
func returns(v any) nodetest.Func {
	return func(_ context.Context, args ...any) (any, error) {
		if _, ok := args[0].(value.View); !ok || len(args) != 1 {
			return nil, fmt.Errorf("called with %v", args)
		}
		return v, nil
	}
}

var errBroken = errors.New("flow.lua:3: broken")

func broken(context.Context, ...any) (any, error) { return nil, errBroken }

func TestIf(t *testing.T) {
	in := map[string]any{"n": 5, "name": "x", "none": nil, "flag": false}
	for _, tt := range []struct {
		condition any
		want      bool
	}{
		{"ctx.n > 3", true}, {"ctx.n > 5", false}, {"ctx.name == x", true}, {"ctx.none", false}, {"ctx.none exists", true}, {"ctx.gone exists", false}, {"ctx.flag", false}, {"ctx.n", true},
		{returns(true), true}, {returns(false), false}, {returns(nil), false}, {returns(int64(0)), true}, {returns(""), true},
	} {
		got, err := nodetest.Run(t, ifNode(), map[string]any{"condition": tt.condition, "true_route": "yes"}, in)
		route := map[bool]string{true: "yes", false: "false"}[tt.want]
		if err != nil || !value.Equal(got, map[string]any{"_route_step": route, "_condition_result_step": tt.want}) {
			t.Errorf("%v: got %v, %v", tt.condition, got, err)
		}
	}
	for _, tt := range []struct {
		params map[string]any
		want   string
	}{
		{nil, `if_node: condition: is required: the test: text such as "ctx.pages > 3", or a function of ctx`},
		{map[string]any{"condition": "n > 3"}, `if_node: condition: malformed condition "n > 3": it must start with a path such as ctx.name; did you mean ctx.n?; for anything more use a function: function(ctx) return ... end`},
		{map[string]any{"condition": nodetest.Func(broken)}, `if_node: condition: flow.lua:3: broken`},
		{map[string]any{"condition": true}, `if_node: condition: got true, want a string or a function`},
		{map[string]any{"condition": "ctx.n", "true_route": ""}, `if_node: true_route: is empty`},
	} {
		if _, err := nodetest.Run(t, ifNode(), tt.params, in); err == nil || err.Error() != tt.want {
			t.Errorf("got  %v\nwant %s", err, tt.want)
		}
	}
}

func TestSwitch(t *testing.T) {
	in := map[string]any{"kind": "md", "n": 3, "flag": true, "f": 2.0, "big": 1e21}
	cases := map[string]any{"md": "chunk", "3": "three", "true": "on", "2": "two", "": "empty"}
	for _, tt := range []struct {
		value       any
		route, text string
	}{
		{"${ctx.kind}", "chunk", "md"}, {"${ctx.n}", "three", "3"}, {"${ctx.none}", "empty", ""}, {"MD", "other", "MD"}, {"md ", "other", "md "},
		{3, "three", "3"}, {true, "on", "true"}, {"${ctx.flag}", "on", "true"},
		{returns("md"), "chunk", "md"}, {returns(int64(3)), "three", "3"}, {returns(2.0), "two", "2"}, {returns(true), "on", "true"}, {returns(nil), "empty", ""},
	} {
		got, err := nodetest.Run(t, switchNode(), map[string]any{"value": tt.value, "cases": cases, "default": "other"}, in)
		if err != nil || !value.Equal(got, map[string]any{"_route_step": tt.route, "_switch_value_step": tt.text}) {
			t.Errorf("%v: got %v, %v", tt.value, got, err)
		}
	}
	for _, tt := range []struct {
		params map[string]any
		want   string
	}{
		{map[string]any{"cases": cases}, `switch_node: value: is required: what to look up: text such as "${ctx.kind}", or a function of ctx`},
		{map[string]any{"value": "x"}, `switch_node: cases: is required: route for each value`},
		{map[string]any{"value": "x", "cases": map[string]any{"a": 1}}, `switch_node: cases: member "a": got 1, want a string`},
		{map[string]any{"value": "x", "cases": []any{"a"}}, `switch_node: cases: got an array of 1, want an object`},
		{map[string]any{"value": returns([]any{}), "cases": cases}, `switch_node: value: the function returned an array of 0, want a string, number or boolean`},
		{map[string]any{"value": nodetest.Func(broken), "cases": cases}, `switch_node: value: flow.lua:3: broken`},
	} {
		if _, err := nodetest.Run(t, switchNode(), tt.params, in); err == nil || err.Error() != tt.want {
			t.Errorf("got  %v\nwant %s", err, tt.want)
		}
	}
	if got, err := nodetest.Run(t, switchNode(), map[string]any{"value": "x", "cases": map[string]any{}}, in); err != nil || got["_route_step"] != "default" {
		t.Errorf("default: got %v, %v", got, err)
	}
}

// session is a function whose copies count their calls.
type session struct {
	t            *testing.T
	open, closed int
}

func (s *session) Call(context.Context, ...any) (any, error) {
	s.t.Error("Call was used although a session is offered")
	return nil, nil
}

func (s *session) Session(context.Context) (func(context.Context, ...any) (any, error), func()) {
	s.open++
	n := int64(0)
	return func(_ context.Context, args ...any) (any, error) {
		n++
		return []any{args[0], args[1], n}, nil
	}, func() { s.closed++ }
}

func TestForeach(t *testing.T) {
	double := nodetest.Func(func(_ context.Context, args ...any) (any, error) {
		if args[0] == "skip" {
			return nil, nil
		}
		if args[0] == "fail" {
			return nil, errBroken
		}
		return fmt.Sprintf("%v%v", args[0], args[1]), nil
	})
	in := map[string]any{"list": []any{"a", "skip", "c"}, "compact": value.NewStrings([]string{"x"}), "empty": map[string]any{}, "bad": []any{"a", "fail"}, "text": "t"}
	for _, tt := range []struct {
		params map[string]any
		want   []any
		err    string
	}{
		{map[string]any{"source_key": "list", "transform": double}, []any{"a1", "c3"}, ""},
		{map[string]any{"source_key": "list", "transform": double, "filter_nulls": false}, []any{"a1", nil, "c3"}, ""},
		{map[string]any{"source_key": "compact", "transform": double}, []any{"x1"}, ""},
		{map[string]any{"source_key": "empty", "transform": double}, []any{}, ""},
		{map[string]any{"source_key": "bad", "transform": double}, nil, `foreach: element 2 of 2: flow.lua:3: broken`},
		{map[string]any{"source_key": "text", "transform": double}, nil, `foreach: source_key: "text" holds "t", want an array`},
		{map[string]any{"source_key": "list", "transform": "x"}, nil, `foreach: transform: got "x", want a function`},
		{map[string]any{"source_key": "list"}, nil, `foreach: transform: is required: function(item, i) that returns the new element`},
	} {
		got, err := nodetest.Run(t, foreach(), tt.params, in)
		if tt.err != "" {
			if err == nil || err.Error() != tt.err {
				t.Errorf("got  %v\nwant %s", err, tt.err)
			}
			continue
		}
		if err != nil || !value.Equal(got, map[string]any{"foreach_results": tt.want, "foreach_results_count": int64(len(tt.want)), "foreach_results_success": true}) {
			t.Errorf("%v: got %v, %v", tt.params, got, err)
		}
	}
	s := &session{t: t}
	got, err := nodetest.Run(t, foreach(), map[string]any{"source_key": "list", "transform": s, "output_key": "r"}, in)
	want := []any{[]any{"a", int64(1), int64(1)}, []any{"skip", int64(2), int64(2)}, []any{"c", int64(3), int64(3)}}
	if err != nil || !value.Equal(got["r"], want) || s.open != 1 || s.closed != 1 {
		t.Errorf("session: got %v, %v, opened %d, closed %d", got, err, s.open, s.closed)
	}
}

func TestForeachCancelAndProgress(t *testing.T) {
	b := nodetest.New(t)
	list := make([]string, 1000)
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	count := 0
	f := nodetest.Func(func(context.Context, ...any) (any, error) {
		if count++; count == 500 {
			cancel(why)
		}
		return "x", nil
	})
	if _, err := b.RunContext(ctx, foreach(), map[string]any{"source_key": "l", "transform": f}, map[string]any{"l": list}); !errors.Is(err, why) || count != 500 {
		t.Errorf("got %v after %d", err, count)
	}
	b = nodetest.New(t)
	if _, err := b.Run(foreach(), map[string]any{"source_key": "l", "transform": f}, map[string]any{"l": list}); err != nil {
		t.Fatal(err)
	}
	reports := b.Reports()
	if len(reports) != 100 || reports[0] != (nodetest.Report{Done: 10, Total: 1000, Unit: "element"}) || reports[99].Done != 1000 {
		t.Errorf("%d reports, first %v", len(reports), strings.Fields(fmt.Sprint(reports[0])))
	}
}
