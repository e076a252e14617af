package sentence

import (
	"strings"

	"github.com/ironflow/ironflow/nodes/chunking"
)

// Lines takes every line for a sentence: for text that is split already, such as
// the turns of a dialogue, verses, or a set of test data. Lines end with a line
// feed or the end of the text; Unicode white space at both ends of a line, a
// carriage return too, belongs to no sentence; blank lines are none.
func Lines(text string) []chunking.Span {
	var spans []chunking.Span
	start := 0
	for line := range strings.Lines(text) {
		body := strings.TrimSpace(line)
		if body != "" {
			from := start + strings.Index(line, body)
			spans = append(spans, chunking.Span{Start: from, Stop: from + len(body)})
		}
		start += len(line)
	}
	return spans
}
