package nodetest

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"
)

// Clock is a clock that never waits: Sleep moves it forward.
type Clock struct {
	mu    sync.Mutex
	now   time.Time
	slept []time.Duration
}

// NewClock returns a clock that starts at a fixed moment.
func NewClock() *Clock { return &Clock{now: time.Date(2024, 1, 2, 3, 4, 5, 0, time.UTC)} }

// Now returns the time of the clock.
func (c *Clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Sleep moves the clock forward by d at once, unless ctx is done.
func (c *Clock) Sleep(ctx context.Context, d time.Duration) error {
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
	c.slept = append(c.slept, d)
	return nil
}

// Slept returns the waits so far, in order.
func (c *Clock) Slept() []time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.slept)
}

// Log is a slog.Handler that keeps records as lines of text:
// `INFO message key=value`.
type Log struct {
	shared *logLines // nil in the zero value until the first use
	once   sync.Once
	prefix string
}

type logLines struct {
	mu    sync.Mutex
	lines []string
}

func (l *Log) lines() *logLines {
	l.once.Do(func() {
		if l.shared == nil {
			l.shared = &logLines{}
		}
	})
	return l.shared
}

// Enabled implements slog.Handler: every level is kept.
func (l *Log) Enabled(context.Context, slog.Level) bool { return true }

// Handle implements slog.Handler.
func (l *Log) Handle(_ context.Context, r slog.Record) error {
	var b strings.Builder
	b.WriteString(r.Level.String() + " " + r.Message + l.prefix)
	r.Attrs(func(a slog.Attr) bool {
		fmt.Fprintf(&b, " %s=%v", a.Key, a.Value)
		return true
	})
	s := l.lines()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lines = append(s.lines, b.String())
	return nil
}

// WithAttrs implements slog.Handler.
func (l *Log) WithAttrs(attrs []slog.Attr) slog.Handler {
	var b strings.Builder
	b.WriteString(l.prefix)
	for _, a := range attrs {
		fmt.Fprintf(&b, " %s=%v", a.Key, a.Value)
	}
	return &Log{shared: l.lines(), prefix: b.String()}
}

// WithGroup implements slog.Handler; groups are not shown.
func (l *Log) WithGroup(string) slog.Handler { return l }

// Lines returns what was logged.
func (l *Log) Lines() []string {
	s := l.lines()
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.lines)
}

// String returns what was logged as one text.
func (l *Log) String() string { return strings.Join(l.Lines(), "\n") }
