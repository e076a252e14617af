package providers

import (
	"encoding/json"
	"strings"
)

// number consumes a number and returns its text.
func (d *scanner) number() (string, error) {
	end := numberEnd(d.s, d.i)
	if end < 0 {
		if strings.Trim(d.s[d.i:], "+-.eE0123456789") == "" {
			d.i = len(d.s)
		}
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
