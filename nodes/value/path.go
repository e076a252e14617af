package value

import (
	"fmt"
	"strconv"
	"strings"
)

// Selector is one step of a [Path]: an object key, or a zero-based index.
type Selector struct {
	Key     string
	Index   int
	IsIndex bool
}

// Path addresses a value inside a [View]. Its first selector is a key.
type Path struct {
	Selectors []Selector
}

// Root returns the top-level key that the path starts from, or "" for the
// zero path.
func (p Path) Root() string {
	if len(p.Selectors) == 0 {
		return ""
	}
	return p.Selectors[0].Key
}

// String returns the path as [ParsePath] reads it.
func (p Path) String() string {
	var b strings.Builder
	for i, s := range p.Selectors {
		switch {
		case s.IsIndex:
			b.WriteString("[" + strconv.Itoa(s.Index) + "]")
		case !isIdent(s.Key):
			b.WriteByte('[')
			b.Write(appendQuoted(nil, s.Key))
			b.WriteByte(']')
		default:
			if i > 0 {
				b.WriteByte('.')
			}
			b.WriteString(s.Key)
		}
	}
	return b.String()
}

// InContext returns the path as templates and conditions write it, such as
// ctx.items[0].
func (p Path) InContext() string {
	if isIdent(p.Root()) {
		return "ctx." + p.String()
	}
	return "ctx" + p.String()
}

// ParsePath reads the form that source parameters use: a key, then any number
// of .name, [index] (zero-based) and ["key"], as in http_data.items[0].text.
// A name is an ASCII letter or underscore followed by letters, digits and
// underscores; every other key needs the form ["..."], a JSON string.
func ParsePath(s string) (Path, error) {
	text, added := s, 0
	if !strings.HasPrefix(s, "[") {
		text, added = "."+s, 1
	}
	p, n, err := ScanSelectors(text)
	if err == nil && n < len(text) {
		err = &selectorError{n, "expected ., [ or the end"}
	}
	if se, ok := err.(*selectorError); ok {
		return Path{}, fmt.Errorf("%q is no path, at byte %d: %s; write a key, then .name, [index] from 0 or [\"any key\"]", s, se.at-added+1, se.msg)
	}
	return p, nil
}

// selectorError is a mistake at a byte offset of the scanned text.
type selectorError struct {
	at  int
	msg string
}

func (e *selectorError) Error() string { return e.msg }

// ScanSelectors reads one or more selectors at the start of s and returns the
// number of bytes they take. It stops in front of the first byte that cannot
// start a selector; the first selector must be a key. With an error, the
// number is the offset of the mistake. It is the common part of source paths,
// templates and conditions.
func ScanSelectors(s string) (Path, int, error) {
	var p Path
	at := 0
	for at < len(s) && (s[at] == '.' || s[at] == '[') {
		sel, n, err := scanSelector(s[at:])
		if err != nil {
			err.at += at
			return Path{}, err.at, err
		}
		if sel.IsIndex && len(p.Selectors) == 0 {
			return Path{}, at, &selectorError{at, "the first selector must be a key, not an index"}
		}
		p.Selectors = append(p.Selectors, sel)
		at += n
	}
	if len(p.Selectors) == 0 {
		return Path{}, 0, &selectorError{0, "expected a selector such as .name"}
	}
	return p, at, nil
}

// scanSelector reads the one selector that s starts with.
func scanSelector(s string) (Selector, int, *selectorError) {
	if s[0] == '.' {
		n := identLen(s[1:])
		if n == 0 {
			return Selector{}, 0, &selectorError{1, "expected a name (letters, digits and _, not starting with a digit)"}
		}
		return Selector{Key: s[1 : 1+n]}, 1 + n, nil
	}
	if len(s) > 1 && s[1] == '"' {
		return scanQuoted(s)
	}
	n := 1
	for n < len(s) && '0' <= s[n] && s[n] <= '9' {
		n++
	}
	digits := s[1:n]
	if digits == "" || len(digits) > 1 && digits[0] == '0' {
		return Selector{}, 0, &selectorError{1, "expected an index (0, 1, 2, ... without sign or leading zero) or a key in double quotes"}
	}
	if n == len(s) || s[n] != ']' {
		return Selector{}, 0, &selectorError{n, "expected ]"}
	}
	index, err := strconv.Atoi(digits)
	if err != nil {
		return Selector{}, 0, &selectorError{1, "the index is too large"}
	}
	return Selector{Index: index, IsIndex: true}, n + 1, nil
}

// scanQuoted reads ["key"], the key being a JSON string.
func scanQuoted(s string) (Selector, int, *selectorError) {
	key, n, err := ScanString(s[1:])
	if err != nil {
		return Selector{}, 0, &selectorError{1, "the quoted key is no JSON string: " + err.Error()}
	}
	n++
	if n == len(s) || s[n] != ']' {
		return Selector{}, 0, &selectorError{n, "expected ] after the quoted key"}
	}
	return Selector{Key: key}, n + 1, nil
}

// Lookup returns the value at a path; false when a key is missing, an index
// is out of range or a selector does not fit the value that it is applied to.
// A null that is there is found.
func Lookup(view View, p Path) (any, bool) {
	if len(p.Selectors) == 0 {
		return nil, false
	}
	v, ok := view.Get(p.Root())
	for _, s := range p.Selectors[1:] {
		if !ok {
			return nil, false
		}
		v, ok = sub(v, s)
	}
	return v, ok
}

// sub applies one selector.
func sub(v any, s Selector) (any, bool) {
	if s.IsIndex {
		return Index(v, s.Index)
	}
	m, _ := v.(map[string]any)
	e, ok := m[s.Key]
	return e, ok
}

// Resolve finds what a source parameter names: the top-level key with exactly
// that name, or else the value at that path. The bool tells whether it is
// there; the error is a source that is neither a key nor a path.
func Resolve(view View, source string) (any, bool, error) {
	if v, ok := view.Get(source); ok {
		return v, true, nil
	}
	p, err := ParsePath(source)
	if err != nil {
		return nil, false, err
	}
	v, ok := Lookup(view, p)
	return v, ok, nil
}
