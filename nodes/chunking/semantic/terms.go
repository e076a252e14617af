package semantic

import "github.com/ironflow/ironflow/nodes/chunking/terms"

// TermIndex turns sentences into the terms that [Topic] counts.
type TermIndex = terms.Index

// NewTermIndex returns an index without terms.
func NewTermIndex() *TermIndex { return terms.NewIndex() }
