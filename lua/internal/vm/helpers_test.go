package vm

import (
	"context"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	glua "github.com/yuin/gopher-lua"
	"github.com/yuin/gopher-lua/parse"

	"github.com/ironflow/ironflow/nodes/value"
)

// TestMain checks that no test leaves a goroutine behind.
func TestMain(m *testing.M) {
	before := runtime.NumGoroutine()
	code := m.Run()
	for i := 0; i < 100 && runtime.NumGoroutine() > before; i++ {
		time.Sleep(10 * time.Millisecond)
	}
	if n := runtime.NumGoroutine(); n > before {
		println("goroutines left:", n-before)
		code = 1
	}
	os.Exit(code)
}

func compile(t testing.TB, src string) *glua.FunctionProto {
	t.Helper()
	chunk, err := parse.Parse(strings.NewReader(src), "flow.lua")
	if err != nil {
		t.Fatal(err)
	}
	proto, err := glua.Compile(chunk, "flow.lua")
	if err != nil {
		t.Fatal(err)
	}
	return proto
}

// logs collects log lines.
type logs struct {
	mu    sync.Mutex
	lines []string
}

func (l *logs) add(_ context.Context, level, text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, level+": "+text)
}

func testEngine(change func(*Config)) *Engine {
	cfg := Config{Limits: DefaultLimits()}
	if change != nil {
		change(&cfg)
	}
	return NewEngine(cfg)
}

// load runs src in a loader and returns it with the results.
func load(t testing.TB, e *Engine, src string) (*VM, []glua.LValue) {
	t.Helper()
	v := e.NewLoader()
	out, err := v.Call(context.Background(), v.Function(compile(t, src)))
	if err != nil {
		t.Fatal(err)
	}
	return v, out
}

// handlers loads src, which returns functions, and makes handlers of them.
func handlers(t testing.TB, e *Engine, src string) []*Handler {
	t.Helper()
	v, out := load(t, e, src)
	img := NewImage(v)
	var hs []*Handler
	for _, lv := range out {
		hs = append(hs, img.Handler(lv.(*glua.LFunction)))
	}
	return hs
}

// eval runs body as a handler of a file of its own.
func eval(t testing.TB, e *Engine, body string) (any, error) {
	t.Helper()
	return handlers(t, e, "return function(ctx) "+body+"\nend")[0].Run(context.Background(), nil)
}

func mustEval(t testing.TB, e *Engine, body string) any {
	t.Helper()
	v, err := eval(t, e, body)
	if err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return v
}

func withContext(m map[string]any) Args {
	return func(v *VM) ([]glua.LValue, error) {
		return []glua.LValue{v.Context(value.Map(m))}, nil
	}
}

func wantJSON(t testing.TB, got any, want string) {
	t.Helper()
	b, err := value.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	if string(b) != want {
		t.Errorf("got %s, want %s", b, want)
	}
}
