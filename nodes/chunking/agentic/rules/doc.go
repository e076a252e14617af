// Package rules checks a finished result against the five rules that hold for
// every one, from the chunks and the document alone: nothing of how the chunks
// were made is known or believed.
package rules
