package value

import "fmt"

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
