package nodes

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// terminalWidth is the width that plain text is wrapped to.
const terminalWidth = 80

// DescribeNode gives the reference of a node as plain text for a terminal,
// wrapped at 80 columns.
func DescribeNode(spec *Spec) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s - %s\n", spec.Name, spec.Summary)
	b.WriteString(plainMarkdown(spec.Doc))
	for i, g := range groups(spec) {
		switch {
		case g.when != nil:
			fmt.Fprintf(&b, "\nOnly with %s\n", whenText(g.when))
		case i == 0:
			b.WriteString("\nParameters\n")
		}
		for _, p := range g.params {
			describeParam(&b, "  ", "", p)
		}
	}
	for _, line := range choiceLines(spec) {
		b.WriteString("\n" + wrap(plainText(line), "", terminalWidth))
	}
	b.WriteString("\nOutputs\n")
	for _, o := range spec.AllOutputs() {
		fmt.Fprintf(&b, "  %s  %s\n", o.shownKey(), o.Type)
		b.WriteString(wrap(plainText(o.meaning()), "      ", terminalWidth))
	}
	if spec.OpenOutputs {
		b.WriteString("  further keys are known only when it runs\n")
	}
	for _, e := range spec.Examples {
		fmt.Fprintf(&b, "\nExample: %s\n", e.Title)
		for _, line := range strings.Split(strings.TrimSpace(e.Lua), "\n") {
			fmt.Fprintf(&b, "  %s\n", line)
		}
		if e.Context != "" && e.Context != "{}" {
			fmt.Fprintf(&b, "  with the context %s\n", e.Context)
		}
	}
	return b.String()
}

func describeParam(b *strings.Builder, indent, parent string, p *Param) {
	head := parent + p.Name + "  " + p.typeText()
	switch {
	case p.Required:
		head += ", required"
	case p.Default != nil:
		head += ", default " + luaLiteral(p.Default)
	}
	b.WriteString(wrap(indent+head, indent+"    ", terminalWidth))
	text := p.Help
	if facts := p.facts(); len(facts) > 0 {
		text += "; " + strings.Join(facts, "; ")
	}
	b.WriteString(wrap(indent+"    "+plainText(text), indent+"    ", terminalWidth))
	for i := range p.Fields {
		describeParam(b, indent+"  ", parent+p.Name+".", &p.Fields[i])
	}
}

// plainText drops the marks that Markdown puts around code.
func plainText(s string) string { return strings.ReplaceAll(s, "`", "") }

// plainMarkdown wraps paragraphs and list items, and keeps code blocks as they
// are.
func plainMarkdown(doc string) string {
	var b strings.Builder
	var block []string // lines of one paragraph or list item
	afterItem := false
	flush := func() {
		if len(block) == 0 {
			return
		}
		item := listItem(block[0])
		if !item || !afterItem {
			b.WriteString("\n")
		}
		text := plainText(strings.Join(block, " "))
		if item {
			b.WriteString(wrap("  "+text, "    ", terminalWidth))
		} else {
			b.WriteString(wrap(text, "", terminalWidth))
		}
		block, afterItem = nil, item
	}
	code := false
	for _, line := range strings.Split(doc, "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "```"):
			flush()
			if code = !code; code {
				b.WriteString("\n")
			}
			afterItem = false
		case code:
			b.WriteString("  " + line + "\n")
		case trimmed == "":
			flush()
		default:
			if listItem(trimmed) {
				flush()
			}
			block = append(block, trimmed)
		}
	}
	flush()
	return b.String()
}

func listItem(line string) bool {
	return strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "- ")
}

// wrap breaks a text at blanks; lines after the first start with indent, and
// so does the first unless the text brings its own.
func wrap(s, indent string, width int) string {
	first := s[:len(s)-len(strings.TrimLeft(s, " "))]
	if first == "" {
		first = indent
	}
	var b strings.Builder
	line := first
	empty := true
	for _, word := range strings.Fields(s) {
		if !empty && utf8.RuneCountInString(line)+1+utf8.RuneCountInString(word) > width {
			b.WriteString(line + "\n")
			line, empty = indent, true
		}
		if !empty {
			line += " "
		}
		line += word
		empty = false
	}
	return b.String() + line + "\n"
}
