// Package suite holds the 32 cases of agentic chunking, TC-001 to TC-032, and
// runs them: input chunks, scripted model answers (what a careful editor writes,
// and what models really send), and the checks.
//
// The five rules are asserted in every run, with whatever answer: nothing
// invented, no pronoun without its referent, nothing repeated, every statement
// in exactly one chunk and able to stand alone, nothing of the source lost.
// Counts of statements and chunks are a model's judgement; they are shown and
// never asserted.
package suite
