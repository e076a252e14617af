package value

import (
	"io"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"
)

// MaxDepth is how many arrays and objects may stand inside one another in
// JSON text, and in a value that is normalized or written.
const MaxDepth = 1000

// flushSize is how much text [WriteJSON] gathers before it writes.
const flushSize = 64 << 10

// AppendJSON appends v as compact JSON to dst. Object keys are sorted by
// bytes; nothing but quotes, backslashes and control characters is escaped, so
// <, > and & stay readable; integers are exact. A float64 without a fraction
// inside +-2^53 is written as an integer; any other as the shortest text that
// reads back as the same float64, with an exponent below 1e-6 and beyond
// +-2^53, so that [ParseJSON] never takes it for an integer.
//
// A plain Go value that [Normalize] accepts may stand anywhere in v. NaN,
// infinities, strings that are not UTF-8, more than [MaxDepth] levels and
// unknown types are a [*PathError]; dst is then returned as it was.
func AppendJSON(dst []byte, v any) ([]byte, error) {
	e := encoder{buf: dst}
	if err := e.value(v, 0); err != nil {
		return dst, err
	}
	return e.buf, nil
}

// Marshal returns v as compact JSON; see [AppendJSON].
func Marshal(v any) ([]byte, error) {
	return AppendJSON(nil, v)
}

// MarshalIndent is [Marshal] with each element on a line of its own, indented
// by one more indent per level. Empty arrays and objects stay on one line.
func MarshalIndent(v any, indent string) ([]byte, error) {
	e := encoder{indent: indent, pretty: true}
	if err := e.value(v, 0); err != nil {
		return nil, err
	}
	return e.buf, nil
}

// WriteJSON writes v to w as [Marshal] does, in pieces, so that a large value
// is never in memory a second time as text. After an error w holds the
// beginning of the text: who must not leave half a file writes to a temporary
// one. Errors of w are returned as they are.
func WriteJSON(w io.Writer, v any) error {
	return (&encoder{w: w}).run(v)
}

// WriteJSONIndent is [WriteJSON] in the layout of [MarshalIndent].
func WriteJSONIndent(w io.Writer, v any, indent string) error {
	return (&encoder{w: w, indent: indent, pretty: true}).run(v)
}

// encoder builds JSON text in buf and, when it has a writer, hands it over
// from time to time.
type encoder struct {
	w      io.Writer
	buf    []byte
	indent string
	pretty bool
}

func (e *encoder) run(v any) error {
	if err := e.value(v, 0); err != nil {
		return err
	}
	return e.flush(0)
}

// flush writes buf when it holds at least limit bytes.
func (e *encoder) flush(limit int) error {
	if e.w == nil || len(e.buf) < limit {
		return nil
	}
	_, err := e.w.Write(e.buf)
	e.buf = e.buf[:0]
	return err
}

func (e *encoder) value(v any, depth int) error {
	switch x := v.(type) {
	case nil:
		e.buf = append(e.buf, "null"...)
	case bool:
		e.buf = strconv.AppendBool(e.buf, x)
	case int64:
		e.buf = strconv.AppendInt(e.buf, x, 10)
	case float64:
		return e.float(x)
	case string:
		return e.text(x)
	case map[string]any:
		return e.object(x, depth)
	case *Floats:
		return e.floats(x, depth)
	case *Strings:
		return e.array(len(x.items), depth, func(i int) error { return e.text(x.items[i]) })
	case *Substrings:
		return e.array(len(x.spans), depth, func(i int) error { return e.text(x.Text(i)) })
	case []any:
		return e.array(len(x), depth, func(i int) error { return e.value(x[i], depth+1) })
	case List:
		return e.array(x.Len(), depth, func(i int) error { return e.value(x.At(i), depth+1) })
	default:
		n, err := Normalize(v)
		if err != nil {
			return err
		}
		return e.value(n, depth)
	}
	return nil
}

func (e *encoder) array(n, depth int, element func(int) error) error {
	if depth >= MaxDepth {
		return errTooDeep()
	}
	e.buf = append(e.buf, '[')
	for i := range n {
		if i > 0 {
			e.buf = append(e.buf, ',')
		}
		e.newline(depth + 1)
		if err := element(i); err != nil {
			return InIndex(err, i)
		}
		if err := e.flush(flushSize); err != nil {
			return err
		}
	}
	if n > 0 {
		e.newline(depth)
	}
	e.buf = append(e.buf, ']')
	return nil
}

// floats is array without a call and an interface for each number.
func (e *encoder) floats(l *Floats, depth int) error {
	if e.pretty || depth >= MaxDepth {
		return e.array(len(l.items), depth, func(i int) error { return e.float(l.items[i]) })
	}
	e.buf = append(e.buf, '[')
	for i, f := range l.items {
		if i > 0 {
			e.buf = append(e.buf, ',')
		}
		if err := e.float(f); err != nil {
			return InIndex(err, i)
		}
		if len(e.buf) >= flushSize {
			if err := e.flush(flushSize); err != nil {
				return err
			}
		}
	}
	e.buf = append(e.buf, ']')
	return nil
}

func (e *encoder) object(m map[string]any, depth int) error {
	if depth >= MaxDepth {
		return errTooDeep()
	}
	e.buf = append(e.buf, '{')
	for i, k := range slices.Sorted(maps.Keys(m)) {
		if i > 0 {
			e.buf = append(e.buf, ',')
		}
		e.newline(depth + 1)
		if !utf8.ValidString(k) {
			return InKey(errorf("the key is not valid UTF-8"), k)
		}
		if err := e.text(k); err != nil {
			return err
		}
		e.buf = append(e.buf, ':')
		if e.pretty {
			e.buf = append(e.buf, ' ')
		}
		if err := e.value(m[k], depth+1); err != nil {
			return InKey(err, k)
		}
		if err := e.flush(flushSize); err != nil {
			return err
		}
	}
	if len(m) > 0 {
		e.newline(depth)
	}
	e.buf = append(e.buf, '}')
	return nil
}

func (e *encoder) newline(depth int) {
	if !e.pretty {
		return
	}
	e.buf = append(e.buf, '\n')
	for range depth {
		e.buf = append(e.buf, e.indent...)
	}
}
