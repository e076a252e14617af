package vm

import (
	"context"
	"strings"
	"time"

	glua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/parse"

	"github.com/ironflow/ironflow/lua/internal/convert"
	"github.com/ironflow/ironflow/lua/internal/strlib"
)

// Func is a function of the host that scripts call. It reads its arguments
// from L, which may be a coroutine of the VM, pushes its results and returns
// their number.
type Func func(v *VM, L *glua.LState) int

// Config is what an engine takes from its host. Nil functions have working
// defaults: no log, an empty environment, the system clock.
type Config struct {
	Limits Limits
	// Log receives print and log lines; level is one of trace, debug, info,
	// warn, error. ctx is the context of the call that printed.
	Log func(ctx context.Context, level, message string)
	// Env looks up one environment variable; the host applies its allow list.
	Env func(key string) (string, bool)
	// Now is the clock.
	Now func() time.Time
	// Globals are further functions of both kinds of VM, such as require.
	Globals map[string]Func
}

// Engine holds what all VMs of a process share. It is safe for concurrent use.
type Engine struct {
	cfg    Config
	limits Limits
	codec  *convert.Codec
	dog    watchdog

	libs       map[string]library // "" is the base library
	poisonMeta *glua.LTable
	trampoline *glua.FunctionProto
	mark       glua.LValue // first result of every trampoline call
}

// trampolineName is the chunk name of the function under every pcall and
// coroutine.
const trampolineName = "[call]"

// NewEngine makes an engine.
func NewEngine(cfg Config) *Engine {
	if cfg.Log == nil {
		cfg.Log = func(context.Context, string, string) {}
	}
	if cfg.Env == nil {
		cfg.Env = func(string) (string, bool) { return "", false }
	}
	if cfg.Now == nil {
		cfg.Now = time.Now
	}
	l := cfg.Limits
	if l.MaxCallDepth <= 0 {
		l.MaxCallDepth = DefaultLimits().MaxCallDepth
	}
	if l.MaxRegistry <= 0 {
		l.MaxRegistry = DefaultLimits().MaxRegistry
	}
	e := &Engine{
		cfg:    cfg,
		limits: l,
		codec:  convert.New(l.MaxDepth, l.MaxNodes),
		mark:   glua.LTrue,
	}
	e.dog.limit = l.MaxMemoryBytes
	e.poisonMeta = newPoisonMeta()
	e.trampoline = compileTrampoline()
	e.libs = e.libraries(strlib.Lib{MaxBytes: l.MaxStringBytes})
	return e
}

// Null is json_null.
func (e *Engine) Null() *glua.LUserData { return e.codec.Null }

// compileTrampoline compiles the function that runs f in a thread of its own:
// the extra first result tells "no result" from nil, which gopher-lua does
// not.
func compileTrampoline() *glua.FunctionProto {
	chunk, err := parse.Parse(strings.NewReader(`return function(mark, f, ...) return mark, f(...) end`), trampolineName)
	if err != nil {
		panic("vm: trampoline: " + err.Error())
	}
	proto, err := glua.Compile(chunk, trampolineName)
	if err != nil {
		panic("vm: trampoline: " + err.Error())
	}
	return proto.FunctionPrototypes[0]
}
