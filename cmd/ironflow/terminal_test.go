//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// tmux is a terminal of a given size in which a shell command runs.
type tmux struct {
	t      *testing.T
	socket string
}

// newTmux starts command in a terminal of width x height.
func newTmux(t *testing.T, width, height int, dir, command string) *tmux {
	t.Helper()
	if _, err := exec.LookPath("tmux"); err != nil {
		t.Fatal("this test needs tmux: apt-get install tmux")
	}
	m := &tmux{t: t, socket: filepath.Join(t.TempDir(), "tmux")}
	t.Cleanup(func() { _ = exec.Command("tmux", "-S", m.socket, "kill-server").Run() })
	m.run("-f", "/dev/null", "new-session", "-d", "-x", fmt.Sprint(width), "-y", fmt.Sprint(height), "-c", dir,
		"sh", "-c", command+"; echo EXIT $?; sleep 60")
	return m
}

func (m *tmux) run(args ...string) string {
	m.t.Helper()
	cmd := exec.Command("tmux", append([]string{"-S", m.socket}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		m.t.Fatalf("tmux %v: %v\n%s", args, err, out)
	}
	return string(out)
}

// wait waits until the screen holds all texts, and returns it. With colours
// asked for, the control sequences of the colours are part of it.
func (m *tmux) wait(colours bool, texts ...string) string {
	m.t.Helper()
	args := []string{"capture-pane", "-p"}
	if colours {
		args = append(args, "-e")
	}
	deadline := time.Now().Add(30 * time.Second)
	for {
		screen := m.run(args...)
		missing := ""
		for _, text := range texts {
			if !strings.Contains(screen, text) {
				missing = text
			}
		}
		if missing == "" {
			return screen
		}
		if time.Now().After(deadline) {
			m.t.Fatalf("%q never appears on the screen:\n%s", missing, screen)
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// liveFlow has a step that waits for a file, so that the test decides when the
// run goes on, a step that fails and one that is skipped for it.
const liveFlow = `local flow = Flow.new("live")
flow:step("first", function() log("a line of the log") end)
flow:step("a-step-with-a-rather-long-name-that-narrow-terminals-cut", nodes.exec({
  cmd = { "sh", "-c", "while [ ! -e go ]; do sleep 0.05; done; echo 1" }, output_key = "x",
})):depends_on("first")
flow:step("broken", function() error("no luck today") end):depends_on("first")
flow:step("after", function() end):depends_on("broken")
return flow
`

func liveDir(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "flow.lua"), liveFlow)
	return dir
}

func TestLiveViewInATerminal(t *testing.T) {
	for _, width := range []int{40, 200} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			dir := liveDir(t)
			m := newTmux(t, width, 20, dir, "ironflow run flow.lua --allow-exec sh")
			screen := m.wait(false, "a line of the log", "running", "failed", "skipped")
			for line := range strings.Lines(screen) {
				if n := len([]rune(strings.TrimRight(line, "\n"))); n > width {
					t.Errorf("a line has %d columns: %q", n, line)
				}
			}
			if width == 200 && !strings.Contains(screen, "a-step-with-a-rather-long-name-that-narrow-terminals-cut") {
				t.Errorf("the long name is cut although there is room:\n%s", screen)
			}
			// The terminal changes its size in the middle of the run.
			m.run("resize-window", "-x", fmt.Sprint(width-10), "-y", "20")
			writeFile(t, filepath.Join(dir, "go"), "")
			m.wait(false, "EXIT 1", "done")
			// With what the terminal has scrolled out of sight when it broke its
			// lines anew.
			screen = m.run("capture-pane", "-p", "-J", "-S", "-")
			for text, want := range map[string]int{"EXIT 1": 1, "a line of the log": 1, "error: flow.lua": 1} {
				if got := strings.Count(screen, text); got != want {
					t.Errorf("%q is on the screen %d times, want %d:\n%s", text, got, want, screen)
				}
			}
		})
	}
}

func TestLiveViewColours(t *testing.T) {
	for _, tt := range []struct {
		env     string
		colours bool
	}{{"", true}, {"NO_COLOR=1 ", false}} {
		t.Run(tt.env, func(t *testing.T) {
			dir := liveDir(t)
			writeFile(t, filepath.Join(dir, "go"), "")
			screen := newTmux(t, 100, 20, dir, tt.env+"ironflow run flow.lua --allow-exec sh").wait(true, "EXIT 1", "failed")
			if got := strings.Contains(screen, "\x1b[3"); got != tt.colours {
				t.Errorf("colours on the screen: %v, want %v:\n%q", got, tt.colours, screen)
			}
		})
	}
}

// TestPlainLines: no view and no control sequence when standard error is a
// pipe, or the terminal is dumb.
func TestPlainLines(t *testing.T) {
	dir := liveDir(t)
	writeFile(t, filepath.Join(dir, "go"), "")
	cmd := exec.Command("ironflow", "run", "flow.lua", "--allow-exec", "sh")
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "TERM=xterm-256color"}
	out, _ := cmd.CombinedOutput()
	if strings.Contains(string(out), "\x1b") || !strings.Contains(string(out), "step done") {
		t.Errorf("piped output:\n%q", out)
	}
	screen := newTmux(t, 100, 30, dir, "TERM=dumb ironflow run flow.lua --allow-exec sh").wait(false, "EXIT 1", "step done", "step skipped")
	if strings.Contains(screen, "1 failed,") {
		t.Errorf("a view on a dumb terminal:\n%s", screen)
	}
}

// TestLuacheck runs luacheck over all flow files.
func TestLuacheck(t *testing.T) {
	if _, err := exec.LookPath("luacheck"); err != nil {
		t.Fatal("this test needs luacheck: apt-get install lua-check")
	}
	root := filepath.Join("..", "..")
	var files []string
	for _, pattern := range []string{"examples/*.lua", "examples/custom-node/*.lua", "testdata/flows/*.lua"} {
		list, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil || len(list) == 0 {
			t.Fatalf("%s: no files (%v)", pattern, err)
		}
		files = append(files, list...)
	}
	args := append([]string{"--std", "lua51", "--no-max-line-length", "--codes", "--formatter", "plain", "--read-globals",
		"Flow", "nodes", "env", "log", "utf8", "uuid4", "now_rfc3339", "now_unix_ms", "base64_encode", "base64_decode",
		"json_parse", "json_stringify", "json_array", "json_object", "json_null", "--"}, files...)
	if out, err := exec.Command("luacheck", args...).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
