//go:build interop

// Package types checks what `ironflow types` prints with a type checker that
// nobody here wrote, over every example flow, every example of a node and every
// Lua block of the documentation.
package types

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/lua"
	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/builtin"
	vendors "github.com/ironflow/ironflow/providers/builtin"
	"github.com/ironflow/ironflow/testdata/interop/stand"
)

var (
	report   = stand.NewReport("types")
	ironflow stand.Command
)

const (
	version = "0.25.1"
	// severityHint is that of advice on style, such as an unused parameter.
	severityHint = 4
)

func TestMain(m *testing.M) { os.Exit(report.Main(m)) }

// finding is one diagnostic of the checker.
type finding struct {
	File, Code, Message string
	Line                int // from 1
	Text                string
}

func (f finding) String() string {
	return fmt.Sprintf("%s:%d: %s: %s\n\t%s", f.File, f.Line, f.Code, f.Message, strings.TrimSpace(f.Text))
}

// check runs the checker over files, given by name and text, with these
// definitions.
func check(t *testing.T, definitions string, files map[string]string) []finding {
	t.Helper()
	dir := t.TempDir()
	files = withSettings(files)
	for name, text := range files {
		write(t, filepath.Join(dir, "flows", name), text)
	}
	write(t, filepath.Join(dir, "types", "ironflow.d.lua"), definitions)
	cmd := exec.Command(stand.Cargo(t, "emmylua_check", version), filepath.Join(dir, "flows"), "-f", "json")
	out, err := cmd.Output()
	if len(out) == 0 || out[0] != '[' {
		t.Fatalf("emmylua_check: %v\n%s", err, out)
	}
	var answer []struct {
		File        string `json:"file"`
		Diagnostics []struct {
			Code, Message string
			Severity      int
			Range         struct{ Start struct{ Line int } }
		} `json:"diagnostics"`
	}
	if err := json.Unmarshal(out, &answer); err != nil {
		t.Fatal(err)
	}
	var found []finding
	for _, a := range answer {
		name := filepath.Base(a.File)
		lines := strings.Split(files[name], "\n")
		for _, d := range a.Diagnostics {
			f := finding{File: name, Code: d.Code, Message: d.Message, Line: d.Range.Start.Line + 1, Text: lines[d.Range.Start.Line]}
			// The language is Lua 5.1 with utf8, which the checker's own
			// definitions have from 5.3 on.
			if d.Severity >= severityHint || f.Code == "access-invisible" && strings.Contains(f.Text, "utf8.") {
				continue
			}
			found = append(found, f)
		}
	}
	return found
}

func withSettings(files map[string]string) map[string]string {
	all := map[string]string{".emmyrc.json": `{"workspace":{"library":["../types"]},"runtime":{"version":"Lua5.1"}}`}
	for name, text := range files {
		all[name] = text
	}
	return all
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func definitions(t *testing.T) string {
	t.Helper()
	got := ironflow.Run(t, t.TempDir(), nil, "types")
	if got.Code != 0 {
		t.Fatal(got.Stderr)
	}
	return got.Stdout
}

func clean(t *testing.T, what, definitions string, files map[string]string) {
	t.Helper()
	if len(files) == 0 {
		t.Fatalf("no %s were found", what)
	}
	found := check(t, definitions, files)
	for _, f := range found {
		t.Error(f)
	}
	report.Add(t, "emmylua_check", version, what, fmt.Sprintf("%d findings", len(found)), "definitions by `ironflow types`")
}

func TestExamples(t *testing.T) {
	files := map[string]string{}
	for _, f := range glob(t, "examples", "*.lua") {
		files[filepath.Base(f)] = read(t, f)
	}
	clean(t, "examples/*.lua", definitions(t), files)
}

// TestCustomNode takes the definitions of the binary that has the node.
func TestCustomNode(t *testing.T) {
	dir := filepath.Join(stand.Root(), "examples", "custom-node")
	cmd := exec.Command("go", "run", ".", "types")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	clean(t, "examples/custom-node/shout.lua", string(out), map[string]string{"shout.lua": read(t, filepath.Join(dir, "shout.lua"))})
}

func TestExamplesOfNodes(t *testing.T) {
	reg := nodes.NewRegistry()
	if err := builtin.Register(reg, vendors.Vendors()); err != nil {
		t.Fatal(err)
	}
	if err := lua.RegisterNodes(reg, lua.NewHost(lua.Options{})); err != nil {
		t.Fatal(err)
	}
	files := map[string]string{}
	for _, n := range reg.List() {
		for i, e := range n.Spec.Examples {
			files[fmt.Sprintf("%s_%d.lua", n.Spec.Name, i+1)] = "local flow = Flow.new(\"example\")\nflow:step(\"example\", " + e.Lua + ")\nreturn flow\n"
		}
	}
	clean(t, "examples of the nodes", definitions(t), files)
}

func TestBlocksOfTheDocs(t *testing.T) {
	pages := append(glob(t, "docs", "guide", "*.md"), filepath.Join(stand.Root(), "README.md"))
	for _, page := range pages {
		t.Run(filepath.Base(page), func(t *testing.T) {
			for i, part := range strings.Split("\n"+read(t, page), "\n```lua\n")[1:] {
				text, _, _ := strings.Cut(part, "\n```")
				if !strings.Contains(text, "return flow") {
					text = "local flow = Flow.new(\"fragment\")\n" + text + "\nreturn flow\n"
				}
				name := fmt.Sprintf("block_%d.lua", i+1)
				// A block may define nodes of its own; the command knows them.
				dir := t.TempDir()
				write(t, filepath.Join(dir, name), text)
				args := []string{"types"}
				if strings.Contains(text, "nodes.define") {
					args = append(args, "--flow", name)
				}
				got := ironflow.Run(t, dir, nil, args...)
				if got.Code != 0 {
					t.Errorf("block %d: %s", i+1, got.Stderr)
					continue
				}
				for _, f := range check(t, got.Stdout, map[string]string{name: text}) {
					t.Error(f)
				}
			}
		})
	}
	report.Add(t, "emmylua_check", version, "Lua blocks of README and guides", "no findings", "definitions by `ironflow types`")
}

// TestFaultsAreFound is the control: an editor with these definitions shows what
// is wrong.
func TestFaultsAreFound(t *testing.T) {
	flow := `local flow = Flow.new("x")
flow:step("a", nodes.ai_chunk({ source_key = "t", size = "big" }))
flow:step("b", nodes.ai_chunk({ size = 3 }))
flow:step("c", nodes.ai_chunk({ source_key = "t", mode = "fxied" }))
flow:stpe("d", function() end)
flow:step("e", nodes.ai_chnk({ source_key = "t" }))
flow:step("f", function() return utf8.len(5) end)
flow:step("g", function(ctx) return json_prase(ctx.x) end)
flow:step("h", 5)
flow:step("i", nodes.log({ message = "m" })):retries("two")
return flow
`
	found := check(t, definitions(t), map[string]string{"faults.lua": flow})
	var lines []int
	for _, f := range found {
		lines = append(lines, f.Line)
	}
	for line := 2; line <= 10; line++ {
		if !slices.Contains(lines, line) {
			t.Errorf("line %d is not complained about: %s", line, strings.Split(flow, "\n")[line-1])
		}
	}
	report.Add(t, "emmylua_check", version, "a flow with a fault in each of 9 lines", "each of the 9 lines is complained about", "definitions by `ironflow types`")
}

func glob(t *testing.T, parts ...string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(append([]string{stand.Root()}, parts...)...))
	if err != nil || len(files) == 0 {
		t.Fatalf("%v: %d files, %v", parts, len(files), err)
	}
	return files
}

func read(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
