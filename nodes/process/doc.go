// Package process runs other programs as nodes: the node exec, and [Program],
// the body of nodes that a flow declares with a program of its own.
//
// A program gets one JSON object on standard input,
//
//	{"params": {...}, "input": <source value>, "step": "name", "attempt": 1}
//
// and prints one JSON value on standard output. Its standard error goes to the
// log. It is started directly, without a shell, in the directory of the flow,
// with PATH, HOME, LANG, TMPDIR and what the flow adds as its environment, and
// only when the operator granted it. Where the system allows it, the program
// and all that it started form one process group, which is killed when the step
// ends, is stopped or runs out of time.
package process

import "github.com/ironflow/ironflow/nodes"

// Register adds the nodes of this package.
func Register(reg *nodes.Registry) error {
	return reg.RegisterBuiltin(execNode())
}
