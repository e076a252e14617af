package lua

import (
	"context"

	glua "github.com/yuin/gopher-lua"

	"github.com/ironflow/ironflow/nodes"
)

// program reads the exec form of a declaration.
func (d *definition) program(f fields, exec glua.LValue) func(context.Context, *nodes.Call) (nodes.Output, error) {
	d.problem("exec", "programs cannot be started here")
	return nil
}
