package nodes

import (
	"maps"
	"slices"
	"strings"

	"github.com/ironflow/ironflow/nodes/condition"
	"github.com/ironflow/ironflow/nodes/template"
	"github.com/ironflow/ironflow/nodes/value"
)

// PublishedKeys returns the keys that a step of this node publishes, as far as
// its literal parameters tell; complete is false when there may be others.
func PublishedKeys(spec *Spec, raw map[string]any, step string) (keys []string, complete bool) {
	complete = !spec.OpenOutputs
	prefix, hasPrefix := "", false
	if p, ok := spec.OutputKeyParam(); ok {
		if prefix, hasPrefix, ok = literalKey(p, raw); !ok {
			return nil, false
		}
	}
	for _, o := range spec.AllOutputs() {
		if o.OnFailure || groupOf(spec, raw, o.When) == inactive {
			continue
		}
		if o.Name != "" {
			keys = append(keys, strings.ReplaceAll(o.Name, "<step>", step))
		} else if hasPrefix {
			keys = append(keys, prefix+o.Suffix)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys), complete
}

// literalKey returns the value of output_key; given is false when there is
// none, known when it cannot be told before the step runs.
func literalKey(p *Param, raw map[string]any) (key string, given, known bool) {
	v, ok := raw[p.Name]
	if !ok {
		v = p.Default
	}
	if v == nil {
		return "", false, true
	}
	s, isText := v.(string)
	if !isText {
		return "", false, false
	}
	if p.takesTemplate() {
		t, err := template.Parse(s)
		if err != nil || !t.IsLiteral() {
			return "", false, false
		}
		s = t.Literal()
	}
	return s, true, true
}

// Read is one place where a node's parameters read the context.
type Read struct {
	Param string
	// Exact is the text of a source; it wins when it is itself a key.
	Exact string
	// Root is the top-level key that the text reads otherwise.
	Root string
}

// Reads returns the context keys that literal sources and placeholders of a
// node read, in the order of the parameters' names; those of absent sources with
// a default come last.
func Reads(spec *Spec, raw map[string]any) []Read {
	var reads []Read
	for _, name := range slices.Sorted(maps.Keys(raw)) {
		p, ok := spec.param(name, func(w *When) bool { return groupOf(spec, raw, w) == active })
		if !ok || p == nil {
			continue
		}
		if p.takesTemplate() {
			for _, k := range template.TreeKeys(raw[name]) {
				reads = append(reads, Read{Param: name, Exact: k, Root: k})
			}
		}
		switch p.Role {
		case Source:
			reads = sourceReads(reads, name, raw[name])
		case Condition:
			reads = conditionReads(reads, name, raw[name])
		case Plain, OutputKey:
		}
	}
	for i := range spec.Params {
		p := &spec.Params[i]
		if _, given := raw[p.Name]; given || p.Role != Source || groupOf(spec, raw, p.When) != active {
			continue
		}
		if _, given := raw[p.Alias]; !given {
			reads = sourceReads(reads, p.Name, p.Default)
		}
	}
	return reads
}

func conditionReads(reads []Read, name string, v any) []Read {
	text, ok := v.(string)
	if !ok {
		return reads
	}
	c, err := condition.Parse(text)
	if err != nil {
		return reads
	}
	for _, k := range c.Keys() {
		reads = append(reads, Read{Param: name, Exact: k, Root: k})
	}
	return reads
}

func sourceReads(reads []Read, name string, v any) []Read {
	switch v := v.(type) {
	case string:
		t, err := template.Parse(v)
		if err != nil || !t.IsLiteral() {
			return reads
		}
		read := Read{Param: name, Exact: t.Literal(), Root: t.Literal()}
		if path, err := value.ParsePath(t.Literal()); err == nil {
			read.Root = path.Root()
		}
		return append(reads, read)
	case []any:
		for _, e := range v {
			reads = sourceReads(reads, name, e)
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			reads = sourceReads(reads, name, v[k])
		}
	}
	return reads
}
