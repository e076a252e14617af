package app

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// evalReport is what a command of eval prints: what was measured, tables, and
// remarks on how to read them.
type evalReport struct {
	// facts say what was measured, in order.
	facts  []evalFact
	tables []evalTable
	// remarks follow the tables in text; JSON and CSV leave them out.
	remarks []string
}

// evalFact is a member of the JSON object (key, value) and the start of a line of
// text (label, value).
type evalFact struct {
	key, label string
	value      any // string, int, float64 or []string
}

// evalTable has one cell for each column in every row.
type evalTable struct {
	key, title string
	columns    []evalColumn
	rows       [][]evalCell
}

// evalColumn names a column for programs (key, in snake_case) and for readers
// (title). A column without a title is for programs alone.
type evalColumn struct{ key, title string }

// write prints the report as the flags ask for.
func (r *evalReport) write(w io.Writer, f *evalFlags) error {
	var out []byte
	var err error
	switch {
	case f.json:
		out, err = r.json()
	case f.csv:
		out, err = r.csv()
	case f.markdown:
		out = r.markdown()
	default:
		out = r.plain()
	}
	if err == nil {
		_, err = w.Write(out)
	}
	if err != nil {
		return exitWith(ExitRun, err)
	}
	return nil
}

// plain aligns the columns: words to the left, numbers to the right.
func (r *evalReport) plain() []byte {
	var b bytes.Buffer
	width := 0
	for _, f := range r.facts {
		width = max(width, utf8.RuneCountInString(f.label))
	}
	for _, f := range r.facts {
		text := fmt.Sprint(f.value)
		if list, ok := f.value.([]string); ok {
			text = strings.Join(list, "\n"+strings.Repeat(" ", width+2))
		}
		fmt.Fprintf(&b, "%s%s  %s\n", f.label, pad(f.label, width), escapeControl(text))
	}
	for _, t := range r.tables {
		fmt.Fprintf(&b, "\n%s\n", t.title)
		t.plain(&b)
	}
	if len(r.remarks) > 0 {
		b.WriteByte('\n')
	}
	for _, remark := range r.remarks {
		b.WriteString(escapeControl(remark) + "\n")
	}
	return b.Bytes()
}

func (t *evalTable) plain(b *bytes.Buffer) {
	widths := make([]int, len(t.columns))
	for i, c := range t.columns {
		widths[i] = utf8.RuneCountInString(c.title)
		for _, row := range t.rows {
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i].text))
		}
	}
	line := func(cell func(i int) (string, bool)) {
		written := ""
		for i, column := range t.columns {
			if column.title == "" {
				continue
			}
			text, left := cell(i)
			if i > 0 {
				written += "  "
			}
			if left {
				written += text + pad(text, widths[i])
			} else {
				written += pad(text, widths[i]) + text
			}
		}
		b.WriteString(strings.TrimRight(written, " ") + "\n")
	}
	line(func(i int) (string, bool) { return t.columns[i].title, t.words(i) })
	for _, row := range t.rows {
		line(func(i int) (string, bool) { return row[i].text, t.words(i) })
	}
}

// words says that a column holds words.
func (t *evalTable) words(column int) bool {
	return slices.ContainsFunc(t.rows, func(row []evalCell) bool { return row[column].name != "" })
}

func pad(text string, width int) string {
	return strings.Repeat(" ", max(0, width-utf8.RuneCountInString(text)))
}

// json makes one object: a member for each fact, and for each table an array of
// objects, whose members are a number, a text, null, or an object such as
// {"mean": 0.1, "standard_error": 0.01}.
func (r *evalReport) json() ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("{")
	member := func(indent, key string, v any, first bool) error {
		var text bytes.Buffer
		enc := json.NewEncoder(&text)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(v); err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		if !first {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, "\n%s%q: %s", indent, key, bytes.TrimRight(text.Bytes(), "\n"))
		return nil
	}
	for i, f := range r.facts {
		if err := member("  ", f.key, f.value, i == 0); err != nil {
			return nil, err
		}
	}
	for i, t := range r.tables {
		if i > 0 || len(r.facts) > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, "\n  %q: [", t.key)
		for k, row := range t.rows {
			if k > 0 {
				b.WriteString(",")
			}
			b.WriteString("\n    {")
			for c, cell := range row {
				if err := member("      ", t.columns[c].key, cell.json(), c == 0); err != nil {
					return nil, err
				}
			}
			b.WriteString("\n    }")
		}
		b.WriteString("\n  ]")
	}
	b.WriteString("\n}\n")
	return b.Bytes(), nil
}

func (c evalCell) json() any {
	switch {
	case c.name != "":
		return c.name
	case len(c.parts) == 0:
		return nil
	case len(c.parts) == 1:
		return c.parts[0].value
	}
	object := map[string]float64{}
	for _, p := range c.parts {
		object[p.json] = p.value
	}
	return object
}

// csv makes one table of all: the first column names the table, then come the
// columns of all tables, each once. What a table does not have stays empty. A
// mean has a second column, with _se, an interval two more, with _low and _high.
func (r *evalReport) csv() ([]byte, error) {
	header, place := []string{"table"}, map[string]int{}
	var lines [][]string
	for _, t := range r.tables {
		for i, c := range t.columns {
			suffixes := []string{""}
			for _, row := range t.rows {
				for _, p := range row[i].parts {
					if !slices.Contains(suffixes, p.suffix) {
						suffixes = append(suffixes, p.suffix)
					}
				}
			}
			for _, s := range suffixes {
				if _, ok := place[c.key+s]; !ok {
					place[c.key+s] = len(header)
					header = append(header, c.key+s)
				}
			}
		}
	}
	lines = append(lines, header)
	for _, t := range r.tables {
		for _, row := range t.rows {
			line := make([]string, len(header))
			line[0] = t.key
			for i, cell := range row {
				if cell.name != "" {
					line[place[t.columns[i].key]] = cell.name
				}
				for _, p := range cell.parts {
					line[place[t.columns[i].key+p.suffix]] = strconv.FormatFloat(p.value, 'g', -1, 64)
				}
			}
			lines = append(lines, line)
		}
	}
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	if err := w.WriteAll(lines); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
