package flow

import (
	"github.com/ironflow/ironflow/nodes/value"
	"github.com/ironflow/ironflow/transport"
)

// redacted returns a value with secrets removed from all its texts and keys.
// It shares every part that holds none, and compact lists are cleaned element
// by element while they are read.
func redacted(v any, r *transport.Redactor) any {
	if r.Empty() {
		return v
	}
	return redact(v, r)
}

func redact(v any, r *transport.Redactor) any {
	switch x := v.(type) {
	case string:
		return r.Redact(x)
	case map[string]any:
		out := make(map[string]any, len(x))
		for k, e := range x {
			out[r.Redact(k)] = redact(e, r)
		}
		return out
	case []any:
		return redactedList{value.Array(x), r}
	case *value.Floats, *value.Vectors, *value.Spans, *value.Records:
		return v
	case value.List:
		return redactedList{x, r}
	}
	return v
}

// redactedList cleans the elements of a list as they are read.
type redactedList struct {
	list value.List
	r    *transport.Redactor
}

func (l redactedList) Len() int { return l.list.Len() }

func (l redactedList) At(i int) any { return redact(l.list.At(i), l.r) }
