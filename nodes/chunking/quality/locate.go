package quality

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/ironflow/ironflow/nodes/chunking"
)

// Locator finds references in one document.
type Locator struct {
	text string
	// squeezed is the text with every run of white space as one blank. places
	// are the bytes where a run was squeezed: from this offset of squeezed on,
	// the text is so many bytes ahead.
	squeezed string
	places   []place
	done     bool
}

type place struct{ squeezed, text int }

// NewLocator returns a locator for the text, which must be valid UTF-8.
func NewLocator(text string) *Locator { return &Locator{text: text} }

// Find returns where a reference lies in the document, in characters, and how
// often its content occurs there: the first occurrence counts. Content that is
// not there as it stands is looked up with every run of white space equal to any
// other, since excerpts are often copied from a page with other line ends.
//
// A reference with a span must have its content there, with the same tolerance.
// Errors say what is in its place.
func (l *Locator) Find(r Reference) (span chunking.Span, occurrences int, err error) {
	if r.Span != nil {
		return *r.Span, 1, l.check(r)
	}
	if occurrences = strings.Count(l.text, r.Content); occurrences > 0 {
		start := strings.Index(l.text, r.Content)
		return l.chars(start, start+len(r.Content)), occurrences, nil
	}
	l.squeeze()
	content := strings.Join(strings.Fields(r.Content), " ")
	if occurrences = strings.Count(l.squeezed, content); content == "" || occurrences == 0 {
		return chunking.Span{}, 0, fmt.Errorf("%s is not in the document", quote(r.Content))
	}
	start := strings.Index(l.squeezed, content)
	// The last character is no white space, so the end follows from its start.
	return l.chars(l.origin(start), l.origin(start+len(content)-1)+1), occurrences, nil
}

// check wants the content at the span.
func (l *Locator) check(r Reference) error {
	start, ok := offset(l.text, r.Span.Start)
	length, fits := offset(l.text[start:], r.Span.Stop-r.Span.Start)
	if !ok || !fits {
		return fmt.Errorf("%s should lie at %d to %d, but the document has %d characters; leave start and end out to have it looked up",
			quote(r.Content), r.Span.Start, r.Span.Stop, utf8.RuneCountInString(l.text))
	}
	if there := l.text[start : start+length]; !sameWords(there, r.Content) {
		return fmt.Errorf("%s should lie at %d to %d, where the document has %s; leave start and end out to have it looked up",
			quote(r.Content), r.Span.Start, r.Span.Stop, quote(there))
	}
	return nil
}

func sameWords(a, b string) bool {
	return a == b || strings.Join(strings.Fields(a), " ") == strings.Join(strings.Fields(b), " ")
}

// squeeze prepares the search that takes all white space for equal.
func (l *Locator) squeeze() {
	if l.done {
		return
	}
	l.done = true
	var b strings.Builder
	b.Grow(len(l.text))
	blank := false
	for i, r := range l.text {
		if unicode.IsSpace(r) {
			if !blank {
				b.WriteByte(' ')
			}
			blank = true
			continue
		}
		if blank || i == 0 {
			l.places = append(l.places, place{squeezed: b.Len(), text: i})
		}
		blank = false
		b.WriteString(l.text[i : i+utf8.RuneLen(r)])
	}
	l.squeezed = b.String()
}

// origin returns the byte of the text for a byte of the squeezed one that is no
// white space.
func (l *Locator) origin(at int) int {
	low, high := 0, len(l.places)
	for high-low > 1 {
		if middle := (low + high) / 2; l.places[middle].squeezed <= at {
			low = middle
		} else {
			high = middle
		}
	}
	return at - l.places[low].squeezed + l.places[low].text
}

// chars turns bytes into characters.
func (l *Locator) chars(start, stop int) chunking.Span {
	first := utf8.RuneCountInString(l.text[:start])
	return chunking.Span{Start: first, Stop: first + utf8.RuneCountInString(l.text[start:stop])}
}

// offset returns the byte after so many characters, and whether there are so many.
func offset(text string, chars int) (int, bool) {
	if chars > len(text) {
		return len(text), false
	}
	for i := range text {
		if chars == 0 {
			return i, true
		}
		chars--
	}
	return len(text), chars == 0
}

// quote quotes a text, shortened where it is long.
func quote(text string) string {
	const longest = 60
	if utf8.RuneCountInString(text) > longest {
		cut, _ := offset(text, longest)
		return fmt.Sprintf("%q ...", text[:cut])
	}
	return fmt.Sprintf("%q", text)
}
