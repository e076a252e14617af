//go:build unix

package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// history is everything that the terminal has shown, what has scrolled off
// included.
func (m *tmux) history() string {
	m.t.Helper()
	return m.run("capture-pane", "-p", "-S", "-")
}

func (m *tmux) wantOnce(texts ...string) {
	m.t.Helper()
	all := m.history()
	for _, text := range texts {
		if n := strings.Count(all, text); n != 1 {
			m.t.Errorf("%q was shown %d times, want once:\n%s", text, n, all)
		}
	}
}

// wantCursor wants the cursor to be visible, at the start of a line.
func (m *tmux) wantCursor() {
	m.t.Helper()
	if got := strings.TrimSpace(m.run("display-message", "-p", "#{cursor_flag} #{cursor_x}")); got != "1 0" {
		m.t.Errorf("cursor flag and column are %q, want 1 0", got)
	}
}

// gate is an embedding server that answers one request for each token.
func gate(t *testing.T) (url string, tokens chan struct{}) {
	tokens = make(chan struct{}, 100)
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		select {
		case <-tokens:
		case <-r.Context().Done():
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprint(w, `{"data":[{"index":0,"embedding":[1,0]}],"model":"test","usage":{"prompt_tokens":1,"total_tokens":1}}`)
	}))
	t.Cleanup(s.Close)
	return s.URL, tokens
}

// TestLiveProgress watches the batches of an embedding step, and the time of
// the step, at both ends of what terminals are wide.
func TestLiveProgress(t *testing.T) {
	for _, width := range []int{40, 200} {
		t.Run(fmt.Sprint(width), func(t *testing.T) {
			url, tokens := gate(t)
			dir := t.TempDir()
			writeFile(t, filepath.Join(dir, "flow.lua"), `local flow = Flow.new("progress")
flow:step("embed", nodes.ai_embed({ source_key = "texts", provider = "openai", batch_size = 1, output_key = "e" }))
return flow
`)
			command := "LC_ALL=C.UTF-8 OPENAI_API_KEY=sk-test-0123456789 OPENAI_BASE_URL=" + url + "/v1" +
				` ironflow run flow.lua --set-json 'texts=["a","b","c","d","e","f","g","h","i","j","k","l"]'`
			m := newTmux(t, width, 20, dir, command)
			m.wait(false, "running", "1 running")
			for n := 1; n <= 12; n++ {
				tokens <- struct{}{}
				if n == 12 {
					break
				}
				screen := m.wait(false, fmt.Sprintf("batch %d/12", n))
				if !regexp.MustCompile(`(?m)^. embed +[0-9.]+s  batch \d+/12 *$`).MatchString(screen) {
					t.Fatalf("no line of the step:\n%s", screen)
				}
			}
			m.wait(false, "EXIT 0", "success in")
			m.wantOnce(" embed ", "1 of 1 done", "e_count")
			m.wantCursor()
		})
	}
}

// TestLiveManySteps: more steps than rows. What runs is shown, the rest is
// counted, the screen never scrolls, and one last state remains.
func TestLiveManySteps(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "flow.lua"), `local flow = Flow.new("many")
for i = 1, 60 do
  flow:step("step" .. i, nodes.exec({
    cmd = { "sh", "-c", "while [ ! -e go" .. i .. " ] && [ ! -e all ]; do sleep 0.05; done; echo 1" }, output_key = "x" .. i,
  }))
end
return flow
`)
	m := newTmux(t, 60, 12, dir, "ironflow run flow.lua --json --allow-exec sh --max-concurrency 2 >record.json")
	screen := m.wait(false, "0 of 60 done, 50 not shown, 2 running, 58 pending", "step1 ", "step2 ", "step10 ")
	if strings.Contains(screen, "step11 ") {
		t.Errorf("more steps than rows:\n%s", screen)
	}
	writeFile(t, filepath.Join(dir, "go2"), "")
	m.wait(false, "1 of 60 done", "step1 ", "step2 ", "step3 ")
	writeFile(t, filepath.Join(dir, "all"), "")
	m.wait(false, "EXIT 0")
	m.wantOnce("of 60 done")
	if all := m.history(); strings.Count(all, "\n") > 13 { // the line EXIT needs one more
		t.Errorf("the screen has scrolled:\n%s", all)
	}
	m.wantCursor()
	if record, err := os.ReadFile(filepath.Join(dir, "record.json")); err != nil || strings.Count(string(record), `"status":"success"`) != 61 {
		t.Errorf("%v\n%s", err, record)
	}
}

// TestLiveRetry: the wait between two attempts, and why, are on the screen;
// the reason of a skip is, too.
func TestLiveRetry(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "flow.lua"), `local flow = Flow.new("retry")
flow:step("first", function() error("the shelf is empty") end):retries(1, 1)
flow:step("after", function() end):depends_on("first")
return flow
`)
	m := newTmux(t, 160, 12, dir, "ironflow run flow.lua")
	m.wait(false, "waiting: attempt 2 of 2 follows in 1s: ", "1 waiting, 1 pending")
	m.wait(false, "EXIT 1", "failed after 2 attempts", `skipped: step "first" failed`)
	m.wantOnce("error: flow.lua:2", "failed after 2 attempts", "1 failed, 1 skipped", "warn ")
}

// TestLiveInterrupt: ^C cancels the run; the last state stays, nothing of the
// terminal has to be restored, and what follows starts on a line of its own.
func TestLiveInterrupt(t *testing.T) {
	dir := liveDir(t)
	m := newTmux(t, 100, 12, dir, "trap : INT; ironflow run flow.lua --allow-exec sh")
	m.wait(false, "1 running", "1 failed")
	m.run("send-keys", "C-c")
	m.wait(false, "EXIT 130", "cancelled after")
	m.wantOnce("  cancelled: interrupted", "cancelled after", "error: ")
	m.wantCursor()
}

// TestLiveResize makes the terminal narrower and wider while a step waits: the
// view follows each time, and its last state is there once. The cursor is at
// the bottom, since tmux moves lines out of reach when it breaks them anew above
// an empty part of the screen.
func TestLiveResize(t *testing.T) {
	dir := liveDir(t)
	long := "a-step-with-a-rather-long-name-that-narrow-terminals-cut "
	m := newTmux(t, 150, 20, dir, "seq 30; LC_ALL=C.UTF-8 ironflow run flow.lua --allow-exec sh")
	m.wait(false, long, "1 running, 1 failed, 1 skipped")
	m.run("resize-window", "-x", "40", "-y", "20")
	m.wait(false, "a-step-with-a-r…", "1 of 4 done, 1 running, 1 fail")
	m.run("resize-window", "-x", "150", "-y", "20")
	m.wait(false, long, "1 running, 1 failed, 1 skipped")
	writeFile(t, filepath.Join(dir, "go"), "")
	m.wait(false, "EXIT 1")
	m.wantOnce("✓ first", "failed after", "2 of 4 done")
	m.wantCursor()
}

// TestNoLiveView: the flags that switch the view off on a terminal, and an
// output that is none.
func TestNoLiveView(t *testing.T) {
	for _, tt := range []struct {
		name, command, want, never string
	}{
		{"quiet", "ironflow run flow.lua --allow-exec sh --quiet", "error: flow.lua", "a line of the log"},
		{"verbose", "ironflow run flow.lua --allow-exec sh -v", "debug run finished", "failed after"},
		{"standard error is a pipe", "ironflow run flow.lua --allow-exec sh 2>&1 | cat", "info  step skipped", "failed after"},
		{"no terminal type", "TERM= ironflow run flow.lua --allow-exec sh", "info  step skipped", "failed after"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			dir := liveDir(t)
			writeFile(t, filepath.Join(dir, "go"), "")
			m := newTmux(t, 160, 30, dir, tt.command)
			if screen := m.wait(false, "EXIT", tt.want); strings.Contains(screen, tt.never) {
				t.Errorf("%q is on the screen:\n%s", tt.never, screen)
			}
		})
	}
}
