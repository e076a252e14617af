package value

import "fmt"

// Spans is a [List] of byte ranges. At(i) is an object with start and stop
// (bytes, zero-based, stop exclusive) and, where the list has parents, parent:
// the one-based number of the source text that the range belongs to.
type Spans struct {
	spans   []Span
	parents []int
}

// NewSpans makes a list over spans without copying them.
func NewSpans(spans []Span) *Spans { return &Spans{spans: spans} }

// NewParentSpans makes a list whose element i belongs to source text
// parents[i] (one-based). It panics when the lengths differ.
func NewParentSpans(spans []Span, parents []int) *Spans {
	if len(spans) != len(parents) {
		panic(fmt.Sprintf("value.NewParentSpans: %d spans but %d parents", len(spans), len(parents)))
	}
	return &Spans{spans: spans, parents: parents}
}

// Len returns the number of spans.
func (l *Spans) Len() int { return len(l.spans) }

// At returns span i as a new map[string]any.
func (l *Spans) At(i int) any {
	s := l.spans[i]
	m := map[string]any{"start": int64(s.Start), "stop": int64(s.Stop)}
	if l.parents != nil {
		m["parent"] = int64(l.parents[i])
	}
	return m
}

// Slice returns the spans themselves, shared: read only.
func (l *Spans) Slice() []Span { return l.spans }

// Parents returns the one-based source numbers, or nil when there is one
// source; shared: read only.
func (l *Spans) Parents() []int { return l.parents }

// Records is a [List] of objects that all have the same integer fields,
// stored column by column.
type Records struct {
	rows    int
	names   []string
	columns [][]int
}

// Column is one named field of [Records], with a value for each record.
type Column struct {
	Name   string
	Values []int
}

// NewRecords makes a list from columns without copying their values. It
// panics when a name is repeated or the columns differ in length.
func NewRecords(columns ...Column) *Records {
	l := &Records{}
	seen := map[string]bool{}
	for i, c := range columns {
		if i == 0 {
			l.rows = len(c.Values)
		}
		if seen[c.Name] || len(c.Values) != l.rows {
			panic(fmt.Sprintf("value.NewRecords: column %q is repeated or has %d values instead of %d", c.Name, len(c.Values), l.rows))
		}
		seen[c.Name] = true
		l.names = append(l.names, c.Name)
		l.columns = append(l.columns, c.Values)
	}
	return l
}

// Len returns the number of records.
func (l *Records) Len() int { return l.rows }

// At returns record i as a new map[string]any of int64 fields.
func (l *Records) At(i int) any {
	m := make(map[string]any, len(l.names))
	for c, name := range l.names {
		m[name] = int64(l.columns[c][i])
	}
	return m
}

// Column returns the values of one field, shared: read only.
func (l *Records) Column(name string) ([]int, bool) {
	for i, n := range l.names {
		if n == name {
			return l.columns[i], true
		}
	}
	return nil, false
}
