package nodetest

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
)

// CheckSpec fails the test for everything about a declaration that users would
// stumble over: what a registry refuses, help that is missing, has several
// lines or ends with a full stop, no documentation, no example, an example that
// is not a call of this node or whose context is no JSON object, and
// documentation or a schema that cannot be written.
func CheckSpec(t testing.TB, spec *nodes.Spec) {
	t.Helper()
	for _, problem := range SpecProblems(spec) {
		t.Errorf("node %s: %s", spec.Name, problem)
	}
}

// SpecProblems returns what [CheckSpec] reports.
func SpecProblems(spec *nodes.Spec) []string {
	c := &specChecker{}
	node := nodes.Node{Spec: *spec, Run: func(context.Context, *nodes.Call) (nodes.Output, error) { return nil, nil }}
	if err := nodes.NewRegistry().RegisterBuiltin(node); err != nil {
		c.add("%s", err.Error())
	}
	c.line("summary", spec.Summary)
	if strings.TrimSpace(spec.Doc) == "" {
		c.add("%s", "has no documentation (Doc)")
	}
	for i := range spec.Params {
		c.param("parameter ", &spec.Params[i])
	}
	for _, o := range spec.Outputs {
		c.line("output "+o.Key(), o.Help)
	}
	c.examples(spec)
	if _, err := json.Marshal(nodes.Schema(spec)); err != nil {
		c.add("the JSON Schema cannot be written: %s", err.Error())
	}
	for name, text := range map[string]string{"reference page": nodes.ReferencePage(spec), "description": nodes.DescribeNode(spec)} {
		for _, p := range spec.Params {
			if !strings.Contains(text, p.Name) {
				c.add("the "+name+" does not show the parameter %s", p.Name)
			}
		}
	}
	return c.problems
}

type specChecker struct{ problems []string }

func (c *specChecker) add(format, arg string) {
	c.problems = append(c.problems, strings.Replace(format, "%s", arg, 1))
}

// line checks a text that is shown on one line.
func (c *specChecker) line(what, text string) {
	switch {
	case strings.TrimSpace(text) == "":
		c.add("%s has no text", what)
	case strings.Contains(text, "\n"):
		c.add("the text of %s has several lines", what)
	case strings.HasSuffix(text, "."):
		c.add("the text of %s ends with a full stop", what)
	}
}

func (c *specChecker) param(parent string, p *nodes.Param) {
	c.line(parent+p.Name, p.Help)
	for i := range p.Fields {
		c.param(parent+p.Name+".", &p.Fields[i])
	}
}

func (c *specChecker) examples(spec *nodes.Spec) {
	if len(spec.Examples) == 0 {
		c.add("%s", "has no example")
	}
	for _, e := range spec.Examples {
		if e.Title == "" {
			c.add("%s", "an example has no title")
		}
		lua := strings.TrimSpace(e.Lua)
		if !strings.HasPrefix(lua, "nodes."+spec.Name) && !strings.HasPrefix(lua, `nodes["`+spec.Name+`"]`) {
			c.add("the example %s is no call of this node", e.Title)
		}
		if e.Context == "" {
			continue
		}
		v, err := value.ParseJSON(e.Context)
		if _, ok := v.(map[string]any); err != nil || !ok {
			c.add("the context of the example %s is no JSON object", e.Title)
		}
	}
}
