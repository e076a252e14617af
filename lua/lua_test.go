package lua

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/flow"
	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
)

// testRegistry holds small nodes that cover what package lua has to do with.
func testRegistry(t testing.TB, h *Host) *nodes.Registry {
	t.Helper()
	reg := nodes.NewRegistry()
	run := func(_ context.Context, call *nodes.Call) (nodes.Output, error) { return nodes.Output{}, nil }
	err := reg.RegisterBuiltin(
		nodes.Node{Spec: nodes.Spec{Name: "log", Summary: "Logs", Params: []nodes.Param{
			{Name: "message", Type: nodes.String, Required: true, Interpolate: true, Help: "the text"},
			{Name: "level", Type: nodes.String, Enum: []string{"info", "warn"}, Default: "info", Help: "the level"},
			{Name: "data", Type: nodes.Any, Help: "anything"},
		}}, Run: run},
		nodes.Node{Spec: nodes.Spec{Name: "if_node", Summary: "Decides", Params: []nodes.Param{
			{Name: "condition", Type: nodes.String, Or: []nodes.Type{nodes.Function}, Role: nodes.Condition, Required: true, Help: "the test"},
			{Name: "true_route", Type: nodes.String, Default: "true", Help: "route"},
		}, Outputs: []nodes.OutputSpec{{Name: "_route_<step>", Type: nodes.String, Help: "route"}}}, Run: run},
		nodes.Node{Spec: nodes.Spec{Name: "embed", Summary: "Embeds", Params: []nodes.Param{
			{Name: "source_key", Type: nodes.String, Role: nodes.Source, Interpolate: true, Required: true, Help: "the texts"},
			{Name: "output_key", Type: nodes.String, Role: nodes.OutputKey, Default: "embed", Help: "key"},
			{Name: "provider", Type: nodes.String, Enum: []string{"openai", "ollama"}, Required: true, Lenient: true, Help: "who"},
			{Name: "model", Type: nodes.String, Help: "model"},
			{Name: "openai_api_key", Type: nodes.String, Env: "OPENAI_API_KEY", Secret: true, When: nodes.Only("provider", "openai"), Help: "key"},
			{Name: "ollama_host", Type: nodes.String, Env: "OLLAMA_HOST", When: nodes.Only("provider", "ollama"), Help: "address"},
			{Name: "batch_size", Type: nodes.Integer, Range: nodes.Between(1, 2048), Default: int64(64), Help: "texts"},
		}, Outputs: []nodes.OutputSpec{{Type: nodes.Array, Help: "vectors"}}}, Run: run},
		nodes.Node{Spec: nodes.Spec{Name: "each", Summary: "Maps", Params: []nodes.Param{
			{Name: "transform", Type: nodes.Function, Required: true, Help: "function"},
			{Name: "output_key", Type: nodes.String, Role: nodes.OutputKey, Default: "each", Help: "key"},
		}, Outputs: []nodes.OutputSpec{{Type: nodes.Any, Help: "out"}}}, Run: func(ctx context.Context, call *nodes.Call) (nodes.Output, error) {
			out, err := call.Func("transform").Call(ctx, int64(20), int64(1))
			return nodes.Output{"": out}, err
		}},
	)
	if err != nil {
		t.Fatal(err)
	}
	if err := RegisterNodes(reg, h); err != nil {
		t.Fatal(err)
	}
	return reg
}

// files writes a directory of files and returns its path.
func files(t testing.TB, list map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range list {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// load loads source as the file f.lua; further files may lie beside it.
func load(t testing.TB, h *Host, source string, beside map[string]string) (*flow.Flow, error) {
	t.Helper()
	list := map[string]string{"f.lua": source}
	for k, v := range beside {
		list[k] = v
	}
	t.Chdir(files(t, list))
	return h.Load(context.Background(), "f.lua", testRegistry(t, h))
}

func mustLoad(t testing.TB, source string) *flow.Flow {
	t.Helper()
	f, err := load(t, NewHost(Options{}), source, nil)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// good loads a flow that must have no problems at all.
func good(t testing.TB, source string) *flow.Flow {
	t.Helper()
	f := mustLoad(t, source)
	if _, problems := flow.NewPlan(f); len(problems) > 0 {
		t.Fatalf("unexpected problems:\n%s", listing(problems))
	}
	return f
}

func listing(problems []nodes.Problem) string {
	var b strings.Builder
	for _, p := range problems {
		b.WriteString(p.String() + "\n")
	}
	return b.String()
}

func step(t testing.TB, f *flow.Flow, name string) *flow.Step {
	t.Helper()
	for _, s := range f.Steps {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("no step %q", name)
	return nil
}

func call(t testing.TB, f *flow.Flow, name string, ctx map[string]any) any {
	t.Helper()
	out, err := step(t, f, name).Func.Call(context.Background(), value.Map(ctx))
	if err != nil {
		t.Fatal(err)
	}
	return out
}
