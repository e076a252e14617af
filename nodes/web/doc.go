// Package web holds the nodes that speak HTTP with arbitrary servers. They
// send every request through the transport of their environment, so the rules
// about redirects, addresses, credentials and sizes hold for them as for
// everything else.
package web

import "github.com/ironflow/ironflow/nodes"

// Register adds the nodes of this package.
func Register(reg *nodes.Registry) error {
	return reg.RegisterBuiltin(httpRequest())
}
