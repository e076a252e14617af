package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/lua"
	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/builtin"
	vendors "github.com/ironflow/ironflow/providers/builtin"
)

// TestExamplesOfTheNodes runs every example that a Spec gives, through the
// command, with what it needs.
func TestExamplesOfTheNodes(t *testing.T) {
	reg := nodes.NewRegistry()
	if err := builtin.Register(reg, vendors.Vendors()); err != nil {
		t.Fatal(err)
	}
	if err := lua.RegisterNodes(reg, lua.NewHost(lua.Options{})); err != nil {
		t.Fatal(err)
	}
	p := newProvider("halves")
	defer p.Close()
	for _, n := range reg.List() {
		if len(n.Spec.Examples) == 0 {
			t.Errorf("node %s has no example", n.Spec.Name)
		}
		for i, e := range n.Spec.Examples {
			t.Run(fmt.Sprintf("%s/%d", n.Spec.Name, i+1), func(t *testing.T) {
				dir := t.TempDir()
				flow := "local flow = Flow.new(\"example\")\nflow:step(\"example\", " + strings.ReplaceAll(e.Lua, "http://127.0.0.1:9200", p.URL) + ")\nreturn flow\n"
				if err := os.WriteFile(filepath.Join(dir, "example.lua"), []byte(flow), 0o644); err != nil {
					t.Fatal(err)
				}
				exampleFiles(t, dir)
				context := e.Context
				if context == "" {
					context = "{}"
				}
				args := []string{"run", "--quiet", "-c", context, "example.lua"}
				if e.Needs == "exec" {
					args = append(args, "--allow-exec", "*")
				}
				ironflow(t, dir, p.URL, args...)
			})
		}
	}
}

// exampleFiles writes the files that examples read.
func exampleFiles(t *testing.T, dir string) {
	t.Helper()
	for name, text := range map[string]string{
		"README.md":          "# Title\n\nSome text.\n",
		"chunk_document.lua": "local flow = Flow.new(\"chunk\")\nflow:step(\"cut\", nodes.ai_chunk({ source_key = \"document\" }))\nreturn flow\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
