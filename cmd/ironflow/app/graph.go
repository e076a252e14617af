package app

import (
	"github.com/spf13/cobra"

	"github.com/ironflow/ironflow/flow/graph"
)

func (a *App) graphCommand(g *globals) *cobra.Command {
	var format string
	cmd := &cobra.Command{
		Use:   "graph FLOW",
		Short: "Print the steps of a flow as a graph",
		Long:  "Prints the steps of a flow with their dependencies, routes and recovery steps, as Mermaid or DOT.",
		Example: `  ironflow graph flow.lua
  ironflow graph flow.lua --format dot | dot -Tsvg > flow.svg`,
		Args: exactArgs(1, "one flow file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if format != "mermaid" && format != "dot" {
				return usageError("--format is %q, want \"mermaid\" or \"dot\"", format)
			}
			s, err := a.open(g, grants{})
			if err != nil {
				return err
			}
			defer s.close()
			f, plan, problems, err := s.load(cmd.Context(), args[0])
			if err != nil {
				return err
			}
			if plan == nil {
				writeProblems(cmd.ErrOrStderr(), problems)
				return invalidError(countErrors(problems))
			}
			if format == "dot" {
				return graph.DOT(cmd.OutOrStdout(), f)
			}
			return graph.Mermaid(cmd.OutOrStdout(), f)
		},
		ValidArgsFunction: completeFlow,
	}
	cmd.Flags().StringVar(&format, "format", "mermaid", "`mermaid` or dot")
	completeFlag(cmd, "format", cobra.FixedCompletions([]string{"mermaid", "dot"}, cobra.ShellCompDirectiveNoFileComp))
	return cmd
}
