package parse

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// maxDepth bounds the nesting that is read; what is deeper counts as broken.
const maxDepth = 64

// maxNodes bounds the values that are read of one answer, and so the memory: a
// list of statements with their labels has about five for each. What follows is
// left out, as if the answer had been cut there.
const maxNodes = 1 << 17

// kind is the type of a node.
type kind uint8

const (
	invalid kind = iota
	text
	number
	literal // true, false, null
	array
	object
)

// node is a JSON value as far as it was there.
type node struct {
	kind kind
	// text is the value of a string, or the digits of a number as written.
	text string
	// keys go with elems for an object, in the order of the answer; a key that
	// stands twice is there twice.
	keys  []string
	elems []node
	// whole says that the value ended as it should, with all that is in it.
	whole bool
}

// reader reads values from an answer and goes on where others give up.
type reader struct {
	s     string
	i     int
	nodes int
}

// value reads the value at i. A value that is not whole is followed by nothing
// that could be read: the reader stands where it broke, or at the end.
func (r *reader) value(depth int) node {
	if r.i >= len(r.s) {
		return node{}
	}
	if r.nodes++; r.nodes > maxNodes {
		r.i = len(r.s)
		return node{}
	}
	switch c := r.s[r.i]; {
	case c == '{' || c == '[':
		if depth >= maxDepth {
			return node{}
		}
		r.i++
		if c == '[' {
			return r.array(depth)
		}
		return r.object(depth)
	case c == '"':
		return r.quoted(false)
	case c == '-' || '0' <= c && c <= '9':
		return r.number()
	}
	for _, word := range []string{"true", "false", "null"} {
		if strings.HasPrefix(r.s[r.i:], word) {
			r.i += len(word)
			return node{kind: literal, whole: true}
		}
	}
	return node{}
}

// array reads what follows an opening bracket. Commas may be missing, doubled or
// stand at the end.
func (r *reader) array(depth int) node {
	n := node{kind: array}
	for {
		r.skip(true)
		if r.i < len(r.s) && r.s[r.i] == ']' {
			r.i++
			n.whole = true
			return n
		}
		e := r.value(depth + 1)
		if e.kind != invalid {
			n.elems = append(n.elems, e)
		}
		if !e.whole {
			return n
		}
	}
}

// object reads what follows an opening brace.
func (r *reader) object(depth int) node {
	n := node{kind: object}
	for {
		r.skip(true)
		if r.i < len(r.s) && r.s[r.i] == '}' {
			r.i++
			n.whole = true
			return n
		}
		if r.i >= len(r.s) || r.s[r.i] != '"' {
			return n
		}
		key := r.quoted(true)
		if !key.whole {
			return n
		}
		r.skip(false)
		if r.i >= len(r.s) || r.s[r.i] != ':' {
			return n
		}
		r.i++
		r.skip(false)
		e := r.value(depth + 1)
		if e.kind != invalid {
			n.keys, n.elems = append(n.keys, key.text), append(n.elems, e)
		}
		if !e.whole {
			return n
		}
	}
}

// skip passes white space, and commas too when it may.
func (r *reader) skip(commas bool) {
	for r.i < len(r.s) && (isBlank(r.s[r.i]) || commas && r.s[r.i] == ',') {
		r.i++
	}
}

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\r' || c == '\t' }

// number keeps the digits as they are; a number at the end of the answer may go
// on, so it is not whole.
func (r *reader) number() node {
	start := r.i
	for r.i < len(r.s) && strings.IndexByte("+-.eE0123456789", r.s[r.i]) >= 0 {
		r.i++
	}
	return node{kind: number, text: r.s[start:r.i], whole: r.i < len(r.s)}
}

// quoted reads a string. A quotation mark that nothing of the grammar follows was
// not escaped and belongs to the text; one that another mark follows ends it, as
// if the comma between were there.
func (r *reader) quoted(key bool) node {
	n := node{kind: text}
	r.i++
	var b strings.Builder
	start := r.i
	for r.i < len(r.s) {
		switch r.s[r.i] {
		case '"':
			if r.endsString(key) {
				b.WriteString(r.s[start:r.i])
				r.i++
				n.text, n.whole = b.String(), true
				return n
			}
			r.i++
		case '\\':
			b.WriteString(r.s[start:r.i])
			r.escape(&b)
			start = r.i
		default:
			r.i++
		}
	}
	return n
}

// endsString decides on the quotation mark at i.
func (r *reader) endsString(key bool) bool {
	j := r.i + 1
	for j < len(r.s) && isBlank(r.s[j]) {
		j++
	}
	if j == len(r.s) {
		return true
	}
	if key {
		return true
	}
	return strings.IndexByte(",]}\"", r.s[j]) >= 0
}

// escape decodes the escape at i. One that JSON does not know stands for itself,
// backslash included.
func (r *reader) escape(b *strings.Builder) {
	if r.i+1 >= len(r.s) {
		r.i = len(r.s)
		return
	}
	c := r.s[r.i+1]
	if at := strings.IndexByte(`"\/bfnrt`, c); at >= 0 {
		b.WriteByte("\"\\/\b\f\n\r\t"[at])
		r.i += 2
		return
	}
	u, ok := hex4(r.s[r.i:])
	if !ok {
		b.WriteByte('\\')
		r.i++
		return
	}
	r.i += 6
	if utf16.IsSurrogate(u) {
		low, ok := hex4(r.s[r.i:])
		pair := utf16.DecodeRune(u, low)
		if ok && pair != utf8.RuneError {
			r.i += 6
		}
		u = pair
	}
	b.WriteRune(u)
}

// hex4 reads an escape of the form \u00e9.
func hex4(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	var u rune
	for _, c := range []byte(s[2:6]) {
		switch {
		case '0' <= c && c <= '9':
			u = u<<4 | rune(c-'0')
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			u = u<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return u, true
}
