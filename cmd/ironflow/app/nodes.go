package app

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"github.com/ironflow/ironflow/nodes"
)

func (a *App) nodesCommand(g *globals) *cobra.Command {
	var flowFile string
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "nodes [NAME]",
		Short: "List the nodes, or describe one",
		Args: func(cmd *cobra.Command, args []string) error {
			if len(args) > 1 {
				return usageError("got %d names, want one at most: %s", len(args), cmd.UseLine())
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			s, err := a.open(g, grants{})
			if err != nil {
				return err
			}
			defer s.close()
			reg, err := s.registryOf(cmd, flowFile)
			if err != nil {
				return err
			}
			if len(args) == 1 {
				return describeNode(cmd.OutOrStdout(), reg, args[0], asJSON)
			}
			return listNodes(cmd.OutOrStdout(), reg, asJSON)
		},
		ValidArgsFunction: a.completeNodes,
	}
	cmd.Flags().StringVar(&flowFile, "flow", "", "add the nodes that this flow `FILE` defines")
	completeFlag(cmd, "flow", completeFlows)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print JSON Schemas")
	return cmd
}

// registryOf returns the nodes of this program, and of a flow file when one is
// given.
func (s *session) registryOf(cmd *cobra.Command, flowFile string) (*nodes.Registry, error) {
	if flowFile == "" {
		return s.registry, nil
	}
	f, _, problems, err := s.load(cmd.Context(), flowFile)
	if err != nil {
		return nil, err
	}
	if f == nil {
		writeProblems(cmd.ErrOrStderr(), problems)
		return nil, invalidError(countErrors(problems))
	}
	return f.Registry, nil
}

func listNodes(w io.Writer, reg *nodes.Registry, asJSON bool) error {
	list := reg.List()
	if asJSON {
		schemas := make([]any, len(list))
		for i, n := range list {
			schemas[i] = nodes.Schema(&n.Spec)
		}
		return writeIndented(w, schemas)
	}
	width := 0
	for _, n := range list {
		width = max(width, len(n.Spec.Name))
	}
	for _, n := range list {
		if _, err := fmt.Fprintf(w, "%-*s  %s\n", width, n.Spec.Name, escapeLine(n.Spec.Summary)); err != nil {
			return err
		}
	}
	return nil
}

func describeNode(w io.Writer, reg *nodes.Registry, name string, asJSON bool) error {
	n, ok := reg.Lookup(strings.TrimPrefix(name, "nodes."))
	if !ok {
		return usageError("there is no node %q%s", name, nodes.DidYouMean(name, reg.Names()))
	}
	if asJSON {
		return writeIndented(w, nodes.Schema(&n.Spec))
	}
	_, err := io.WriteString(w, escapeControl(nodes.DescribeNode(&n.Spec)))
	return err
}

func writeIndented(w io.Writer, v any) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(v)
}
