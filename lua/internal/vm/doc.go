// Package vm runs Lua for flows: sandboxed VMs with limits, loaded once and
// run many times.
//
// An [Engine] holds what all VMs of a process share. [Engine.NewLoader] gives
// the VM in which a flow file and its modules run, exactly once. [NewImage]
// closes that VM and keeps its heap as a read-only template: closures with
// their upvalues, tables with their metatables, changed globals and library
// tables. Each [Session] is a fresh VM that copies from the template what the
// functions called in it can reach, and nothing else; two sessions never share
// a value that a script can change, so they may run side by side.
//
// Limits act between VM instructions and inside our own library functions:
// one instruction can overshoot. s = s .. s doubles a string at once, and
// t[n] = 1 fills the array part up to n when n is below gopher-lua's
// MaxArrayIndex (2^26 values, 1 GB and more). A command that runs foreign
// files should set glua.MaxArrayIndex to 1<<24 once at start; this package
// does not, since the variable belongs to the whole process.
package vm
