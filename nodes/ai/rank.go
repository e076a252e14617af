package ai

import (
	"context"
	"fmt"
	"strings"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/retrieval"
	"github.com/ironflow/ironflow/nodes/value"
)

const rankDoc = `Ranks an array of texts, such as the chunks of some documents, by how well each answers a query, and publishes the best.
Nothing is stored and nothing is sent: every text is looked at in each call, which suits up to some ten thousand chunks.

* ` + "`bm25`" + `: by the words that text and query share, the rare ones counting most. Words are compared by their English stems, without
  function words; in Chinese, Japanese, Korean and Thai by pairs of characters. A text that shares no word is no hit.
* ` + "`dense`" + `: by the cosine of the two vectors, -1 to 1; a vector of zeros scores 0. Every text is ranked.
* ` + "`hybrid`" + `: the BM25 score over the best one, plus 0.8 times the cosine scaled to 0..1 over all texts; 0 to 1.8 together. Every
  text is ranked.

Of texts with equal scores the earlier comes first. Scores of different queries or modes are not comparable.

The vectors of texts and query come from ` + "`ai_embed`" + `, with the same model. ` + "`query_vector_key`" + ` takes one vector, or an array that holds
one, as ` + "`ai_embed`" + ` publishes it for a single text. Mode ` + "`bm25`" + ` reads no vectors and mode ` + "`dense`" + ` no query text, even if they are given, so
that ` + "`mode`" + ` can be changed alone.`

func rankNode() nodes.Node {
	const unread = "not read in this mode"
	words, vectors := nodes.Only("mode", retrieval.Hybrid, retrieval.ModeBM25), nodes.Only("mode", retrieval.Hybrid, retrieval.ModeDense)
	bm25 := nodes.Only("mode", retrieval.ModeBM25)
	return nodes.Node{
		Spec: nodes.Spec{
			Name:    "ai_rank",
			Summary: "Rank texts by how well they answer a query, by words, by vectors or by both",
			Doc:     rankDoc,
			Params: []nodes.Param{
				{Name: "source_key", Type: nodes.String, Role: nodes.Source, Interpolate: true, Required: true,
					Help: "the array of texts"},
				{Name: "output_key", Type: nodes.String, Role: nodes.OutputKey, NonEmpty: true, Default: "hits",
					Help: "start of the published keys"},
				{Name: "mode", Type: nodes.String, Enum: retrieval.Modes(), Default: retrieval.Hybrid,
					Help: "what is compared: words and vectors, words, or vectors"},
				{Name: "query", Type: nodes.String, Interpolate: true, Required: true, When: words,
					Help: "the question, as text"},
				{Name: "query", Type: nodes.String, Interpolate: true, When: nodes.Only("mode", retrieval.ModeDense),
					Help: unread},
				{Name: "vectors_key", Type: nodes.String, Role: nodes.Source, Interpolate: true, Required: true, When: vectors,
					Help: "one vector for each text, in the same order"},
				{Name: "vectors_key", Type: nodes.String, Role: nodes.Source, Interpolate: true, When: bm25, Help: unread},
				{Name: "query_vector_key", Type: nodes.String, Role: nodes.Source, Interpolate: true, Required: true, When: vectors,
					Help: "the vector of the query"},
				{Name: "query_vector_key", Type: nodes.String, Role: nodes.Source, Interpolate: true, When: bm25, Help: unread},
				{Name: "top", Type: nodes.Integer, Default: int64(5), Range: nodes.AtLeast(1), Unit: "texts",
					Help: "publish at most this many"},
			},
			Outputs: []nodes.OutputSpec{
				{Type: nodes.Array, Help: "`{index, text, score}` of each hit, best first; index is the place in the array of texts, from 1"},
			},
			Examples: []nodes.Example{
				{
					Title:   "Which chunk shares the words of the question",
					Lua:     `nodes.ai_rank{ source_key = "chunks", query = "${ctx.question}", mode = "bm25", top = 2 }`,
					Context: `{"question":"When is high water?","chunks":["The crane lifts one tonne.","High water is late today.","Ice is sold by the box."]}`,
				},
				{
					Title: "By words and vectors",
					Lua: `nodes.ai_rank{
  source_key = "chunks",
  vectors_key = "vectors",
  query = "${ctx.question}",
  query_vector_key = "question_vector",
}`,
					Context: `{"question":"When is high water?","question_vector":[[0.6,0.8]],"chunks":["The crane lifts one tonne.","High water is late today."],"vectors":[[1,0],[0,1]]}`,
				},
			},
		},
		Run: rank,
	}
}

func rank(_ context.Context, call *nodes.Call) (nodes.Output, error) {
	texts, err := call.SourceStrings("source_key")
	if err != nil {
		return nil, err
	}
	mode := call.String("mode")
	var vectors *value.Vectors
	var query []float64
	if mode != retrieval.ModeBM25 {
		if vectors, err = rankVectors(call, len(texts)); err != nil {
			return nil, err
		}
		if query, err = queryVector(call); err != nil {
			return nil, err
		}
	}
	if mode != retrieval.ModeDense && strings.TrimSpace(call.String("query")) == "" {
		return nil, call.Errorf("query", "is blank; mode %q looks for its words", mode)
	}
	index, err := retrieval.New(texts, vectors)
	if err != nil {
		return nil, call.Errorf("vectors_key", "%q: %w", call.String("vectors_key"), err)
	}
	hits, err := index.Rank(mode, call.String("query"), query, call.Int("top"))
	if err != nil {
		return nil, call.Errorf("query_vector_key", "%q: %w", call.String("query_vector_key"), err)
	}
	rows := make([]any, len(hits))
	for i, h := range hits {
		rows[i] = map[string]any{"index": int64(h.Index + 1), "text": texts[h.Index], "score": h.Score}
	}
	return nodes.Output{"": rows}, nil
}

// rankVectors reads one vector for each text.
func rankVectors(call *nodes.Call, texts int) (*value.Vectors, error) {
	v, err := call.Source("vectors_key")
	if err != nil {
		return nil, err
	}
	vectors, err := value.AsVectors(v)
	if err != nil {
		return nil, call.Errorf("vectors_key", "%q: %w; embed the texts with ai_embed", call.String("vectors_key"), err)
	}
	if vectors.Rows() != texts {
		return nil, call.Errorf("vectors_key", "%q has %d vectors for the %d texts of %q; embed that very array with ai_embed",
			call.String("vectors_key"), vectors.Rows(), texts, call.String("source_key"))
	}
	return vectors, nil
}

// queryVector reads an array of numbers, or an array with one such array in it.
func queryVector(call *nodes.Call) ([]float64, error) {
	v, err := call.Source("query_vector_key")
	if err != nil {
		return nil, err
	}
	key := call.String("query_vector_key")
	n, _ := value.Len(v)
	if first, ok := value.Index(v, 0); ok {
		if _, nested := value.Len(first); nested {
			if n != 1 {
				return nil, call.Errorf("query_vector_key", "%q holds %d vectors, want one: the vector of a single query", key, n)
			}
			v = first
		}
	}
	query, err := value.AsFloats(v)
	if err == nil && len(query) == 0 {
		err = fmt.Errorf("has no numbers")
	}
	if err != nil {
		return nil, call.Errorf("query_vector_key", "%q: %w; embed the query with ai_embed and the model of the texts", key, err)
	}
	return query, nil
}
