package agentic

import (
	"github.com/ironflow/ironflow/nodes/chunking/agentic/report"
	"github.com/ironflow/ironflow/nodes/chunking/verify"
)

// Proposition is a statement of one fact.
type Proposition struct {
	Text string
	// Sentences are those of the document it rests on, rising.
	Sentences []int
	// Support is how much of it its sentences hold, 0..1.
	Support float64
	// Verbatim says that it is the source's own words, on one line.
	Verbatim bool
	// Unresolved says that it leans on a pronoun whose referent is not within
	// reach; only a verbatim one may.
	Unresolved bool
	// Carried is how many sentences at the start of a verbatim proposition are
	// context only. They are the first of Sentences.
	Carried int
	// Reasons are the rules it breaks; only with Options.ReportOnly.
	Reasons []verify.Reason
}

// Chunk is the propositions of one theme.
type Chunk struct {
	// ID is the document's id, a dash and the position, from 0001.
	ID         string
	DocumentID string
	// Theme is a short label on one line.
	Theme string
	// Content is the propositions joined with one space.
	Content string
	// Propositions are in the order of the source.
	Propositions []Proposition
	// Characters counts the code points of Content, Tokens its tokens, estimated
	// unless Options.CountTokens is set.
	Characters, Tokens int
	// Hash is the SHA-256 of Content, in hex.
	Hash string
}

// Result is what [Run] returns.
type Result struct {
	// DocumentID is that of all chunks.
	DocumentID string
	// Document holds the inputs and their sentences.
	Document *verify.Document
	// Chunks are in the order of the first sentence they rest on.
	Chunks []Chunk
	// Report says what happened on the way.
	Report report.Report
}
