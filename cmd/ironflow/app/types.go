package app

import (
	"io"

	"github.com/spf13/cobra"

	"github.com/ironflow/ironflow/lua"
)

func (a *App) typesCommand(g *globals) *cobra.Command {
	var flowFile string
	cmd := &cobra.Command{
		Use:   "types",
		Short: "Print definitions for lua-language-server",
		Long: `Prints definitions of Flow, the builder, every node with its parameters, and the
globals. Save them where your editor finds them, for instance:

  ironflow types > ironflow.d.lua`,
		Args: exactArgs(0, "none"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := a.open(g, grants{})
			if err != nil {
				return err
			}
			defer s.close()
			reg, err := s.registryOf(cmd, flowFile)
			if err != nil {
				return err
			}
			_, err = io.WriteString(cmd.OutOrStdout(), lua.Types(reg))
			return err
		},
	}
	cmd.Flags().StringVar(&flowFile, "flow", "", "add the nodes that this flow `FILE` defines")
	completeFlag(cmd, "flow", completeFlows)
	return cmd
}
