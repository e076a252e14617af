// Package pack cuts text into chunks of a limited size along its own units.
//
//   - [Recursive] keeps the biggest units that fit (paragraphs, lines, sentences,
//     clauses, words, characters, or strings of the caller's) and joins as many
//     neighbours as fit.
//   - [Sentences] packs whole sentences.
//
// The size is measured in a unit, a [Measure]: package unit has bytes, characters
// and tokens. Sentences come from package sentence. Package markdown cuts along
// the structure of Markdown documents by the same rules.
//
// # What holds for every result
//
//   - Chunks are spans of the text, so nothing is moved or changed. Without
//     overlap they are in order and do not overlap; what lies between two of them
//     is white space.
//   - No chunk measures more than the size. A single code point that is wider
//     than that stays whole.
//   - No chunk is blank. White space belongs to the chunk before a cut; where it
//     does not fit there it goes to the front of the next chunk; only a run that
//     fits neither is left out, whole. White space that is shorter than a chunk
//     is lost at most at the end of the text.
//   - Grapheme clusters (emoji sequences, flags, letters with combining marks, CR
//     LF) stay whole. Only one that is larger than a chunk is cut, between code
//     points.
//   - Time is linear in the text whatever that holds, and the memory used beyond
//     the result does not grow with it.
//   - Options out of range are a [*chunking.OptionError], text that is not valid
//     UTF-8 is a [*chunking.InvalidUTF8Error], both before any work.
//
// White space is what unicode.IsSpace says.
package pack
