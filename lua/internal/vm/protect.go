package vm

import (
	"strings"

	glua "github.com/yuin/gopher-lua"
)

// Every call from the host, every protected call and every coroutine runs in a thread of its own, under
// the trampoline. gopher-lua's PCall runs on the caller's thread, and an error
// there closes the upvalues of all frames, also of those that go on: a closure
// and its function then silently see different variables.

// newThread makes a thread with its share of the call depth: the deeper the
// nesting, the smaller, so that the Go stack stays far from its limit.
func (v *VM) newThread(L *glua.LState) *glua.LState {
	ctx := L.Context()
	if ctx != nil {
		// NewThread would derive a context that someone has to cancel.
		L.RemoveContext()
	}
	opts := L.Options
	L.Options.RegistrySize = threadRegistry
	L.Options.CallStackSize = max(v.eng.limits.MaxCallDepth/(v.nest+1), minThreadCalls)
	th, _ := L.NewThread()
	L.Options = opts
	th.Options = opts
	if ctx != nil {
		L.SetContext(ctx)
		th.SetContext(ctx)
	}
	return th
}

func (v *VM) trampolineFn() *glua.LFunction {
	if v.tramp == nil {
		v.tramp = v.L.NewFunctionFromProto(v.eng.trampoline)
	}
	return v.tramp
}

// protected calls f and returns its results, or the error that it raised.
func (v *VM) protected(L *glua.LState, f glua.LValue, args ...glua.LValue) ([]glua.LValue, error) {
	if _, ok := f.(*glua.LFunction); !ok && L.GetMetaField(f, "__call").Type() != glua.LTFunction {
		return nil, &glua.ApiError{Type: glua.ApiErrorRun, Object: glua.LString("attempt to call a " + f.Type().String() + " value")}
	}
	th := v.takeThread(L)
	v.owner[th] = L
	defer delete(v.owner, th)
	state, err, vals := L.Resume(th, v.trampolineFn(), append([]glua.LValue{v.eng.mark, f}, args...)...)
	if state == glua.ResumeError {
		err = v.threadError(err)
		if L == v.L {
			return nil, &callError{err, traceOf(th)}
		}
		return nil, err
	}
	// The thread has ended by returning: its stack is empty.
	th.Dead = false
	v.idle[v.nest] = append(v.idle[v.nest], th)
	return vals[1:], nil
}

// callError is the failure of a call from the host, with the places of the
// Lua functions that were running.
type callError struct {
	error
	trace []traceLine
}

func (e *callError) Unwrap() error { return e.error }

type traceLine struct {
	file string
	line int
}

// maxTrace bounds the lines of a trace.
const maxTrace = 20

// traceOf lists where the functions of a failed thread were, innermost first.
// The frame that raised the error is gone; for error() that was error itself.
func traceOf(th *glua.LState) []traceLine {
	var out []traceLine
	for level := range maxTrace {
		dbg, ok := th.GetStack(level)
		if !ok {
			break
		}
		if _, err := th.GetInfo("Sl", dbg, glua.LNil); err != nil || dbg.Source == trampolineName {
			break
		}
		if dbg.CurrentLine > 0 {
			out = append(out, traceLine{dbg.Source, dbg.CurrentLine})
		}
	}
	return out
}

// threadError makes the message for a panic of gopher-lua readable, and takes
// the place away that only the trampoline has given to a library function.
func (v *VM) threadError(err error) error {
	api, ok := err.(*glua.ApiError)
	if !ok {
		return err
	}
	text, ok := api.Object.(glua.LString)
	if !ok {
		return err
	}
	if over, ok := v.overflow(string(text)); ok {
		api.Object = glua.LString(over)
	} else if rest, ok := strings.CutPrefix(string(text), trampolineName+":1: "); ok {
		api.Object = glua.LString(rest)
	}
	return err
}

func (v *VM) takeThread(L *glua.LState) *glua.LState {
	if v.owner == nil {
		v.owner = map[*glua.LState]*glua.LState{}
	}
	for len(v.idle) <= v.nest {
		v.idle = append(v.idle, nil)
	}
	if n := len(v.idle[v.nest]); n > 0 {
		th := v.idle[v.nest][n-1]
		v.idle[v.nest] = v.idle[v.nest][:n-1]
		th.SetContext(L.Context())
		return th
	}
	return v.newThread(L)
}

// errorValue is what pcall hands to the script.
func errorValue(err error) glua.LValue {
	if api, ok := err.(*glua.ApiError); ok && api.Object != nil {
		return api.Object
	}
	return glua.LString(err.Error())
}

// Protected calls f from inside a host function; an error that f raises comes
// back. Use it instead of L.PCall, which breaks upvalues of the callers.
func (v *VM) Protected(L *glua.LState, f glua.LValue, args ...glua.LValue) ([]glua.LValue, error) {
	return v.protected(L, f, args...)
}

func arguments(L *glua.LState, from int) []glua.LValue {
	args := make([]glua.LValue, 0, max(L.GetTop()-from+1, 0))
	for i := from; i <= L.GetTop(); i++ {
		args = append(args, L.Get(i))
	}
	return args
}

func push(L *glua.LState, vals []glua.LValue) int {
	for _, lv := range vals {
		L.Push(lv)
	}
	return len(vals)
}

func basePcall(v *VM, L *glua.LState) int {
	f := L.CheckAny(1)
	vals, err := v.protected(L, f, arguments(L, 2)...)
	if err != nil {
		L.Push(glua.LFalse)
		L.Push(errorValue(err))
		return 2
	}
	L.Push(glua.LTrue)
	return 1 + push(L, vals)
}

// baseXpcall calls the handler after the call has ended; without a debug
// library no handler can tell the difference.
func baseXpcall(v *VM, L *glua.LState) int {
	f, handler := L.CheckAny(1), L.CheckAny(2)
	vals, err := v.protected(L, f)
	if err == nil {
		L.Push(glua.LTrue)
		return 1 + push(L, vals)
	}
	L.Push(glua.LFalse)
	vals, herr := v.protected(L, handler, errorValue(err))
	if herr != nil {
		L.Push(errorValue(herr))
		return 2
	}
	return 1 + push(L, vals)
}
