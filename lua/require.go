package lua

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	glua "github.com/yuin/gopher-lua"

	"github.com/ironflow/ironflow/lua/internal/vm"
)

// moduleName is what require accepts.
var moduleName = regexp.MustCompile(`^[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)*$`)

// modules are the Lua files of one flow: those that it required while it
// loaded, and those that functions require first. Each is read and compiled
// once. It is safe for concurrent use.
type modules struct {
	// dir is the absolute directory that modules lie in or below; shown is the
	// same directory as the user named it.
	dir, shown string
	limit      int64

	mu     sync.Mutex
	bytes  int64             // of all sources so far, the flow file included
	chunks map[string]*chunk // by the name that messages show
	failed map[string]error
}

// chunk returns the compiled source of that name, nil if there is none.
func (m *modules) chunk(name string) *chunk {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.chunks[name]
}

// compile reads and compiles a module by its dotted name.
func (m *modules) compile(name string) (*chunk, error) {
	rel := filepath.FromSlash(strings.ReplaceAll(name, ".", "/") + ".lua")
	shown := filepath.Join(m.shown, rel)
	m.mu.Lock()
	defer m.mu.Unlock()
	if c, ok := m.chunks[shown]; ok {
		return c, nil
	}
	if err, ok := m.failed[shown]; ok {
		return nil, err
	}
	c, err := m.read(name, rel, shown)
	if err != nil {
		m.failed[shown] = err
		return nil, err
	}
	m.chunks[shown] = c
	return c, nil
}

func (m *modules) read(name, rel, shown string) (*chunk, error) {
	root, err := os.OpenRoot(m.dir)
	if err != nil {
		return nil, fmt.Errorf("module %q: %w", name, err)
	}
	defer root.Close()
	f, err := root.OpenFile(rel, openFlag, 0)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("module %q: there is no file %s; modules lie beside the flow file or below it", name, shown)
	case err != nil:
		return nil, fmt.Errorf("module %q: %w; modules lie beside the flow file or below it, and no link may lead out", name, err)
	}
	defer f.Close()
	source, err := readSource(f, shown, m.limit-m.bytes)
	if err != nil {
		return nil, err
	}
	m.bytes += int64(len(source))
	return compile(shown, source)
}

// requiring is what `require` knows in one load or one call of a function.
type requiring struct {
	*modules
	loading []string // the modules that are running now, outermost first
}

type requiringKey struct{}

func (m *modules) in(ctx context.Context) context.Context {
	return context.WithValue(ctx, requiringKey{}, &requiring{modules: m})
}

// require is the global function: require("a.b") returns the value of a/b.lua.
// A module runs once in each VM; in a function, one that the file loaded is
// its copy.
func (h *Host) require(v *vm.VM, L *glua.LState) int {
	name, ok := L.Get(1).(glua.LString)
	if !ok || !moduleName.MatchString(string(name)) {
		L.RaiseError("require: got %s, want a module name such as \"lib.text\": letters, digits and _ joined by dots", describe(L.Get(1)))
	}
	if value, ok := v.Module(string(name)); ok {
		L.Push(value)
		return 1
	}
	r, ok := L.Context().Value(requiringKey{}).(*requiring)
	if !ok {
		L.RaiseError("require(%q): there is no flow file here whose directory could hold the module", string(name))
	}
	if i := slices.Index(r.loading, string(name)); i >= 0 {
		L.RaiseError("require: modules require one another in a circle: %s -> %s", strings.Join(r.loading[i:], " -> "), string(name))
	}
	c, err := r.compile(string(name))
	if err != nil {
		v.Raise(L, err)
	}
	r.loading = append(r.loading, string(name))
	defer func() { r.loading = r.loading[:len(r.loading)-1] }()
	L.Push(v.Function(c.proto))
	L.Push(name)
	L.Call(1, 1)
	value := L.Get(-1)
	if value == glua.LNil {
		value = glua.LTrue
		L.Push(value)
	}
	v.SetModule(string(name), value)
	return 1
}
