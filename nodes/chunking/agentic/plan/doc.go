// Package plan decides which sentences are asked for in which call, and what they
// are called there.
//
// The sentences of a document lie in batches. A batch holds whole inputs while
// they fit, and ends with an input once it is half full, so that the limits of
// later batches come back into step after an edit. Only an input larger than a
// batch is cut, between sentences.
//
// What a chunker repeated from one input to the next (its overlap) is asked for
// once: a sentence at the start of an input that also stands at the end of the
// input before is a repeat of that one, and so is a piece of a sentence where the
// chunker cut by bytes. Sentences without a letter, a digit or another symbol
// that says something, such as rules and empty table rows, are not asked for.
package plan
