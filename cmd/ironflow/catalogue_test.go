package main

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/yuin/gopher-lua/parse"
)

// output runs the command and returns what it prints.
func output(t *testing.T, args ...string) []byte {
	t.Helper()
	cmd := exec.Command("ironflow", args...)
	cmd.Dir = t.TempDir()
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil || stderr.Len() > 0 {
		t.Fatalf("ironflow %v: %v\n%s", args, err, &stderr)
	}
	return out
}

// TestCatalogue: `nodes --json` is a list of JSON Schemas, by the measure of an
// independent validator, and `types` is Lua that names each of the nodes.
func TestCatalogue(t *testing.T) {
	var schemas []json.RawMessage
	if err := json.Unmarshal(output(t, "nodes", "--json"), &schemas); err != nil {
		t.Fatal(err)
	}
	if len(schemas) < 15 {
		t.Errorf("only %d nodes", len(schemas))
	}
	types := string(output(t, "types"))
	if !strings.HasPrefix(types, "---@meta") {
		t.Errorf("the definitions begin with %.40q", types)
	}
	if _, err := parse.Parse(strings.NewReader(types), "ironflow.d.lua"); err != nil {
		t.Errorf("the definitions are not Lua: %v", err)
	}
	for _, text := range schemas {
		var head struct{ Title, Description string }
		if err := json.Unmarshal(text, &head); err != nil || head.Title == "" || head.Description == "" {
			t.Errorf("%v: no title or description: %.200s", err, text)
			continue
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Errorf("%s: %v", head.Title, err)
			continue
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource(head.Title, doc); err != nil {
			t.Errorf("%s: %v", head.Title, err)
			continue
		}
		schema, err := c.Compile(head.Title)
		if err != nil {
			t.Errorf("%s: %v", head.Title, err)
			continue
		}
		if err := schema.Validate(map[string]any{"no_such_parameter": true}); err == nil {
			t.Errorf("%s: takes any parameter", head.Title)
		}
		if !strings.Contains(types, "---@class ironflow.params."+head.Title+"\n") {
			t.Errorf("%s is not in the definitions", head.Title)
		}
	}
}
