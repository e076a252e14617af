package value

import (
	"fmt"
	"math"
)

// TypeName returns the JSON word for a value's type: null, boolean, number,
// string, array or object. Anything that is no context value is named by its
// Go type.
func TypeName(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case int64, float64, int:
		return "number"
	case string:
		return "string"
	case []any, List:
		return "array"
	case map[string]any:
		return "object"
	}
	return fmt.Sprintf("Go type %T", v)
}

// Len returns the number of elements of an array; false when v is none.
func Len(v any) (int, bool) {
	switch a := v.(type) {
	case []any:
		return len(a), true
	case List:
		return a.Len(), true
	}
	return 0, false
}

// Index returns element i (zero-based) of an array; false when v is no array
// or i is outside it.
func Index(v any, i int) (any, bool) {
	if n, ok := Len(v); !ok || i < 0 || i >= n {
		return nil, false
	}
	if a, ok := v.([]any); ok {
		return a[i], true
	}
	return v.(List).At(i), true
}

// Array is a [List] over a plain slice.
type Array []any

// Len returns the number of elements.
func (a Array) Len() int { return len(a) }

// At returns element i.
func (a Array) At(i int) any { return a[i] }

// AsList reads an array in either form. An empty object counts as an empty
// array, because Lua cannot tell the two apart.
func AsList(v any) (List, error) {
	switch a := v.(type) {
	case List:
		return a, nil
	case []any:
		return Array(a), nil
	case map[string]any:
		if len(a) == 0 {
			return Array(nil), nil
		}
	}
	return nil, fmt.Errorf("expected an array, got %s", article(v))
}

// AsStrings reads an array of strings. The error names the one-based position
// of the first element that is no string. The result may be shared: read only.
func AsStrings(v any) ([]string, error) {
	if s, ok := v.(*Strings); ok {
		return s.items, nil
	}
	list, err := AsList(v)
	if err != nil {
		return nil, fmt.Errorf("expected an array of strings, got %s", article(v))
	}
	out := make([]string, list.Len())
	for i := range out {
		e := list.At(i)
		s, ok := e.(string)
		if !ok {
			return nil, fmt.Errorf("element %d is %s, expected a string", i+1, article(e))
		}
		out[i] = s
	}
	return out, nil
}

// AsFloats reads an array of numbers. Integers that float64 cannot hold
// exactly are errors. The result may be shared: read only.
func AsFloats(v any) ([]float64, error) {
	if f, ok := v.(*Floats); ok {
		return f.items, nil
	}
	list, err := AsList(v)
	if err != nil {
		return nil, fmt.Errorf("expected an array of numbers, got %s", article(v))
	}
	out := make([]float64, list.Len())
	if err := fillFloats(out, list); err != nil {
		return nil, err
	}
	return out, nil
}

func fillFloats(dst []float64, list List) error {
	if f, ok := list.(*Floats); ok {
		copy(dst, f.items)
		return nil
	}
	for i := range dst {
		switch n := list.At(i).(type) {
		case float64:
			dst[i] = n
		case int64:
			if compareIntFloat(n, float64(n)) != 0 {
				return fmt.Errorf("element %d is an integer beyond +-2^53 that a float cannot hold exactly", i+1)
			}
			dst[i] = float64(n)
		default:
			return fmt.Errorf("element %d is %s, expected a number", i+1, article(n))
		}
	}
	return nil
}

// AsVectors reads an array of vectors, each an array of numbers, all of the
// same dimension of at least 1. The error names the one-based position of the
// first vector that does not fit. No vectors at all are 0 rows of dimension 0.
func AsVectors(v any) (*Vectors, error) {
	if m, ok := v.(*Vectors); ok {
		return m, nil
	}
	list, err := AsList(v)
	if err != nil {
		return nil, fmt.Errorf("expected an array of vectors, got %s", article(v))
	}
	rows, dim := list.Len(), 0
	var data []float64
	for i := range rows {
		row, err := AsList(list.At(i))
		if err != nil {
			return nil, fmt.Errorf("vector %d: %w", i+1, err)
		}
		n := row.Len()
		if i == 0 {
			dim = n
			data = make([]float64, rows*dim)
		}
		if n == 0 || n != dim {
			return nil, fmt.Errorf("vector %d has %d numbers, expected %d as in vector 1 and at least 1", i+1, n, dim)
		}
		if err := fillFloats(data[i*dim:(i+1)*dim], row); err != nil {
			return nil, fmt.Errorf("vector %d: %w", i+1, err)
		}
	}
	return NewVectors(data, dim), nil
}

// article returns the type name as it reads in a sentence.
func article(v any) string {
	switch name := TypeName(v); name {
	case "null":
		return name
	case "array", "object":
		return "an " + name
	case "boolean", "number", "string":
		return "a " + name
	default:
		return name
	}
}

// Equal reports whether two context values are the same JSON value. A [List]
// equals the array of its elements, and numbers compare by their exact
// numeric value, so int64 3 equals float64 3.
func Equal(a, b any) bool {
	switch x := a.(type) {
	case nil, bool, string:
		return equalScalar(a, b)
	case int64, float64:
		c, ok := CompareNumbers(a, b)
		return ok && c == 0
	case map[string]any:
		y, ok := b.(map[string]any)
		if !ok || len(x) != len(y) {
			return false
		}
		for k, e := range x {
			f, ok := y[k]
			if !ok || !Equal(e, f) {
				return false
			}
		}
		return true
	}
	n, ok := Len(a)
	m, ok2 := Len(b)
	if !ok || !ok2 || n != m {
		return false
	}
	for i := range n {
		e, _ := Index(a, i)
		f, _ := Index(b, i)
		if !Equal(e, f) {
			return false
		}
	}
	return true
}

func equalScalar(a, b any) bool {
	switch b.(type) {
	case nil, bool, string:
		return a == b
	}
	return false
}

// CompareNumbers orders two numbers (int64 or float64) by their exact value
// and returns -1, 0 or 1; false when one is no number or is NaN.
func CompareNumbers(a, b any) (int, bool) {
	switch x := a.(type) {
	case int64:
		switch y := b.(type) {
		case int64:
			return order(x, y), true
		case float64:
			return compareIntFloat(x, y), !math.IsNaN(y)
		}
	case float64:
		switch y := b.(type) {
		case int64:
			return -compareIntFloat(y, x), !math.IsNaN(x)
		case float64:
			return order(x, y), !math.IsNaN(x) && !math.IsNaN(y)
		}
	}
	return 0, false
}

func order[T int64 | float64](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// compareIntFloat compares without the rounding that float64(n) brings beyond
// +-2^53.
func compareIntFloat(n int64, f float64) int {
	if f >= 1<<63 {
		return -1
	}
	if f < -1<<63 {
		return 1
	}
	whole := math.Trunc(f)
	if c := order(n, int64(whole)); c != 0 {
		return c
	}
	return order(0, f-whole)
}
