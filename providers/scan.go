package providers

import (
	"encoding/json"
	"strings"
)

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
	if !strings.HasPrefix(d.s[d.i:], w) {
		return d.syntax()
	}
	d.i += len(w)
	return nil
}

// number consumes a number and returns its text.
func (d *scanner) number() (string, error) {
	end := numberEnd(d.s, d.i)
	if end < 0 {
		return "", d.syntax()
	}
	t := d.s[d.i:end]
	d.i = end
	return t, nil
}

// numberEnd returns the end of the JSON number that starts at i, or -1.
func numberEnd(s string, i int) int {
	if i < len(s) && s[i] == '-' {
		i++
	}
	if i >= len(s) {
		return -1
	}
	if s[i] == '0' {
		i++
	} else if i = digits(s, i); i < 0 {
		return -1
	}
	if i < len(s) && s[i] == '.' {
		if i = digits(s, i+1); i < 0 {
			return -1
		}
	}
	if i < len(s) && (s[i] == 'e' || s[i] == 'E') {
		i++
		if i < len(s) && (s[i] == '+' || s[i] == '-') {
			i++
		}
		return digits(s, i)
	}
	return i
}

// digits returns the end of a run of at least one digit, or -1.
func digits(s string, i int) int {
	start := i
	for i+8 <= len(s) && eightDigits(s[i:i+8]) {
		i += 8
	}
	for i < len(s) && s[i]-'0' <= 9 {
		i++
	}
	if i == start {
		return -1
	}
	return i
}

// eightDigits reports whether 8 bytes are all ASCII digits, by looking at them
// as one word: the upper half of each byte must be 3, and stay 3 when 6 is
// added to it. Numbers are most of an answer, so this loop counts.
func eightDigits(s string) bool {
	w := uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
		uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56
	const upper = 0xf0f0f0f0f0f0f0f0
	return w&upper == 0x3030303030303030 && (w+0x0606060606060606)&upper == 0x3030303030303030
}

// raw consumes a string and returns what stands between the quotes, and
// whether it holds an escape.
func (d *scanner) raw() (body string, escaped bool, err error) {
	if err := d.expect('"'); err != nil {
		return "", false, err
	}
	start := d.i
	for d.i < len(d.s) {
		switch c := d.s[d.i]; {
		case c == '"':
			d.i++
			return d.s[start : d.i-1], escaped, nil
		case c < 0x20:
			return "", false, d.syntax()
		case c == '\\':
			escaped = true
			if err := d.escape(); err != nil {
				return "", false, err
			}
		default:
			d.i++
		}
	}
	return "", false, d.syntax()
}

// escape consumes one escape sequence.
func (d *scanner) escape() error {
	d.i++
	if d.i >= len(d.s) {
		return d.syntax()
	}
	switch d.s[d.i] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		d.i++
		return nil
	case 'u':
		for range 4 {
			d.i++
			if d.i >= len(d.s) || !isHex(d.s[d.i]) {
				return d.syntax()
			}
		}
		d.i++
		return nil
	}
	return d.syntax()
}

func isHex(c byte) bool {
	return c-'0' <= 9 || c-'a' <= 5 || c-'A' <= 5
}

// text consumes a string and returns what it means.
func (d *scanner) text() (string, error) {
	body, escaped, err := d.raw()
	if err != nil || !escaped {
		return body, err
	}
	var s string
	if json.Unmarshal([]byte(`"`+body+`"`), &s) != nil {
		return "", answerError(badSyntax)
	}
	return s, nil
}

// count reads a value and returns it when it is a whole number from 0 to
// 2^53; anything else is skipped and gives ok = false.
func (d *scanner) count() (n int64, ok bool, err error) {
	if c := d.peek(); c < '0' || c > '9' {
		return 0, false, d.skip(1)
	}
	t, err := d.number()
	if err != nil {
		return 0, false, err
	}
	n, ok = wholeNumber(t)
	return n, ok, nil
}

// wholeNumber reads plain digits up to 2^53.
func wholeNumber(t string) (int64, bool) {
	var n int64
	for i := 0; i < len(t); i++ {
		if t[i]-'0' > 9 || n > 1<<53 {
			return 0, false
		}
		n = n*10 + int64(t[i]-'0')
	}
	return n, n <= 1<<53 && t != ""
}
