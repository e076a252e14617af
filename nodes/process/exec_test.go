//go:build unix

package process

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/nodetest"
	"github.com/ironflow/ironflow/nodes/value"
	"github.com/ironflow/ironflow/providers"
	"github.com/ironflow/ironflow/transport/transporttest"
)

const testPath = "/usr/local/bin:/usr/bin:/bin"

// bench grants every program.
func bench(t *testing.T) *nodetest.Bench {
	t.Helper()
	b := nodetest.New(t)
	b.Vars["PATH"], b.Vars["HOME"] = testPath, "/home/test"
	b.Env.Exec = &nodes.ExecGrants{All: true}
	return b
}

func sh(script string, more ...any) map[string]any {
	params := map[string]any{"cmd": []any{"sh", "-c", script}}
	for i := 0; i < len(more); i += 2 {
		params[more[i].(string)] = more[i+1]
	}
	return params
}

// noChildren fails the test when the process has a child that nobody waited for.
func noChildren(t *testing.T) {
	t.Helper()
	var ws syscall.WaitStatus
	if pid, err := syscall.Wait4(-1, &ws, syscall.WNOHANG, nil); !errors.Is(err, syscall.ECHILD) {
		t.Errorf("a child is left: pid %d, %v", pid, err)
	}
}

func TestSpec(t *testing.T) {
	reg := nodes.NewRegistry()
	if err := Register(reg); err != nil {
		t.Fatal(err)
	}
	n, _ := reg.Lookup("exec")
	nodetest.CheckSpec(t, &n.Spec)
}

func TestProtocol(t *testing.T) {
	transporttest.Baseline(t)
	big := strings.Repeat("ä text of some length. ", 400000)
	in := map[string]any{"doc": map[string]any{"text": "héllo", "n": 9007199254740993}, "big": big}
	for _, tt := range []struct {
		name   string
		params map[string]any
		want   any
	}{
		{"everything", map[string]any{"cmd": []any{"cat"}, "source_key": "doc", "params": map[string]any{"a": "${ctx.doc.n}", "b": []any{true}}},
			map[string]any{"input": in["doc"], "params": map[string]any{"a": int64(9007199254740993), "b": []any{true}}, "step": "step", "attempt": int64(1)}},
		{"nothing", map[string]any{"cmd": []any{"cat"}}, map[string]any{"input": nil, "params": map[string]any{}, "step": "step", "attempt": int64(1)}},
		{"big both ways", map[string]any{"cmd": []any{"cat"}, "source_key": "big"}, map[string]any{"input": big, "params": map[string]any{}, "step": "step", "attempt": int64(1)}},
		{"input not read", sh("echo 1", "source_key", "big"), int64(1)},
		{"scalar", sh(`echo ' "x" '`), "x"},
		{"null", sh(`echo null`), nil},
		{"no shell", map[string]any{"cmd": []any{"printf", "\"%s\"", "a;b $HOME `id` * ${ctx.doc}"}}, "a;b $HOME `id` * ${ctx.doc}"},
		{"stderr is no output", sh(`echo 1; echo 2 >&2`), int64(1)},
		{"background output", sh(`(sleep 100; echo 2) & echo 1`), int64(1)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := bench(t).Run(execNode(), tt.params, in)
			if err != nil || !value.Equal(got["exec"], normal(t, tt.want)) || got["exec_success"] != true || len(got) != 2 {
				t.Errorf("got %.300v, %v", got, err)
			}
		})
	}
	noChildren(t)
}

func normal(t *testing.T, v any) any {
	t.Helper()
	n, err := value.Normalize(v)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func TestEnvironment(t *testing.T) {
	b := bench(t)
	b.Vars["OPENAI_API_KEY"], b.Vars["LANG"] = "sk-0123456789", "C"
	got, err := b.Run(execNode(), map[string]any{"cmd": []any{"sh", "-c", `printf '"%s"' "$(env | grep -v -e ^PWD= -e ^OLDPWD= -e ^SHLVL= -e ^_= | sort | tr '\n' ';')"`},
		"env": map[string]any{"EXTRA": "1", "HOME": "/other"}}, nil)
	if want := "EXTRA=1;HOME=/other;LANG=C;PATH=" + testPath + ";"; err != nil || got["exec"] != want {
		t.Errorf("got %v, %v, want %s", got, err, want)
	}
	if _, err := b.Run(execNode(), sh("echo 1; echo $MY_TOKEN >&2", "env", map[string]any{"MY_TOKEN": "tok-0123456789", "WORD": "documents"}), nil); err != nil || b.Log.String() != "INFO *** program=sh" {
		t.Errorf("logged %q, %v", b.Log, err)
	}
	got, err = b.Run(execNode(), sh(`printf '"%s"' "$(pwd)"`), nil)
	if err != nil || got["exec"] != b.Env.FlowDir {
		t.Errorf("it runs in %v, %v, want %s", got, err, b.Env.FlowDir)
	}
	// Values that a dotenv file sets do not reach the search for programs.
	b.Env.Lookup = func(name string) (string, providers.Source, bool) {
		return testPath, providers.FromFoundDotenv, name == "PATH"
	}
	if _, err := b.Run(execNode(), sh("echo 1"), nil); err == nil || err.Error() != `exec: program "sh" is in no directory of PATH; write ./sh for a program beside the flow file` {
		t.Errorf("PATH of a dotenv file: %v", err)
	}
}

func TestFailures(t *testing.T) {
	transporttest.Baseline(t)
	resolved := func(name string) string {
		p, err := Resolve(name, "", testPath)
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	shell := resolved("sh")
	for _, tt := range []struct {
		name   string
		params map[string]any
		want   string
		out    map[string]any
	}{
		{"exit code", sh("echo first >&2; printf 'last \\033[31m' >&2; exit 3"), fmt.Sprintf(`exec: program %q ended with exit code 3: last \x1b[31m`, shell),
			map[string]any{"exec_exit_code": int64(3), "exec_stderr": "first\nlast \\x1b[31m", "exec_success": false}},
		{"exit code, silent", sh("echo 1; exit 7"), fmt.Sprintf(`exec: program %q ended with exit code 7`, shell),
			map[string]any{"exec_exit_code": int64(7), "exec_stderr": "", "exec_success": false}},
		{"signal", sh("kill -9 $$"), fmt.Sprintf(`exec: program %q ended with exit code 137`, shell),
			map[string]any{"exec_exit_code": int64(137), "exec_stderr": "", "exec_success": false}},
		{"nothing printed", sh("true"), fmt.Sprintf(`exec: program %q printed nothing, want one JSON value on standard output`, shell), nil},
		{"no JSON", sh("echo hello"), fmt.Sprintf(`exec: program %q did not print one JSON value on standard output: invalid JSON at line 1, column 1 (byte offset 0): expected a value, got 'h'; messages belong on standard error`, shell), nil},
		{"two values", sh("echo 1; echo 2"), fmt.Sprintf(`exec: program %q did not print one JSON value on standard output: invalid JSON at line 2, column 1 (byte offset 2): expected the end of the text after the value, got '2'; messages belong on standard error`, shell), nil},
		{"too much", sh("yes", "max_output_bytes", 1000), fmt.Sprintf(`exec: program %q printed more than 1000 bytes on standard output and was stopped; let it print less, or a path`, shell), nil},
		{"exactly the limit", sh("printf 12345", "max_output_bytes", 5), "", nil},
		{"one over the limit", sh("printf 123456", "max_output_bytes", 5), fmt.Sprintf(`exec: program %q printed more than 5 bytes on standard output and was stopped; let it print less, or a path`, shell), nil},
		{"timeout", sh("sleep 100", "timeout", 0.1), fmt.Sprintf(`exec: program %q did not end within 0.1 s and was stopped; raise timeout`, shell), nil},
		{"missing in PATH", map[string]any{"cmd": []any{"no-such-program"}}, `exec: program "no-such-program" is in no directory of PATH; write ./no-such-program for a program beside the flow file`, nil},
		{"missing", map[string]any{"cmd": []any{"./none"}}, `exec: program "DIR/none" does not exist`, nil},
		{"not executable", map[string]any{"cmd": []any{"./plain"}}, `exec: "DIR/plain" may not be executed; make it executable (chmod +x)`, nil},
		{"folder", map[string]any{"cmd": []any{"./folder"}}, `exec: "DIR/folder" is a directory, want a program`, nil},
		{"no program format", map[string]any{"cmd": []any{"./garbage"}}, `exec: program "DIR/garbage" cannot be started: exec format error`, nil},
		{"empty cmd", map[string]any{"cmd": []any{}}, `exec: cmd: is empty`, nil},
		{"blank program", map[string]any{"cmd": []any{""}}, `exec: the program is empty`, nil},
		{"cmd as text", map[string]any{"cmd": "cat"}, `exec: cmd: got "cat", want an array of strings`, nil},
		{"env name", sh("true", "env", map[string]any{"A=B": "x"}), `exec: env: "A=B" is no name of a variable`, nil},
		{"env value", sh("true", "env", map[string]any{"A": "x\x00"}), `exec: env: the value of "A" contains a NUL character`, nil},
		{"env number", sh("true", "env", map[string]any{"A": 1}), `exec: env: member "A": got 1, want a string`, nil},
		{"source", sh("true", "source_key", "dok"), `exec: source_key: "dok" is not in the context; did you mean "doc"? (a step sees the initial context and the steps that it depends on)`, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			b := bench(t)
			dir := b.Env.FlowDir
			for name, mode := range map[string]os.FileMode{"plain": 0o644, "garbage": 0o755} {
				if err := os.WriteFile(filepath.Join(dir, name), []byte("\x01\x02 no program"), mode); err != nil {
					t.Fatal(err)
				}
			}
			if err := os.Mkdir(filepath.Join(dir, "folder"), 0o755); err != nil {
				t.Fatal(err)
			}
			start := time.Now()
			got, err := b.Run(execNode(), tt.params, map[string]any{"doc": 1})
			text := ""
			if err != nil {
				text = strings.ReplaceAll(err.Error(), dir, "DIR")
			}
			if text != tt.want || (got != nil) != (tt.want == "") {
				t.Errorf("got  %v, %v\nwant %s", got, text, tt.want)
			}
			if d := time.Since(start); d > 1500*time.Millisecond {
				t.Errorf("it took %v", d)
			}
			var f *nodes.Failure
			if errors.As(err, &f) != (tt.out != nil) || f != nil && !value.Equal(f.Published, tt.out) {
				t.Errorf("failed with %+v, want %v", f, tt.out)
			}
		})
	}
	noChildren(t)
}

func TestGrants(t *testing.T) {
	b := bench(t)
	dir := b.Env.FlowDir
	script := filepath.Join(dir, "tool")
	if err := os.WriteFile(script, []byte("#!/bin/sh\necho 1\n"), 0o755); err != nil {
		t.Fatal(err)
	}
	cat, err := Resolve("cat", dir, testPath)
	if err != nil {
		t.Fatal(err)
	}
	refused := func(p, as string) string {
		return fmt.Sprintf("exec: program %q may not be started; grant it with --allow-exec %s, or in IRONFLOW_ALLOW_EXEC", p, as)
	}
	for _, tt := range []struct {
		grants *nodes.ExecGrants
		cmd    string
		want   string
	}{
		{nil, "cat", refused(cat, "cat")},
		{&nodes.ExecGrants{}, cat, refused(cat, cat)},
		{&nodes.ExecGrants{Programs: []string{cat}}, "cat", ""},
		{&nodes.ExecGrants{Programs: []string{cat}}, cat, ""},
		{&nodes.ExecGrants{Programs: []string{cat}}, "./tool", refused(script, "./tool")},
		{&nodes.ExecGrants{Programs: []string{script}}, "./tool", ""},
		{&nodes.ExecGrants{Programs: []string{script}}, "x/../tool", ""},
		{&nodes.ExecGrants{Programs: []string{script}}, script, ""},
		{&nodes.ExecGrants{Programs: []string{script}}, "tool", `exec: program "tool" is in no directory of PATH; write ./tool for a program beside the flow file`},
		{&nodes.ExecGrants{All: true}, "./tool", ""},
	} {
		b.Env.Exec = tt.grants
		_, err := b.Run(execNode(), map[string]any{"cmd": []any{tt.cmd}}, nil)
		if text := fmt.Sprint(err); text != tt.want && (err != nil || tt.want != "") {
			t.Errorf("%v, %s:\ngot  %v\nwant %s", tt.grants, tt.cmd, err, tt.want)
		}
	}
}

func TestStderrGoesToTheLog(t *testing.T) {
	b := bench(t)
	if _, err := b.Run(execNode(), sh(`printf 'one\r\n\ntwo \033[2J\n'  >&2; head -c 9000 /dev/zero | tr '\0' x >&2; printf '\377' >&2; echo 1`), nil); err != nil {
		t.Fatal(err)
	}
	lines := b.Log.Lines()
	want := []string{"one", `two \x1b[2J`, strings.Repeat("x", 4096), strings.Repeat("x", 4096), strings.Repeat("x", 808) + `\xff`}
	if len(lines) != len(want) {
		t.Fatalf("%d lines: %.200q", len(lines), lines)
	}
	for i, w := range want {
		if lines[i] != "INFO "+w+" program=sh" {
			t.Errorf("line %d is %.100q, want %.100q", i+1, lines[i], w)
		}
	}
	b = bench(t)
	if _, err := b.Run(execNode(), sh(`head -c 5000000 /dev/zero | tr '\0' x | fold -w 100 >&2; echo 1`), nil); err != nil {
		t.Fatal(err)
	}
	if text := b.Log.String(); len(text) > 2<<20 || !strings.HasSuffix(text, "INFO (the rest of the program's standard error is left out) program=sh") {
		t.Errorf("%d bytes were logged, ending in %q", len(text), text[len(text)-100:])
	}
}

// alive reports whether a process still runs; one that has ended and waits for
// init to collect it does not.
func alive(t *testing.T, pid int) bool {
	t.Helper()
	if syscall.Kill(pid, 0) != nil {
		return false
	}
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return !os.IsNotExist(err)
	}
	rest := string(stat[strings.LastIndexByte(string(stat), ')')+1:])
	return !strings.HasPrefix(rest, " Z") && !strings.HasPrefix(rest, " X")
}

// gone waits until the processes whose numbers a file holds have ended.
func gone(t *testing.T, file string) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	fields := strings.Fields(string(text))
	if len(fields) == 0 {
		t.Fatal("no process was started")
	}
	for _, f := range fields {
		pid, err := strconv.Atoi(f)
		if err != nil {
			t.Fatal(err)
		}
		deadline := time.Now().Add(3 * time.Second)
		for alive(t, pid) {
			if time.Now().After(deadline) {
				t.Errorf("process %d still runs", pid)
				_ = syscall.Kill(pid, syscall.SIGKILL)
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
	}
}

// waitFor waits until a file has n lines.
func waitFor(t *testing.T, file string, n int) {
	t.Helper()
	deadline := time.Now().Add(5 * time.Second)
	for {
		text, _ := os.ReadFile(file)
		if strings.Count(string(text), "\n") >= n {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%s holds %q", file, text)
		}
		time.Sleep(5 * time.Millisecond)
	}
}

func TestGrandchildrenEnd(t *testing.T) {
	transporttest.Baseline(t)
	nest := `sleep 300 & echo $! >> pids; (sleep 300 & echo $! >> pids; wait) & echo $! >> pids; `
	b := bench(t)
	pids := filepath.Join(b.Env.FlowDir, "pids")
	t.Run("timeout", func(t *testing.T) {
		if _, err := b.Run(execNode(), sh(nest+"wait", "timeout", 0.5), nil); err == nil || !strings.Contains(err.Error(), "did not end within 0.5 s") {
			t.Errorf("got %v", err)
		}
		gone(t, pids)
	})
	t.Run("cancel", func(t *testing.T) {
		_ = os.Remove(pids)
		ctx, cancel := context.WithCancelCause(t.Context())
		why := errors.New("enough")
		result := make(chan error, 1)
		go func() {
			_, err := b.RunContext(ctx, execNode(), sh(nest+"wait"), nil)
			result <- err
		}()
		waitFor(t, pids, 3)
		start := time.Now()
		cancel(why)
		if err := <-result; !errors.Is(err, why) || time.Since(start) > time.Second {
			t.Errorf("got %v after %v", err, time.Since(start))
		}
		gone(t, pids)
	})
	t.Run("success", func(t *testing.T) {
		_ = os.Remove(pids)
		start := time.Now()
		if got, err := b.Run(execNode(), sh(nest+"while [ $(wc -l < pids) -lt 3 ]; do sleep 0.01; done; echo 1"), nil); err != nil || got["exec"] != int64(1) {
			t.Errorf("got %v, %v", got, err)
		}
		if d := time.Since(start); d > 1500*time.Millisecond {
			t.Errorf("it took %v", d)
		}
		gone(t, pids)
	})
	t.Run("ignores SIGTERM", func(t *testing.T) {
		_ = os.Remove(pids)
		start := time.Now()
		_, err := b.Run(execNode(), sh(`trap '' TERM; echo $$ >> pids; while true; do sleep 0.05; done`, "timeout", 0.2), nil)
		if d := time.Since(start); err == nil || d < grace || d > grace+2*time.Second {
			t.Errorf("got %v after %v", err, d)
		}
		gone(t, pids)
	})
	t.Run("cleans up on SIGTERM", func(t *testing.T) {
		_ = os.Remove(pids)
		_, err := b.Run(execNode(), sh(`trap 'echo done > cleaned; exit 0' TERM; echo $$ >> pids; while true; do sleep 0.05; done`, "timeout", 0.3), nil)
		if err == nil || !strings.Contains(err.Error(), "did not end") {
			t.Errorf("got %v", err)
		}
		if _, err := os.Stat(filepath.Join(b.Env.FlowDir, "cleaned")); err != nil {
			t.Error("the program could not clean up")
		}
		gone(t, pids)
	})
	t.Run("left the group", func(t *testing.T) {
		if _, err := Resolve("setsid", "", testPath); err != nil {
			return // the program that makes a session of its own is not everywhere
		}
		start := time.Now()
		got, err := b.Run(execNode(), sh(`setsid sleep 4 & echo 1`), nil)
		if d := time.Since(start); err != nil || got["exec"] != int64(1) || d > grace+time.Second {
			t.Errorf("got %v, %v after %v", got, err, d)
		}
	})
	noChildren(t)
}

func TestCancelledBeforeStart(t *testing.T) {
	b := bench(t)
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("enough")
	cancel(why)
	if _, err := b.RunContext(ctx, execNode(), sh("echo x > started; echo 1"), nil); !errors.Is(err, why) {
		t.Errorf("got %v", err)
	}
	if _, err := os.Stat(filepath.Join(b.Env.FlowDir, "started")); err == nil {
		t.Error("it was started")
	}
}

func TestManyAtOnce(t *testing.T) {
	transporttest.Baseline(t)
	b := bench(t)
	var wg sync.WaitGroup
	for i := range 16 {
		wg.Go(func() {
			got, err := b.Run(execNode(), map[string]any{"cmd": []any{"cat"}, "params": map[string]any{"i": i}}, nil)
			if err != nil || got["exec"].(map[string]any)["params"].(map[string]any)["i"] != int64(i) {
				t.Errorf("%d: got %v, %v", i, got, err)
			}
		})
	}
	wg.Wait()
	noChildren(t)
}
