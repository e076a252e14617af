// Package value defines what may stand in a flow's context, and how it is
// read, written as JSON and addressed by a path.
//
// A context value is one of nil, bool, int64, float64, string, []any,
// map[string]any or a [List]. Values are immutable once they are published:
// whoever wants to change one copies it first, so steps may read the same
// value side by side without a lock.
//
// [Normalize] turns plain Go values into context values. [ParseJSON] and
// [Marshal] are strict in both directions: text that is not valid UTF-8 and
// numbers that JSON cannot hold are errors, never replaced. [Path] addresses a
// value inside a [View] with zero-based indexes; error texts use [PathError]
// with one-based positions, as flow authors count in Lua.
package value

import (
	"maps"
	"slices"
)

// List is an immutable array in compact form: one backing slice instead of
// one allocation for every element. JSON, Lua, paths and limits treat it as an
// array. At(i) returns a context value (often a [List] or a map[string]any
// made on the fly) and panics when i is outside 0..Len()-1, as a slice does.
type List interface {
	Len() int
	At(i int) any
}

// View is what one step sees of the context: the initial context and the
// outputs of its ancestors. It is safe for concurrent use.
type View interface {
	// Get returns the value under a top-level key.
	Get(key string) (any, bool)
	// Keys returns every top-level key in byte order.
	Keys() []string
}

// Map is a [View] over a plain map. The map must not change afterwards.
type Map map[string]any

// Get returns the value under a top-level key.
func (m Map) Get(key string) (any, bool) {
	v, ok := m[key]
	return v, ok
}

// Keys returns every top-level key in byte order, in a new slice.
func (m Map) Keys() []string {
	return slices.Sorted(maps.Keys(m))
}
