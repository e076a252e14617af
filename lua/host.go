package lua

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"

	"github.com/ironflow/ironflow/lua/internal/vm"
	"github.com/ironflow/ironflow/nodes"
)

// Limits bound what scripts may use. See DefaultLimits for the defaults.
type Limits = vm.Limits

// DefaultLimits returns the limits of a process that sets none: 10 s for one
// load or one call, 64 MiB for one string, 2 GiB of heap, 64 levels and 20
// million values for one conversion.
func DefaultLimits() Limits { return vm.DefaultLimits() }

// DefaultMaxSourceBytes is the largest flow file, its modules included, when
// nothing else is set: 1 MiB.
const DefaultMaxSourceBytes = 1 << 20

// AllowListVariable restricts what env(key) may read: a comma list of names;
// set but empty, it denies all.
const AllowListVariable = "IRONFLOW_ENV_ALLOWLIST"

// Options are what a Host needs.
type Options struct {
	// Limits of zero value are the defaults; otherwise 0 in one of them means
	// what Limits says about it.
	Limits Limits
	// MaxSourceBytes bounds a flow file together with the modules that it
	// requires; 0 = DefaultMaxSourceBytes.
	MaxSourceBytes int64
	// Env gives scripts their log (print, log), clock (now_rfc3339) and
	// environment (env). Missing fields mean no log, the system clock and an
	// empty environment.
	Env *nodes.Env
}

// Host loads flow files and runs their functions. One Host serves a process;
// it is safe for concurrent use and holds nothing that must be closed.
type Host struct {
	engine    *vm.Engine
	maxSource int64
	// bare is an image of a VM in which nothing ran.
	bare func() *vm.Image
}

// NewHost makes a host.
func NewHost(o Options) *Host {
	h := &Host{maxSource: o.MaxSourceBytes}
	if h.maxSource <= 0 {
		h.maxSource = DefaultMaxSourceBytes
	}
	if o.Limits == (Limits{}) {
		o.Limits = DefaultLimits()
	}
	env := o.Env
	if env == nil {
		env = &nodes.Env{}
	}
	cfg := vm.Config{
		Limits:  o.Limits,
		Env:     environment(env),
		Globals: map[string]vm.Func{"require": h.require},
	}
	if env.Clock != nil {
		cfg.Now = func() time.Time { return env.Clock.Now() }
	}
	if env.Log != nil {
		cfg.Log = func(ctx context.Context, level, message string) {
			env.Log.Log(ctx, slogLevel(level), message)
		}
	}
	h.engine = vm.NewEngine(cfg)
	h.bare = sync.OnceValue(func() *vm.Image { return vm.NewImage(h.engine.NewLoader()) })
	return h
}

// environment is env(key) under the allow list.
func environment(env *nodes.Env) func(string) (string, bool) {
	if env.Lookup == nil {
		return nil
	}
	var allowed map[string]bool
	if list, _, ok := env.Lookup(AllowListVariable); ok {
		allowed = map[string]bool{}
		for name := range strings.SplitSeq(list, ",") {
			if name = strings.TrimSpace(name); name != "" {
				allowed[name] = true
			}
		}
	}
	return func(key string) (string, bool) {
		if allowed != nil && !allowed[key] {
			return "", false
		}
		v, _, ok := env.Lookup(key)
		return v, ok
	}
}

// slogLevel translates the levels of log(); trace lies below debug.
func slogLevel(level string) slog.Level {
	switch level {
	case "trace":
		return slog.LevelDebug - 4
	case "debug":
		return slog.LevelDebug
	case "warn":
		return slog.LevelWarn
	case "error":
		return slog.LevelError
	}
	return slog.LevelInfo
}
