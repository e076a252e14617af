package vm

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	glua "github.com/yuin/gopher-lua"
)

// ScriptError is a failed load or call, with the place in the script. It
// unwraps to what caused it: a [LimitError], the end of the caller's context,
// an [InternalError], or the Go error that a host function raised.
type ScriptError struct {
	File    string // the chunk name; empty when unknown
	Line    int    // from 1; 0 when unknown
	Message string // without the place
	Trace   string // file:line of the calls around it, innermost first; may be empty
	Cause   error  // may be nil
}

func (e *ScriptError) Error() string {
	if e.File == "" {
		return e.Message
	}
	if e.Line == 0 {
		return e.File + ": " + e.Message
	}
	return e.File + ":" + strconv.Itoa(e.Line) + ": " + e.Message
}

func (e *ScriptError) Unwrap() error { return e.Cause }

// LimitError says that a script used up one of its limits.
type LimitError struct {
	// Variable is the setting that holds the limit.
	Variable string
	msg      string
}

func (e *LimitError) Error() string { return e.msg }

// InternalError is a Go panic inside a function of the host: a defect of the
// program, not of the script.
type InternalError struct {
	Where string // the Lua name of the function
	Value any    // what was passed to panic
	Stack string // the Go stack
}

func (e *InternalError) Error() string {
	return fmt.Sprintf("internal error in %s: %v (a defect of ironflow, not of the script)", e.Where, e.Value)
}

// Unwrap returns the value of the panic when it is an error.
func (e *InternalError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// carried is a Go error that went into Lua as a message; scripts see a plain
// string, the host gets the error back.
type carried struct {
	text string
	err  error
}

// maxCarried bounds how many caught errors a VM remembers.
const maxCarried = 16

// Raise raises err as a Lua error in L, with the place of the calling script.
// When it is not caught, or its text is raised again, the [ScriptError] of the
// call unwraps to err. It does not return.
func (v *VM) Raise(L *glua.LState, err error) {
	text := err.Error()
	if text != "" {
		if len(v.carried) == maxCarried {
			v.carried = append(v.carried[:0], v.carried[1:]...)
		}
		v.carried = append(v.carried, carried{text, err})
	}
	L.RaiseError("%s", text)
}

// Texts of gopher-lua for the two ways to use up a stack.
const (
	overflowPanic    = "lua callstack overflow"
	overflowRegistry = "registry overflow"
)

// overflow says which limit a text of gopher-lua stands for; ok is false for
// any other text.
func (v *VM) overflow(text string) (string, bool) {
	switch {
	case strings.HasSuffix(text, overflowPanic):
		return fmt.Sprintf("%sstack overflow: functions call each other deeper than about %d levels",
			strings.TrimSuffix(text, overflowPanic), v.eng.limits.MaxCallDepth), true
	case strings.HasSuffix(text, overflowRegistry):
		return fmt.Sprintf("%sstack overflow: more than %d arguments, results and local values at once",
			strings.TrimSuffix(text, overflowRegistry), v.eng.limits.MaxRegistry), true
	}
	return "", false
}

// explain turns the outcome of a protected call into a ScriptError. An ended
// context decides, whatever the script made of it.
func (v *VM) explain(err error, ctx context.Context) error {
	e := &ScriptError{Message: err.Error(), Cause: err}
	var api *glua.ApiError
	var own *ScriptError
	var call *callError
	var trace []traceLine
	if errors.As(err, &call) {
		trace = call.trace
	}
	switch {
	case errors.As(err, &own):
		e = own
	case errors.As(err, &api):
		e = v.fromAPI(api, trace)
	}
	if ctx.Err() == nil {
		return e
	}
	cause := context.Cause(ctx)
	e.Cause = cause
	var limit *LimitError
	if errors.As(cause, &limit) {
		e.Message = limit.Error()
	} else {
		e.Message = "stopped: " + cause.Error()
		if !errors.Is(cause, ctx.Err()) {
			e.Cause = errors.Join(ctx.Err(), cause)
		}
	}
	return e
}

func (v *VM) fromAPI(api *glua.ApiError, trace []traceLine) *ScriptError {
	e := &ScriptError{}
	text, isText := api.Object.(glua.LString)
	if isText {
		e.File, e.Line, e.Message = splitPlace(string(text))
	} else {
		e.Message = v.describe(api.Object)
	}
	if e.File == "" && len(trace) > 0 {
		e.File, e.Line = trace[0].file, trace[0].line
	}
	var b strings.Builder
	for _, t := range trace {
		fmt.Fprintf(&b, "%s:%d\n", t.file, t.line)
	}
	e.Trace = strings.TrimSuffix(b.String(), "\n")
	if over, ok := v.overflow(e.Message); ok {
		e.Message = over
	} else if isText && strings.HasPrefix(e.Message, "runtime error: ") {
		e.Cause = &InternalError{Where: "the Lua VM", Value: e.Message}
		e.Message = e.Cause.Error()
	}
	for i := len(v.carried) - 1; i >= 0 && e.Cause == nil; i-- {
		if strings.Contains(e.Message, v.carried[i].text) {
			e.Cause = v.carried[i].err
		}
	}
	return e
}

// describe makes a message of an error value that is not a string.
func (v *VM) describe(lv glua.LValue) string {
	const limit = 200
	switch o := lv.(type) {
	case *glua.LNilType:
		return "error was called with nil"
	case *glua.LTable:
		if v.L.GetMetaField(o, "__tostring") != glua.LNil {
			if vals, err := v.protected(v.L, v.builtin("tostring"), o); err == nil && len(vals) == 1 {
				return vals[0].String()
			}
		}
		if m, ok := o.RawGetString("message").(glua.LString); ok {
			return string(m)
		}
		if text, err := v.JSON(o); err == nil {
			if len(text) > limit {
				text = strings.ToValidUTF8(text[:limit], "") + "..."
			}
			return "error was called with the table " + text
		}
		return "error was called with a table"
	case glua.LNumber, glua.LBool:
		return "error was called with " + lv.String()
	}
	return "error was called with a " + lv.Type().String()
}

// splitPlace takes "name:12:" or "name:12: " off the front of a message.
func splitPlace(s string) (file string, line int, rest string) {
	for i := 0; i < len(s); i++ {
		if s[i] == '\n' {
			break
		}
		if s[i] != ':' {
			continue
		}
		j := i + 1
		for j < len(s) && s[j] >= '0' && s[j] <= '9' {
			j++
		}
		if j == i+1 || j >= len(s) || s[j] != ':' || j-i > 10 {
			continue
		}
		n, _ := strconv.Atoi(s[i+1 : j])
		return s[:i], n, strings.TrimPrefix(s[j+1:], " ")
	}
	return "", 0, s
}
