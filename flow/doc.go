// Package flow plans and runs flows: what a flow is made of ([Flow], [Step]),
// the plan with its validation, what each step sees, the pure state machine
// that decides what happens next, the runner that drives it, events and the
// record of a run. It knows functions only as nodes.Func and never Lua.
//
// [NewPlan] checks a flow, reports every problem and brings the steps into plan
// order: the topological order that always takes the earliest-declared step
// whose dependencies are already placed. A step sees the initial context and
// what its ancestors published, later ones in plan order winning, and nothing
// else ([View]), so the result of a run does not depend on scheduling.
//
// A step that recovers another one (`on_error`) waits for it, sees what it saw,
// and counts as a dependency of everything that depends on it.
//
// [Advance] takes one [Signal] after the other (the end of an attempt, of a
// wait, of a timeout, a cancellation) into a [State] and answers with
// [Action]s. It has no clock, no goroutine, and no input or output. [Runner]
// drives it in this process: one loop, one goroutine for each attempt, the
// clock from nodes.Env. Other drivers, such as the replay of a journal, use the
// same function.
//
// [Event]s tell what happens while it happens, the [Record] what came of it;
// both without secrets, and events without inputs and outputs.
package flow
