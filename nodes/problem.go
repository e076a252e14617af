package nodes

import (
	"fmt"
	"strings"
)

// Severity tells an error from a warning.
type Severity string

// Errors stop a flow from running; warnings do not.
const (
	Error   Severity = "error"
	Warning Severity = "warning"
)

// Problem is one thing that is wrong with a flow, found before it runs.
type Problem struct {
	Severity Severity `json:"severity"`
	File     string   `json:"file,omitempty"`
	Line     int      `json:"line,omitempty"` // 1-based; 0 = unknown
	Step     string   `json:"step,omitempty"`
	Node     string   `json:"node,omitempty"`
	Param    string   `json:"param,omitempty"`
	// Message says what is wrong, what is allowed and what to do.
	Message string `json:"message"`
}

// String gives the problem on one line, the way compilers do:
// `flow.lua:12: step "chunk": ai_chunk: size: ...`.
func (p Problem) String() string {
	var b strings.Builder
	if p.File != "" {
		b.WriteString(p.File)
		if p.Line > 0 {
			fmt.Fprintf(&b, ":%d", p.Line)
		}
		b.WriteString(": ")
	}
	if p.Severity == Warning {
		b.WriteString("warning: ")
	}
	if p.Step != "" {
		fmt.Fprintf(&b, "step %q: ", p.Step)
	}
	if p.Node != "" {
		b.WriteString(p.Node + ": ")
	}
	if p.Param != "" {
		b.WriteString(p.Param + ": ")
	}
	b.WriteString(p.Message)
	return b.String()
}

// ParamError is a parameter that cannot be used, found while a step runs.
type ParamError struct {
	Node, Param string
	Err         error
}

// Error implements error.
func (e *ParamError) Error() string { return fmt.Sprintf("%s: %s: %v", e.Node, e.Param, e.Err) }

// Unwrap gives errors.Is and errors.As the cause.
func (e *ParamError) Unwrap() error { return e.Err }
