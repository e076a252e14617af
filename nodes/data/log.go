package data

import (
	"context"
	"log/slog"

	"github.com/ironflow/ironflow/nodes"
)

func logNode() nodes.Node {
	return nodes.Node{Run: runLog, Spec: nodes.Spec{
		Name:    "log",
		Summary: "Write a message to the log",
		Doc: "The log goes to standard error, never to standard output. Control characters in the message are " +
			"escaped there, apart from newline and tab, so that text from documents cannot steer a terminal; " +
			"`log_message` holds the message unchanged. `debug` shows with `-v` only, and `--quiet` shows `error` only.",
		Params: []nodes.Param{
			{Name: "message", Type: nodes.String, Required: true, Interpolate: true, Help: "the text to write"},
			{Name: "level", Type: nodes.String, Enum: []string{"debug", "info", "warn", "error"}, Default: "info", Help: "how important the message is"},
		},
		Outputs: []nodes.OutputSpec{
			{Name: "log_message", Type: nodes.String, Help: "the message, placeholders filled in"},
		},
		Examples: []nodes.Example{{
			Title:   "Say how many chunks there are",
			Lua:     `nodes.log{ message = "${ctx.parts_count} chunks", level = "info" }`,
			Context: `{"parts_count": 12}`,
		}},
	}}
}

func runLog(ctx context.Context, call *nodes.Call) (nodes.Output, error) {
	message := call.String("message")
	var level slog.Level
	if err := level.UnmarshalText([]byte(call.String("level"))); err != nil {
		return nil, call.Errorf("level", "%w", err)
	}
	call.Env().Log.Log(ctx, level, nodes.Printable(message))
	return nodes.Output{"log_message": message}, nil
}
