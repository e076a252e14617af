package lua

import (
	"context"
	"fmt"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
)

const codeDoc = `The text is an expression, or a chunk that returns a value. ` + "`ctx`" + ` is a global there, and everything else is as in a
function step: the same libraries, the same limits, a VM of its own.

With ` + "`output_key`" + ` the value is published under that key. Without it, it is published as a function step does: each key of
a table, an array or any other value under ` + "`result`" + `, and nothing for nil.

People write a function step instead; this node is for flows that a program generates.`

// RegisterNodes adds the nodes that need Lua: `code`.
func RegisterNodes(reg *nodes.Registry, h *Host) error {
	return reg.RegisterBuiltin(nodes.Node{
		Spec: nodes.Spec{
			Name:    codeNode,
			Summary: "Run Lua source text",
			Doc:     codeDoc,
			Params: []nodes.Param{
				{Name: "source", Type: nodes.String, Required: true, NonEmpty: true, Help: "Lua source: an expression or a chunk"},
				{Name: "output_key", Type: nodes.String, Role: nodes.OutputKey, NonEmpty: true, Help: "key to publish the value under; without it, as a function step does"},
			},
			Outputs: []nodes.OutputSpec{
				{Type: nodes.Any, Help: "the value"},
			},
			OpenOutputs: true,
			Examples: []nodes.Example{{
				Title:   "Count words",
				Lua:     `nodes.code{ source = "select(2, ctx.text:gsub('%S+', ''))", output_key = "words" }`,
				Context: `{"text":"The kettle hums."}`,
			}},
		},
		Run: h.runCode,
	})
}

func (h *Host) runCode(ctx context.Context, call *nodes.Call) (nodes.Output, error) {
	source := call.String("source")
	if int64(len(source)) > h.maxSource {
		return nil, call.Errorf("source", "has %d bytes, allowed: %d (%s)", len(source), h.maxSource, sourceLimitVariable)
	}
	name := fmt.Sprintf("step %q", call.Step())
	c, err := compileCode(name, source)
	if err != nil {
		return nil, call.Errorf("source", "%w", err)
	}
	if dir := call.Env().FlowDir; dir != "" {
		mods := &modules{dir: dir, shown: dir, limit: h.maxSource, chunks: map[string]*chunk{}, failed: map[string]error{}}
		ctx = mods.in(ctx)
	}
	result, err := h.evaluate(ctx, c, call.View())
	if err != nil {
		return nil, fmt.Errorf("code: %w", err)
	}
	if call.Has("output_key") {
		return nodes.Output{"": result}, nil
	}
	switch result := result.(type) {
	case nil:
		return nodes.Output{}, nil
	case map[string]any:
		return nodes.Output(result), nil
	}
	return nodes.Output{"result": result}, nil
}

// compileCode compiles an expression or else a chunk. The error is that of the
// chunk.
func compileCode(name, source string) (*chunk, error) {
	// The line break ends a comment at the end of the expression.
	if c, err := compile(name, "return "+source+"\n"); err == nil {
		return c, nil
	}
	return compile(name, source)
}

// evaluate runs a chunk in a fresh VM with ctx as a global.
func (h *Host) evaluate(ctx context.Context, c *chunk, view value.View) (any, error) {
	s := h.bare().NewSession()
	defer s.Close()
	v := s.VM()
	var out any
	fn := v.Function(c.proto)
	err := v.Within(ctx, func() error {
		v.SetGlobal("ctx", v.Context(view))
		results, err := v.Protected(v.L, fn)
		if err != nil || len(results) == 0 {
			return err
		}
		out, err = v.FromLua(results[0], nil)
		return err
	})
	return out, err
}
