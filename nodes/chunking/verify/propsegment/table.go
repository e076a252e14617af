package propsegment

import (
	"fmt"
	"math"
	"strings"
)

// Column is what was measured on one set.
type Column struct {
	Name string
	Rows []*Row
}

// Table writes the figures of several sets as Markdown. Shares stand with their
// standard error and the number of cases. With bars, two columns more say what is
// wanted and whether it is so on the last set.
func Table(columns []Column, bars bool) string {
	var b strings.Builder
	b.WriteString("| case |")
	line := "|---|"
	if bars {
		b.WriteString(" wanted |")
		line += "---|"
	}
	for _, c := range columns {
		fmt.Fprintf(&b, " %s |", c.Name)
		line += "---:|"
	}
	if bars {
		b.WriteString(" kept |")
		line += "---|"
	}
	b.WriteString("\n" + line + "\n")
	for i, row := range columns[0].Rows {
		fmt.Fprintf(&b, "| %s |", row.Name)
		if bars {
			fmt.Fprintf(&b, " %s |", bar(row))
		}
		for _, c := range columns {
			fmt.Fprintf(&b, " %s |", cell(c.Rows[i]))
		}
		if bars {
			fmt.Fprintf(&b, " %s |", kept(columns[len(columns)-1].Rows[i]))
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// Definitions lists what the rows mean as Markdown.
func Definitions(rows []*Row) string {
	var b strings.Builder
	for _, r := range rows {
		fmt.Fprintf(&b, "* **%s**: %s.\n", r.Name, r.Words)
	}
	return b.String()
}

func kept(r *Row) string {
	switch {
	case !r.Barred():
		return "shown"
	case r.Kept():
		return "yes"
	}
	return "no"
}

func bar(r *Row) string {
	switch {
	case r.Least > 0:
		return fmt.Sprintf("\\>= %.1f %%", 100*r.Least)
	case r.Most == 0:
		return "none"
	case r.Most < 1:
		return fmt.Sprintf("<= %.1f %%", 100*r.Most)
	}
	return ""
}

func cell(r *Row) string {
	if r.Cases == 0 {
		return "no case"
	}
	e := "?"
	if !math.IsNaN(r.Error) {
		e = fmt.Sprintf("%.2f", 100*r.Error)
	}
	return fmt.Sprintf("%.2f ± %s %% (%d of %d)", 100*r.Share(), e, r.Hits, r.Cases)
}
