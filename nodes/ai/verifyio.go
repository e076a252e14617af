package ai

import (
	"fmt"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/chunking"
	"github.com/ironflow/ironflow/nodes/value"
)

// claim is a statement under test, with the places it is said to rest on.
type claim struct {
	text    string
	sources []claimSource
}

// claimSource is a place: bytes of an input, or the whole of it.
type claimSource struct {
	id    string
	whole bool
	span  chunking.Span
}

// readClaims reads the statements, those of chunks included.
func readClaims(call *nodes.Call) ([]claim, error) {
	v, err := call.SourceArray("propositions_key")
	if err != nil {
		return nil, err
	}
	var out []claim
	n, _ := value.Len(v)
	for i := range n {
		e, _ := value.Index(v, i)
		place := fmt.Sprintf("element %d", i+1)
		list, nested, err := propositionsOf(e)
		if err != nil {
			return nil, claimError(call, place, err)
		}
		if !nested {
			c, err := readClaim(e)
			if err != nil {
				return nil, claimError(call, place, err)
			}
			out = append(out, c)
			continue
		}
		members, _ := value.Len(list)
		for k := range members {
			p, _ := value.Index(list, k)
			c, err := readClaim(p)
			if err != nil {
				return nil, claimError(call, fmt.Sprintf("%s, proposition %d", place, k+1), err)
			}
			out = append(out, c)
		}
	}
	return out, nil
}

func claimError(call *nodes.Call, place string, err error) error {
	return call.Errorf("propositions_key", "%q: %s %w", call.String("propositions_key"), place, err)
}

// propositionsOf returns the statements of a chunk; nested is false for anything
// else.
func propositionsOf(e any) (list any, nested bool, err error) {
	chunk, ok := e.(map[string]any)
	if !ok {
		return nil, false, nil
	}
	if list, ok = chunk["propositions"]; !ok {
		return nil, false, nil
	}
	if list, ok = asList(list); !ok {
		return nil, false, fmt.Errorf("has %s as its propositions, want an array", nodes.Describe(chunk["propositions"]))
	}
	return list, true, nil
}

// asList takes an empty object for an empty array, as Lua has one form for both.
func asList(v any) (any, bool) {
	if m, ok := v.(map[string]any); ok && len(m) == 0 {
		return []any{}, true
	}
	_, ok := value.Len(v)
	return v, ok
}

// readClaim reads a string or {text, sources}.
func readClaim(e any) (claim, error) {
	var c claim
	switch e := e.(type) {
	case string:
		c.text = e
	case map[string]any:
		text, ok := e["text"].(string)
		if !ok {
			return c, fmt.Errorf("has no string in its member \"text\"; give strings, {text, sources}, or chunks with propositions")
		}
		c.text = text
		if given := e["sources"]; given != nil {
			list, ok := asList(given)
			if !ok {
				return c, fmt.Errorf("has %s as its sources, want an array of {chunk_id, start, stop}", nodes.Describe(given))
			}
			n, _ := value.Len(list)
			for i := range n {
				s, _ := value.Index(list, i)
				source, err := readSource(s)
				if err != nil {
					return c, fmt.Errorf("has a source %d that %w", i+1, err)
				}
				c.sources = append(c.sources, source)
			}
		}
	default:
		return c, fmt.Errorf("is %s, want a string or an object {text, sources}", nodes.Describe(e))
	}
	if err := chunking.CheckUTF8(c.text); err != nil {
		return c, fmt.Errorf("cannot be checked: %w", err)
	}
	return c, nil
}

// readSource reads {chunk_id, start, stop} or the id of an input.
func readSource(v any) (claimSource, error) {
	if id, ok := v.(string); ok && id != "" {
		return claimSource{id: id, whole: true}, nil
	}
	m, ok := v.(map[string]any)
	if !ok {
		return claimSource{}, fmt.Errorf("is %s, want {chunk_id, start, stop} or the id of an input", nodes.Describe(v))
	}
	var s claimSource
	if id := m["chunk_id"]; id != nil {
		if s.id, ok = id.(string); !ok || s.id == "" {
			return s, fmt.Errorf("has %s as its chunk_id, want a string that is not empty", nodes.Describe(id))
		}
	}
	start, stop := m["start"], m["stop"]
	if start == nil && stop == nil {
		s.whole = true
		return s, nil
	}
	var startOK, stopOK bool
	s.span.Start, startOK = byteOffset(start)
	s.span.Stop, stopOK = byteOffset(stop)
	if !startOK || !stopOK {
		return s, fmt.Errorf("has %s as its start and %s as its stop, want two whole numbers, or neither for the whole input", nodes.Describe(start), nodes.Describe(stop))
	}
	return s, nil
}

// byteOffset reads a whole number; other tools write 12.0 for it.
func byteOffset(v any) (int, bool) {
	switch n := v.(type) {
	case int64:
		return int(n), true
	case float64:
		return int(n), n == float64(int(n))
	}
	return 0, false
}
