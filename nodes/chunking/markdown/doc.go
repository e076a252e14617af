// Package markdown cuts Markdown documents along their structure.
//
// [Split] reads CommonMark with GitHub's tables (by the library goldmark) and cuts
// between sections, blocks, list items, and inside of a block only where it is
// too large. Chunks are spans of the source: nothing is moved, stripped or
// rewritten, and the chunks joined give the document back. Each chunk comes with
// the headings that it stands under and, for the rest of a table that had to be
// cut, the table's header.
//
// # Where chunks end
//
// Three rules, the first wins:
//
//  1. No chunk, its context included, measures more than the size.
//  2. A code block (fenced with backticks or tildes, also unclosed, or indented), a
//     table or a front matter that fits into the size stays whole.
//  3. A heading stays with what follows it.
//
// Among the places that these leave, the one between the biggest units is taken:
// before a heading, the higher the better; between blocks, the outer the better
// (so items of a list before the paragraphs in an item); between lines of code or
// HTML (better at a blank line) and rows of a table; at last inside a paragraph or
// a long line between sentences, lines, clauses, words and grapheme clusters.
// Of equal places the last one, so that as many whole neighbours as fit share a
// chunk.
//
// # Tables
//
// A table that has to be cut is cut between rows, and never directly behind its
// header unless that fills the chunk. Chunks that begin with a later row have the
// header and delimiter rows as context. The context counts towards the size; it is
// dropped where it would leave less than half of that for rows.
//
// # Limits
//
// Quotes and lists nested beyond 100 levels are text. Documents are parsed in
// blocks that begin where nothing of the block before is open, so memory depends on
// the largest single block, not on the document, and time is linear in it whatever
// it holds. Inline markup is not parsed but in the text of headings. The promises
// of package pack (sizes, white space, grapheme clusters) hold here too.
package markdown
