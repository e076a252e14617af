package app

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/chunking/agentic/suite"
	"github.com/ironflow/ironflow/transport"
)

// liveJudge returns the function that runs a case through the node, with the
// parameters that flags set.
func (s *session) liveJudge(cmd *cobra.Command, f *suiteFlags) (func(context.Context, *suite.Case) (suite.Result, error), error) {
	node, ok := s.registry.Lookup(agenticNode)
	if !ok {
		return nil, usageError("there is no node %s here", agenticNode)
	}
	params := map[string]any{"source_key": "document", "output_key": "chunks"}
	for _, flag := range f.given(cmd) {
		params[f.parameterFor[flag]] = *f.params[flag]
	}
	var wrong []string
	for _, p := range nodes.Check(&node.Spec, params) {
		if p.Severity == nodes.Error {
			wrong = append(wrong, p.Param+": "+p.Message)
		}
	}
	if len(wrong) > 0 {
		return nil, usageError("%s", strings.Join(wrong, "\n"))
	}
	provider := *f.params["provider"]
	if err := s.env.Providers.Check(provider, s.settingsOf(provider, params)); err != nil {
		return nil, usageError("%w", err)
	}
	if level := s.globals.level(); level == slog.LevelInfo {
		// The notes of 32 runs are in the results; warnings stay.
		s.env.Log = slog.New(transport.NewRedactingHandler(newLineHandler(s.stderr, slog.LevelWarn), s.redactor))
	}
	name := provider
	if model := *f.params["model"]; model != "" {
		name += " " + model
	}
	return func(ctx context.Context, c *suite.Case) (suite.Result, error) {
		return s.runLive(ctx, node, params, name, c)
	}, nil
}

// runLive runs one case and judges what the node published.
func (s *session) runLive(ctx context.Context, node *nodes.Node, params map[string]any, model string, c *suite.Case) (suite.Result, error) {
	raw := map[string]any{"document_id": strings.ToLower(c.ID)}
	if c.BatchBytes > 0 {
		raw["batch_max_bytes"] = int64(c.BatchBytes)
	}
	for k, v := range params {
		raw[k] = v
	}
	inputs := make([]any, len(c.Inputs))
	for i, in := range c.Inputs {
		inputs[i] = map[string]any{"chunk_id": in.ID, "text": in.Text}
	}
	out, err := s.invoke(ctx, node, raw, inputs)
	if err != nil {
		var param *nodes.ParamError
		if errors.As(err, &param) {
			return suite.Result{}, exitWith(ExitUsage, err)
		}
		return suite.Result{}, exitWith(ExitRun, fmt.Errorf("%s: %w", c.ID, err))
	}
	p, err := suite.ReadPublished(out, "chunks", c.Document())
	if err != nil {
		return suite.Result{}, exitWith(ExitRun, fmt.Errorf("%s: reading what %s published: %w", c.ID, agenticNode, err))
	}
	r, err := c.Live(model, p)
	if err != nil {
		return r, exitWith(ExitRun, err)
	}
	return r, nil
}
