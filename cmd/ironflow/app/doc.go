// Package app is the command line of IronFlow, importable so that a program
// with nodes of its own is a main of a few lines:
//
//	func main() { app.New(app.WithNodes(acme.Register)).Main() }
//
// process.go is the only file that touches the operating system's process:
// arguments, environment, streams, signals and exit. settings.go declares
// every setting once; docs/reference/settings.md is generated from it.
package app
