package flow

import "github.com/ironflow/ironflow/nodes"

// Flow is a loaded flow file: its steps in the order of their declaration, and
// the mistakes that were found while it loaded. It is not changed after
// loading, so any number of runs may share it.
type Flow struct {
	Name string
	// File is the flow file as messages name it; Path is absolute, and Dir is
	// the absolute directory that `require`, relative programs and nested
	// flows start from.
	File, Path, Dir string
	// SHA256 is the hash of the flow file in lower-case hex.
	SHA256 string
	Steps  []*Step
	// Registry holds the built-in nodes and those that the flow defines.
	Registry *nodes.Registry
	// Problems were recorded while loading went on: wrong declarations, with
	// file and line. Planning adds its own to them.
	Problems []nodes.Problem
}

// Step is one declared step: a node with its parameters, or a function.
type Step struct {
	Name string
	// File and Line (from 1) are where the declaration's statement starts.
	File string
	Line int

	// Node and Params are set for a node step. Params are the parameters as
	// the flow gives them (context values and nodes.Func), with the flow's
	// defaults filled in.
	Node   *nodes.Node
	Params map[string]any
	// Func is set for a function step; it is called with what the step sees.
	Func nodes.Func

	DependsOn []string
	// Retries is the number of extra attempts, 0..100; the wait after attempt
	// k is min(Backoff * 2^(k-1), 300) seconds, Backoff 0..300.
	Retries int
	Backoff float64
	// Timeout bounds all attempts and waits together, in seconds; 0 = none.
	Timeout float64
	// HasTimeout tells a timeout of 0 (an error) from none.
	HasTimeout bool
	// Route lets the step run only when a dependency published that route;
	// HasRoute tells an empty route (an error) from none.
	Route    string
	HasRoute bool
	// OnError names the step that recovers this one; "" = none.
	OnError string

	// Guards names the step that this guard (`_if_<name>`) stands before; ""
	// for ordinary steps.
	Guards string
	// Broken marks a declaration that was rejected: it counts as declared, so
	// that nothing that only follows from the mistake is reported.
	Broken bool
}

// NodeName is the type of the step's node, or "function".
func (s *Step) NodeName() string {
	if s.Node != nil {
		return s.Node.Spec.Name
	}
	return functionNode
}

// functionNode stands for the node type of a function step.
const functionNode = "function"
