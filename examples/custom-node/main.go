// Command acme-ironflow is IronFlow with one more node, acme.shout. It is a
// module of its own, so copy the folder, drop the replace line from go.mod, and
// put your nodes where package shout is.
package main

import (
	"example.com/acme/ironflow-shout/shout"
	"github.com/ironflow/ironflow/cmd/ironflow/app"
)

func main() {
	app.New(app.WithNodes(shout.Register)).Main()
}
