package providers

import "strings"

// scanner reads one JSON document from a string, strictly and in one pass. It
// accepts exactly the grammar of RFC 8259, with a limit on depth. Its errors
// say what is wrong in our own words; they hold nothing of the document.
type scanner struct {
	s string
	i int
}

// maxDepth bounds nesting, so that a hostile answer cannot use up the stack.
const maxDepth = 512

const (
	badSyntax     = "it is not valid JSON"
	badTruncation = "it is not valid JSON: it ends too early"
	badDepth      = "it is nested too deeply"
)

// space skips white space.
func (d *scanner) space() {
	for d.i < len(d.s) {
		switch d.s[d.i] {
		case ' ', '\t', '\n', '\r':
			d.i++
		default:
			return
		}
	}
}

// peek skips white space and returns the next byte, 0 at the end.
func (d *scanner) peek() byte {
	d.space()
	if d.i < len(d.s) {
		return d.s[d.i]
	}
	return 0
}

// more skips white space and reports whether there is anything behind it.
func (d *scanner) more() bool {
	d.space()
	return d.i < len(d.s)
}

// syntax is the error for a byte that cannot stand here.
func (d *scanner) syntax() error {
	if d.i >= len(d.s) {
		return answerError(badTruncation)
	}
	return answerError(badSyntax)
}

// expect skips white space and consumes c.
func (d *scanner) expect(c byte) error {
	if d.peek() != c || d.i >= len(d.s) {
		return d.syntax()
	}
	d.i++
	return nil
}

// end requires that nothing but white space is left.
func (d *scanner) end() error {
	d.space()
	if d.i != len(d.s) {
		return answerError("it has more text after the JSON document")
	}
	return nil
}

// object reads an object and calls field for each key, with the scanner in
// front of the value. field must consume the value.
func (d *scanner) object(field func(key string) error) error {
	if err := d.expect('{'); err != nil {
		return err
	}
	if d.peek() == '}' {
		d.i++
		return nil
	}
	for {
		if d.peek() != '"' {
			return d.syntax()
		}
		key, err := d.text()
		if err != nil {
			return err
		}
		if err := d.expect(':'); err != nil {
			return err
		}
		d.space()
		if err := field(key); err != nil {
			return err
		}
		switch d.peek() {
		case ',':
			d.i++
		case '}':
			d.i++
			return nil
		default:
			return d.syntax()
		}
	}
}

// array reads an array and calls item for each element, with the scanner in
// front of it. item must consume the element.
func (d *scanner) array(item func(n int) error) error {
	if err := d.expect('['); err != nil {
		return err
	}
	if d.peek() == ']' {
		d.i++
		return nil
	}
	for n := 0; ; n++ {
		d.space()
		if err := item(n); err != nil {
			return err
		}
		switch d.peek() {
		case ',':
			d.i++
		case ']':
			d.i++
			return nil
		default:
			return d.syntax()
		}
	}
}

// skip consumes any value.
func (d *scanner) skip(depth int) error {
	if depth > maxDepth {
		return answerError(badDepth)
	}
	switch c := d.peek(); {
	case c == '{':
		return d.object(func(string) error { return d.skip(depth + 1) })
	case c == '[':
		return d.array(func(int) error { return d.skip(depth + 1) })
	case c == '"':
		_, _, err := d.raw()
		return err
	case c == '-' || c >= '0' && c <= '9':
		_, err := d.number()
		return err
	case c == 't':
		return d.word("true")
	case c == 'f':
		return d.word("false")
	case c == 'n':
		return d.word("null")
	}
	return d.syntax()
}

// word consumes a literal.
func (d *scanner) word(w string) error {
	if rest := d.s[d.i:]; !strings.HasPrefix(rest, w) {
		if strings.HasPrefix(w, rest) {
			d.i = len(d.s)
		}
		return d.syntax()
	}
	d.i += len(w)
	return nil
}
