package stand

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ironflow/ironflow/providers"
	"github.com/ironflow/ironflow/providers/builtin"
	"github.com/ironflow/ironflow/transport"
)

// NewSet is the provider layer as the command builds it, without variables.
func NewSet(t testing.TB, p transport.Policy) *providers.Set {
	t.Helper()
	c, err := transport.New(p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.CloseIdleConnections)
	s, err := providers.NewSet(providers.SetOptions{Vendors: builtin.Vendors(), Client: c})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Command is the ironflow binary, built once for each test process.
type Command struct {
	once sync.Once
	path string
	err  error
	out  []byte
}

// Result is the end of one run of the command.
type Result struct {
	Code           int
	Stdout, Stderr string
}

// Run runs ironflow in dir with these variables and no others of the user's.
func (c *Command) Run(t testing.TB, dir string, env []string, args ...string) Result {
	t.Helper()
	c.once.Do(func() {
		c.path = filepath.Join(Cache(t), "ironflow-under-test")
		build := exec.Command("go", "build", "-o", c.path, "./cmd/ironflow")
		build.Dir = Root()
		c.out, c.err = build.CombinedOutput()
	})
	if c.err != nil {
		t.Fatalf("ironflow cannot be built: %v\n%s", c.err, c.out)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, c.path, args...)
	cmd.Dir = dir
	cmd.Env = append([]string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}, env...)
	var out, errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errs
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatalf("ironflow %s: %v\n%s", strings.Join(args, " "), err, errs.String())
	}
	return Result{Code: cmd.ProcessState.ExitCode(), Stdout: out.String(), Stderr: errs.String()}
}

// Flow runs a flow given as text.
func (c *Command) Flow(t testing.TB, env []string, flow string, args ...string) Result {
	t.Helper()
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "flow.lua"), []byte(flow), 0o644); err != nil {
		t.Fatal(err)
	}
	return c.Run(t, dir, env, append([]string{"run", "flow.lua"}, args...)...)
}

// JSON decodes the standard output of a run that must have succeeded.
func (r Result) JSON(t testing.TB, into any) {
	t.Helper()
	if r.Code != 0 {
		t.Fatalf("exit code %d\n%s", r.Code, r.Stderr)
	}
	if err := json.Unmarshal([]byte(r.Stdout), into); err != nil {
		t.Fatalf("the output is no JSON: %v\n%s", err, r.Stdout)
	}
}

// Context is the final context in the record of a run with --json.
func (r Result) Context(t testing.TB) map[string]any {
	t.Helper()
	var record struct {
		Context map[string]any `json:"context"`
	}
	r.JSON(t, &record)
	return record.Context
}

// LastLine is the last line of a text, where the command says what went wrong.
func LastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return lines[len(lines)-1]
}
