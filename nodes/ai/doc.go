// Package ai holds the nodes that cut text, turn it into vectors, rank it and ask
// language models: ai_embed, ai_chunk, ai_chunk_merge, ai_chunk_semantic,
// ai_chunk_agentic, ai_verify, ai_rank and llm. They are thin: the algorithms live in
// nodes/chunking and nodes/retrieval, the vendors in package providers.
package ai

import (
	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/providers"
)

// Register adds the nodes of this family. The parameters that belong to a
// provider are made from what the vendors declare.
func Register(reg *nodes.Registry, vendors []providers.Vendor) error {
	return reg.RegisterBuiltin(
		embedNode(vendors),
		chunkNode(),
		mergeNode(),
		semanticNode(vendors),
		llmNode(vendors),
		rankNode(),
		agenticNode(vendors),
		verifyNode(),
	)
}
