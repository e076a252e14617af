package nodes

import "context"

// Func is a function that a flow's author wrote: a function step, a condition,
// the transform of foreach, the body of a node defined in Lua. Package lua
// implements it; nothing here knows Lua.
//
// Call is safe for concurrent use: each call behaves as if it had a fresh
// copy of all that the function captured. Arguments and the result are context
// values; an argument that is a value.View arrives as the function's `ctx`.
type Func interface {
	Call(ctx context.Context, args ...any) (any, error)
}

// SessionFunc is a Func that can serve several calls in one copy of what it
// captured, which saves the set-up when it runs once for each of many items.
type SessionFunc interface {
	Func
	// Session returns a function for sequential calls and one that frees it.
	Session(ctx context.Context) (call func(ctx context.Context, args ...any) (any, error), done func())
}
