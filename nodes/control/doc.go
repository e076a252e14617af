// Package control holds the nodes that steer a flow: if_node, switch_node,
// foreach and subworkflow.
package control

import "github.com/ironflow/ironflow/nodes"

// Register adds the nodes of this package.
func Register(reg *nodes.Registry) error {
	return reg.RegisterBuiltin(ifNode(), switchNode(), foreach(), subworkflow())
}
