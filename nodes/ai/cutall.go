package ai

import (
	"fmt"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/chunking"
	"github.com/ironflow/ironflow/nodes/value"
)

// spanList publishes the spans of one text.
func spanList(call *nodes.Call, text string, spans []value.Span) value.List {
	if !call.Bool("positions") {
		return value.NewSpans(spans)
	}
	return value.NewRecords(positionColumns(spanColumns(spans), chunking.Positions(text, spans))...)
}

// cutAll cuts every text of an array; the chunks are flat and their spans name
// the text they come from.
func (c *chunker) cutAll(call *nodes.Call, texts []string) (nodes.Output, error) {
	sources, err := sourceSpans(call, texts)
	if err != nil {
		return nil, err
	}
	var (
		chunks    []string
		spans     []value.Span
		positions []chunking.Position
		parents   []int
		markdown  = nodes.Output{}
	)
	for i, text := range texts {
		p, err := c.cut(call, text)
		if err != nil {
			return nil, fmt.Errorf("text %d: %w", i+1, err)
		}
		for _, s := range p.spans {
			chunks = append(chunks, s.Slice(text))
			parents = append(parents, i+1)
		}
		spans = append(spans, p.spans...)
		if call.Bool("positions") {
			positions = append(positions, chunking.Positions(text, p.spans)...)
		}
		part := nodes.Output{}
		addMarkdown(call, part, text, p.markdown)
		for key, list := range part {
			all, _ := markdown[key].([]any)
			n, _ := value.Len(list)
			for j := range n {
				e, _ := value.Index(list, j)
				all = append(all, e)
			}
			markdown[key] = all
		}
	}
	out := nodes.Output{"": value.NewStrings(chunks), "_spans": arraySpans(call, spans, positions, parents, sources)}
	if call.String("mode") == "markdown" {
		for _, key := range []string{"_headings", "_context", "_texts"} {
			if out[key] = markdown[key]; markdown[key] == nil {
				out[key] = []any{}
			}
		}
	}
	return out, nil
}

// arraySpans publishes the spans of an array of texts: with the parent, and
// where they are asked for with positions and the offsets in the document.
func arraySpans(call *nodes.Call, spans []value.Span, positions []chunking.Position, parents []int, sources []value.Span) value.List {
	if !call.Bool("positions") && sources == nil {
		return value.NewParentSpans(spans, parents)
	}
	columns := append(spanColumns(spans), value.Column{Name: "parent", Values: parents})
	if call.Bool("positions") {
		columns = positionColumns(columns, positions)
	}
	if sources != nil {
		start, stop := make([]int, len(spans)), make([]int, len(spans))
		for i, s := range spans {
			from := sources[parents[i]-1].Start
			start[i], stop[i] = from+s.Start, from+s.Stop
		}
		columns = append(columns, value.Column{Name: "source_start", Values: start}, value.Column{Name: "source_stop", Values: stop})
	}
	return value.NewRecords(columns...)
}

// sourceSpans reads the spans of the array, when they are given, and checks
// that each is as long as its text: texts that were joined or trimmed are not
// the slices that the offsets speak of.
func sourceSpans(call *nodes.Call, texts []string) ([]value.Span, error) {
	if !call.Has("spans_key") {
		return nil, nil
	}
	key := call.String("spans_key")
	v, err := call.Source("spans_key")
	if err != nil {
		return nil, err
	}
	n, ok := value.Len(v)
	if !ok || n != len(texts) {
		return nil, call.Errorf("spans_key", "%q holds %s, want one span for each of the %d texts of %q", key, nodes.Describe(v), len(texts), call.String("source_key"))
	}
	spans := make([]value.Span, n)
	for i := range spans {
		e, _ := value.Index(v, i)
		m, _ := e.(map[string]any)
		start, ok1 := m["start"].(int64)
		stop, ok2 := m["stop"].(int64)
		if !ok1 || !ok2 || start < 0 {
			return nil, call.Errorf("spans_key", "%q: element %d is %s, want {start, stop} in bytes", key, i+1, nodes.Describe(e))
		}
		if int(stop-start) != len(texts[i]) {
			return nil, call.Errorf("spans_key", "%q: span %d is %d bytes long, its text has %d: the text is not a slice of the document (ai_chunk_semantic gives slices with text=\"source\")", key, i+1, stop-start, len(texts[i]))
		}
		spans[i] = value.Span{Start: int(start), Stop: int(stop)}
	}
	return spans, nil
}

func spanColumns(spans []value.Span) []value.Column {
	start, stop := make([]int, len(spans)), make([]int, len(spans))
	for i, s := range spans {
		start[i], stop[i] = s.Start, s.Stop
	}
	return []value.Column{{Name: "start", Values: start}, {Name: "stop", Values: stop}}
}

func positionColumns(columns []value.Column, positions []chunking.Position) []value.Column {
	names := [4]string{"start_char", "stop_char", "start_line", "stop_line"}
	values := [4][]int{}
	for k := range values {
		values[k] = make([]int, len(positions))
	}
	for i, p := range positions {
		values[0][i], values[1][i], values[2][i], values[3][i] = p.StartChar, p.StopChar, p.StartLine, p.StopLine
	}
	for k, name := range names {
		columns = append(columns, value.Column{Name: name, Values: values[k]})
	}
	return columns
}
