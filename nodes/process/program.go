package process

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
	"github.com/ironflow/ironflow/transport"
)

// Program is a program that a flow declares as the body of a node of its own.
// It prints a JSON object with the declared outputs by suffix (or fixed name).
type Program struct {
	// Cmd is the program and its arguments; nothing in it is interpolated.
	Cmd []string
	// Env is added to the program's environment.
	Env map[string]string
	// TimeoutSeconds bounds one run; 0 means DefaultTimeout.
	TimeoutSeconds float64
	// MaxOutputBytes bounds standard output; 0 means DefaultMaxOutput.
	MaxOutputBytes int
}

// failureOutputs are what a structured failure of a program carries.
func failureOutputs(withKey bool) []nodes.OutputSpec {
	code := nodes.OutputSpec{Suffix: "_exit_code", Type: nodes.Integer, OnFailure: true, Help: "exit code of the program; 128 plus the number of a signal that ended it"}
	stderr := nodes.OutputSpec{Suffix: "_stderr", Type: nodes.String, OnFailure: true, Help: "end of its standard error"}
	if !withKey {
		code.Suffix, code.Name = "", "_exit_code_<step>"
		stderr.Suffix, stderr.Name = "", "_stderr_<step>"
	}
	return []nodes.OutputSpec{code, stderr}
}

// Node makes the node for a declaration. To the declared outputs it adds those
// of a structured failure: `_exit_code` and `_stderr` behind output_key, or
// `_exit_code_<step>` and `_stderr_<step>` for a node without output_key. The
// value that the first given source parameter names goes to the program as
// "input", every parameter as a member of "params", secrets included.
func (p Program) Node(spec nodes.Spec) (nodes.Node, error) {
	if len(p.Cmd) == 0 || p.Cmd[0] == "" {
		return nodes.Node{}, fmt.Errorf("node %q: exec names no program; write exec = {\"program\", \"argument\"}", spec.Name)
	}
	if p.TimeoutSeconds < 0 || p.MaxOutputBytes < 0 {
		return nodes.Node{}, fmt.Errorf("node %q: timeout and output limit of a program must be positive", spec.Name)
	}
	for _, name := range sortedKeys(p.Env) {
		if err := checkVariable(name, p.Env[name]); err != nil {
			return nodes.Node{}, fmt.Errorf("node %q: env: %w", spec.Name, err)
		}
	}
	_, withKey := spec.OutputKeyParam()
	failure := failureOutputs(withKey)
	declared := slices.Clone(spec.Outputs)
	for _, o := range failure {
		if !slices.ContainsFunc(declared, func(d nodes.OutputSpec) bool { return d.Key() == o.Key() }) {
			spec.Outputs = append(slices.Clip(spec.Outputs), o)
		}
	}
	return nodes.Node{Spec: spec, Run: func(ctx context.Context, call *nodes.Call) (nodes.Output, error) {
		return p.run(ctx, call, &spec, declared, failure)
	}}, nil
}

func (p Program) run(ctx context.Context, call *nodes.Call, spec *nodes.Spec, declared, failure []nodes.OutputSpec) (nodes.Output, error) {
	input, err := sourceValue(call, spec)
	if err != nil {
		return nil, err
	}
	params := map[string]any{}
	for _, name := range spec.ParamNames() {
		if v := call.Value(name); v != nil {
			params[name] = revealed(v)
		}
	}
	r := run{node: spec.Name, cmd: p.Cmd, env: p.Env, params: params, input: input, seconds: p.TimeoutSeconds, maxOutput: p.MaxOutputBytes, failure: failure}
	v, err := r.do(ctx, call)
	if err != nil {
		return nil, err
	}
	out, ok := v.(map[string]any)
	if !ok {
		return nil, fmt.Errorf("%s: program %q printed %s, want a JSON object with the declared outputs by suffix", spec.Name, p.Cmd[0], nodes.Describe(v))
	}
	names := []string{}
	for _, o := range declared {
		names = append(names, o.Key())
	}
	if _, ok := spec.OutputKeyParam(); ok {
		names = append(names, "_success", "_count")
	}
	for _, k := range slices.Sorted(maps.Keys(out)) {
		if !slices.Contains(names, k) {
			return nil, fmt.Errorf("%s: program %q printed the member %q, which is not declared; allowed: %s", spec.Name, p.Cmd[0], k, nodes.QuoteList(names, "and"))
		}
	}
	return out, nil
}

// sourceValue resolves the first given source parameter.
func sourceValue(call *nodes.Call, spec *nodes.Spec) (any, error) {
	for _, p := range spec.Params {
		if p.Role == nodes.Source && p.Type == nodes.String && call.Has(p.Name) {
			return call.Source(p.Name)
		}
	}
	return nil, nil
}

// revealed takes the secrets out of their wrappers: the program needs them.
func revealed(v any) any {
	switch v := v.(type) {
	case transport.Secret:
		return v.Reveal()
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = revealed(e)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = revealed(e)
		}
		return out
	}
	return v
}

// run is one run of a program on behalf of a node.
type run struct {
	node      string
	cmd       []string
	env       map[string]string
	params    map[string]any
	input     any
	seconds   float64
	maxOutput int
	failure   []nodes.OutputSpec // exit code and standard error, in this order
}

// do runs the program and returns the JSON value that it printed.
func (r *run) do(ctx context.Context, call *nodes.Call) (any, error) {
	env := call.Env()
	dir := env.FlowDir
	if dir == "" {
		dir = env.Files.WorkDir
	}
	for name, v := range r.env {
		if env.Redactor != nil && nodes.SecretName(name) {
			env.Redactor.Add(transport.NewSecret(v))
		}
	}
	path, _ := variable(env, "PATH")
	program, err := Resolve(r.cmd[0], dir, path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", r.node, err)
	}
	if !env.Exec.Allows(program) {
		return nil, fmt.Errorf("%s: program %q may not be started; grant it with --allow-exec %s, or in IRONFLOW_ALLOW_EXEC", r.node, program, r.cmd[0])
	}
	stdin, err := value.Marshal(map[string]any{"params": r.params, "input": r.input, "step": call.Step(), "attempt": int64(call.Attempt())})
	if err != nil {
		return nil, fmt.Errorf("%s: what the program would get cannot be written as JSON: %w", r.node, err)
	}
	if r.seconds == 0 {
		r.seconds = DefaultTimeout
	}
	if r.maxOutput == 0 {
		r.maxOutput = DefaultMaxOutput
	}
	base := filepath.Base(program)
	j := &job{path: program, args: r.cmd[1:], dir: dir, env: environment(env, r.env), stdin: stdin, maxOutput: r.maxOutput,
		stderr: &lineLog{log: func(line string) { env.Log.Info(line, "program", base) }}}
	stdout, code, err := j.run(ctx, time.Duration(r.seconds*float64(time.Second)))
	if err != nil {
		return nil, r.explain(ctx, err, program)
	}
	if code != 0 {
		return nil, r.failed(j, program, code)
	}
	return r.parse(stdout, program)
}

func (r *run) explain(ctx context.Context, err error, program string) error {
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.Is(err, errExpired):
		err = fmt.Errorf("did not end within %g s and was stopped; raise timeout", r.seconds)
	case errors.Is(err, errTooMuch):
		err = fmt.Errorf("printed more than %d bytes on standard output and was stopped; let it print less, or a path", r.maxOutput)
	}
	return fmt.Errorf("%s: program %q %w", r.node, program, err)
}

func (r *run) failed(j *job, program string, code int) error {
	tail := j.stderr.end()
	text := fmt.Sprintf("%s: program %q ended with exit code %d", r.node, program, code)
	if tail != "" {
		text += ": " + lastLine(tail)
	}
	return &nodes.Failure{Err: errors.New(text), Output: nodes.Output{r.failure[0].Key(): code, r.failure[1].Key(): tail}}
}

func (r *run) parse(stdout []byte, program string) (any, error) {
	v, err := value.ParseJSON(stdout)
	if err == nil {
		return v, nil
	}
	if len(stdout) == 0 {
		return nil, fmt.Errorf("%s: program %q printed nothing, want one JSON value on standard output", r.node, program)
	}
	return nil, fmt.Errorf("%s: program %q did not print one JSON value on standard output: %w; messages belong on standard error", r.node, program, err)
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
