// Package flow plans and runs flows: what a flow is made of ([Flow], [Step]),
// the plan with its validation, what each step sees, the pure state machine
// that decides what happens next, the runner that drives it, events and the
// record of a run. It knows functions only as nodes.Func and never Lua.
package flow
