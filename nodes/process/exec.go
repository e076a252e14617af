package process

import (
	"context"

	"github.com/ironflow/ironflow/nodes"
)

const execDoc = "The program gets one JSON object on standard input, `{\"params\": {...}, \"input\": <value of source_key>, \"step\": \"name\", \"attempt\": 1}`, " +
	"and prints one JSON value on standard output, which is published. Its standard error goes to the log, line by line, with control characters escaped. " +
	"An exit code other than 0 fails the step; a recovery step finds the code and the end of standard error in `_error_output`.\n\n" +
	"Programs are off until the operator grants them: `--allow-exec PROGRAM` (repeatable, `*` for all) or `IRONFLOW_ALLOW_EXEC`, a comma-separated list. " +
	"The program is started directly, without a shell, and placeholders in `cmd` are never filled in. A name with a slash is taken from the folder of the flow, a bare name is looked up in PATH. " +
	"It runs in the folder of the flow with PATH, HOME, LANG, TMPDIR and `env` as its environment: no key of yours is in it unless `env` hands it over.\n\n" +
	"When the step ends, is cancelled or runs out of time, the program and everything that it started are ended: SIGTERM first where it still runs, SIGKILL two seconds later " +
	"(Linux, macOS and other Unix systems; on Windows only the program itself). Programs that several flows need are better declared once with `nodes.define` and `exec`."

func execNode() nodes.Node {
	return nodes.Node{Run: runExec, Spec: nodes.Spec{
		Name:    "exec",
		Summary: "Run a program that the operator allowed, with JSON in and out",
		Doc:     execDoc,
		Params: []nodes.Param{
			{Name: "cmd", Type: nodes.Array, Elem: &nodes.Param{Type: nodes.String}, Required: true, NonEmpty: true, Help: "the program and its arguments, never interpolated"},
			{Name: "source_key", Type: nodes.String, Role: nodes.Source, Help: "context value that the program gets as input; null without it"},
			{Name: "params", Type: nodes.Object, Interpolate: true, Help: "what the program gets as params"},
			{Name: "env", Type: nodes.Object, Elem: &nodes.Param{Type: nodes.String}, Help: "further variables of its environment"},
			{Name: "timeout", Type: nodes.Number, Default: DefaultTimeout, Range: &nodes.Range{Min: 0, Max: 86400, OpenMin: true}, Unit: "s", Help: "time for one run"},
			{Name: "max_output_bytes", Type: nodes.Integer, Default: DefaultMaxOutput, Range: nodes.Between(1, 1<<30), Unit: "bytes", Help: "fail when the program prints more"},
			{Name: "output_key", Type: nodes.String, Default: "exec", Role: nodes.OutputKey, Help: "start of the published keys"},
		},
		Outputs: append([]nodes.OutputSpec{
			{Type: nodes.Any, Help: "the JSON value that the program printed"},
		}, failureOutputs(true)...),
		Examples: []nodes.Example{{
			Title:   "Hand a value to a program",
			Lua:     `nodes.exec{ cmd = { "cat" }, source_key = "document", output_key = "echoed" }`,
			Context: `{"document": "a text"}`,
			Needs:   "exec",
		}},
	}}
}

func runExec(ctx context.Context, call *nodes.Call) (nodes.Output, error) {
	r := run{node: "exec", cmd: call.Strings("cmd"), params: call.Object("params"), env: map[string]string{},
		seconds: call.Float("timeout"), maxOutput: call.Int("max_output_bytes"), failure: failureOutputs(true)}
	if r.params == nil {
		r.params = map[string]any{}
	}
	for k, v := range call.Object("env") {
		s, _ := v.(string)
		if err := checkVariable(k, s); err != nil {
			return nil, call.Errorf("env", "%w", err)
		}
		r.env[k] = s
	}
	if call.Has("source_key") {
		var err error
		if r.input, err = call.Source("source_key"); err != nil {
			return nil, err
		}
	}
	v, err := r.do(ctx, call)
	if err != nil {
		return nil, err
	}
	return nodes.Output{"": v}, nil
}
