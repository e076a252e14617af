package value

import "fmt"

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
