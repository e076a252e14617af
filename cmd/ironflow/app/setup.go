package app

import (
	"fmt"
	"log/slog"
	"strings"
	"time"

	"github.com/ironflow/ironflow/lua"
	"github.com/ironflow/ironflow/nodes"
	nodebuiltin "github.com/ironflow/ironflow/nodes/builtin"
	"github.com/ironflow/ironflow/nodes/process"
	"github.com/ironflow/ironflow/providers"
	vendors "github.com/ironflow/ironflow/providers/builtin"
	"github.com/ironflow/ironflow/transport"
)

// session is everything that a command works with, built once from flags and
// environment.
type session struct {
	globals  *globals
	environ  *environ
	log      *slog.Logger
	stderr   *outlet // where log goes
	redactor *transport.Redactor
	vendors  []providers.Vendor
	registry *nodes.Registry
	client   *transport.Client
	env      *nodes.Env
	host     *lua.Host

	concurrency int // 0 = the runner's default
	maxRun      time.Duration
	maxFile     int64
}

// grants are the rights that flags give.
type grants struct {
	exec  []string
	paths []string
}

// newRegistry lists the nodes: the built-in ones, then those of the program
// that embeds this package.
func (a *App) newRegistry(list []providers.Vendor, host *lua.Host) (*nodes.Registry, error) {
	reg := nodes.NewRegistry()
	if err := nodebuiltin.Register(reg, list); err != nil {
		return nil, err
	}
	if err := lua.RegisterNodes(reg, host); err != nil {
		return nil, err
	}
	for _, register := range a.register {
		if err := register(reg); err != nil {
			return nil, err
		}
	}
	return reg, nil
}

// open builds a session; every error is a usage or configuration error.
func (a *App) open(g *globals, gr grants) (*session, error) {
	s, err := a.build(g, gr)
	if err != nil {
		return nil, exitWith(ExitUsage, err)
	}
	return s, nil
}

func (a *App) build(g *globals, gr grants) (*session, error) {
	s := &session{globals: g, stderr: &outlet{w: g.process.Stderr}, redactor: &transport.Redactor{}, vendors: vendors.Vendors()}
	var err error
	if s.environ, err = newEnviron(g.process.Environ, g.process.Dir, g.dotenv); err != nil {
		return nil, err
	}
	s.log = slog.New(transport.NewRedactingHandler(newLineHandler(s.stderr, g.level()), s.redactor))
	for _, w := range s.environ.warnings {
		s.log.Warn(w)
	}
	n, err := s.environ.numbers()
	if err != nil {
		return nil, err
	}
	if s.client, err = s.openClient(n); err != nil {
		return nil, err
	}
	if s.env, err = s.nodeEnv(n, gr); err != nil {
		return nil, err
	}
	limits := lua.DefaultLimits()
	limits.MaxSeconds = float64(n[setLuaSeconds])
	limits.MaxStringBytes = int(n[setLuaString])
	limits.MaxMemoryBytes = n[setLuaMemory]
	limits.MaxDepth = int(n[setConvDepth])
	limits.MaxNodes = int(n[setConvNodes])
	s.host = lua.NewHost(lua.Options{Env: s.env, Limits: limits, MaxSourceBytes: n[setSourceBytes]})
	if s.registry, err = a.newRegistry(s.vendors, s.host); err != nil {
		return nil, err
	}
	s.concurrency = int(n[setTasks])
	s.maxRun = time.Duration(n[setRunSeconds]) * time.Second
	s.maxFile = n[setFileBytes]
	return s, nil
}

func (g *globals) level() slog.Level {
	switch {
	case g.quiet:
		return slog.LevelError
	case g.verbose:
		return slog.LevelDebug
	}
	return slog.LevelInfo
}

// numbers reads every numeric setting, so that a bad one is reported whether
// or not this command needs it.
func (e *environ) numbers() (map[string]int64, error) {
	out := map[string]int64{}
	for _, s := range settingsTable() {
		if s.Kind != limit && s.Kind != choice {
			continue
		}
		n, err := e.number(s.Name)
		if err != nil {
			return nil, err
		}
		out[s.Name] = n
	}
	return out, nil
}

func (s *session) openClient(n map[string]int64) (*transport.Client, error) {
	insecure, err := s.environ.boolean(setInsecureHTTP)
	if err != nil {
		return nil, err
	}
	private, err := s.environ.boolean(setBlockPrivate)
	if err != nil {
		return nil, err
	}
	proxyFor, err := transport.ProxyFromSettings(
		s.environ.proxyVar(setHTTPProxy), s.environ.proxyVar(setHTTPSProxy), s.environ.proxyVar(setNoProxy))
	if err != nil {
		return nil, err
	}
	return transport.New(transport.Policy{
		MaxBodyBytes:        n[setHTTPBody],
		BlockPrivateNetwork: private,
		AllowInsecureHTTP:   insecure,
		Proxy:               proxyFor,
		UserAgent:           "ironflow/" + version,
	})
}

func (s *session) nodeEnv(n map[string]int64, gr grants) (*nodes.Env, error) {
	insecure, err := s.environ.boolean(setInsecureHTTP)
	if err != nil {
		return nil, err
	}
	clock := providers.SystemClock()
	set, err := providers.NewSet(providers.SetOptions{
		Vendors: s.vendors, Client: s.client, Clock: clock, Redactor: s.redactor,
		Limits:            providers.Limits{MaxEmbeddingValues: n[setEmbedValues]},
		Lookup:            s.environ.Lookup,
		AllowInsecureHTTP: insecure,
	})
	if err != nil {
		return nil, err
	}
	allow := make([]string, len(gr.paths))
	for i, p := range gr.paths {
		allow[i] = s.globals.path(p)
	}
	return &nodes.Env{
		Log: s.log, HTTP: s.client, Providers: set, Lookup: s.environ.Lookup,
		Clock: clock, Redactor: s.redactor,
		Files: nodes.FileRules{WorkDir: s.globals.process.Dir, Allow: allow, MaxBytes: n[setFileBytes]},
		Exec:  s.execGrants(gr.exec),
	}, nil
}

// execGrants collects the programs that --allow-exec and IRONFLOW_ALLOW_EXEC
// name; relative paths are resolved later, beside the flow file.
func (s *session) execGrants(flags []string) *nodes.ExecGrants {
	list := flags
	if v, from, ok := s.environ.Lookup(setAllowExec); ok && from == providers.FromEnvironment {
		for _, p := range strings.Split(v, ",") {
			if p = strings.TrimSpace(p); p != "" {
				list = append(list, p)
			}
		}
	}
	if len(list) == 0 {
		return nil
	}
	out := &nodes.ExecGrants{}
	for _, p := range list {
		if p == "*" {
			out.All = true
			continue
		}
		out.Programs = append(out.Programs, p)
	}
	return out
}

// resolveGrants makes the granted programs absolute, the same way as a command
// of a flow in dir. A grant for a program that is not there grants nothing.
func (s *session) resolveGrants(dir string) *nodes.ExecGrants {
	g := s.env.Exec
	if g == nil {
		return nil
	}
	out := &nodes.ExecGrants{All: g.All}
	for _, p := range g.Programs {
		found, err := process.Resolve(p, dir, s.environ.process["PATH"])
		if err != nil {
			s.log.Warn("a granted program cannot be found: " + err.Error())
			continue
		}
		out.Programs = append(out.Programs, found)
	}
	return out
}

// close releases what the session holds.
func (s *session) close() {
	s.client.CloseIdleConnections()
}

// invalidError makes the error that a command ends with when flows are invalid.
func invalidError(n int) error {
	return exitWith(ExitInvalid, fmt.Errorf("the flow is invalid: %s", count(n, "error")))
}
