package app

import (
	"context"
	"errors"
	"fmt"
	"os"
)

// The exit codes of the command, each documented in docs/reference/cli.md.
const (
	ExitOK       = 0   // success
	ExitRun      = 1   // the run failed, or IRONFLOW_MAX_RUN_SECONDS ran out
	ExitUsage    = 2   // wrong usage or configuration, or an unreadable file
	ExitInvalid  = 3   // the flow is invalid, load errors included
	ExitSIGINT   = 130 // ended by SIGINT
	ExitSIGTERM  = 143 // ended by SIGTERM
	signalOffset = 128
)

// exitError is an error with the code that the process ends with.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string { return e.err.Error() }
func (e *exitError) Unwrap() error { return e.err }

func exitWith(code int, err error) error { return &exitError{code: code, err: err} }

func usageError(format string, args ...any) error {
	return exitWith(ExitUsage, fmt.Errorf(format, args...))
}

// silentError ends the process with a code; what there is to say is said.
var errSilent = errors.New("already reported")

// signalError is the cause of a context that a signal cancelled.
type signalError struct{ signal os.Signal }

func (e *signalError) Error() string { return "interrupted by signal: " + e.signal.String() }

// exitCode is the code for the error that a command returned; a signal that
// arrived decides over everything else.
func exitCode(ctx context.Context, err error) int {
	var s *signalError
	if errors.As(context.Cause(ctx), &s) {
		if s.signal == os.Interrupt {
			return ExitSIGINT
		}
		return ExitSIGTERM
	}
	if err == nil {
		return ExitOK
	}
	var e *exitError
	if errors.As(err, &e) {
		return e.code
	}
	// cobra's own errors: unknown commands and flags, wrong arguments.
	return ExitUsage
}
