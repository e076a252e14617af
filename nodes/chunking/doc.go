// Package chunking cuts text into chunks that can be embedded and retrieved.
//
// The package knows nothing of flows, Lua or HTTP. A chunk is a [Span] of byte
// offsets into the text, so nothing is copied until a chunk is asked for with
// [Span.Slice], and every chunk can be traced to its place in the source:
//
//	spans, err := chunking.Fixed(text, chunking.FixedOptions{Size: 4096, Delimiters: "\n.?"})
//	for _, s := range spans {
//		use(s.Slice(text))
//	}
//
// # Ways to cut
//
//   - [Fixed]: at most so many bytes, preferably after (or before) a delimiter.
//   - [Split]: after every delimiter, with a least number of characters.
//   - [Cues]: subtitle cues packed up to so many characters, never cut.
//   - [Merge]: existing chunks packed up to a budget of words, characters or
//     whatever a counting function measures.
//   - Package sentence finds sentences; package semantic groups them where the
//     topic changes, given one vector for each sentence.
//
// # What holds for every result
//
// Spans of Fixed (without overlap) and Split are adjacent and cover the text:
// the chunks joined give the text back byte for byte. No span ends inside a
// code point; text that is not valid UTF-8 is an [*InvalidUTF8Error]. Starts
// rise strictly, every function takes time linear in its input whatever that
// holds, and the same input gives the same result.
//
// Options out of range are an [*OptionError] that names the parameter as flow
// authors write it.
package chunking
