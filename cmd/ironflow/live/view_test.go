//go:build unix

package live

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/charmbracelet/x/ansi"

	"github.com/ironflow/ironflow/flow"
)

func TestFrame(t *testing.T) {
	const on, off, erase, line, row = ansi.SetModeSynchronizedOutput, ansi.ResetModeSynchronizedOutput, "\x1b[J", "\x1b[K\r\n", "\x1b[K\x1b[B"
	var s screen
	for _, tt := range []struct {
		name  string
		log   string
		lines []string
		width int
		want  string
	}{
		{"the first frame", "", []string{"a", "b", "c"}, 40, on + "\r" + "a" + line + "b" + line + "c" + line + erase + off},
		{"nothing new", "", []string{"a", "b", "c"}, 40, ""},
		{"only what changed is written", "", []string{"a", "x", "c"}, 40, on + "\r\x1b[3A" + "\r\n" + "x" + line + "\r\n" + erase + off},
		{"log lines go above", "one\ntwo\n", []string{"a", "x", "c"}, 40,
			on + "\r\x1b[3A" + row + row + row + "\x1b[3A" + "one\r\ntwo\r\n" + "a" + line + "x" + line + "c" + line + erase + off},
		{"fewer lines", "", []string{"a"}, 40, on + "\r\x1b[3A" + "\r\n" + erase + off},
		{"more lines", "", []string{"a", strings.Repeat("w", 30)}, 40, on + "\r\x1b[A" + "\r\n" + strings.Repeat("w", 30) + line + erase + off},
		{"narrower: the long line was broken into three", "", []string{"a"}, 10, on + "\r\x1b[4A" + strings.Repeat(row, 4) + "\x1b[4A" + "a" + line + erase + off},
		{"wider", "", []string{"a"}, 80, on + "\r\x1b[A" + row + "\x1b[A" + "a" + line + erase + off},
		{"all gone", "", nil, 80, on + "\r\x1b[A" + erase + off},
		{"log alone", "x\n", nil, 80, on + "\r" + "x\r\n" + erase + off},
	} {
		if got := string(s.frame([]byte(tt.log), tt.lines, tt.width)); got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
	s.frame(nil, []string{"a"}, 80)
	s.forget()
	if got, want := string(s.frame(nil, []string{"a"}, 80)), on+"\r"+"a"+line+erase+off; got != want {
		t.Errorf("after forget: got %q, want %q", got, want)
	}
}

// tape records what is written to a terminal.
type tape struct {
	mu     sync.Mutex
	writes []string
	block  chan struct{} // Write waits for it; nil = never
}

func (w *tape) Write(p []byte) (int, error) {
	if w.block != nil {
		<-w.block
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.writes = append(w.writes, string(p))
	return len(p), nil
}

func (w *tape) text() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return strings.Join(w.writes, "")
}

func startOn(w *tape, sig signals) *View {
	return start(NewModel([]string{"a"}, nil), Options{Out: w, Size: func() (int, int) { return 40, 10 }}, sig)
}

func TestView(t *testing.T) {
	w := &tape{}
	v := startOn(w, newSignals())
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for k := range 50 {
				fmt.Fprintf(v, "log %d.%d", i, k)
				v.Event(flow.Event{Type: flow.StepProgress, Step: "a", Done: k, Total: 50})
			}
		})
	}
	wg.Wait()
	v.Event(flow.Event{Type: flow.StepSucceeded, Step: "a", Attempt: 1})
	v.Stop()
	v.Stop()
	text := w.text()
	for i := range 8 {
		for k := range 50 {
			if want := fmt.Sprintf("log %d.%d\r\n", i, k); strings.Count(text, want) != 1 {
				t.Fatalf("%q occurs %d times", want, strings.Count(text, want))
			}
		}
	}
	if n := strings.Count(text, "+ a"); n != 1 {
		t.Errorf("the end is drawn %d times", n)
	}
	if strings.Contains(text, "\x1b[?25l") {
		t.Error("the cursor is hidden")
	}
	if !strings.HasSuffix(text, "1 of 1 done\x1b[K\r\n\x1b[J"+ansi.ResetModeSynchronizedOutput) {
		t.Errorf("the end is %q", text[max(0, len(text)-80):])
	}
	before := len(text)
	if _, err := v.Write([]byte("after\n")); err != nil || w.text()[before:] != "after\n" {
		t.Errorf("after the end: %q, %v", w.text()[before:], err)
	}
}

// TestViewTime: frames are bounded however many events there are, and the time
// of a running step moves on without any.
func TestViewTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &tape{}
		v := startOn(w, signals{})
		v.Event(flow.Event{Type: flow.StepStarted, Step: "a", Attempt: 1, Time: time.Now()})
		for i := range 1000 {
			v.Event(flow.Event{Type: flow.StepProgress, Step: "a", Done: i, Total: 1000})
			time.Sleep(time.Millisecond)
		}
		synctest.Wait()
		w.mu.Lock()
		n := len(w.writes)
		w.mu.Unlock()
		if n < 25 || n > 32 {
			t.Errorf("%d frames in a second, want about 30", n)
		}
		time.Sleep(500 * time.Millisecond)
		synctest.Wait()
		w.mu.Lock()
		more := len(w.writes) - n
		w.mu.Unlock()
		if more < 4 || more > 6 {
			t.Errorf("%d frames in a quiet half second, want 5", more)
		}
		if !strings.Contains(w.text(), " 1.4s  999/1000") {
			t.Error("the time of the step stands still")
		}
		v.Stop()
	})
}

// TestViewResumed: after a shell had the terminal, the view starts below what
// that has written.
func TestViewResumed(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := &tape{}
		sig := signals{resumed: make(chan os.Signal, 1)}
		v := startOn(w, sig)
		time.Sleep(time.Millisecond)
		synctest.Wait()
		before := len(w.text())
		sig.resumed <- syscall.SIGCONT
		synctest.Wait()
		if got := w.text()[before:]; strings.Contains(got, "A") || !strings.Contains(got, ". a") {
			t.Errorf("after SIGCONT: %q", got)
		}
		v.Stop()
	})
}

// TestViewBlocked: a terminal that takes nothing (^S) does not stop the run,
// and what logs too much waits.
func TestViewBlocked(t *testing.T) {
	w := &tape{block: make(chan struct{})}
	v := startOn(w, newSignals())
	for range 10000 {
		v.Event(flow.Event{Type: flow.StepProgress, Step: "a"})
	}
	line := bytes.Repeat([]byte("x"), 1<<16)
	done := make(chan error, 1)
	go func() {
		for range 100 {
			if _, err := v.Write(line); err != nil {
				done <- err
				return
			}
		}
		done <- nil
	}()
	select {
	case <-done:
		t.Error("6 MB of log lines were taken by a terminal that takes nothing")
	case <-time.After(50 * time.Millisecond):
	}
	close(w.block)
	if err := <-done; err != nil {
		t.Error(err)
	}
	v.Stop()
	if n := strings.Count(w.text(), "x"); n != 100<<16 {
		t.Errorf("%d bytes of log, want %d", n, 100<<16)
	}
}

type gone struct{}

func (gone) Write([]byte) (int, error) { return 0, errors.New("input/output error") }

func TestViewGone(t *testing.T) {
	v := Start(NewModel([]string{"a"}, nil), Options{Out: gone{}, Size: func() (int, int) { return 40, 10 }})
	fmt.Fprintln(v, "log")
	v.Stop()
}
