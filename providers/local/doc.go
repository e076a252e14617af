// Package local turns text into vectors inside the process: no key, no server,
// no download. It is the vendor "local".
//
// Two models share one file of weights, local-model.bin, which is part of the
// binary. [Static] gives 256 numbers: the sum of one row for each word piece,
// distilled from the sentence encoder all-MiniLM-L6-v2, for cutting a text by
// topic. [Hybrid] gives 512: the same 256, then 256 that record which words
// stand in the text as they are spelled, for search. Both halves of a hybrid
// vector have length 1/sqrt 2.
//
// A vector depends on its text alone, never on the batch or the document. All
// sums are integers, so the same text gives the same bits on every processor
// and in every order of execution. A text without a word gives the zero
// vector. Word order, negation and numbers are not seen. The weights know
// English; words in other languages count by their spelling.
//
// The folder build holds the program that makes the weights from published
// packages.
package local
