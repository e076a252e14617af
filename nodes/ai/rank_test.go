package ai

import (
	"strings"
	"testing"

	"github.com/ironflow/ironflow/nodes/nodetest"
	"github.com/ironflow/ironflow/nodes/value"
)

func harbour() map[string]any {
	return map[string]any{
		"chunks":  []any{"the tide turns", "the crane lifts", "the tide and the crane", "nothing"},
		"vectors": []any{[]any{1.0, 0.0}, []any{0.0, 1.0}, []any{1.0, 1.0}, []any{int64(0), int64(0)}},
		"flat":    []any{0.0, 2.0},
		"one":     value.NewVectors([]float64{0, 2}, 2),
		"two":     value.NewVectors([]float64{0, 2, 1, 1}, 2),
		"long":    []any{1.0, 2.0, 3.0},
		"word":    "tide",
		"empty":   []any{},
		"table":   map[string]any{},
		"huge":    []any{1e200, 1.0},
	}
}

func TestRank(t *testing.T) {
	for _, c := range []struct {
		name   string
		params map[string]any
		want   []string // index and text
		count  string
	}{
		{"bm25", map[string]any{"mode": "bm25", "query": "Tides?"}, []string{"1 the tide turns", "3 the tide and the crane"}, "2"},
		{"bm25, interpolated", map[string]any{"mode": "bm25", "query": "${ctx.word}", "top": 1}, []string{"1 the tide turns"}, "1"},
		{"bm25 leaves vectors alone", map[string]any{"mode": "bm25", "query": "lifting", "vectors_key": "nowhere", "query_vector_key": "nowhere"},
			[]string{"2 the crane lifts"}, "1"},
		{"bm25 without a hit", map[string]any{"mode": "bm25", "query": "zeppelin"}, nil, "0"},
		{"dense", map[string]any{"mode": "dense", "vectors_key": "vectors", "query_vector_key": "flat"},
			[]string{"2 the crane lifts", "3 the tide and the crane", "1 the tide turns", "4 nothing"}, "4"},
		{"dense leaves the query alone", map[string]any{"mode": "dense", "query": " ", "vectors_key": "vectors", "query_vector_key": "one", "top": 1},
			[]string{"2 the crane lifts"}, "1"},
		{"hybrid is the default", map[string]any{"query": "tide", "vectors_key": "vectors", "query_vector_key": "one", "top": 2},
			[]string{"3 the tide and the crane", "1 the tide turns"}, "2"},
		{"no texts", map[string]any{"source_key": "empty", "query": "tide", "vectors_key": "table", "query_vector_key": "flat"}, nil, "0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.params["source_key"] == nil {
				c.params["source_key"] = "chunks"
			}
			out, err := nodetest.New(t).Run(rankNode(), c.params, harbour())
			if err != nil {
				t.Fatal(err)
			}
			want(t, out, "hits_count", c.count)
			want(t, out, "hits_success", "true")
			rows := plain(t, out["hits"]).([]any)
			if len(rows) != len(c.want) {
				t.Fatalf("%v", rows)
			}
			last := 9.0
			for i, w := range c.want {
				row := rows[i].(map[string]any)
				index, text, _ := strings.Cut(w, " ")
				score, ok := row["score"].(float64)
				if value, err := value.Marshal(row["index"]); err != nil || string(value) != index || row["text"] != text || !ok || score > last || len(row) != 3 {
					t.Errorf("hit %d is %v, want %s", i+1, row, w)
				}
				last = score
			}
		})
	}
}

func TestRankScores(t *testing.T) {
	out, err := nodetest.New(t).Run(rankNode(), map[string]any{
		"source_key": "chunks", "query": "zeppelin", "vectors_key": "vectors", "query_vector_key": "flat", "output_key": "best", "top": 2,
	}, harbour())
	if err != nil {
		t.Fatal(err)
	}
	// Cosines are 0, 1, 0.7 and 0; no word is shared.
	want(t, out, "best", `[{"index":2,"text":"the crane lifts","score":0.8},{"index":3,"text":"the tide and the crane","score":0.565685424949238}]`)
}

func TestRankErrors(t *testing.T) {
	hybrid := func(more ...any) map[string]any {
		p := map[string]any{"source_key": "chunks", "query": "tide", "vectors_key": "vectors", "query_vector_key": "flat"}
		for i := 0; i < len(more); i += 2 {
			if p[more[i].(string)] = more[i+1]; more[i+1] == nil {
				delete(p, more[i].(string))
			}
		}
		return p
	}
	for says, params := range map[string]map[string]any{
		`query: is required`: hybrid("query", nil),
		`query: is blank; mode "hybrid" looks for its words`:                                          hybrid("query", " \n"),
		`vectors_key: is required`:                                                                    hybrid("vectors_key", nil),
		`query_vector_key: is required`:                                                               hybrid("query_vector_key", nil, "mode", "dense"),
		`vectors_key: "two" has 2 vectors for the 4 texts of "chunks"; embed that very array`:         hybrid("vectors_key", "two"),
		`vectors_key: "word": expected an array of vectors`:                                           hybrid("vectors_key", "word"),
		`query_vector_key: "two" holds 2 vectors, want one`:                                           hybrid("query_vector_key", "two"),
		`the query's vector has 3 numbers, those of the texts have 2; embed both with the same model`: hybrid("query_vector_key", "long"),
		`query_vector_key: "word": expected an array of numbers`:                                      hybrid("query_vector_key", "word"),
		`query_vector_key: "empty": has no numbers`:                                                   hybrid("query_vector_key", "empty"),
		`too large to be squared`:                                                                     hybrid("query_vector_key", "huge"),
		`"nowhere" is not in the context`:                                                             hybrid("vectors_key", "nowhere"),
		`source_key: "word" holds`:                                                                    hybrid("source_key", "word"),
		`source_key: "flat": element 1 is a number`:                                                   hybrid("source_key", "flat"),
		`mode: `: hybrid("mode", "rrf"),
		`top: `:  hybrid("top", 0),
	} {
		_, err := nodetest.New(t).Run(rankNode(), params, harbour())
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v: error %v, want %q in it", params, err, says)
		}
	}
}
