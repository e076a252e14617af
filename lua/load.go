package lua

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	glua "github.com/yuin/gopher-lua"

	"github.com/ironflow/ironflow/flow"
	"github.com/ironflow/ironflow/lua/internal/vm"
	"github.com/ironflow/ironflow/nodes"
)

// loader is one load of a flow file.
type loader struct {
	host     *Host
	vm       *vm.VM
	file     string // as the user named it
	registry *nodes.Registry
	program  *program

	problems     []nodes.Problem
	flows        []*flowObject
	steps        []*flow.Step // of all flows, those that have no place too
	declarations []*declaration
	functions    map[*glua.LFunction]*Function
	ordered      []*Function // the same, in the order in which they came
	// rejected names parameters of steps that could not be read, and unclear
	// are steps of which a dependency was rejected.
	rejected map[*flow.Step][]string
	unclear  map[*flow.Step]bool
	codes    []codeSource
	standard []string // the globals that every function has
	// badNodes are types that nodes.define could not define.
	badNodes map[string]bool

	flowMethods, builderMethods, declarationMethods *glua.LTable
	nodesTable                                      *glua.LTable
}

// Load reads a flow file, runs it once and returns the flow that it builds.
// The flow's registry is a copy of reg with the nodes that the flow defines.
//
// Wrong declarations do not end the load; they are in flow.Problems, and
// flow.NewPlan adds its own to them. The error is a *LoadError when the file is
// no flow, and otherwise that of the file system: the file cannot be read.
func (h *Host) Load(ctx context.Context, path string, reg *nodes.Registry) (*flow.Flow, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, fmt.Errorf("reading flow: %w", err)
	}
	source, err := readFlow(path, h.maxSource)
	if err != nil {
		return nil, err
	}
	main, err := compile(path, source)
	if err != nil {
		return nil, err
	}
	mods := &modules{
		dir: filepath.Dir(abs), shown: filepath.Dir(path), limit: h.maxSource, bytes: int64(len(source)),
		chunks: map[string]*chunk{path: main}, failed: map[string]error{},
	}
	l := &loader{
		host: h, vm: h.engine.NewLoader(), file: path, registry: reg.Clone(),
		program:   &program{modules: mods},
		functions: map[*glua.LFunction]*Function{},
		rejected:  map[*flow.Step][]string{}, unclear: map[*flow.Step]bool{}, badNodes: map[string]bool{},
	}
	built, err := l.run(ctx, main)
	if err != nil {
		l.vm.Close()
		return nil, err
	}
	sum := sha256.Sum256([]byte(source))
	f := &flow.Flow{
		Name: built.name, File: path, Path: abs, Dir: mods.dir, SHA256: hex.EncodeToString(sum[:]),
		Steps: built.steps, Registry: l.registry,
	}
	l.finish(built)
	f.Problems = l.sorted()
	return f, nil
}

// run executes the file and returns the flow that it returns.
func (l *loader) run(ctx context.Context, main *chunk) (*flowObject, error) {
	l.openFlow()
	l.openNodes()
	l.standard = standardGlobals(l.vm.L)
	results, err := l.vm.Call(l.program.modules.in(ctx), l.vm.Function(main.proto))
	if err != nil {
		return nil, l.loadError(ctx, err)
	}
	first := argument(results, 0)
	if ud, ok := first.(*glua.LUserData); ok {
		if f, ok := ud.Value.(*flowObject); ok {
			return f, nil
		}
	}
	l.unused()
	msg := "returns nothing; end the file with `return flow`"
	if first != glua.LNil {
		msg = "returns " + describe(first) + ", want the flow that Flow.new gave; end the file with `return flow`"
	}
	return nil, &LoadError{File: l.file, Kind: KindReturn, Msg: msg, Recorded: l.sorted()}
}

// loadError turns a failed call of the file into a LoadError.
func (l *loader) loadError(ctx context.Context, err error) error {
	l.unused()
	e := &LoadError{File: l.file, Kind: KindScript, Msg: err.Error(), Recorded: l.sorted(), Err: err}
	var script *vm.ScriptError
	if errors.As(err, &script) {
		e.Msg, e.Err = script.Message, script.Cause
		if script.File != "" {
			e.File, e.Line = script.File, script.Line
		}
	}
	var inner *LoadError // of a module
	var limit *vm.LimitError
	switch {
	case ctx.Err() != nil:
		e.Msg = "loading was stopped: " + context.Cause(ctx).Error()
		e.Err = errors.Join(ctx.Err(), context.Cause(ctx))
	case errors.As(err, &inner):
		e.Kind, e.File, e.Line, e.Msg, e.Err = inner.Kind, inner.File, inner.Line, inner.Msg, inner.Err
	case errors.As(err, &limit):
		e.Kind = KindLimit
	}
	return e
}

// finish checks what is left to check, keeps the functions of the file and
// looks for mistakes in them.
func (l *loader) finish(built *flowObject) {
	l.checkCode()
	for _, s := range l.steps {
		if l.unclear[s] && len(s.DependsOn) == 0 {
			// The route's step was among what was rejected.
			s.HasRoute, s.Route = false, ""
		}
		if !s.Broken {
			continue
		}
		if s.Node != nil {
			at := nodes.Problem{File: s.File, Line: s.Line, Step: cmp.Or(s.Guards, s.Name)}
			l.checkParams(at, s.Node, s.Params, s.Retries, l.rejected[s])
		}
		s.Node, s.Params, s.Func = nil, nil, nil
	}
	l.unused()
	fillDefaults(built)
	l.lint()
	l.lintCode()
	l.freeze()
}

// sorted returns the problems by file and line, the flow file first.
func (l *loader) sorted() []nodes.Problem {
	slices.SortStableFunc(l.problems, func(a, b nodes.Problem) int {
		if a.File != b.File && (a.File == l.file || b.File == l.file) {
			if a.File == l.file {
				return -1
			}
			return 1
		}
		return cmp.Or(strings.Compare(a.File, b.File), a.Line-b.Line)
	})
	return l.problems
}
