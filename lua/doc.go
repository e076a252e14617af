// Package lua loads flow files and runs the functions in them.
//
// A [Host] loads a file with [Host.Load]: the file is compiled once and run
// once, in a sandboxed Lua 5.1 VM that has the tables `Flow` and `nodes`. What
// it declares becomes a flow.Flow. Mistakes in declarations are recorded and
// loading goes on; only what leaves no flow to speak of is a [LoadError].
//
// Functions in the file become nodes.Func values. Each call runs in a VM of
// its own that holds a private copy of what the file had built when loading
// ended, so functions may capture locals and helpers, and no two calls can
// disturb one another.
//
// The package also brings the node `code` ([RegisterNodes]), nodes that a flow
// defines itself (nodes.define), and the definitions that editors read
// ([Types]).
package lua
