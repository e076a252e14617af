package control

import (
	"context"
	"fmt"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
)

func foreach() nodes.Node {
	return nodes.Node{Run: runForeach, Spec: nodes.Spec{
		Name:    "foreach",
		Summary: "Run a function for each element of an array",
		Doc: "`transform(item, i)` is called for each element in order, i counting from 1, and what it returns becomes an element of the result. " +
			"nil and null are left out unless `filter_nulls = false`. All calls share one copy of what the function captured, so a counter outside of it counts through; " +
			"the time limit for handlers holds for each call on its own. The first error ends the step and names the element. For work that waits on the network, run a flow for each element with `subworkflow`.",
		Params: []nodes.Param{
			{Name: "source_key", Type: nodes.String, Role: nodes.Source, Required: true, Help: "context value with the array"},
			{Name: "transform", Type: nodes.Function, Required: true, Help: "function(item, i) that returns the new element"},
			{Name: "filter_nulls", Type: nodes.Boolean, Default: true, Help: "leave out the elements for which the function returns nil"},
			{Name: "output_key", Type: nodes.String, Default: "foreach_results", Role: nodes.OutputKey, Help: "start of the published keys"},
		},
		Outputs: []nodes.OutputSpec{{Type: nodes.Array, Help: "what the function returned, in the order of the elements"}},
		Examples: []nodes.Example{{
			Title:   "Number the chunks",
			Lua:     `nodes.foreach{ source_key = "parts", transform = function(item, i) return { n = i, text = item } end, output_key = "rows" }`,
			Context: `{"parts": ["one", "two"]}`,
		}},
	}}
}

// progressSteps bounds how many progress reports a long list makes.
const progressSteps = 100

func runForeach(ctx context.Context, call *nodes.Call) (nodes.Output, error) {
	source, err := call.SourceArray("source_key")
	if err != nil {
		return nil, err
	}
	list, err := value.AsList(source)
	if err != nil {
		return nil, call.Errorf("source_key", "%w", err)
	}
	transform := call.Func("transform")
	apply := transform.Call
	if s, ok := transform.(nodes.SessionFunc); ok {
		var done func()
		apply, done = s.Session(ctx)
		defer done()
	}
	n := list.Len()
	results := make([]any, 0, n)
	every := max(1, n/progressSteps)
	for i := range n {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		v, err := apply(ctx, list.At(i), int64(i+1))
		if err != nil {
			return nil, fmt.Errorf("foreach: element %d of %d: %w", i+1, n, err)
		}
		if v != nil || !call.Bool("filter_nulls") {
			results = append(results, v)
		}
		if (i+1)%every == 0 || i+1 == n {
			call.Progress(i+1, n, "element")
		}
	}
	return nodes.Output{"": results}, nil
}
