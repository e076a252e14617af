// Package builtin lists the nodes that come with IronFlow and live in Go. The
// node code, which runs Lua, is added by package lua.
package builtin

import (
	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/ai"
	"github.com/ironflow/ironflow/nodes/control"
	"github.com/ironflow/ironflow/nodes/data"
	"github.com/ironflow/ironflow/nodes/file"
	"github.com/ironflow/ironflow/nodes/process"
	"github.com/ironflow/ironflow/nodes/web"
	"github.com/ironflow/ironflow/providers"
)

// Register adds the built-in nodes. The AI nodes take the provider parameters
// that the vendors declare; a set of vendors without entries gives AI nodes
// that have no provider to choose.
func Register(reg *nodes.Registry, vendors []providers.Vendor) error {
	if err := ai.Register(reg, vendors); err != nil {
		return err
	}
	for _, register := range []func(*nodes.Registry) error{
		data.Register, file.Register, control.Register, web.Register, process.Register,
	} {
		if err := register(reg); err != nil {
			return err
		}
	}
	return nil
}
