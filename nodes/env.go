package nodes

import (
	"context"
	"log/slog"
	"slices"

	"github.com/ironflow/ironflow/providers"
	"github.com/ironflow/ironflow/transport"
)

// Clock tells the time and waits; tests inject their own.
type Clock = providers.Clock

// Env is what the host offers to every node. It is a struct, not an
// interface, so that it can grow without breaking authors. The zero value of a
// field means that the ability is not there: a node says so in its error.
type Env struct {
	// Log is never nil while a node runs; the host has put the step's name on it.
	Log *slog.Logger
	// HTTP is the one door to the network.
	HTTP *transport.Client
	// Providers are the embedding and chat vendors.
	Providers *providers.Set
	// Flows runs other flow files; nil where flows cannot be nested.
	Flows FlowRunner
	// Exec says which programs may be started; nil refuses all.
	Exec *ExecGrants
	// Files says where paths that context data helped to make may point.
	Files FileRules
	// Lookup reads a setting from the environment of the command.
	Lookup providers.Lookup
	Clock  Clock
	// Redactor learns every secret and removes it from what is printed.
	Redactor *transport.Redactor
	// FlowDir is the absolute directory of the flow file.
	FlowDir string
	// Depth counts how many flows this one is nested in.
	Depth int
}

// complete fills in the logger and the clock where the host gave none.
func (e *Env) complete() *Env {
	if e != nil && e.Log != nil && e.Clock != nil {
		return e
	}
	full := Env{}
	if e != nil {
		full = *e
	}
	if full.Log == nil {
		full.Log = slog.New(slog.DiscardHandler)
	}
	if full.Clock == nil {
		full.Clock = providers.SystemClock()
	}
	return &full
}

// FlowRunner runs another flow to its end: the way subworkflow works.
type FlowRunner interface {
	// RunFlow runs the flow file at path, which is absolute, with in as its
	// initial context, and returns its final context without private keys.
	// env is for the nodes of that flow: the caller's, with Depth counted up by
	// the caller. The runner sets FlowDir.
	RunFlow(ctx context.Context, env *Env, path string, in map[string]any) (map[string]any, error)
}

// FileRules limits the paths that context data helped to make. A path that the
// flow's author wrote in full is not limited.
type FileRules struct {
	// WorkDir is the absolute working directory, against which relative paths
	// are taken.
	WorkDir string
	// Allow are further absolute directories named by the operator.
	Allow []string
	// MaxBytes bounds one file that is read; 0 = DefaultMaxFileBytes.
	MaxBytes int64
}

// DefaultMaxFileBytes is the largest file that nodes read when nothing else is
// set: 50 MiB.
const DefaultMaxFileBytes = 52428800

// ExecGrants are the programs that flows may start.
type ExecGrants struct {
	// All grants every program.
	All bool
	// Programs are absolute paths.
	Programs []string
}

// Allows reports whether a program, given by absolute path, may be started.
func (g *ExecGrants) Allows(path string) bool {
	return g != nil && (g.All || slices.Contains(g.Programs, path))
}
