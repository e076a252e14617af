package app

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/ironflow/ironflow/flow"
	"github.com/ironflow/ironflow/lua"
	"github.com/ironflow/ironflow/nodes"
)

func (a *App) validateCommand(g *globals) *cobra.Command {
	var strict, asJSON bool
	cmd := &cobra.Command{
		Use:   "validate FLOW...",
		Short: "Check flow files and report every mistake",
		Long:  "Loads each flow file and reports all errors and warnings with file and line. Nothing is run.",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return usageError("which flow? %s", cmd.UseLine())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			return a.validate(cmd, g, args, strict, asJSON)
		},
		ValidArgsFunction: completeFlows,
	}
	cmd.Flags().BoolVar(&strict, "strict", false, "treat warnings as errors")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the problems as a JSON array")
	return cmd
}

func (a *App) validate(cmd *cobra.Command, g *globals, files []string, strict, asJSON bool) error {
	s, err := a.open(g, grants{})
	if err != nil {
		return err
	}
	defer s.close()
	all := []nodes.Problem{}
	for _, file := range files {
		_, _, problems, err := s.load(cmd.Context(), file)
		if err != nil {
			return err
		}
		all = append(all, problems...)
	}
	if strict {
		for i := range all {
			all[i].Severity = nodes.Error
		}
	}
	failed := countErrors(all)
	if asJSON {
		if err := writeProblemsJSON(cmd.OutOrStdout(), all); err != nil {
			return err
		}
	} else {
		writeProblems(cmd.OutOrStdout(), all)
		if failed == 0 && !g.quiet {
			fmt.Fprintf(cmd.OutOrStdout(), "%s valid\n", count(len(files), "flow"))
		}
	}
	if failed > 0 {
		if asJSON {
			return exitWith(ExitInvalid, errSilent)
		}
		return invalidError(failed)
	}
	return nil
}

func writeProblems(w io.Writer, list []nodes.Problem) {
	for _, p := range list {
		fmt.Fprintln(w, escapeControl(p.String()))
	}
}

// countErrors counts the problems that are errors.
func countErrors(list []nodes.Problem) int {
	n := 0
	for _, p := range list {
		if p.Severity == nodes.Error {
			n++
		}
	}
	return n
}

func writeProblemsJSON(w io.Writer, list []nodes.Problem) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(list)
}

// load loads and plans a flow and returns every problem, those of the
// providers' settings included. plan is nil when one of them is an error. The
// error is for files that cannot be read (exit 2).
func (s *session) load(ctx context.Context, file string) (*flow.Flow, *flow.Plan, []nodes.Problem, error) {
	f, err := s.host.Load(ctx, file, s.registry)
	var le *lua.LoadError
	if errors.As(err, &le) {
		return nil, nil, le.Problems(), nil
	}
	if err != nil {
		return nil, nil, nil, exitWith(ExitUsage, err)
	}
	plan, problems := flow.NewPlan(f)
	for _, p := range s.preflight(f) {
		p.Severity = nodes.Warning
		problems = append(problems, p)
	}
	return f, plan, problems, nil
}

// preflight checks that every provider that a step names has its settings.
func (s *session) preflight(f *flow.Flow) []nodes.Problem {
	var problems []nodes.Problem
	for _, step := range f.Steps {
		if step.Node == nil || step.Broken {
			continue
		}
		provider, params, ok := s.providerOf(step)
		if !ok {
			continue
		}
		if err := s.env.Providers.Check(provider, params); err != nil {
			problems = append(problems, nodes.Problem{
				Severity: nodes.Error, File: step.File, Line: step.Line, Step: step.Name,
				Node: step.Node.Spec.Name, Message: err.Error(),
			})
		}
	}
	return problems
}

// providerOf finds the literal provider of a step and the settings that the
// flow gives for it.
func (s *session) providerOf(step *flow.Step) (name string, settings map[string]any, ok bool) {
	name, _ = step.Params["provider"].(string)
	if _, ok := s.env.Providers.Vendor(name); !ok {
		return "", nil, false
	}
	return name, s.settingsOf(name, step.Params), true
}

// settingsOf picks a provider's settings out of the parameters of a node.
func (s *session) settingsOf(provider string, params map[string]any) map[string]any {
	settings := map[string]any{}
	vendor, _ := s.env.Providers.Vendor(provider)
	for _, d := range vendor.Settings {
		if given, ok := params[d.Name]; ok {
			settings[d.Name] = given
		}
	}
	return settings
}
