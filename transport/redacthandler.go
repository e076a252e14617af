package transport

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"sync/atomic"
)

// redactingHandler removes secrets from records before they reach next. Groups
// and attributes are kept aside and applied per record, because a secret may be
// added after a logger was derived.
type redactingHandler struct {
	base slog.Handler
	r    *Redactor
	ops  []handlerOp

	built *atomic.Pointer[builtHandler]
}

// handlerOp is one WithGroup or one WithAttrs.
type handlerOp struct {
	group string
	attrs []slog.Attr
}

// builtHandler is base with ops applied, valid while the secrets are the same.
type builtHandler struct {
	forms *[]string
	h     slog.Handler
}

// NewRedactingHandler returns a handler that passes records to h after removing
// from messages, keys and values, nested ones too, everything that r removes.
func NewRedactingHandler(h slog.Handler, r *Redactor) slog.Handler {
	return &redactingHandler{base: h, r: r, built: new(atomic.Pointer[builtHandler])}
}

// Enabled asks the wrapped handler.
func (h *redactingHandler) Enabled(ctx context.Context, l slog.Level) bool {
	return h.base.Enabled(ctx, l)
}

// WithAttrs implements slog.Handler.
func (h *redactingHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	if len(attrs) == 0 {
		return h
	}
	return h.with(handlerOp{attrs: attrs})
}

// WithGroup implements slog.Handler.
func (h *redactingHandler) WithGroup(name string) slog.Handler {
	if name == "" {
		return h
	}
	return h.with(handlerOp{group: name})
}

func (h *redactingHandler) with(op handlerOp) slog.Handler {
	ops := append(h.ops[:len(h.ops):len(h.ops)], op)
	return &redactingHandler{base: h.base, r: h.r, ops: ops, built: new(atomic.Pointer[builtHandler])}
}

// Handle implements slog.Handler.
func (h *redactingHandler) Handle(ctx context.Context, rec slog.Record) error {
	next := h.current()
	if h.r.Empty() {
		return next.Handle(ctx, rec)
	}
	out := slog.NewRecord(rec.Time, rec.Level, h.r.Redact(rec.Message), rec.PC)
	rec.Attrs(func(a slog.Attr) bool {
		out.AddAttrs(h.attr(a))
		return true
	})
	return next.Handle(ctx, out)
}

func (h *redactingHandler) current() slog.Handler {
	if len(h.ops) == 0 {
		return h.base
	}
	var forms *[]string
	if h.r != nil {
		forms = h.r.forms.Load()
	}
	if b := h.built.Load(); b != nil && b.forms == forms {
		return b.h
	}
	next := h.base
	for _, op := range h.ops {
		if op.group != "" {
			next = next.WithGroup(h.r.Redact(op.group))
			continue
		}
		attrs := make([]slog.Attr, len(op.attrs))
		for i, a := range op.attrs {
			attrs[i] = h.attr(a)
		}
		next = next.WithAttrs(attrs)
	}
	h.built.Store(&builtHandler{forms: forms, h: next})
	return next
}

func (h *redactingHandler) attr(a slog.Attr) slog.Attr {
	return slog.Attr{Key: h.r.Redact(a.Key), Value: h.value(a.Value)}
}

func (h *redactingHandler) value(v slog.Value) slog.Value {
	if h.r.Empty() {
		return v
	}
	v = v.Resolve()
	switch v.Kind() {
	case slog.KindString:
		return slog.StringValue(h.r.Redact(v.String()))
	case slog.KindGroup:
		group := v.Group()
		out := make([]slog.Attr, len(group))
		for i, a := range group {
			out[i] = h.attr(a)
		}
		return slog.GroupValue(out...)
	case slog.KindAny:
		return h.any(v)
	}
	return v
}

// any keeps a value whose text and JSON hold no secret; another one becomes its
// redacted text, since its structure cannot be changed from outside.
func (h *redactingHandler) any(v slog.Value) slog.Value {
	x := v.Any()
	if b, ok := x.([]byte); ok {
		x = string(b)
	}
	text := fmt.Sprintf("%+v", x)
	clean := h.r.Redact(text)
	if clean != text {
		return slog.StringValue(clean)
	}
	if j, err := json.Marshal(x); err == nil && h.r.Redact(string(j)) != string(j) {
		return slog.StringValue(h.r.Redact(string(j)))
	}
	return v
}
