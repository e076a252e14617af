package app

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/ironflow/ironflow/flow"
	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
)

// runFlags are the flags of `ironflow run`.
type runFlags struct {
	context     contextFlags
	grants      grants
	concurrency int
	print       string
	json        bool
}

func (a *App) runCommand(g *globals) *cobra.Command {
	f := &runFlags{}
	cmd := &cobra.Command{
		Use:   "run FLOW",
		Short: "Run a flow",
		Long: `Runs a flow file. The initial context comes from -c, then --set, --set-json and
--set-file in the order given, the last one winning. At the end the published
keys are listed, one line each, with type and size.

When standard error is a terminal, a live view has a line for each step: its
state, its time, and how far it is. With more steps than rows, those that run,
failed or ended last are shown, and the others counted. Log lines go above it.
NO_COLOR switches colours off; TERM=dumb, -v (plain lines at debug level) and
--quiet switch the view off.`,
		Example: `  ironflow run flow.lua --set-file document=report.md
  ironflow run flow.lua -c '{"n":3}' --print result
  ironflow run flow.lua --json > record.json`,
		Args: exactArgs(1, "one flow file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.run(cmd, g, f, args[0])
		},
		ValidArgsFunction: completeFlow,
	}
	f.context.add(cmd)
	flags := cmd.Flags()
	flags.IntVar(&f.concurrency, "max-concurrency", 0, "steps that work at the same time, 1..10000 (default "+setTasks+", else the greater of 8 and the number of processors)")
	flags.StringArrayVar(&f.grants.exec, "allow-exec", nil, "let the flow start this `PROGRAM` (repeatable, * means all)")
	flags.StringArrayVar(&f.grants.paths, "allow-path", nil, "let paths with placeholders lie below this `DIR` too (repeatable)")
	flags.StringVar(&f.print, "print", "", "print the value of one `KEY` instead of the listing: a string raw, anything else as JSON")
	flags.BoolVar(&f.json, "json", false, "print the record of the run as JSON instead of the listing")
	cmd.MarkFlagsMutuallyExclusive("print", "json")
	return cmd
}

func (a *App) run(cmd *cobra.Command, g *globals, f *runFlags, file string) error {
	if cmd.Flags().Changed("max-concurrency") && (f.concurrency < 1 || f.concurrency > 10000) {
		return usageError("--max-concurrency is %d: allowed: 1..10000", f.concurrency)
	}
	if cmd.Flags().Changed("print") && f.print == "" {
		return usageError("--print is empty: name a key of the final context")
	}
	s, err := a.open(g, f.grants)
	if err != nil {
		return err
	}
	defer s.close()
	initial, err := f.context.build(g, s.maxFile)
	if err != nil {
		return err
	}
	plan, err := s.prepare(cmd, file, initial)
	if err != nil {
		return err
	}
	if f.concurrency > 0 {
		s.concurrency = f.concurrency
	}
	result, err := s.execute(cmd.Context(), plan, initial)
	if err != nil {
		return usageError("%w", err)
	}
	return s.report(cmd, f, result)
}

// prepare loads and plans the flow, prints its warnings, and refuses a run
// that cannot succeed: an invalid flow, missing dependencies, missing
// credentials.
func (s *session) prepare(cmd *cobra.Command, file string, initial map[string]any) (*flow.Plan, error) {
	f, plan, problems, err := s.load(cmd.Context(), file)
	if err != nil {
		return nil, err
	}
	if f != nil {
		initial["_flow_dir"] = f.Dir
	}
	if plan != nil {
		problems = append([]nodes.Problem(nil), plan.Warnings...)
		problems = append(problems, plan.MissingDependencies(initial)...)
	}
	failed := 0
	for _, p := range problems {
		if p.Severity == nodes.Error {
			failed++
			fmt.Fprintln(s.globals.process.Stderr, escapeControl(s.redactor.Redact(p.String())))
		} else {
			s.log.Warn(p.String())
		}
	}
	if failed > 0 || plan == nil {
		return nil, invalidError(failed)
	}
	if missing := s.preflight(f); len(missing) > 0 {
		for _, p := range missing[1:] {
			fmt.Fprintln(s.globals.process.Stderr, escapeControl(s.redactor.Redact(p.String())))
		}
		return nil, exitWith(ExitUsage, errors.New(missing[0].String()))
	}
	return plan, nil
}

// execute runs a plan on this session.
func (s *session) execute(ctx context.Context, plan *flow.Plan, initial map[string]any) (*flow.Result, error) {
	env := *s.env
	env.FlowDir = plan.Flow.Dir
	env.Exec = s.resolveGrants(plan.Flow.Dir)
	env.Flows = &nestedFlows{session: s}
	log := newEventLog(s.log, plan)
	onEvent, endView := s.observe(plan, log)
	defer endView()
	runner := &flow.Runner{
		Env: &env, MaxConcurrency: s.concurrency, MaxRun: s.maxRun, OnEvent: onEvent,
	}
	result, err := runner.Run(ctx, plan, initial)
	endView()
	if err == nil {
		log.others(result.Record)
	}
	return result, err
}

// report prints what the flags ask for, and returns the error of a run that
// did not succeed.
func (s *session) report(cmd *cobra.Command, f *runFlags, result *flow.Result) error {
	out := bufio.NewWriterSize(cmd.OutOrStdout(), 1<<16)
	err := s.print(out, f, result)
	if flushErr := out.Flush(); err == nil && flushErr != nil {
		err = exitWith(ExitRun, fmt.Errorf("writing the result: %w", flushErr))
	}
	if result.Err != nil {
		return exitWith(ExitRun, result.Err)
	}
	return err
}

func (s *session) print(w io.Writer, f *runFlags, result *flow.Result) error {
	switch {
	case f.json:
		if err := result.Record.WriteJSON(w); err != nil {
			return exitWith(ExitRun, err)
		}
	case f.print != "":
		return printKey(w, f.print, result)
	case !s.globals.quiet:
		published := map[string]any{}
		for _, k := range result.Published() {
			published[k] = result.Context[k]
		}
		return writeListing(w, published)
	}
	return nil
}

// printKey writes one value: a string raw, everything else as JSON.
func printKey(w io.Writer, key string, result *flow.Result) error {
	v, ok := result.Context[key]
	if !ok || flow.Private(key) {
		if result.Err != nil {
			return nil // the failure of the run says more
		}
		var keys []string
		for k := range result.Public() {
			keys = append(keys, k)
		}
		return exitWith(ExitRun, fmt.Errorf("--print %s: the final context has no such key%s", key, nodes.DidYouMean(key, keys)))
	}
	var err error
	if text, isText := v.(string); isText {
		_, err = io.WriteString(w, text)
	} else {
		err = value.WriteJSON(w, v)
	}
	if err != nil {
		return exitWith(ExitRun, err)
	}
	return nil
}

// nestedFlows runs flows for the node subworkflow.
type nestedFlows struct{ session *session }

// RunFlow implements nodes.FlowRunner. The nested run shares providers,
// transport and limits with its parent; its events are logged, its failures
// name its own file and step.
func (n *nestedFlows) RunFlow(ctx context.Context, env *nodes.Env, path string, in map[string]any) (map[string]any, error) {
	s := n.session
	name := path
	if rel, err := filepath.Rel(s.globals.process.Dir, path); err == nil && filepath.IsLocal(rel) {
		name = rel
	}
	f, plan, problems, err := s.load(ctx, name)
	if err != nil {
		return nil, err
	}
	initial := map[string]any{}
	for k, v := range in {
		initial[k] = v
	}
	if f != nil {
		initial["_flow_dir"] = f.Dir
	}
	if plan != nil {
		problems = plan.MissingDependencies(initial)
	}
	for _, p := range problems {
		if p.Severity == nodes.Error {
			return nil, fmt.Errorf("the flow %s is invalid: %s", name, p.String())
		}
	}
	nested := *env
	nested.FlowDir = f.Dir
	nested.Flows = n
	log := newEventLog(s.log, plan)
	if s.stderr.live() {
		log.shown = slog.New(slog.DiscardHandler) // the step that runs the flow shows its progress
	}
	runner := &flow.Runner{Env: &nested, MaxConcurrency: s.concurrency, OnEvent: log.event}
	result, err := runner.Run(ctx, plan, initial)
	if err != nil {
		return nil, err
	}
	log.others(result.Record)
	if result.Err != nil {
		return nil, result.Err
	}
	return result.Public(), nil
}
