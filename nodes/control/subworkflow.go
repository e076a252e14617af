package control

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"sync"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
)

// maxDepth is how deep flows may be nested.
const maxDepth = 16

func subworkflow() nodes.Node {
	return nodes.Node{Run: runSubworkflow, Spec: nodes.Spec{
		Name:    "subworkflow",
		Summary: "Run another flow, once or for each element of an array",
		Doc: "The other flow starts with the values of `input` and nothing else; its keys that start with `_` stay private. " +
			"Without `output_key` its final context is published key by key; with it, the final context is one object under that key. " +
			"A failure of the other flow fails this step and names its file and step. Flows may be nested 16 deep.\n\n" +
			"With `source_key` the flow runs once for each element, which it gets under `item_key`, beside the values of `input`. At most `max_concurrent` run at the same time. " +
			"The result is an array of final contexts in the order of the elements. After a failure no further element is started, those behind it are stopped, and the error is that of the first element that failed.",
		Params: []nodes.Param{
			{Name: "flow", Type: nodes.String, Required: true, NonEmpty: true, Help: "file of the other flow, relative to the folder of this one"},
			{Name: "input", Type: nodes.Object, Interpolate: true, Help: "initial context of the other flow; a value that is exactly one placeholder keeps its type"},
			{Name: "source_key", Type: nodes.String, Role: nodes.Source, Needs: []string{"output_key"}, Help: "context value with an array: run the flow once for each element"},
			{Name: "item_key", Type: nodes.String, Default: "item", NonEmpty: true, Needs: []string{"source_key"}, Help: "where the other flow finds its element"},
			{Name: "max_concurrent", Type: nodes.Integer, Default: 4, Range: nodes.Between(1, 256), Unit: "flows", Needs: []string{"source_key"}, Help: "how many run at the same time"},
			{Name: "output_key", Type: nodes.String, Role: nodes.OutputKey, Help: "key for the final context, or for the array of them; without it the other flow's keys are published as they are"},
		},
		OpenOutputs: true,
		Outputs: []nodes.OutputSpec{
			{Type: nodes.Any, Help: "final context of the other flow, or an array of them with source_key"},
			{Suffix: "_count", Type: nodes.Integer, Help: "number of elements, with source_key"},
		},
		Examples: []nodes.Example{{
			Title:   "One flow for each document",
			Lua:     `nodes.subworkflow{ flow = "chunk_document.lua", source_key = "documents", item_key = "document", max_concurrent = 2, output_key = "chunked" }`,
			Context: `{"documents": ["First text.", "Second text."]}`,
		}},
	}}
}

func runSubworkflow(ctx context.Context, call *nodes.Call) (nodes.Output, error) {
	env := call.Env()
	switch {
	case env.Flows == nil:
		return nil, call.Errorf("flow", "other flows cannot be run here; start the flow with `ironflow run`")
	case env.Depth >= maxDepth:
		return nil, call.Errorf("flow", "%q would be nested %d deep, allowed: %d; does a flow call itself?", call.String("flow"), env.Depth+1, maxDepth)
	}
	nested := *env
	nested.Depth++
	c := child{env: &nested, name: call.String("flow"), path: call.String("flow"), input: call.Object("input")}
	if !filepath.IsAbs(c.path) {
		c.path = filepath.Join(env.FlowDir, filepath.FromSlash(c.path))
	}
	if call.Has("source_key") {
		return c.each(ctx, call)
	}
	out, err := c.run(ctx, nil)
	if err != nil {
		return nil, fmt.Errorf("subworkflow: %w", err)
	}
	if call.Has("output_key") {
		return nodes.Output{"": out}, nil
	}
	return out, nil
}

// child is the other flow.
type child struct {
	env        *nodes.Env
	name, path string
	input      map[string]any
}

// run runs it once with its input and the extra values.
func (c child) run(ctx context.Context, extra map[string]any) (out map[string]any, err error) {
	defer func() {
		// It may run in a goroutine of its own, where nobody else would catch it.
		if r := recover(); r != nil {
			out, err = nil, fmt.Errorf("flow %q: internal error: %v", c.name, r)
		}
	}()
	in := make(map[string]any, len(c.input)+len(extra))
	maps.Copy(in, c.input)
	maps.Copy(in, extra)
	final, err := c.env.Flows.RunFlow(ctx, c.env, c.path, in)
	if err != nil {
		return nil, fmt.Errorf("flow %q: %w", c.name, err)
	}
	public := make(map[string]any, len(final))
	for k, v := range final {
		if !strings.HasPrefix(k, "_") {
			public[k] = v
		}
	}
	return public, nil
}

// each runs the flow for every element of the source.
func (c child) each(ctx context.Context, call *nodes.Call) (nodes.Output, error) {
	source, err := call.SourceArray("source_key")
	if err != nil {
		return nil, err
	}
	list, err := value.AsList(source)
	if err != nil {
		return nil, call.Errorf("source_key", "%w", err)
	}
	b := &batch{child: c, list: list, key: call.String("item_key"), results: make([]any, list.Len()),
		failed: list.Len(), running: map[int]context.CancelFunc{}, progress: call.Progress}
	b.runAll(ctx, call.Int("max_concurrent"))
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if b.err != nil {
		return nil, fmt.Errorf("subworkflow: element %d of %d: %w", b.failed+1, list.Len(), b.err)
	}
	return nodes.Output{"": b.results, "_count": list.Len()}, nil
}

// batch is the state of the runs over one array. Elements are started in
// order; when one fails, those before it go on to their end and those behind
// it do not, so that which failure is reported does not depend on timing.
type batch struct {
	child    child
	list     value.List
	key      string
	results  []any
	progress func(done, total int, unit string)

	mu      sync.Mutex
	next    int // the next element to start
	done    int
	failed  int // lowest element that failed; the length of the list if none
	err     error
	running map[int]context.CancelFunc
}

func (b *batch) runAll(ctx context.Context, workers int) {
	var wg sync.WaitGroup
	for range min(workers, b.list.Len()) {
		wg.Go(func() {
			for {
				i, itemCtx, ok := b.start(ctx)
				if !ok {
					return
				}
				out, err := b.child.run(itemCtx, map[string]any{b.key: b.list.At(i)})
				b.finish(i, out, err)
			}
		})
	}
	wg.Wait()
}

// start hands out the next element.
func (b *batch) start(ctx context.Context) (int, context.Context, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.next >= b.failed || ctx.Err() != nil {
		return 0, nil, false
	}
	i := b.next
	b.next++
	itemCtx, cancel := context.WithCancel(ctx)
	b.running[i] = cancel
	return i, itemCtx, true
}

func (b *batch) finish(i int, out map[string]any, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.running[i]()
	delete(b.running, i)
	if err == nil {
		b.results[i] = out
		b.done++
		b.progress(b.done, b.list.Len(), "flow")
		return
	}
	if i > b.failed {
		return
	}
	b.failed, b.err = i, err
	for k, cancel := range b.running {
		if k > i {
			cancel()
		}
	}
}
