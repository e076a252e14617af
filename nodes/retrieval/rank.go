package retrieval

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ironflow/ironflow/nodes/value"
)

// Modes, by the names flow authors use.
const (
	Hybrid    = "hybrid"
	ModeBM25  = "bm25"
	ModeDense = "dense"
)

// Modes returns the names of all modes, the default first.
func Modes() []string { return []string{Hybrid, ModeBM25, ModeDense} }

// denseWeight is how much the best vector counts against the best BM25 score. On
// the questions of Chroma's evaluation everything from 0.3 to 0.8 serves; fusing
// ranks instead of scores falls behind BM25 alone.
const denseWeight = 0.8

// Fuse joins the scores of [BM25] and [Dense], one each for every text:
//
//	bm25 / max(bm25) + 0.8 (cosine - min(cosine)) / (max(cosine) - min(cosine))
//
// from 0 to 1.8: a weighted sum of normalized scores, as compared with fusions of
// ranks by Bruch, Gai and Ingber, An Analysis of Fusion Functions for Hybrid
// Retrieval (2023). A part whose scores are all equal tells nothing and adds 0,
// except that BM25 adds 1 where all texts share the same score above 0.
func Fuse(bm25, cosine []float64) []float64 {
	out := make([]float64, len(bm25))
	if len(bm25) == 0 {
		return out
	}
	best, low, high := slices.Max(bm25), slices.Min(cosine), slices.Max(cosine)
	for i := range out {
		if best > 0 {
			out[i] = bm25[i] / best
		}
		if high > low {
			out[i] += float64(denseWeight * (cosine[i] - low) / (high - low))
		}
	}
	return out
}

// Index ranks texts in every mode.
type Index struct {
	bm25  *BM25
	dense *Dense
}

// New reads the texts and their vectors, one for each; nil vectors leave BM25
// alone. A number of vectors other than that of the texts, or a vector that is
// not finite, is an error.
func New(texts []string, vectors *value.Vectors) (*Index, error) {
	x := &Index{bm25: NewBM25(texts)}
	if vectors == nil {
		return x, nil
	}
	if vectors.Rows() != len(texts) {
		return nil, fmt.Errorf("%d vectors for %d texts; give one for each, in the same order", vectors.Rows(), len(texts))
	}
	var err error
	x.dense, err = NewDense(vectors)
	return x, err
}

// Rank returns at most top texts, best first; of equal ones the lower index comes
// first. In mode [ModeBM25] a text that shares no term with the query is no hit;
// the other modes rank every text. [ModeBM25] reads the query's text alone,
// [ModeDense] its vector alone.
//
// An unknown mode, a blank query text, vectors that are missing or of different
// lengths are errors.
func (x *Index) Rank(mode, query string, vector []float64, top int) ([]Hit, error) {
	if !slices.Contains(Modes(), mode) {
		return nil, fmt.Errorf("mode %q is not known; allowed are %s", mode, strings.Join(Modes(), ", "))
	}
	var words, cosines []float64
	if mode != ModeDense {
		if strings.TrimSpace(query) == "" {
			return nil, fmt.Errorf("the query is blank; mode %q looks for its words", mode)
		}
		words = x.bm25.Scores(query)
	}
	if mode != ModeBM25 {
		if x.dense == nil {
			return nil, fmt.Errorf("there are no vectors of the texts, which mode %q compares; give them or take mode %q", mode, ModeBM25)
		}
		var err error
		if cosines, err = x.dense.Scores(vector); err != nil {
			return nil, err
		}
	}
	return Order(mode, words, cosines, top), nil
}

// Order is the last step of [Index.Rank], for scores of [BM25] and [Dense] that
// are at hand; it looks at those that the mode, one of [Modes], compares.
func Order(mode string, words, cosines []float64, top int) []Hit {
	switch mode {
	case ModeBM25:
		hits := Top(words, top)
		if i := slices.IndexFunc(hits, func(h Hit) bool { return h.Score == 0 }); i >= 0 {
			hits = hits[:i]
		}
		return hits
	case ModeDense:
		return Top(cosines, top)
	}
	return Top(Fuse(words, cosines), top)
}
