package app

import (
	"context"
	"log/slog"
	"strings"
	"sync"
)

// logOnce makes the nodes log each line once, whatever the numbers in it: a
// command that runs a node on hundreds of texts would else repeat one note for
// each of them.
func (s *session) logOnce() {
	s.env.Log = slog.New(&onceHandler{Handler: s.env.Log.Handler(), said: &said{lines: map[string]bool{}}})
}

type said struct {
	mu    sync.Mutex
	lines map[string]bool
}

type onceHandler struct {
	slog.Handler
	said *said
}

// Handle implements [slog.Handler].
func (h *onceHandler) Handle(ctx context.Context, r slog.Record) error {
	line := strings.Map(func(c rune) rune {
		if '0' <= c && c <= '9' {
			return -1
		}
		return c
	}, r.Message)
	h.said.mu.Lock()
	again := h.said.lines[line]
	h.said.lines[line] = true
	h.said.mu.Unlock()
	if again {
		return nil
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements [slog.Handler].
func (h *onceHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &onceHandler{Handler: h.Handler.WithAttrs(attrs), said: h.said}
}

// WithGroup implements [slog.Handler].
func (h *onceHandler) WithGroup(name string) slog.Handler {
	return &onceHandler{Handler: h.Handler.WithGroup(name), said: h.said}
}
