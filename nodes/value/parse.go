package value

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// SyntaxError says where and why JSON text is invalid.
type SyntaxError struct {
	// Offset counts bytes from 0.
	Offset int
	// Line and Column count from 1; Column counts characters.
	Line, Column int
	// Msg says what was expected. It shows at most one character of the text.
	Msg string
}

func (e *SyntaxError) Error() string {
	return fmt.Sprintf("invalid JSON at line %d, column %d (byte offset %d): %s", e.Line, e.Column, e.Offset, e.Msg)
}

// ParseJSON reads exactly one JSON value (RFC 8259) that takes up the whole
// text, white space aside. The result holds nil, bool, int64, float64, string,
// []any and map[string]any, and shares no memory with the text.
//
// An integer that int64 can hold becomes one, exactly; -0 and every other
// number become the nearest float64, and one beyond the range of float64 is
// an error. Text that is not UTF-8, an escape that is half of a surrogate
// pair, and more than [MaxDepth] levels are errors. Of an object's equal keys
// the last one wins. Every error is a [*SyntaxError].
func ParseJSON[T string | []byte](text T) (any, error) {
	p := parser[T]{src: text}
	v, err := p.document()
	if err != nil {
		err.locate(text)
		return nil, err
	}
	return v, nil
}

// locate fills in line and column of an error.
func (e *SyntaxError) locate(text any) {
	before := []byte(nil)
	switch t := text.(type) {
	case string:
		before = []byte(t[:e.Offset])
	case []byte:
		before = t[:e.Offset]
	}
	e.Line = 1 + bytes.Count(before, []byte{'\n'})
	e.Column = 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
}

// ScanString reads the JSON string that s starts with and returns it with the
// number of bytes it takes, quotes included.
func ScanString(s string) (string, int, error) {
	if !strings.HasPrefix(s, `"`) {
		return "", 0, fmt.Errorf(`expected "`)
	}
	p := parser[string]{src: s}
	text, err := p.text()
	if err != nil {
		return "", 0, fmt.Errorf("%s", err.Msg)
	}
	return text, p.at, nil
}

// parser reads JSON from src, at being the next byte.
type parser[T string | []byte] struct {
	src   T
	at    int
	depth int
	// stack gathers the elements of open arrays, so that each array is
	// allocated once in its final size.
	stack []any
	// keys holds object keys that were seen, so that rows share them.
	keys map[string]string
}

func (p *parser[T]) fail(at int, format string, args ...any) *SyntaxError {
	return &SyntaxError{Offset: at, Msg: fmt.Sprintf(format, args...)}
}

// unexpected reports what stands at the current place instead of want.
func (p *parser[T]) unexpected(want string) *SyntaxError {
	if p.at >= len(p.src) {
		return p.fail(p.at, "expected %s, but the text ends", want)
	}
	r, n := utf8.DecodeRuneInString(string(p.src[p.at:min(p.at+utf8.UTFMax, len(p.src))]))
	if r == utf8.RuneError && n <= 1 {
		return p.fail(p.at, "the text is not valid UTF-8")
	}
	if r == '\uFEFF' && p.at == 0 {
		return p.fail(p.at, "the text starts with a byte order mark; remove it")
	}
	return p.fail(p.at, "expected %s, got %q", want, r)
}

func (p *parser[T]) document() (any, *SyntaxError) {
	v, err := p.value()
	if err != nil {
		return nil, err
	}
	p.space()
	if p.at < len(p.src) {
		return nil, p.unexpected("the end of the text after the value")
	}
	return v, nil
}

func (p *parser[T]) space() {
	for p.at < len(p.src) {
		switch p.src[p.at] {
		case ' ', '\t', '\r', '\n':
			p.at++
		default:
			return
		}
	}
}

// peek skips white space and returns the next byte, or 0 at the end.
func (p *parser[T]) peek() byte {
	p.space()
	if p.at < len(p.src) {
		return p.src[p.at]
	}
	return 0
}

func (p *parser[T]) value() (any, *SyntaxError) {
	switch c := p.peek(); c {
	case '{':
		return p.object()
	case '[':
		return p.array()
	case '"':
		return boxed(p.text())
	case 't':
		return true, p.word("true")
	case 'f':
		return false, p.word("false")
	case 'n':
		return nil, p.word("null")
	default:
		if c == '-' || '0' <= c && c <= '9' {
			return p.number()
		}
		return nil, p.unexpected("a value")
	}
}

func boxed(s string, err *SyntaxError) (any, *SyntaxError) {
	return s, err
}

func (p *parser[T]) word(w string) *SyntaxError {
	for i := range len(w) {
		if p.at >= len(p.src) || p.src[p.at] != w[i] {
			return p.unexpected(w)
		}
		p.at++
	}
	return nil
}

// enter opens an array or object.
func (p *parser[T]) enter() *SyntaxError {
	if p.depth == MaxDepth {
		return p.fail(p.at, "more than %d arrays and objects inside one another", MaxDepth)
	}
	p.depth++
	p.at++
	return nil
}

func (p *parser[T]) array() (any, *SyntaxError) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	base := len(p.stack)
	if p.peek() != ']' {
		for {
			v, err := p.value()
			if err != nil {
				return nil, err
			}
			p.stack = append(p.stack, v)
			c := p.peek()
			if c == ']' {
				break
			}
			if c != ',' {
				return nil, p.unexpected("a comma or ] after an array element")
			}
			p.at++
		}
	}
	p.at++
	p.depth--
	out := make([]any, len(p.stack)-base)
	copy(out, p.stack[base:])
	clear(p.stack[base:])
	p.stack = p.stack[:base]
	return out, nil
}

func (p *parser[T]) object() (any, *SyntaxError) {
	if err := p.enter(); err != nil {
		return nil, err
	}
	m := map[string]any{}
	if p.peek() == '}' {
		p.at++
		p.depth--
		return m, nil
	}
	for {
		if p.peek() != '"' {
			return nil, p.unexpected("an object key in double quotes")
		}
		key, err := p.key()
		if err != nil {
			return nil, err
		}
		if p.peek() != ':' {
			return nil, p.unexpected("a colon after an object key")
		}
		p.at++
		v, err := p.value()
		if err != nil {
			return nil, err
		}
		m[key] = v
		switch p.peek() {
		case ',':
			p.at++
		case '}':
			p.at++
			p.depth--
			return m, nil
		default:
			return nil, p.unexpected("a comma or } after an object value")
		}
	}
}
