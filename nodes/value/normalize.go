package value

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"unicode/utf8"
)

// Normalize turns a plain Go value into a context value: every integer and
// float type, json.Number, slices, arrays and maps with string keys of such
// values, and pointers to them (nil is null). []string and []float64 become a
// [List] over the same slice, which must not change afterwards. What is
// already a context value is returned as it is, without a copy.
//
// NaN, infinities, strings and keys that are not UTF-8, unsigned integers
// beyond int64, []byte, structs, and named types with a text form of their own
// (fmt.Stringer and the like, which includes secrets) are a [*PathError]. The
// message never shows the value.
func Normalize(v any) (any, error) {
	return normalize(v, 0)
}

func normalize(v any, depth int) (any, error) {
	if depth > MaxDepth {
		return nil, errTooDeep()
	}
	switch x := v.(type) {
	case nil, bool, int64:
		return v, nil
	case int:
		return int64(x), nil
	case float64:
		return v, finite(x)
	case string:
		return v, validText(x)
	case json.Number:
		if n, ok := ParseNumber(string(x)); ok {
			return n, nil
		}
		return nil, errorf("the json.Number is no JSON number within the range of a 64-bit float")
	case []byte:
		return nil, errorf("bytes are no context value; pass text as a string and binary data as base64")
	case []string:
		return normalizeList(NewStrings(x), depth)
	case []float64:
		return normalizeList(NewFloats(x), depth)
	case []any:
		return normalizeArray(x, depth)
	case map[string]any:
		return normalizeMap(x, depth)
	case List:
		return normalizeList(x, depth)
	}
	return normalizeReflect(reflect.ValueOf(v), depth)
}

func finite(f float64) error {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return errNotFinite(f)
	}
	return nil
}

func validText(s string) error {
	if !utf8.ValidString(s) {
		return errNotUTF8(s)
	}
	return nil
}

// normalizeArray copies a only when an element changes.
func normalizeArray(a []any, depth int) (any, error) {
	if depth >= MaxDepth {
		return nil, errTooDeep()
	}
	var out []any
	for i, e := range a {
		n, err := normalize(e, depth+1)
		if err != nil {
			return nil, InIndex(err, i)
		}
		if out == nil && !unchanged(e, n) {
			out = append(make([]any, 0, len(a)), a[:i]...)
		}
		if out != nil {
			out = append(out, n)
		}
	}
	switch {
	case out != nil:
		return out, nil
	case a == nil:
		return []any{}, nil
	}
	return a, nil
}

// normalizeMap copies m only when a value changes.
func normalizeMap(m map[string]any, depth int) (any, error) {
	if depth >= MaxDepth {
		return nil, errTooDeep()
	}
	var changed map[string]any
	for k, e := range m {
		if !utf8.ValidString(k) {
			return nil, InKey(errorf("the key is not valid UTF-8"), k)
		}
		n, err := normalize(e, depth+1)
		if err != nil {
			return nil, InKey(err, k)
		}
		if !unchanged(e, n) {
			if changed == nil {
				changed = map[string]any{}
			}
			changed[k] = n
		}
	}
	switch {
	case m == nil:
		return map[string]any{}, nil
	case changed == nil:
		return m, nil
	}
	out := make(map[string]any, len(m))
	for k, e := range m {
		out[k] = e
		if n, ok := changed[k]; ok {
			out[k] = n
		}
	}
	return out, nil
}

// normalizeList checks the elements; a list with an element that is no context
// value becomes a plain array.
func normalizeList(l List, depth int) (any, error) {
	if depth >= MaxDepth {
		return nil, errTooDeep()
	}
	switch x := l.(type) {
	case *Floats:
		return l, finiteAll(x.items)
	case *Vectors:
		for i := range x.rows {
			if err := finiteAll(x.Row(i)); err != nil {
				return nil, InIndex(err, i)
			}
		}
		return l, nil
	case *Spans, *Records:
		return l, nil
	case Array:
		return normalizeArray(x, depth)
	}
	var out []any
	for i := range l.Len() {
		e := l.At(i)
		n, err := normalize(e, depth+1)
		if err != nil {
			return nil, InIndex(err, i)
		}
		if out == nil && !unchanged(e, n) {
			out = make([]any, l.Len())
			for k := range i {
				out[k] = l.At(k)
			}
		}
		if out != nil {
			out[i] = n
		}
	}
	if out != nil {
		return out, nil
	}
	return l, nil
}

func finiteAll(items []float64) error {
	for i, f := range items {
		if err := finite(f); err != nil {
			return InIndex(err, i)
		}
	}
	return nil
}

// unchanged reports whether normalize returned its argument. Only a new type
// or a new backing store counts as a change.
func unchanged(before, after any) bool {
	switch b := before.(type) {
	case nil, bool, int64, float64, string:
		return true
	case []any:
		a, ok := after.([]any)
		return ok && len(a) == len(b) && (len(a) == 0 && b != nil || len(a) > 0 && &a[0] == &b[0])
	case map[string]any:
		a, ok := after.(map[string]any)
		return ok && reflect.ValueOf(a).Pointer() == reflect.ValueOf(b).Pointer()
	case Array:
		return false
	case List:
		_, ok := after.(List)
		return ok
	}
	return false
}

// normalizeReflect handles the types that have no case of their own.
func normalizeReflect(v reflect.Value, depth int) (any, error) {
	t := v.Type()
	if hasTextForm(t) {
		return nil, errorf("%s is no context value; convert it to a string or number first", t)
	}
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return nil, nil
		}
		return normalize(v.Elem().Interface(), depth+1)
	case reflect.Bool:
		return v.Bool(), nil
	case reflect.String:
		return v.String(), validText(v.String())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return v.Int(), nil
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		if v.Uint() > math.MaxInt64 {
			return nil, errorf("the integer is beyond 2^63-1; pass it as a string")
		}
		return int64(v.Uint()), nil
	case reflect.Float32, reflect.Float64:
		return v.Float(), finite(v.Float())
	case reflect.Slice, reflect.Array:
		if t.Elem().Kind() == reflect.Uint8 {
			return nil, errorf("bytes are no context value; pass text as a string and binary data as base64")
		}
		out := make([]any, v.Len())
		for i := range out {
			out[i] = v.Index(i).Interface()
		}
		return normalizeArray(out, depth)
	case reflect.Map:
		if t.Key().Kind() != reflect.String {
			return nil, errorf("object keys must be strings, got %s", t)
		}
		out := make(map[string]any, v.Len())
		for iter := v.MapRange(); iter.Next(); {
			out[iter.Key().String()] = iter.Value().Interface()
		}
		return normalizeMap(out, depth)
	}
	return nil, errorf("%s is no context value; allowed are null, booleans, numbers, strings, slices and maps with string keys", t)
}

// hasTextForm reports whether a type prints or marshals itself, so that its
// bare content is not what its author wants shown.
func hasTextForm(t reflect.Type) bool {
	for _, i := range []reflect.Type{
		reflect.TypeFor[fmt.Stringer](), reflect.TypeFor[fmt.Formatter](),
		reflect.TypeFor[json.Marshaler](), reflect.TypeFor[interface{ MarshalText() ([]byte, error) }](),
	} {
		if t.Implements(i) || t.Kind() != reflect.Pointer && reflect.PointerTo(t).Implements(i) {
			return true
		}
	}
	return false
}
