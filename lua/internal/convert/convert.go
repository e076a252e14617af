// Package convert carries values between Lua and the flow context.
//
// Going in, JSON null is the userdata [Codec.Null], arrays carry a mark so that
// they stay arrays when they are empty, and objects are plain tables. Going
// out, a table with exactly the keys 1..n is an array, one with only string
// keys an object; an empty one is an object unless it is marked. Errors are
// [value.PathError], so they name the place: $.a["b c"][3].
package convert

import (
	"context"
	"fmt"
	"math"

	glua "github.com/yuin/gopher-lua"

	"github.com/ironflow/ironflow/nodes/value"
)

// maxExact is the largest magnitude up to which every integer is a Lua number.
const maxExact = 1 << 53

// checkEvery is how many values pass between two looks at the context.
const checkEvery = 1 << 12

// Codec converts values for the VMs of one host. It is safe for concurrent
// use: the marks it shares between VMs are never written.
type Codec struct {
	// Null stands for JSON null in every VM; it is truthy and equal only to
	// itself.
	Null *glua.LUserData
	// ArrayMark and ObjectMark are the metatables that json_array and
	// json_object set.
	ArrayMark, ObjectMark *glua.LTable

	maxDepth, maxNodes int
}

// New makes a codec that refuses values nested deeper than maxDepth or of more
// than maxNodes values; 0 means no limit.
func New(maxDepth, maxNodes int) *Codec {
	c := &Codec{
		Null:       &glua.LUserData{Metatable: glua.LNil},
		ArrayMark:  &glua.LTable{Metatable: glua.LNil},
		ObjectMark: &glua.LTable{Metatable: glua.LNil},
		maxDepth:   maxDepth,
		maxNodes:   maxNodes,
	}
	nullMeta := &glua.LTable{Metatable: glua.LNil}
	nullMeta.RawSetString("__tostring", &glua.LFunction{IsG: true, GFunction: func(L *glua.LState) int {
		L.Push(glua.LString("null"))
		return 1
	}})
	nullMeta.RawSetString("__metatable", glua.LString("json_null"))
	c.Null.Metatable = nullMeta
	return c
}

// Hidden reports whether mt is one of our own metatables (a mark, the guard of
// large integers), which scripts neither see nor keep from setting another.
func (c *Codec) Hidden(mt glua.LValue) bool {
	t, ok := mt.(*glua.LTable)
	return ok && (t == c.ArrayMark || t == c.ObjectMark || t.RawGetString(guardField) != glua.LNil)
}

// IsMark reports whether mt is a mark.
func (c *Codec) IsMark(mt glua.LValue) bool {
	t, ok := mt.(*glua.LTable)
	return ok && (t == c.ArrayMark || t == c.ObjectMark)
}

func pathErr(format string, args ...any) error {
	return &value.PathError{Path: "$", Msg: fmt.Sprintf(format, args...)}
}

// budget counts the values of one conversion.
type budget struct {
	c     *Codec
	ctx   context.Context
	nodes int
}

func (b *budget) add(n int) error {
	before := b.nodes
	b.nodes += n
	if b.c.maxNodes > 0 && b.nodes > b.c.maxNodes {
		return pathErr("more than %d values in one conversion (IRONFLOW_MAX_CONVERSION_NODES)", b.c.maxNodes)
	}
	if b.ctx != nil && before/checkEvery != b.nodes/checkEvery {
		return b.ctx.Err()
	}
	return nil
}

func (b *budget) deeper(depth int) error {
	if b.c.maxDepth > 0 && depth > b.c.maxDepth {
		return pathErr("nested deeper than %d levels (IRONFLOW_MAX_CONVERSION_DEPTH)", b.c.maxDepth)
	}
	return nil
}

// number gives a Lua number as a context value: int64 when it has no fraction
// and is exact, float64 otherwise.
func number(f float64) (any, error) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, pathErr("%v is not a JSON number", f)
	}
	if f == math.Trunc(f) && f >= -maxExact && f <= maxExact {
		return int64(f), nil
	}
	return f, nil
}
