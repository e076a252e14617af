package value

import (
	"fmt"
	"strconv"
	"unicode/utf8"
)

// PathError says what is wrong with one place inside a value.
type PathError struct {
	// Path leads to the place, such as $.config["a b"][3]. Positions are
	// one-based, as in Lua.
	Path string
	// Msg says what is wrong there.
	Msg string
}

func (e *PathError) Error() string { return e.Path + ": " + e.Msg }

func errorf(format string, args ...any) error {
	return &PathError{Path: "$", Msg: fmt.Sprintf(format, args...)}
}

// InKey puts an object key in front of the path of a [*PathError] and returns
// any other error as it is. Code that walks a value calls it on the way out,
// so paths cost nothing while all is well.
func InKey(err error, key string) error {
	if isIdent(key) {
		return prepend(err, "."+key)
	}
	return prepend(err, "["+strconv.Quote(key)+"]")
}

// InIndex does the same for element i of an array; i is zero-based and is
// shown one-based.
func InIndex(err error, i int) error {
	return prepend(err, "["+strconv.Itoa(i+1)+"]")
}

func prepend(err error, segment string) error {
	pe, ok := err.(*PathError)
	if !ok {
		return err
	}
	return &PathError{Path: "$" + segment + pe.Path[1:], Msg: pe.Msg}
}

// isIdent reports whether s may follow a dot in a path.
func isIdent(s string) bool {
	return s != "" && identLen(s) == len(s)
}

// identLen returns the length of the identifier at the start of s:
// an ASCII letter or underscore, then letters, digits and underscores.
func identLen(s string) int {
	for i := 0; i < len(s); i++ {
		c := s[i]
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return i
		}
	}
	return len(s)
}

func errTooDeep() error {
	return errorf("more than %d arrays and objects inside one another (or a value that contains itself)", MaxDepth)
}

func errNotFinite(f float64) error {
	return errorf("%v is no JSON number; only finite numbers are allowed", f)
}

func errNotUTF8(s string) error {
	at := 0
	for at < len(s) {
		r, n := utf8.DecodeRuneInString(s[at:])
		if r == utf8.RuneError && n <= 1 {
			break
		}
		at += n
	}
	return errorf("the string is not valid UTF-8 (first bad byte at %d); decode it to UTF-8 or use base64 for binary data", at+1)
}
