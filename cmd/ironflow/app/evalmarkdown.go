package app

import (
	"bytes"
	"fmt"
	"strings"
)

// markdown makes a list of the facts and a table of each table.
func (r *evalReport) markdown() []byte {
	var b bytes.Buffer
	plain := strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "_", `\_`, "`", "\\`", "<", `\<`, "[", `\[`)
	for _, f := range r.facts {
		text := fmt.Sprint(f.value)
		if list, ok := f.value.([]string); ok {
			text = strings.Join(list, ", ")
		}
		fmt.Fprintf(&b, "* %s: %s\n", plain.Replace(f.label), plain.Replace(escapeLine(text)))
	}
	for _, t := range r.tables {
		fmt.Fprintf(&b, "\n%s:\n\n|", plain.Replace(t.title))
		rule := "\n|"
		for i, c := range t.columns {
			switch {
			case c.title == "":
				continue
			case t.words(i):
				rule += "---|"
			default:
				rule += "---:|"
			}
			b.WriteString(" " + plain.Replace(c.title) + " |")
		}
		b.WriteString(rule + "\n")
		for _, row := range t.rows {
			b.WriteString("|")
			for i, cell := range row {
				if t.columns[i].title == "" {
					continue
				}
				text := strings.TrimSpace(cell.text)
				b.WriteString(" ")
				if len(text) < len(cell.text) {
					b.WriteString("&emsp;") // a row that belongs to the one above
				}
				b.WriteString(plain.Replace(text) + " |")
			}
			b.WriteString("\n")
		}
	}
	for _, remark := range r.remarks {
		fmt.Fprintf(&b, "\n%s\n", plain.Replace(escapeLine(remark)))
	}
	return b.Bytes()
}
