package graph

import (
	"fmt"
	"io"
	"strings"

	"github.com/ironflow/ironflow/flow"
)

// shape is how a step is drawn.
type shape int

const (
	box     shape = iota
	diamond       // the condition of a step_if
	unknown       // named, but not declared
)

// vertex is one step of a drawing; its id is safe in both languages.
type vertex struct {
	id    string
	lines []string // the name and the type of node
	shape shape
}

type edge struct {
	from, to string // ids
	label    string
	recovery bool
}

type drawing struct {
	title    string
	vertices []vertex
	edges    []edge
}

// draw collects steps and arrows in the order of declaration.
func draw(f *flow.Flow) drawing {
	d := drawing{title: f.Name}
	ids := map[string]string{}
	for _, s := range f.Steps {
		if ids[s.Name] != "" {
			continue
		}
		v := vertex{id: fmt.Sprintf("s%d", len(ids)+1), lines: []string{s.Name, s.NodeName()}}
		if s.Guards != "" {
			v.shape, v.lines = diamond, []string{"if", s.Guards}
		}
		if s.Broken {
			v.lines = v.lines[:1]
		}
		ids[s.Name] = v.id
		d.vertices = append(d.vertices, v)
	}
	id := func(name string) string {
		if ids[name] == "" {
			v := vertex{id: fmt.Sprintf("s%d", len(ids)+1), lines: []string{name, "unknown step"}, shape: unknown}
			ids[name] = v.id
			d.vertices = append(d.vertices, v)
		}
		return ids[name]
	}
	for _, s := range f.Steps {
		to := ids[s.Name]
		drawn := map[string]bool{}
		for _, name := range s.DependsOn {
			if !drawn[name] {
				drawn[name] = true
				e := edge{from: id(name), to: to}
				if s.HasRoute {
					e.label = s.Route
				}
				d.edges = append(d.edges, e)
			}
		}
		if s.OnError != "" {
			d.edges = append(d.edges, edge{from: to, to: id(s.OnError), label: "on error", recovery: true})
		}
	}
	return d
}

// Mermaid writes a flow as a Mermaid flowchart.
func Mermaid(w io.Writer, f *flow.Flow) error {
	d := draw(f)
	var b strings.Builder
	fmt.Fprintf(&b, "---\ntitle: %s\n---\nflowchart TD\n", yamlText(d.title))
	for _, v := range d.vertices {
		open, end := "[", "]"
		switch v.shape {
		case diamond:
			open, end = "{", "}"
		case unknown:
			open, end = "([", "])"
		}
		fmt.Fprintf(&b, "  %s%s\"%s\"%s\n", v.id, open, mermaidText(v.lines...), end)
	}
	for _, e := range d.edges {
		arrow := "-->"
		if e.recovery {
			arrow = "-.->"
		}
		if e.label != "" {
			arrow += `|"` + mermaidText(e.label) + `"|`
		}
		fmt.Fprintf(&b, "  %s %s %s\n", e.from, arrow, e.to)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// mermaidText writes lines as a quoted label's content. All but letters,
// digits and a few harmless signs become character codes, so that nothing in a
// name is taken for Mermaid, Markdown or HTML.
func mermaidText(lines ...string) string {
	var b strings.Builder
	for i, line := range lines {
		if i > 0 {
			b.WriteString("<br>")
		}
		for _, r := range strings.ToValidUTF8(line, "\uFFFD") {
			switch {
			case r < ' ' || r == 0x7f:
				b.WriteByte(' ')
			case r > 0x7f || r == ' ' || r == '.' || r == '-' || r == '_' ||
				'0' <= r && r <= '9' || 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z':
				b.WriteRune(r)
			default:
				fmt.Fprintf(&b, "#%d;", r)
			}
		}
	}
	return b.String()
}

// yamlText quotes a title for the front matter.
func yamlText(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, r := range strings.ToValidUTF8(s, "\uFFFD") {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
			b.WriteRune(r)
		case r < ' ' || r >= 0x7f && r < 0xa0 || r == 0x2028 || r == 0x2029:
			fmt.Fprintf(&b, `\u%04X`, r)
		default:
			b.WriteRune(r)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// DOT writes a flow in the language of Graphviz.
func DOT(w io.Writer, f *flow.Flow) error {
	d := draw(f)
	var b strings.Builder
	fmt.Fprintf(&b, "digraph %s {\n  node [shape=box];\n", dotText(d.title))
	for _, v := range d.vertices {
		attributes := ""
		switch v.shape {
		case diamond:
			attributes = ", shape=diamond"
		case unknown:
			attributes = ", style=dashed"
		}
		fmt.Fprintf(&b, "  %s [label=%s%s];\n", v.id, dotText(v.lines...), attributes)
	}
	for _, e := range d.edges {
		var attributes []string
		if e.label != "" {
			attributes = append(attributes, "label="+dotText(e.label))
		}
		if e.recovery {
			attributes = append(attributes, "style=dashed")
		}
		tail := ""
		if len(attributes) > 0 {
			tail = " [" + strings.Join(attributes, ", ") + "]"
		}
		fmt.Fprintf(&b, "  %s -> %s%s;\n", e.from, e.to, tail)
	}
	b.WriteString("}\n")
	_, err := io.WriteString(w, b.String())
	return err
}

// dotText writes lines as a quoted string. Graphviz decodes HTML entities and
// backslash escapes in labels, so both are escaped.
func dotText(lines ...string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i, line := range lines {
		if i > 0 {
			b.WriteString(`\n`)
		}
		for _, r := range strings.ToValidUTF8(line, "\uFFFD") {
			switch {
			case r == '"':
				b.WriteString(`\"`)
			case r == '\\':
				b.WriteString(`\\`)
			case r == '&':
				b.WriteString("&amp;")
			case r < ' ' || r == 0x7f:
				b.WriteByte(' ')
			default:
				b.WriteRune(r)
			}
		}
	}
	b.WriteByte('"')
	return b.String()
}
