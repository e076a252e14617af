package value

import "math"

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
