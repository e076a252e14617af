package nodes

import (
	"fmt"
	"strings"

	"github.com/ironflow/ironflow/nodes/value"
)

// Source returns the context value that a Source parameter names. The error
// names the parameter, the path and the nearest keys.
func (c *Call) Source(name string) (any, error) {
	return c.Lookup(name, c.String(name))
}

// Lookup returns the context value at a path; name is the parameter that the
// path comes from, for the error.
func (c *Call) Lookup(name, path string) (any, error) {
	v, ok, err := value.Resolve(c.host.View, path)
	if err != nil {
		return nil, &ParamError{Node: c.spec.Name, Param: name, Err: err}
	}
	if !ok {
		return nil, &ParamError{Node: c.spec.Name, Param: name, Err: fmt.Errorf("%q is not in the context%s", path, c.keysHint(path))}
	}
	return v, nil
}

func (c *Call) keysHint(path string) string {
	var keys []string
	for _, k := range c.host.View.Keys() {
		if k[:min(1, len(k))] != "_" {
			keys = append(keys, k)
		}
	}
	if len(keys) == 0 {
		return ", which is empty here; give it with --set or add the step that publishes it to depends_on"
	}
	hint := "; did you mean " + QuoteList(Nearest(path, keys), "or") + "?"
	if len(Nearest(path, keys)) == 0 {
		shown := keys[:min(len(keys), 12)]
		hint = "; it has " + QuoteList(shown, "and")
		if more := len(keys) - len(shown); more > 0 {
			hint = fmt.Sprintf("; it has %s and %d more", strings.Join(quoted(shown), ", "), more)
		}
	}
	return hint + " (a step sees the initial context and the steps that it depends on)"
}

// SourceString is Source for a value that must be a string.
func (c *Call) SourceString(name string) (string, error) {
	v, err := c.Source(name)
	if err != nil {
		return "", err
	}
	s, ok := v.(string)
	if !ok {
		return "", c.Errorf(name, "%q holds %s, want a string", c.String(name), Describe(v))
	}
	return s, nil
}

// SourceStrings is Source for a value that must be an array of strings; the
// error names the 1-based position of the first other element.
func (c *Call) SourceStrings(name string) ([]string, error) {
	v, err := c.SourceArray(name)
	if err != nil {
		return nil, err
	}
	list, err := value.AsStrings(v)
	if err != nil {
		return nil, c.Errorf(name, "%q: %w", c.String(name), err)
	}
	return list, nil
}

// SourceArray is Source for a value that must be an array: []any or a
// value.List. An empty object counts as an empty array.
func (c *Call) SourceArray(name string) (any, error) {
	v, err := c.Source(name)
	if err != nil {
		return nil, err
	}
	if m, ok := v.(map[string]any); ok && len(m) == 0 {
		return []any{}, nil
	}
	if _, ok := value.Len(v); !ok {
		return nil, c.Errorf(name, "%q holds %s, want an array", c.String(name), Describe(v))
	}
	return v, nil
}
