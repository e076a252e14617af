package app

import (
	"io"
	"log/slog"
	"os"
	"strings"
	"sync"

	"golang.org/x/term"

	"github.com/ironflow/ironflow/cmd/ironflow/live"
	"github.com/ironflow/ironflow/flow"
)

// outlet is where log lines go: standard error, or above the live view while
// there is one.
type outlet struct {
	mu sync.RWMutex
	w  io.Writer
}

func (o *outlet) Write(p []byte) (int, error) {
	o.mu.RLock()
	w := o.w
	o.mu.RUnlock()
	return w.Write(p)
}

func (o *outlet) set(w io.Writer) {
	o.mu.Lock()
	o.w = w
	o.mu.Unlock()
}

// live reports whether a live view is shown.
func (o *outlet) live() bool {
	o.mu.RLock()
	defer o.mu.RUnlock()
	_, ok := o.w.(*live.View)
	return ok
}

// terminal returns standard error when a live view can and should be shown on
// it: a terminal that can move its cursor, at the default log level.
func (s *session) terminal() (*os.File, bool) {
	f, ok := s.globals.process.Stderr.(*os.File)
	if !ok || !live.Supported || s.globals.quiet || s.globals.verbose {
		return nil, false
	}
	if name := s.environ.process["TERM"]; name == "" || name == "dumb" {
		return nil, false
	}
	return f, term.IsTerminal(int(f.Fd()))
}

// observe returns what takes the events of the run of the command itself, and
// what ends the live view, if there is one.
func (s *session) observe(plan *flow.Plan, log *eventLog) (onEvent func(flow.Event), end func()) {
	f, ok := s.terminal()
	if !ok {
		return log.event, func() {}
	}
	names := make([]string, plan.Len())
	for i := range names {
		names[i] = plan.Step(i).Name
	}
	view := live.Start(live.NewModel(names, escapeLine), live.Options{
		Out: f, Style: s.environ.style(),
		Size: func() (int, int) {
			width, height, err := term.GetSize(int(f.Fd()))
			if err != nil || width <= 0 || height <= 0 {
				return 80, 24
			}
			return width, height
		},
	})
	s.stderr.set(view)
	log.shown = slog.New(slog.DiscardHandler)
	onEvent = func(e flow.Event) {
		view.Event(e)
		log.event(e)
	}
	return onEvent, func() {
		view.Stop()
		s.stderr.set(f)
	}
}

// style reads what the terminal can show from the environment: NO_COLOR
// (no-color.org), and the locale of POSIX.
func (e *environ) style() live.Style {
	locale := ""
	for _, name := range []string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if locale = e.process[name]; locale != "" {
			break
		}
	}
	locale = strings.ReplaceAll(strings.ToLower(locale), "-", "")
	return live.Style{Color: e.process["NO_COLOR"] == "", Unicode: strings.Contains(locale, "utf8")}
}
