package flow

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/providers"
	"github.com/ironflow/ironflow/transport"
)

// ErrorKind is the class of a failure in events and records.
type ErrorKind string

// The closed list of kinds.
const (
	// KindParameter: a parameter of the node could not be used, or what it
	// names in the context is missing or of the wrong type.
	KindParameter ErrorKind = "parameter"
	// KindProvider: an embedding or chat vendor failed.
	KindProvider ErrorKind = "provider"
	// KindTransport: an HTTP request outside the vendors failed.
	KindTransport ErrorKind = "transport"
	// KindFunction: a function of the flow failed.
	KindFunction ErrorKind = "function"
	// KindNode: any other failure of a node.
	KindNode ErrorKind = "node"
	// KindTimeout: the step's `:timeout` expired.
	KindTimeout ErrorKind = "timeout"
	// KindInternal: a panic, which is a defect in a node or in the host.
	KindInternal ErrorKind = "internal"
	// KindCancelled: the run was cancelled from outside.
	KindCancelled ErrorKind = "cancelled"
	// KindRunLimit: the whole run took longer than allowed.
	KindRunLimit ErrorKind = "run_limit"
)

// StepError is a step that failed after its last attempt. Its text starts
// with the place and holds no secret.
type StepError struct {
	Flow, Step, Node string
	File             string
	Line             int // from 1
	// Attempt is the attempt that failed, Attempts how many were allowed.
	Attempt, Attempts int
	Kind              ErrorKind
	// Message is the text of Err without secrets; it says nothing about the
	// place.
	Message string
	// Output is that of a structured failure, under full keys; else nil.
	Output map[string]any
	Err    error
}

// Error gives the failure on one line, the way compilers do:
// `flow.lua:12: step "embed": ai_embed: ... (attempt 3 of 3)`.
func (e *StepError) Error() string {
	var b strings.Builder
	if e.File != "" {
		b.WriteString(e.File)
		if e.Line > 0 {
			fmt.Fprintf(&b, ":%d", e.Line)
		}
		b.WriteString(": ")
	}
	fmt.Fprintf(&b, "step %q: ", e.Step)
	if e.Node != functionNode && !strings.HasPrefix(e.Message, e.Node+":") {
		b.WriteString(e.Node + ": ")
	}
	b.WriteString(e.Message)
	if e.Attempts > 1 && e.Kind != KindTimeout {
		fmt.Fprintf(&b, " (attempt %d of %d)", e.Attempt, e.Attempts)
	}
	return b.String()
}

// Unwrap gives errors.Is and errors.As the cause.
func (e *StepError) Unwrap() error { return e.Err }

// CancelError is the end of a run that was cancelled: from outside, or because
// it took longer than the runner allows.
type CancelError struct {
	// Reason says why, in words.
	Reason string
	// Limit is the time that the run had, when that ended it; 0 otherwise.
	Limit time.Duration
	Err   error
}

// Error says that and why the run was cancelled.
func (e *CancelError) Error() string { return "the run was cancelled: " + e.Reason }

// Unwrap gives the cause, such as context.Canceled.
func (e *CancelError) Unwrap() error { return e.Err }

// TimeoutError is the expiry of a step's `:timeout`. It is a deadline for
// errors.Is(err, context.DeadlineExceeded).
type TimeoutError struct {
	// Seconds is the budget over all attempts and waits.
	Seconds float64
	text    string
}

// Error says what expired when.
func (e *TimeoutError) Error() string { return e.text }

// Is makes the error a context.DeadlineExceeded.
func (e *TimeoutError) Is(target error) bool { return target == context.DeadlineExceeded }

// newStepError describes a failed attempt of a step.
func newStepError(f *Flow, s *Step, attempt int, kind ErrorKind, err error, message string) *StepError {
	return &StepError{
		Flow: f.Name, Step: s.Name, Node: s.NodeName(), File: s.File, Line: s.Line,
		Attempt: attempt, Attempts: s.Retries + 1, Kind: kind, Err: err, Message: message,
	}
}

// info is the failure as events and records show it.
func (e *StepError) info() *ErrorInfo {
	return &ErrorInfo{Message: e.Message, Step: e.Step, File: e.File, Line: e.Line, Kind: e.Kind}
}

// panicError is a panic that the runner caught.
type panicError struct{ text string }

func (e *panicError) Error() string { return e.text }

// kindOf classifies the failure of an attempt.
func kindOf(step *Step, err error) ErrorKind {
	var (
		internal  *panicError
		defect    *nodes.PanicError
		vendor    *providers.Error
		batch     *providers.BatchError
		request   *transport.Error
		parameter *nodes.ParamError
	)
	switch {
	case errors.As(err, &internal), errors.As(err, &defect):
		return KindInternal
	case errors.As(err, &vendor), errors.As(err, &batch):
		return KindProvider
	case errors.As(err, &request):
		return KindTransport
	case errors.As(err, &parameter):
		return KindParameter
	case step.Func != nil:
		return KindFunction
	}
	return KindNode
}
