package control

import (
	"context"
	"fmt"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/condition"
	"github.com/ironflow/ironflow/nodes/value"
)

const routeRule = "A step with `:depends_on(\"this step\"):route(name)` runs only when this step chose that route; steps behind a step that was left out by a route still run, which is how branches join."

func routeOutput() nodes.OutputSpec {
	return nodes.OutputSpec{Name: "_route_<step>", Type: nodes.String, Help: "the route that was chosen"}
}

func ifNode() nodes.Node {
	return nodes.Node{Run: runIf, Spec: nodes.Spec{
		Name:    "if_node",
		Summary: "Choose between two routes by a condition",
		Doc: routeRule + "\n\nA condition in text form is `P`, `P exists` or `P OP literal`, with a path P such as `ctx.stats.pages` or `ctx.items[0]`, " +
			"OP one of `== != >= <= > <`, and as literal a number, `true`, `false`, `null`, a quoted string, or bare text to the end. " +
			"`P` alone is false for a missing value, null and false. For everything else give a function: `function(ctx) return ... end`; it is false for nil, null and false.",
		Params: []nodes.Param{
			{Name: "condition", Type: nodes.String, Or: []nodes.Type{nodes.Function}, Role: nodes.Condition, Required: true, NonEmpty: true,
				Help: "the test: text such as \"ctx.pages > 3\", or a function of ctx"},
			{Name: "true_route", Type: nodes.String, Default: "true", NonEmpty: true, Help: "the route when the condition holds"},
			{Name: "false_route", Type: nodes.String, Default: "false", NonEmpty: true, Help: "the route when it does not"},
		},
		Outputs: []nodes.OutputSpec{
			routeOutput(),
			{Name: "_condition_result_<step>", Type: nodes.Boolean, Help: "whether the condition held"},
		},
		Examples: []nodes.Example{{
			Title:   "Treat long documents differently",
			Lua:     `nodes.if_node{ condition = "ctx.pages > 100", true_route = "long", false_route = "short" }`,
			Context: `{"pages": 12}`,
		}, {
			Title:   "With a function",
			Lua:     `nodes.if_node{ condition = function(ctx) return #ctx.text > 10 end }`,
			Context: `{"text": "a longer text"}`,
		}},
	}}
}

func runIf(ctx context.Context, call *nodes.Call) (nodes.Output, error) {
	holds, err := test(ctx, call)
	if err != nil {
		return nil, call.Errorf("condition", "%w", err)
	}
	route := call.String("false_route")
	if holds {
		route = call.String("true_route")
	}
	return nodes.Output{"_route_<step>": route, "_condition_result_<step>": holds}, nil
}

func test(ctx context.Context, call *nodes.Call) (bool, error) {
	if f := call.Func("condition"); f != nil {
		v, err := f.Call(ctx, call.View())
		return v != nil && v != false, err
	}
	c, err := condition.Parse(call.String("condition"))
	if err != nil {
		return false, err
	}
	return c.Eval(call.View())
}

func switchNode() nodes.Node {
	return nodes.Node{Run: runSwitch, Spec: nodes.Spec{
		Name:    "switch_node",
		Summary: "Choose one of several routes by a value",
		Doc:     routeRule + "\n\nThe value is compared with the keys of `cases` as text, byte by byte: a number or boolean as JSON writes it (`3`, `true`), nil as the empty text.",
		Params: []nodes.Param{
			{Name: "value", Type: nodes.String, Or: []nodes.Type{nodes.Function, nodes.Number, nodes.Boolean}, Interpolate: true, Required: true,
				Help: "what to look up: text such as \"${ctx.kind}\", or a function of ctx"},
			{Name: "cases", Type: nodes.Object, Elem: &nodes.Param{Type: nodes.String, NonEmpty: true}, Required: true, Help: "route for each value"},
			{Name: "default", Type: nodes.String, Default: "default", NonEmpty: true, Help: "the route when no case matches"},
		},
		Outputs: []nodes.OutputSpec{
			routeOutput(),
			{Name: "_switch_value_<step>", Type: nodes.String, Help: "the value as text"},
		},
		Examples: []nodes.Example{{
			Title:   "One route for each kind of document",
			Lua:     `nodes.switch_node{ value = "${ctx.kind}", cases = { pdf = "extract", md = "chunk" }, default = "skip" }`,
			Context: `{"kind": "md"}`,
		}},
	}}
}

func runSwitch(ctx context.Context, call *nodes.Call) (nodes.Output, error) {
	v := call.Value("value")
	if f := call.Func("value"); f != nil {
		var err error
		if v, err = f.Call(ctx, call.View()); err != nil {
			return nil, call.Errorf("value", "%w", err)
		}
	}
	text, err := asCase(v)
	if err != nil {
		return nil, call.Errorf("value", "%w", err)
	}
	route, ok := call.Object("cases")[text].(string)
	if !ok {
		route = call.String("default")
	}
	return nodes.Output{"_route_<step>": route, "_switch_value_<step>": text}, nil
}

func asCase(v any) (string, error) {
	switch v := v.(type) {
	case nil:
		return "", nil
	case string:
		return v, nil
	case bool, int64, float64:
		text, err := value.Marshal(v)
		return string(text), err
	}
	return "", fmt.Errorf("the function returned %s, want a string, number or boolean", nodes.Describe(v))
}
