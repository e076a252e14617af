package app

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/ironflow/ironflow/lua"
	"github.com/ironflow/ironflow/nodes"
	vendors "github.com/ironflow/ironflow/providers/builtin"
)

// completionCommand adds cobra's command that prints the scripts of the shells,
// and makes a shell that it does not know an error, not a page of help that ends
// in the file of a script.
func completionCommand(root *cobra.Command) {
	root.InitDefaultCompletionCmd()
	for _, cmd := range root.Commands() {
		if cmd.Name() != "completion" {
			continue
		}
		const shells = "bash, zsh, fish or powershell"
		cmd.Args = func(_ *cobra.Command, args []string) error {
			if len(args) > 0 {
				return usageError("no completion for %q: want %s", args[0], shells)
			}
			return usageError("completion for which shell? want %s", shells)
		}
		cmd.RunE = func(*cobra.Command, []string) error { return nil }
	}
}

// completeFlows lets the shell complete Lua files.
func completeFlows(_ *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return []string{"lua"}, cobra.ShellCompDirectiveFilterFileExt
}

// completeFlow lets the shell complete one Lua file, and nothing behind it.
func completeFlow(cmd *cobra.Command, args []string, prefix string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	return completeFlows(cmd, args, prefix)
}

// completeFlag lets the shell complete the value of a flag of cmd.
func completeFlag(cmd *cobra.Command, flag string, complete cobra.CompletionFunc) {
	if err := cmd.RegisterFlagCompletionFunc(flag, complete); err != nil {
		panic(err) // the flag does not exist
	}
}

// completeNodes lets the shell complete names of nodes.
func (a *App) completeNodes(_ *cobra.Command, args []string, prefix string) ([]string, cobra.ShellCompDirective) {
	if len(args) > 0 {
		return nil, cobra.ShellCompDirectiveNoFileComp
	}
	reg, err := a.offlineRegistry()
	if err != nil {
		return nil, cobra.ShellCompDirectiveError
	}
	var names []string
	for _, n := range reg.List() {
		if strings.HasPrefix(n.Spec.Name, prefix) {
			names = append(names, n.Spec.Name+"\t"+n.Spec.Summary)
		}
	}
	return names, cobra.ShellCompDirectiveNoFileComp
}

// offlineRegistry lists the nodes for what needs only their declarations.
func (a *App) offlineRegistry() (*nodes.Registry, error) {
	return a.newRegistry(vendors.Vendors(), lua.NewHost(lua.Options{}))
}
