// Package agentic cuts a document into propositions, statements of one fact that
// stand alone, and gathers them by theme.
//
// A [Model] writes the propositions and names the themes; code decides what is
// kept. [Run] takes five steps, each in a package of its own: plan divides the
// sentences into calls, prompt asks, parse reads the answers, package verify
// checks every statement against its sentences, and group makes the themes.
//
// What holds for every result, whatever the model answers:
//
//   - No statement holds a number, name, date or quotation, a negation or a
//     comparison that its sentences do not support.
//   - None leans on a pronoun without its referent, but those flagged Unresolved.
//   - None repeats another one.
//   - Every proposition is in exactly one chunk and names the sentences it rests
//     on.
//   - Every sentence of the source is rested on; where the model left one out, the
//     sentence itself is the proposition.
//
// Package rules checks these five on a finished result. They are as sharp as
// package verify can see; [Limits] says where that ends. Without a model the
// propositions are the sentences themselves and the themes come from vectors or
// words.
//
// The same input and the same answers give the same result, whatever the number
// of calls under way at once.
package agentic
