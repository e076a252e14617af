package template

import (
	"maps"
	"slices"

	"github.com/ironflow/ironflow/nodes/value"
)

// RenderTree fills the string leaves of an object or array parameter, never
// its keys. A leaf that is exactly one placeholder becomes the value itself,
// with its type; null when it is missing. Values of the view and every
// [value.List] are data and are not scanned. v is not changed; parts without
// placeholders are shared with the result. Errors are a [*value.PathError].
func RenderTree(v any, view value.View) (any, error) {
	switch x := v.(type) {
	case string:
		return renderLeaf(x, view)
	case []any:
		out := make([]any, len(x))
		for i, e := range x {
			r, err := RenderTree(e, view)
			if err != nil {
				return nil, value.InIndex(err, i)
			}
			out[i] = r
		}
		return out, nil
	case map[string]any:
		out := make(map[string]any, len(x))
		for _, k := range slices.Sorted(maps.Keys(x)) {
			r, err := RenderTree(x[k], view)
			if err != nil {
				return nil, value.InKey(err, k)
			}
			out[k] = r
		}
		return out, nil
	}
	return v, nil
}

func renderLeaf(s string, view value.View) (any, error) {
	t, err := Parse(s)
	if err != nil {
		return nil, atRoot(err)
	}
	if path, ok := t.Single(); ok {
		v, _ := value.Lookup(view, path)
		return v, nil
	}
	r, err := t.Render(view)
	if err != nil {
		return nil, atRoot(err)
	}
	return r, nil
}

func atRoot(err error) error {
	return &value.PathError{Path: "$", Msg: err.Error()}
}

// CheckTree parses every string leaf and returns the first mistake, in the
// order of sorted keys, as a [*value.PathError].
func CheckTree(v any) error {
	errs := CheckTreeAll(v)
	if len(errs) == 0 {
		return nil
	}
	return errs[0]
}

// CheckTreeAll is [CheckTree] with all mistakes.
func CheckTreeAll(v any) []error {
	var errs []error
	eachLeaf(v, func(_ *Template, err error) {
		if err != nil {
			errs = append(errs, err)
		}
	})
	return errs
}

// TreeKeys returns the top-level keys that the string leaves read, sorted,
// each once. Malformed leaves read nothing.
func TreeKeys(v any) []string {
	var keys []string
	eachLeaf(v, func(t *Template, err error) {
		if err == nil {
			keys = append(keys, t.Keys()...)
		}
	})
	return sortedSet(keys)
}

// eachLeaf parses the string leaves in the order of sorted keys; errors carry
// the path of their leaf.
func eachLeaf(v any, visit func(*Template, error)) {
	switch x := v.(type) {
	case string:
		t, err := Parse(x)
		if err != nil {
			err = atRoot(err)
		}
		visit(t, err)
	case []any:
		for i, e := range x {
			eachLeaf(e, func(t *Template, err error) { visit(t, value.InIndex(err, i)) })
		}
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(x)) {
			eachLeaf(x[k], func(t *Template, err error) { visit(t, value.InKey(err, k)) })
		}
	}
}
