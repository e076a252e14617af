package nodes

import "context"

// Node is a declaration and the code behind it. It keeps no state between
// calls; what it needs comes with the [Call].
type Node struct {
	Spec Spec
	Run  func(ctx context.Context, call *Call) (Output, error)
}

// Output is what a node publishes, by the suffix (or fixed name) under which
// the Spec declares it: {"": chunks, "_spans": spans}. The host puts
// `output_key` in front.
type Output map[string]any

// Failure is an error that carries output: a structured failure. The output is
// kept in the record and handed to the recovery step; it is never published.
type Failure struct {
	Err    error
	Output Output

	// Published is the output under its full keys; the host fills it in.
	Published map[string]any
}

// Error implements error.
func (f *Failure) Error() string { return f.Err.Error() }

// Unwrap gives errors.Is and errors.As the cause.
func (f *Failure) Unwrap() error { return f.Err }
