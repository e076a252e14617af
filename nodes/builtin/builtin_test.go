package builtin

import (
	"slices"
	"testing"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/nodetest"
	"github.com/ironflow/ironflow/providers/builtin"
)

func registry(t *testing.T) *nodes.Registry {
	t.Helper()
	reg := nodes.NewRegistry()
	if err := Register(reg, builtin.Vendors()); err != nil {
		t.Fatal(err)
	}
	return reg
}

func TestEveryNodeIsListed(t *testing.T) {
	names := registry(t).Names()
	for _, want := range []string{
		"ai_embed", "ai_chunk", "ai_chunk_merge", "ai_chunk_semantic", "ai_chunk_agentic", "ai_verify", "llm", "ai_rank",
		"log", "template_render", "json_parse", "json_stringify", "zip",
		"read_file", "write_file", "list_files",
		"if_node", "switch_node", "foreach", "subworkflow", "http_request", "exec",
	} {
		if !slices.Contains(names, want) {
			t.Errorf("%s is missing in %v", want, names)
		}
	}
}

func TestEverySpecIsComplete(t *testing.T) {
	for _, n := range registry(t).List() {
		t.Run(n.Spec.Name, func(t *testing.T) { nodetest.CheckSpec(t, &n.Spec) })
	}
}

func TestRegisterTwiceIsRefused(t *testing.T) {
	reg := registry(t)
	if err := Register(reg, builtin.Vendors()); err == nil {
		t.Error("registering the built-in nodes twice succeeded")
	}
}
