// Package data holds the nodes that shape values inside a flow: log,
// template_render, json_parse, json_stringify and zip. None of them leaves the
// process.
package data

import "github.com/ironflow/ironflow/nodes"

// Register adds the nodes of this package.
func Register(reg *nodes.Registry) error {
	return reg.RegisterBuiltin(logNode(), templateRender(), jsonParse(), jsonStringify(), zip())
}
