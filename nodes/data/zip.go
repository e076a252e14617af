package data

import (
	"context"
	"maps"
	"slices"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
)

func zip() nodes.Node {
	return nodes.Node{Run: runZip, Spec: nodes.Spec{
		Name:    "zip",
		Summary: "Join arrays of one length into rows",
		Doc: "Row i holds element i of every column under the column's name: the way to put chunk texts, their spans and their " +
			"vectors together before they are stored. Arrays of different lengths are an error, never cut. The rows share memory with the columns.",
		Params: []nodes.Param{
			{Name: "columns", Type: nodes.Object, Required: true, NonEmpty: true, Role: nodes.Source, Elem: &nodes.Param{Type: nodes.String},
				Help: "name of each column and the context value with its array"},
			outputKey("rows"),
		},
		Outputs: []nodes.OutputSpec{{Type: nodes.Array, Help: "one object for each row"}},
		Examples: []nodes.Example{{
			Title:   "Chunks with their vectors",
			Lua:     `nodes.zip{ columns = { text = "parts", vector = "vectors" }, output_key = "rows" }`,
			Context: `{"parts": ["one", "two"], "vectors": [[0.1, 0.2], [0.3, 0.4]]}`,
		}},
	}}
}

// rows is the list of a zip: objects made when they are read.
type rows struct {
	names   []string
	columns []value.List
}

// Len implements value.List.
func (r *rows) Len() int { return r.columns[0].Len() }

// At implements value.List.
func (r *rows) At(i int) any {
	row := make(map[string]any, len(r.names))
	for c, name := range r.names {
		row[name] = r.columns[c].At(i)
	}
	return row
}

func runZip(_ context.Context, call *nodes.Call) (nodes.Output, error) {
	columns := call.Object("columns")
	out := &rows{names: slices.Sorted(maps.Keys(columns))}
	for _, name := range out.names {
		path, _ := columns[name].(string)
		v, err := call.Lookup("columns", path)
		if err != nil {
			return nil, err
		}
		list, err := value.AsList(v)
		if err != nil {
			return nil, call.Errorf("columns", "column %q: %q: %w", name, path, err)
		}
		out.columns = append(out.columns, list)
		if first := out.columns[0]; list.Len() != first.Len() {
			return nil, call.Errorf("columns", "column %q (%q) has %d elements, but column %q (%q) has %d; all must have the same length",
				name, path, list.Len(), out.names[0], columns[out.names[0]], out.columns[0].Len())
		}
	}
	return nodes.Output{"": out}, nil
}
