package nodetest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net/netip"
	"net/url"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
	"github.com/ironflow/ironflow/providers"
	"github.com/ironflow/ironflow/transport"
)

// Bench is the surroundings of a node under test. Its fields may be changed
// before Run is called.
type Bench struct {
	Env   *nodes.Env
	Clock *Clock
	Log   *Log
	// Vars are the environment variables that the node sees.
	Vars map[string]string
	// Step, Attempt and Retries are those of the step; "step", 1 and 0.
	Step             string
	Attempt, Retries int

	t  testing.TB
	mu sync.Mutex
	// reports are guarded by mu: a node may report from several goroutines.
	reports []Report
}

// Report is one call of [nodes.Call.Progress].
type Report struct {
	Done, Total int
	Unit        string
}

// New makes a Bench whose files live in a temporary directory of the test.
func New(t testing.TB) *Bench {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	client, err := transport.New(transport.Policy{Proxy: onlyLoopback})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.CloseIdleConnections)
	b := &Bench{Clock: NewClock(), Log: &Log{}, Vars: map[string]string{}, Step: "step", Attempt: 1, t: t}
	redactor := &transport.Redactor{}
	b.Env = &nodes.Env{
		Log:      slog.New(transport.NewRedactingHandler(b.Log, redactor)),
		HTTP:     client,
		Files:    nodes.FileRules{WorkDir: dir},
		FlowDir:  dir,
		Clock:    b.Clock,
		Redactor: redactor,
		Lookup: func(name string) (string, providers.Source, bool) {
			v, ok := b.Vars[name]
			return v, providers.FromEnvironment, ok
		},
	}
	return b
}

// Env returns the environment of a new Bench.
func Env(t testing.TB) *nodes.Env {
	t.Helper()
	return New(t).Env
}

// onlyLoopback refuses every request to another machine.
func onlyLoopback(u *url.URL) (*url.URL, error) {
	host := u.Hostname()
	if a, err := netip.ParseAddr(host); host == "localhost" || err == nil && a.IsLoopback() {
		return nil, nil
	}
	return nil, errors.New("tests reach loopback addresses only")
}

// UseVendors lets AI nodes choose among vendors of embeddings and chat.
func (b *Bench) UseVendors(list ...providers.Vendor) {
	b.t.Helper()
	set, err := providers.NewSet(providers.SetOptions{
		Vendors: list, Client: b.Env.HTTP, Clock: b.Clock, Redactor: b.Env.Redactor, Lookup: b.Env.Lookup,
	})
	if err != nil {
		b.t.Fatal(err)
	}
	b.Env.Providers = set
}

// Run is [Bench.RunContext] without a deadline.
func (b *Bench) Run(node nodes.Node, params, ctx map[string]any) (map[string]any, error) {
	b.t.Helper()
	return b.RunContext(b.t.Context(), node, params, ctx)
}

// RunContext checks the parameters as they are checked when a flow loads, runs
// the node once on the given context values and returns what it publishes, or
// the error of the load or of the run; a *nodes.Failure has its Published
// filled in. Parameters and context may hold any plain Go values and [Func]s.
//
// The test fails when the node breaks a rule that no error tells its author:
// when it changes what it was given, or publishes a key that its Spec does not
// announce.
func (b *Bench) RunContext(ctx context.Context, node nodes.Node, params, in map[string]any) (map[string]any, error) {
	b.t.Helper()
	raw := b.normal(params)
	view := b.normal(in)
	before := b.json(view)
	var errs []error
	problems := nodes.Check(&node.Spec, raw)
	problems = append(problems, nodes.CheckRetries(&node.Spec, raw, b.Retries)...)
	for _, p := range problems {
		if p.Severity == nodes.Error {
			errs = append(errs, errors.New(p.String()))
		}
	}
	if len(errs) > 0 {
		return nil, errors.Join(errs...)
	}
	out, err := nodes.Invoke(ctx, &node, raw, nodes.Host{
		Env: b.Env, View: value.Map(view), Step: b.Step, Attempt: b.Attempt, Retries: b.Retries,
		Progress: func(done, total int, unit string) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.reports = append(b.reports, Report{done, total, unit})
		},
	})
	if after := b.json(view); before != after {
		b.t.Errorf("%s changed the context it was given:\nbefore %s\nafter  %s", node.Spec.Name, before, after)
	}
	if keys, complete := nodes.PublishedKeys(&node.Spec, raw, b.Step); complete {
		for _, k := range slices.Sorted(maps.Keys(out)) {
			if !slices.Contains(keys, k) {
				b.t.Errorf("%s published %q, which its Spec does not announce; it announces %s", node.Spec.Name, k, nodes.QuoteList(keys, "and"))
			}
		}
	}
	return out, err
}

// Reports returns the progress that the node reported, in order.
func (b *Bench) Reports() []Report {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Clone(b.reports)
}

// normal turns plain Go values into context values; functions stay.
func (b *Bench) normal(m map[string]any) map[string]any {
	b.t.Helper()
	out := make(map[string]any, len(m))
	for k, v := range m {
		if _, ok := v.(nodes.Func); ok {
			out[k] = v
			continue
		}
		n, err := value.Normalize(v)
		if err != nil {
			b.t.Fatal(fmt.Errorf("%q: %w", k, err))
		}
		out[k] = n
	}
	return out
}

func (b *Bench) json(m map[string]any) string {
	b.t.Helper()
	text, err := value.Marshal(m)
	if err != nil {
		b.t.Fatal(err)
	}
	return string(text)
}

// Run runs a node once in a new [Bench].
func Run(t testing.TB, node nodes.Node, params, ctx map[string]any) (map[string]any, error) {
	t.Helper()
	return New(t).Run(node, params, ctx)
}

// Func makes a [nodes.Func] of a Go function, in place of what a flow's author
// would write in Lua.
type Func func(ctx context.Context, args ...any) (any, error)

// Call implements nodes.Func.
func (f Func) Call(ctx context.Context, args ...any) (any, error) { return f(ctx, args...) }
