package builtin

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/ironflow/ironflow/nodes"
)

// Every schema is valid under draft 2020-12 for an independent implementation.
func TestSchemasCompile(t *testing.T) {
	for _, n := range registry(t).List() {
		text, err := json.Marshal(nodes.Schema(&n.Spec))
		if err != nil {
			t.Fatal(err)
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		c := jsonschema.NewCompiler()
		if err := c.AddResource(n.Spec.Name, doc); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Compile(n.Spec.Name); err != nil {
			t.Errorf("%s: %v", n.Spec.Name, err)
		}
	}
}
