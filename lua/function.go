package lua

import (
	"context"
	"maps"
	"slices"

	glua "github.com/yuin/gopher-lua"

	"github.com/ironflow/ironflow/lua/internal/vm"
	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
	"github.com/ironflow/ironflow/transport"
)

// program is what the functions of one loaded file share.
type program struct {
	modules *modules
	image   *vm.Image
}

// Function is a Lua function of a flow file. It is a nodes.Func and a
// nodes.SessionFunc; it can be called once its file has loaded.
type Function struct {
	fn      *glua.LFunction
	program *program
	handler *vm.Handler
	step    string // the step that it was given to, for warnings
}

var _ nodes.SessionFunc = (*Function)(nil)

// function returns the Function of a Lua function of the load VM, always the
// same one. step may be empty when it is not known yet.
func (l *loader) function(fn *glua.LFunction, step string) *Function {
	f, ok := l.functions[fn]
	if !ok {
		f = &Function{fn: fn, program: l.program, step: step}
		l.functions[fn] = f
		l.ordered = append(l.ordered, f)
	}
	if f.step == "" {
		f.step = step
	}
	return f
}

// freeze turns the load VM into the template for the VMs of its functions.
func (l *loader) freeze() {
	l.program.image = vm.NewImage(l.vm)
	for _, f := range l.ordered {
		f.handler = l.program.image.Handler(f.fn)
	}
}

// Place returns the file and the line (from 1) where the function begins.
func (f *Function) Place() (file string, line int) { return f.handler.Place() }

// Call runs the function in a VM of its own, with a private copy of what its
// file had built, and returns its first result as a context value. An argument
// that is a value.View arrives as a table that converts each key when it is
// first read. A *ScriptError says where in the source it failed; it unwraps to
// the end of ctx, to a *LimitError, or to the Go error behind it.
func (f *Function) Call(ctx context.Context, args ...any) (any, error) {
	return f.handler.Run(f.program.modules.in(ctx), callArgs(ctx, args))
}

// Session returns a function that calls f any number of times in one VM, one
// call after the other, and one that frees it. The time limit counts for each
// call.
func (f *Function) Session(context.Context) (call func(ctx context.Context, args ...any) (any, error), done func()) {
	s := f.program.image.NewSession()
	call = func(ctx context.Context, args ...any) (any, error) {
		return s.Call(f.program.modules.in(ctx), f.handler, callArgs(ctx, args))
	}
	return call, s.Close
}

// callArgs makes the Lua arguments of a call.
func callArgs(ctx context.Context, args []any) vm.Args {
	return func(v *vm.VM) ([]glua.LValue, error) {
		out := make([]glua.LValue, len(args))
		for i, a := range args {
			lv, err := toLua(ctx, v, a)
			if err != nil {
				return nil, err
			}
			out[i] = lv
		}
		return out, nil
	}
}

// toLua makes a Lua value of a context value, a view, or resolved parameters:
// objects that may hold functions and secrets besides.
func toLua(ctx context.Context, v *vm.VM, a any) (glua.LValue, error) {
	switch a := a.(type) {
	case value.View:
		return v.Context(a), nil
	case nodes.Func:
		return callback(ctx, v, a), nil
	case transport.Secret:
		return glua.LString(a.Reveal()), nil
	case parameters:
		t := v.L.CreateTable(0, len(a))
		for _, name := range slices.Sorted(maps.Keys(a)) {
			lv, err := toLua(ctx, v, a[name])
			if err != nil {
				return nil, value.InKey(err, name)
			}
			t.RawSetString(name, lv)
		}
		return t, nil
	}
	return v.ToLua(a)
}

// parameters are the resolved parameters of a node defined in Lua.
type parameters map[string]any

// callback makes a function of the host callable from Lua.
func callback(ctx context.Context, v *vm.VM, f nodes.Func) glua.LValue {
	return v.NewFunction("a function given as a parameter", func(v *vm.VM, L *glua.LState) int {
		args := make([]any, L.GetTop())
		for i := range args {
			a, err := v.FromLua(L.Get(i+1), nil)
			if err != nil {
				v.Raise(L, err)
			}
			args[i] = a
		}
		result, err := f.Call(L.Context(), args...)
		if err != nil {
			v.Raise(L, err)
		}
		lv, err := toLua(ctx, v, result)
		if err != nil {
			v.Raise(L, err)
		}
		L.Push(lv)
		return 1
	})
}
