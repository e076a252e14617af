package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/cmd/ironflow/app"

	"example.com/acme/ironflow-shout/shout"
)

// run runs a command of the program in this process.
func run(t *testing.T, args ...string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = app.New(app.WithNodes(shout.Register)).Run(t.Context(), app.Process{
		Args: args, Stdin: strings.NewReader(""), Stdout: &out, Stderr: &errs, Dir: ".",
	})
	return code, out.String(), errs.String()
}

func TestFlow(t *testing.T) {
	code, stdout, stderr := run(t, "run", "shout.lua", "--quiet", "--print", "shout")
	if code != 0 || stdout != `["TEA!!","RAIN!!"]` {
		t.Errorf("exit code %d, stdout %q, stderr %q", code, stdout, stderr)
	}
}

// TestLikeBuiltIn: the node appears in the catalogue, in validation and in the
// editor definitions like a built-in.
func TestLikeBuiltIn(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"nodes"}, "acme.shout"},
		{[]string{"nodes", "acme.shout"}, "exclamation marks behind each text"},
		{[]string{"nodes", "acme.shout", "--json"}, `"marks"`},
		{[]string{"validate", "shout.lua"}, "1 flow valid"},
	} {
		code, stdout, stderr := run(t, tt.args...)
		if code != 0 || !strings.Contains(stdout, tt.want) {
			t.Errorf("%v: exit code %d, stdout %q, stderr %q", tt.args, code, stdout, stderr)
		}
	}
}
