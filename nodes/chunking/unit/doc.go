// Package unit measures text in the units that limits of chunks are given in:
// bytes, characters (code points) and tokens of OpenAI's encodings.
//
//	counter, err := unit.New("tokens", "cl100k_base")
//	n := counter.Count(chunk)            // of the chunk as it stands
//	stop := counter.Fit(text[from:], 512) // the longest prefix within 512 tokens
//
// # Tokens
//
// Tokens are those of OpenAI's tiktoken with no special tokens: text such as
// "<|endoftext|>" is counted as the characters it is. The vocabularies are in the
// binary (library github.com/tiktoken-go/tokenizer), so nothing is downloaded,
// and they are unpacked when a text is first counted.
//
// The library's own splitter takes time quadratic in runs of blank lines, and
// splits these (and drops U+007F) other than OpenAI's code does. So the text is
// split into words by hand-written scanners that follow the encodings' regular
// expressions exactly, and each word is merged here: short ones by looking for the
// lowest rank again and again, longer ones with a heap, and words of more than
// 2,048 bytes by following the encoding of all their prefixes, in linear time.
// Tests hold the result against ids that OpenAI's own implementation gave, against
// the expressions in a backtracking engine, and against the library where it is
// right.
//
// The number of tokens of a text is not the sum of the numbers of its parts, and
// a longer prefix can have fewer tokens than a shorter one; [Counter.Fit] knows.
package unit
