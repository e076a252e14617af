// Package shout is an example of nodes written in Go, outside of IronFlow.
package shout

import (
	"context"
	"strings"

	"github.com/ironflow/ironflow/nodes"
)

// Register adds the nodes of this package to a registry.
func Register(reg *nodes.Registry) error {
	return reg.Register(shoutNode())
}

func shoutNode() nodes.Node {
	return nodes.Node{
		Spec: nodes.Spec{
			Name:    "acme.shout",
			Summary: "Turn texts into capital letters",
			Doc:     "An example of a node that is written in Go, outside of IronFlow.",
			Params: []nodes.Param{
				{Name: "source_key", Type: nodes.String, Role: nodes.Source, Interpolate: true, Required: true,
					Help: "the array of texts"},
				{Name: "output_key", Type: nodes.String, Role: nodes.OutputKey, Default: "shout",
					Help: "start of the published keys"},
				{Name: "marks", Type: nodes.Integer, Default: int64(1), Range: nodes.Between(0, 3),
					Help: "exclamation marks behind each text"},
			},
			Outputs: []nodes.OutputSpec{
				{Type: nodes.Array, Help: "the texts in capital letters"},
				{Suffix: "_characters", Type: nodes.Integer, Help: "characters of all results together"},
			},
			Examples: []nodes.Example{{
				Title:   "Shout twice",
				Lua:     `nodes.acme.shout{ source_key = "words", marks = 2 }`,
				Context: `{"words":["tea","rain"]}`,
			}},
		},
		Run: runShout,
	}
}

func runShout(_ context.Context, call *nodes.Call) (nodes.Output, error) {
	texts, err := call.SourceStrings("source_key")
	if err != nil {
		return nil, err
	}
	shouted := make([]string, len(texts))
	characters := 0
	for i, text := range texts {
		shouted[i] = strings.ToUpper(text) + strings.Repeat("!", call.Int("marks"))
		characters += len([]rune(shouted[i]))
		call.Progress(i+1, len(texts), "text")
	}
	return nodes.Output{"": shouted, "_characters": characters}, nil
}
