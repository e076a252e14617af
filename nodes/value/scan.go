package value

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Keys longer than sharedKeyBytes, or beyond the first sharedKeys different
// ones, are not shared between objects.
const (
	sharedKeyBytes = 64
	sharedKeys     = 4096
)

// key reads an object key; the objects of an array share equal keys.
func (p *parser[T]) key() (string, *SyntaxError) {
	k, err := p.text()
	if err != nil || len(k) > sharedKeyBytes {
		return k, err
	}
	if shared, ok := p.keys[k]; ok {
		return shared, nil
	}
	if p.keys == nil {
		p.keys = map[string]string{}
	}
	if len(p.keys) < sharedKeys {
		p.keys[k] = k
	}
	return k, nil
}

// text reads a string; p.at is at its opening quote.
func (p *parser[T]) text() (string, *SyntaxError) {
	start := p.at + 1
	i := start
	ascii := true
	for i < len(p.src) {
		c := p.src[i]
		if c == '"' {
			break
		}
		if c == '\\' || c < 0x20 {
			return p.escaped(start, i)
		}
		if c >= utf8.RuneSelf {
			ascii = false
		}
		i++
	}
	if i == len(p.src) {
		return "", p.fail(p.at, "the string that starts here is not closed")
	}
	s := p.clone(start, i)
	if !ascii && !utf8.ValidString(s) {
		return "", p.invalidUTF8(start, s)
	}
	p.at = i + 1
	return s, nil
}

// clone copies a piece of the source.
func (p *parser[T]) clone(start, end int) string {
	if s, ok := any(p.src).(string); ok {
		return strings.Clone(s[start:end])
	}
	return string(p.src[start:end])
}

func (p *parser[T]) invalidUTF8(start int, s string) *SyntaxError {
	at := 0
	for at < len(s) {
		r, n := utf8.DecodeRuneInString(s[at:])
		if r == utf8.RuneError && n <= 1 {
			break
		}
		at += n
	}
	return p.fail(start+at, "the string is not valid UTF-8; convert the text to UTF-8 first")
}

// escaped reads the rest of a string from its first escape or control
// character at i on.
func (p *parser[T]) escaped(start, i int) (string, *SyntaxError) {
	out := append(make([]byte, 0, i-start+32), p.src[start:i]...)
	plain := i
	for i < len(p.src) {
		c := p.src[i]
		switch {
		case c == '"':
			out = append(out, p.src[plain:i]...)
			if !utf8.Valid(out) {
				// Escapes are ASCII, so the bad bytes are in the source too.
				return "", p.invalidUTF8(start, string(p.src[start:i]))
			}
			p.at = i + 1
			return string(out), nil
		case c < 0x20:
			return "", p.fail(i, "control character %q in a string; write it as an escape", rune(c))
		case c == '\\':
			out = append(out, p.src[plain:i]...)
			var n int
			var err *SyntaxError
			out, n, err = p.escape(out, i)
			if err != nil {
				return "", err
			}
			i += n
			plain = i
		default:
			i++
		}
	}
	return "", p.fail(start-1, "the string that starts here is not closed")
}

// escape appends what the escape at i stands for and returns its length.
func (p *parser[T]) escape(out []byte, i int) ([]byte, int, *SyntaxError) {
	if i+1 >= len(p.src) {
		return nil, 0, p.fail(i, "the text ends inside an escape")
	}
	switch c := p.src[i+1]; c {
	case '"', '\\', '/':
		return append(out, c), 2, nil
	case 'b':
		return append(out, '\b'), 2, nil
	case 'f':
		return append(out, '\f'), 2, nil
	case 'n':
		return append(out, '\n'), 2, nil
	case 'r':
		return append(out, '\r'), 2, nil
	case 't':
		return append(out, '\t'), 2, nil
	case 'u':
	default:
		return nil, 0, p.fail(i, `unknown escape in a string; allowed are \" \\ \/ \b \f \n \r \t \uXXXX`)
	}
	r, ok := p.hex(i)
	if !ok {
		return nil, 0, p.fail(i, `\u must be followed by four hexadecimal digits`)
	}
	if !utf16.IsSurrogate(r) {
		return utf8.AppendRune(out, r), 6, nil
	}
	if low, ok := p.hex(i + 6); ok {
		if pair := utf16.DecodeRune(r, low); pair != utf8.RuneError {
			return utf8.AppendRune(out, pair), 12, nil
		}
	}
	return nil, 0, p.fail(i, "the escape is half of a surrogate pair, which is no character")
}

// hex reads the \uXXXX at i.
func (p *parser[T]) hex(i int) (rune, bool) {
	if i+6 > len(p.src) || p.src[i] != '\\' || p.src[i+1] != 'u' {
		return 0, false
	}
	var r rune
	for k := i + 2; k < i+6; k++ {
		c := p.src[k]
		switch {
		case '0' <= c && c <= '9':
			r = r<<4 | rune(c-'0')
		case 'a' <= c && c <= 'f':
			r = r<<4 | rune(c-'a'+10)
		case 'A' <= c && c <= 'F':
			r = r<<4 | rune(c-'A'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// digits skips a run of digits and returns its end.
func (p *parser[T]) digits(i int) int {
	for i < len(p.src) && '0' <= p.src[i] && p.src[i] <= '9' {
		i++
	}
	return i
}

func (p *parser[T]) number() (any, *SyntaxError) {
	start, i := p.at, p.at
	if p.src[i] == '-' {
		i++
	}
	first := i
	i = p.digits(i)
	switch {
	case i == first:
		p.at = i
		return nil, p.unexpected("a digit after the minus sign")
	case p.src[first] == '0' && i > first+1:
		return nil, p.fail(start, "a number must not start with a needless 0")
	}
	whole := true
	if i < len(p.src) && p.src[i] == '.' {
		whole = false
		point := i + 1
		if i = p.digits(point); i == point {
			p.at = i
			return nil, p.unexpected("a digit after the decimal point")
		}
	}
	if i < len(p.src) && (p.src[i] == 'e' || p.src[i] == 'E') {
		whole = false
		i++
		if i < len(p.src) && (p.src[i] == '+' || p.src[i] == '-') {
			i++
		}
		exp := i
		if i = p.digits(i); i == exp {
			p.at = i
			return nil, p.unexpected("a digit in the exponent")
		}
	}
	p.at = i
	negativeZero := i == start+2 && p.src[start] == '-' && p.src[start+1] == '0'
	if whole && !negativeZero {
		if n, err := strconv.ParseInt(string(p.src[start:i]), 10, 64); err == nil {
			return n, nil
		}
	}
	f, err := strconv.ParseFloat(string(p.src[start:i]), 64)
	if err != nil {
		return nil, p.fail(start, "the number is beyond the range of a 64-bit float (+-1.797e308)")
	}
	return f, nil
}

// ParseNumber reads text that is a JSON number and nothing else, with the
// result that [ParseJSON] gives: int64 or float64. It is false for anything
// else, such as 007, .5, +1, 0x10, blanks around it or 1e400.
func ParseNumber(s string) (any, bool) {
	if s == "" || s[0] != '-' && (s[0] < '0' || s[0] > '9') {
		return nil, false
	}
	p := parser[string]{src: s}
	n, err := p.number()
	return n, err == nil && p.at == len(s)
}
