// Package parse reads what language models answer: lists of propositions and
// groups of ids.
//
// Models wrap their JSON in fences and prose, think aloud before it, leave a
// comma at the end of a list, forget to escape a quotation mark, and stop in the
// middle. [Propositions] and [Groups] read what is complete in such an answer and
// say how it ended; they never complete a text that was cut. Of several lists in
// one answer the last one counts, since an example or a draft comes first.
//
// The time is linear in the answer, whatever it holds, and no depth of nesting
// can exhaust the stack. Whether a statement is true is not decided here.
package parse
