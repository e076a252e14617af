// Package prompt writes the questions that are put to a model, and the JSON
// schemas of the answers.
//
// The text of a document stands between two fences that hold a hash of what is
// between them, so no document can close its fence, and it is called data: an
// instruction in it is a sentence like any other. The example in the instructions
// is made of names and numbers that no document holds, so that a model which
// repeats the example is found out.
package prompt
