package vm

import (
	"runtime"
	"strings"

	glua "github.com/yuin/gopher-lua"
)

func coCreate(v *VM, L *glua.LState) int {
	L.Push(v.newCoroutine(L))
	return 1
}

func (v *VM) newCoroutine(L *glua.LState) *glua.LState {
	f := L.CheckFunction(1)
	th := v.newThread(L)
	if v.pending == nil {
		v.pending = map[*glua.LState]*glua.LFunction{}
	}
	v.pending[th] = f
	return th
}

// checkThread reads a coroutine argument; one that was captured while the file
// loaded says so.
func checkThread(L *glua.LState, n int) *glua.LState {
	checkLoadOnly(L, n)
	return L.CheckThread(n)
}

func (v *VM) resume(L, th *glua.LState, args []glua.LValue) ([]glua.LValue, error) {
	fail := func(text string) ([]glua.LValue, error) {
		return nil, &glua.ApiError{Type: glua.ApiErrorRun, Object: glua.LString(text)}
	}
	if th.Dead {
		return fail("cannot resume dead coroutine")
	}
	if s := v.status(L, th); s != "suspended" {
		return fail("cannot resume " + s + " coroutine")
	}
	if f := v.pending[th]; f != nil {
		delete(v.pending, th)
		args = append([]glua.LValue{v.eng.mark, f}, args...)
	} else {
		padResults(th)
	}
	th.SetContext(L.Context())
	state, err, vals := L.Resume(th, v.trampolineFn(), args...)
	if state == glua.ResumeError {
		return nil, v.threadError(err)
	}
	return vals[1:], nil
}

// padResults makes nil of the registers that yield may return into. gopher-lua
// fills only as many as there are arguments of resume; the others would keep
// what is no Lua value at all.
func padResults(th *glua.LState) {
	dbg, ok := th.GetStack(0)
	if !ok {
		return
	}
	fn, err := th.GetInfo("f", dbg, glua.LNil)
	lf, ok := fn.(*glua.LFunction)
	if err != nil || !ok || lf.IsG {
		return
	}
	n := int(lf.Proto.NumUsedRegisters)
	for range n {
		th.Push(glua.LNil)
	}
	th.Pop(n)
}

func coResume(v *VM, L *glua.LState) int {
	vals, err := v.resume(L, checkThread(L, 1), arguments(L, 2))
	if err != nil {
		L.Push(glua.LFalse)
		L.Push(errorValue(err))
		return 2
	}
	L.Push(glua.LTrue)
	return 1 + push(L, vals)
}

func coWrap(v *VM, L *glua.LState) int {
	th := v.newCoroutine(L)
	L.Push(v.NewFunction("coroutine.wrap", func(v *VM, L *glua.LState) int {
		vals, err := v.resume(L, th, arguments(L, 1))
		if err != nil {
			L.Error(errorValue(err), 0)
		}
		return push(L, vals)
	}))
	return 1
}

func coYield(v *VM, L *glua.LState) int {
	switch under := v.owner[L]; {
	case L == v.L || under == v.L:
		L.RaiseError("attempt to yield outside a coroutine")
	case under != nil:
		L.RaiseError("attempt to yield across a pcall")
	case !directlyResumed():
		L.RaiseError("attempt to yield across a metamethod, an iterator or a library callback")
	}
	L.Insert(v.eng.mark, 1)
	return -1
}

// directlyResumed reports whether the VM loop that called us was started by
// the resume of its thread. If it was started by Go code in between (a
// metamethod, the iterator of a for loop, the callback of gsub or sort),
// gopher-lua would go on running the thread after the yield.
func directlyResumed() bool {
	var pcs [24]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	inLoop := false
	for {
		f, more := frames.Next()
		loop := strings.HasPrefix(f.Function, "github.com/yuin/gopher-lua.mainLoop")
		if inLoop && !loop {
			return strings.HasSuffix(f.Function, "gopher-lua.threadRun")
		}
		inLoop = loop
		if !more {
			return false
		}
	}
}

// coroutineOf returns the coroutine that runs in L: L itself or, below pcall
// threads, the one that called them. It is the main thread outside coroutines.
func (v *VM) coroutineOf(L *glua.LState) *glua.LState {
	for {
		under, ok := v.owner[L]
		if !ok {
			return L
		}
		L = under
	}
}

func (v *VM) status(L, th *glua.LState) string {
	if th.Dead {
		return "dead"
	}
	if th == v.coroutineOf(L) {
		return "running"
	}
	for p := L; p != nil; p = p.Parent {
		if p == th {
			return "normal"
		}
	}
	if th == v.L {
		return "normal"
	}
	return "suspended"
}

func coStatus(v *VM, L *glua.LState) int {
	L.Push(glua.LString(v.status(L, checkThread(L, 1))))
	return 1
}

func coRunning(v *VM, L *glua.LState) int {
	if th := v.coroutineOf(L); th != v.L {
		L.Push(th)
	} else {
		L.Push(glua.LNil)
	}
	return 1
}
