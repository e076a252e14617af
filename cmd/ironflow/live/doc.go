// Package live shows a run on a terminal while it goes on: one line for each
// step with its state, its time and how far it is, and a line that counts.
//
// A [Model] takes the events of a run and nothing else; [Model.Lines] is a pure
// function of what it has seen, the time and the size of the terminal. A [View]
// draws these lines and puts log lines above them. It never hides the cursor
// and never reads from the terminal, so nothing has to be restored however the
// process ends: between two frames the cursor stands at the start of the line
// below the last one.
package live
