package value

// Span is a half-open range of bytes: Start is zero-based, Stop is exclusive.
type Span struct {
	Start, Stop int
}

// Len returns the number of bytes in the span.
func (s Span) Len() int { return s.Stop - s.Start }

// Slice returns the span's part of text, sharing its memory.
func (s Span) Slice(text string) string { return text[s.Start:s.Stop] }

// Strings is a [List] of strings over one slice.
type Strings struct {
	items []string
}

// NewStrings makes a list over items without copying them. The slice must not
// change afterwards.
func NewStrings(items []string) *Strings { return &Strings{items: items} }

// Len returns the number of strings.
func (l *Strings) Len() int { return len(l.items) }

// At returns element i as a string.
func (l *Strings) At(i int) any { return l.items[i] }

// Text returns element i.
func (l *Strings) Text(i int) string { return l.items[i] }

// Slice returns the strings themselves, shared: read only.
func (l *Strings) Slice() []string { return l.items }

// Substrings is a [List] of pieces of one text. Each element is a slice of
// the source, so the list costs 16 bytes for a piece, whatever its length.
type Substrings struct {
	source string
	spans  []Span
}

// NewSubstrings makes a list of source[span.Start:span.Stop] for each span.
// Spans may overlap and stand in any order; one outside the source panics,
// as slicing does. The slice must not change afterwards.
func NewSubstrings(source string, spans []Span) *Substrings {
	for _, s := range spans {
		_ = source[s.Start:s.Stop]
	}
	return &Substrings{source: source, spans: spans}
}

// Len returns the number of pieces.
func (l *Substrings) Len() int { return len(l.spans) }

// At returns piece i as a string.
func (l *Substrings) At(i int) any { return l.Text(i) }

// Text returns piece i, sharing the source's memory.
func (l *Substrings) Text(i int) string {
	s := l.spans[i]
	return l.source[s.Start:s.Stop]
}

// Source returns the text that the pieces are cut from.
func (l *Substrings) Source() string { return l.source }

// Spans returns the byte ranges of the pieces, shared: read only.
func (l *Substrings) Spans() []Span { return l.spans }
