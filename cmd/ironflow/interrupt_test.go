//go:build unix

package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestInterrupt sends a signal in the middle of an embedding batch: the run is
// cancelled, the exit code tells the signal, the connection is closed within a
// second, and no half-written file stays behind.
func TestInterrupt(t *testing.T) {
	for _, tt := range []struct {
		name   string
		signal os.Signal
		code   int
	}{
		{"SIGINT", os.Interrupt, 130},
		{"SIGTERM", syscall.SIGTERM, 143},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := newProvider("hang")
			defer p.Close()
			dir := t.TempDir()
			writeFile(t, filepath.Join(dir, "flow.lua"), `
local flow = Flow.new("interrupted")
flow:step("embed", nodes.ai_embed({ source_key = "texts", provider = "openai" }))
flow:step("write", nodes.write_file({ path = "out.json", source_key = "embed", format = "json" })):depends_on("embed")
return flow
`)
			cmd := exec.Command("ironflow", "run", "flow.lua", "--json", "--quiet", "--set-json", `texts=["a","b"]`)
			cmd.Dir = dir
			cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "OPENAI_API_KEY=sk-test-0123456789", "OPENAI_BASE_URL=" + p.URL + "/v1"}
			var stdout, stderr bytes.Buffer
			cmd.Stdout, cmd.Stderr = &stdout, &stderr
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			<-p.arrived
			sent := time.Now()
			if err := cmd.Process.Signal(tt.signal); err != nil {
				t.Fatal(err)
			}
			select {
			case <-p.gone:
			case <-time.After(10 * time.Second):
				t.Fatal("the connection stays open")
			}
			if took := time.Since(sent); took > time.Second {
				t.Errorf("the connection was closed after %v", took)
			}
			err := cmd.Wait()
			var exit *exec.ExitError
			if !errors.As(err, &exit) || exit.ExitCode() != tt.code {
				t.Errorf("%v, want exit code %d; stderr:\n%s", err, tt.code, &stderr)
			}
			if !strings.Contains(stdout.String(), `"status":"cancelled"`) {
				t.Errorf("the record does not say cancelled:\n%s", &stdout)
			}
			entries, _ := os.ReadDir(dir)
			if len(entries) != 1 {
				t.Errorf("files left behind: %v", entries)
			}
		})
	}
}

// TestSecondInterrupt: a step that does not stop is left by the second signal.
func TestSecondInterrupt(t *testing.T) {
	dir := t.TempDir()
	ready := filepath.Join(dir, "ready")
	writeFile(t, filepath.Join(dir, "flow.lua"), `
local flow = Flow.new("stubborn")
flow:step("child", nodes.exec({ cmd = { "sh", "-c", "trap '' INT TERM; touch ready; sleep 30" }, output_key = "x" }))
return flow
`)
	cmd := exec.Command("ironflow", "run", "flow.lua", "--quiet", "--allow-exec", "*")
	cmd.Dir = dir
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for i := 0; ; i++ {
		if _, err := os.Stat(ready); err == nil {
			break
		}
		if i > 500 {
			t.Fatal("the program never started")
		}
		time.Sleep(10 * time.Millisecond)
	}
	for range 2 {
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			break // already gone
		}
		time.Sleep(20 * time.Millisecond)
	}
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	select {
	case err := <-done:
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 130 {
			t.Errorf("%v, want exit code 130", err)
		}
	case <-time.After(5 * time.Second):
		t.Fatal("two signals do not end the command")
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
