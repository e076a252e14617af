package vm

import (
	"context"
	"fmt"
	"runtime/debug"

	glua "github.com/yuin/gopher-lua"

	"github.com/ironflow/ironflow/lua/internal/convert"
	"github.com/ironflow/ironflow/nodes/value"
)

const (
	mainRegistry   = 128
	threadRegistry = 256
	registryStep   = 8192
	minThreadCalls = 256
)

// VM is one sandboxed Lua state. It belongs to one goroutine at a time.
type VM struct {
	// L is the main thread. Hosts register functions and read values through
	// it; running code goes through Call, so that limits apply.
	L *glua.LState

	eng     *Engine
	globals *glua.LTable
	libs    map[string]*glua.LTable
	fns     map[string]glua.LValue // builtins made so far, by path
	have    map[string]bool        // globals settled so far
	all     bool                   // all globals are settled
	str     *glua.LTable           // the metatable of strings

	origins convert.Origins
	carried []carried
	modules map[string]glua.LValue
	random  *random

	tramp   *glua.LFunction
	nest    int
	idle    [][]*glua.LState                 // finished pcall threads, by nesting level
	owner   map[*glua.LState]*glua.LState    // pcall thread to the thread under it
	pending map[*glua.LState]*glua.LFunction // coroutines not started yet

	load *loadState // of a loader
	copy *copier    // of a session
}

// loadState is what only a loader has.
type loadState struct {
	names    map[*glua.LFunction]string // builtins by identity
	libNames map[*glua.LTable]string
	labels   map[glua.LValue]string // values that exist only here
	hidden   map[string]bool        // globals that exist only here
	frozen   bool
}

func (e *Engine) newVM() *VM {
	L := glua.NewState(glua.Options{
		SkipOpenLibs:        true,
		CallStackSize:       minThreadCalls,
		MinimizeStackMemory: true,
		RegistrySize:        mainRegistry,
		RegistryMaxSize:     e.limits.MaxRegistry,
		RegistryGrowStep:    registryStep,
	})
	// Code runs in threads of L, never in L itself.
	L.G.MainThread, L.G.CurrentThread = L, L
	v := &VM{L: L, eng: e, globals: L.G.Global}
	v.openStrings()
	return v
}

// NewLoader makes the VM in which a flow file runs. All globals are there.
func (e *Engine) NewLoader() *VM {
	v := e.newVM()
	v.load = &loadState{
		names:    map[*glua.LFunction]string{},
		libNames: map[*glua.LTable]string{},
		labels:   map[glua.LValue]string{},
		hidden:   map[string]bool{},
	}
	v.settleAll()
	return v
}

// Close frees the VM. Its values must not be used any more.
func (v *VM) Close() {
	if !v.L.IsClosed() {
		v.L.Close()
	}
}

// Engine returns the engine of the VM.
func (v *VM) Engine() *Engine { return v.eng }

// Loading reports whether this is a loader.
func (v *VM) Loading() bool { return v.load != nil }

// Function makes a function of a compiled chunk in this VM.
func (v *VM) Function(p *glua.FunctionProto) *glua.LFunction {
	v.settleProto(p)
	v.drain()
	return v.L.NewFunctionFromProto(p)
}

// NewFunction makes a Lua function of f. A panic inside f becomes an
// [InternalError]; name is the Lua name in its message.
func (v *VM) NewFunction(name string, f Func) *glua.LFunction {
	return v.guarded(name, func(L *glua.LState) int { return f(v, L) })
}

func (v *VM) guarded(name string, f glua.LGFunction) *glua.LFunction {
	return v.L.NewFunction(func(L *glua.LState) int {
		v.enter(L)
		defer v.leave(L, name)
		return f(L)
	})
}

// enter counts one more library function on the Go stack, which recursion
// through callbacks, protected calls and coroutines would otherwise use up.
func (v *VM) enter(L *glua.LState) {
	if v.nest >= maxNest {
		L.RaiseError("stack overflow: library functions, protected calls and coroutines are nested deeper than %d levels", maxNest)
	}
	v.nest++
}

// leave undoes enter and turns a Go panic into a Lua error; Lua errors pass.
func (v *VM) leave(L *glua.LState, name string) {
	v.nest--
	r := recover()
	if r == nil {
		return
	}
	if _, ok := r.(*glua.ApiError); ok {
		panic(r)
	}
	if r == overflowPanic {
		L.RaiseError("%s", overflowPanic)
	}
	v.Raise(L, &InternalError{Where: name, Value: r, Stack: string(debug.Stack())})
}

// SetGlobal sets a global of this VM.
func (v *VM) SetGlobal(name string, lv glua.LValue) {
	v.settle(name)
	v.globals.RawSetString(name, lv)
}

// SetLoadOnly sets a global that exists only in a loader, such as Flow.
func (v *VM) SetLoadOnly(name string, lv glua.LValue) {
	v.globals.RawSetString(name, lv)
	v.load.hidden[name] = true
}

// LoadOnly marks a table, userdata or function of a loader as one that handlers
// cannot use. Using its copy there raises "<label> exists only while the file
// loads".
func (v *VM) LoadOnly(lv glua.LValue, label string) { v.load.labels[lv] = label }

// Module returns a required module: of this VM, or the copy of one that the
// file had loaded.
func (v *VM) Module(name string) (glua.LValue, bool) {
	if lv, ok := v.modules[name]; ok {
		return lv, true
	}
	if v.copy != nil {
		if src, ok := v.copy.img.load.modules[name]; ok {
			lv := v.copyValue(src)
			v.drain()
			v.SetModule(name, lv)
			return lv, true
		}
	}
	return glua.LNil, false
}

// SetModule stores the value of a required module.
func (v *VM) SetModule(name string, lv glua.LValue) {
	if v.modules == nil {
		v.modules = map[string]glua.LValue{}
	}
	v.modules[name] = lv
}

// Call runs fn with args under the limits and returns its results. The error
// is a [*ScriptError].
func (v *VM) Call(ctx context.Context, fn glua.LValue, args ...glua.LValue) ([]glua.LValue, error) {
	var out []glua.LValue
	err := v.Within(ctx, func() (err error) {
		out, err = v.protected(v.L, fn, args...)
		return err
	})
	return out, err
}

// Within runs f, which may use the VM, under the limits of one call. An error
// comes back as a [*ScriptError].
func (v *VM) Within(ctx context.Context, f func() error) error {
	if v.load != nil && v.load.frozen {
		return &ScriptError{Message: "the load VM is closed"}
	}
	r := v.eng.begin(ctx)
	defer r.end()
	if outer := v.L.Context(); outer != nil {
		defer v.L.SetContext(outer)
	} else {
		defer v.L.RemoveContext()
	}
	v.L.SetContext(r.ctx)
	if err := v.safely(f); err != nil {
		return v.explain(err, r.ctx)
	}
	return nil
}

// safely turns panics of f into errors.
func (v *VM) safely(f func() error) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *glua.ApiError:
			err = r
		default:
			err = &InternalError{Where: "the Lua host", Value: r, Stack: string(debug.Stack())}
		}
	}()
	return f()
}

// ToLua makes the Lua value of a context value.
func (v *VM) ToLua(val any) (glua.LValue, error) {
	return v.eng.codec.ToLua(v.L.Context(), v.L, val, &v.origins)
}

// FromLua makes the context value of a Lua value. onFunc, which may be nil,
// gives the value of a function inside it.
func (v *VM) FromLua(lv glua.LValue, onFunc func(*glua.LFunction) (any, error)) (any, error) {
	return v.Convert(lv, convert.Options{Func: onFunc})
}

// Convert is FromLua with all options.
func (v *VM) Convert(lv glua.LValue, opts convert.Options) (any, error) {
	opts.Origins = &v.origins
	if opts.Userdata == nil {
		opts.Userdata = func(ud *glua.LUserData) (any, error) {
			if p, ok := ud.Value.(poison); ok {
				return nil, &value.PathError{Path: "$", Msg: p.String()}
			}
			return nil, &value.PathError{Path: "$", Msg: "a userdata is not a JSON value"}
		}
	}
	return v.eng.codec.FromLua(v.L.Context(), lv, opts)
}

// JSON returns a Lua value as compact JSON.
func (v *VM) JSON(lv glua.LValue) (string, error) {
	val, err := v.FromLua(lv, nil)
	if err != nil {
		return "", err
	}
	b, err := value.Marshal(val)
	if err != nil {
		return "", fmt.Errorf("writing JSON: %w", err)
	}
	return string(b), nil
}

// Context makes the ctx table of a handler: each key of view is converted when
// it is first read.
func (v *VM) Context(view value.View) *glua.LTable {
	return v.eng.codec.NewLazy(v.L, view, &v.origins, v.Raise).Table
}
