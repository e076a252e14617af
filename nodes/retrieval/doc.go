// Package retrieval ranks texts by how well they answer a query: by the words
// that both share ([BM25]), by the angle between their vectors ([Dense]), or by
// both ([Fuse]). It is for collections that fit into memory: every query looks at
// every text, nothing is approximated, and equal scores keep the order of the
// texts, so the same input gives the same ranking on every machine.
//
//	index, err := retrieval.New(texts, vectors)
//	hits, err := index.Rank(retrieval.Hybrid, "when is high water?", queryVector, 5)
package retrieval
