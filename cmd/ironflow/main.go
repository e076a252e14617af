// Command ironflow runs Lua-scripted flows that turn documents into chunks
// ready for retrieval. To build it with nodes of your own, write a main like
// this one and pass app.WithNodes(yours.Register).
package main

import "github.com/ironflow/ironflow/cmd/ironflow/app"

func main() {
	app.New().Main()
}
