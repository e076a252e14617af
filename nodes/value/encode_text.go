package value

import (
	"io"
	"unicode/utf8"
)

// text writes a JSON string. With a writer, a long stretch without escapes
// goes there directly.
func (e *encoder) text(s string) error {
	if !utf8.ValidString(s) {
		return errNotUTF8(s)
	}
	e.buf = append(e.buf, '"')
	start := 0
	for i := 0; i < len(s); i++ {
		if safe(s[i]) {
			continue
		}
		if err := e.raw(s[start:i]); err != nil {
			return err
		}
		e.buf = appendEscape(e.buf, s[i])
		start = i + 1
	}
	if err := e.raw(s[start:]); err != nil {
		return err
	}
	e.buf = append(e.buf, '"')
	return nil
}

func (e *encoder) raw(s string) error {
	if e.w == nil || len(s) < flushSize {
		e.buf = append(e.buf, s...)
		return e.flush(flushSize)
	}
	if err := e.flush(0); err != nil {
		return err
	}
	_, err := io.WriteString(e.w, s)
	return err
}

func safe(c byte) bool { return c >= 0x20 && c != '"' && c != '\\' }

func appendEscape(dst []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	switch c {
	case '"', '\\':
		return append(dst, '\\', c)
	case '\b':
		return append(dst, `\b`...)
	case '\f':
		return append(dst, `\f`...)
	case '\n':
		return append(dst, `\n`...)
	case '\r':
		return append(dst, `\r`...)
	case '\t':
		return append(dst, `\t`...)
	}
	return append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}

// appendQuoted appends s as a JSON string without looking at its encoding.
func appendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	for i := 0; i < len(s); i++ {
		if safe(s[i]) {
			dst = append(dst, s[i])
		} else {
			dst = appendEscape(dst, s[i])
		}
	}
	return append(dst, '"')
}
