package app

import (
	"strings"

	"github.com/spf13/cobra"

	"github.com/ironflow/ironflow/lua"
	"github.com/ironflow/ironflow/nodes"
	vendors "github.com/ironflow/ironflow/providers/builtin"
)

// completeFlows lets the shell complete Lua files.
func completeFlows(_ *cobra.Command, _ []string, _ string) ([]string, cobra.ShellCompDirective) {
	return []string{"lua"}, cobra.ShellCompDirectiveFilterFileExt
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
