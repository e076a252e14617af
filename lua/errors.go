package lua

import (
	"github.com/ironflow/ironflow/lua/internal/vm"
	"github.com/ironflow/ironflow/nodes"
)

// Kind says why a flow file could not be loaded.
type Kind string

// The kinds of a LoadError.
const (
	KindSource Kind = "source" // too long, or not UTF-8
	KindSyntax Kind = "syntax" // not Lua
	KindScript Kind = "script" // the script raised an error
	KindLimit  Kind = "limit"  // time, memory or another limit is spent
	KindReturn Kind = "return" // the script did not return its flow
)

// LoadError is a flow file that gives no flow. A file that cannot be read at
// all is not a LoadError but the error of the file system.
type LoadError struct {
	Kind Kind
	// File as the user named it (or the module's file beside it), and the
	// 1-based line; 0 when no line is to blame.
	File string
	Line int
	// Msg says what is wrong and what to do.
	Msg string
	// Recorded are the wrong declarations that were found before loading ended.
	Recorded []nodes.Problem
	// Err is the cause, if Go code knows one (context.Canceled).
	Err error
}

// Error implements error: file, line and message.
func (e *LoadError) Error() string { return e.problem().String() }

// Unwrap gives errors.Is and errors.As the cause.
func (e *LoadError) Unwrap() error { return e.Err }

// Problems returns everything that is known to be wrong with the file: what
// was recorded while it loaded, and last the error that ended the load.
func (e *LoadError) Problems() []nodes.Problem {
	return append(append([]nodes.Problem(nil), e.Recorded...), e.problem())
}

func (e *LoadError) problem() nodes.Problem {
	return nodes.Problem{Severity: nodes.Error, File: e.File, Line: e.Line, Message: e.Msg}
}

// ScriptError is an error of Lua code that ran, with the place in the source.
// It unwraps to what caused it: the end of the context, a *LimitError, or the
// Go error that came through Lua.
type ScriptError = vm.ScriptError

// LimitError is a spent limit; it names the setting that holds it.
type LimitError = vm.LimitError
