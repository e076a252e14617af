package retrieval

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"github.com/ironflow/ironflow/nodes/value"
)

// TestGoldens compares with testdata/goldens.py, which shares no code with this
// package, its stemmer included.
func TestGoldens(t *testing.T) {
	data, err := os.ReadFile("testdata/goldens.json")
	if err != nil {
		t.Fatal(err)
	}
	var goldens struct {
		Texts   []string
		Vectors [][]float64
		Queries []struct {
			Query               string
			Vector              []float64
			BM25, Dense, Hybrid []float64
		}
	}
	if err := json.Unmarshal(data, &goldens); err != nil {
		t.Fatal(err)
	}
	bm25 := NewBM25(goldens.Texts)
	dense, err := NewDense(vectors(goldens.Vectors...))
	if err != nil {
		t.Fatal(err)
	}
	for _, q := range goldens.Queries {
		words := bm25.Scores(q.Query)
		cosines, err := dense.Scores(q.Vector)
		if err != nil {
			t.Fatal(err)
		}
		for name, c := range map[string]struct{ got, want []float64 }{
			"bm25": {words, q.BM25}, "dense": {cosines, q.Dense}, "hybrid": {Fuse(words, cosines), q.Hybrid},
		} {
			if len(c.got) != len(c.want) || len(c.got) != len(goldens.Texts) {
				t.Fatalf("%s: %d scores, %d texts", name, len(c.got), len(goldens.Texts))
			}
			for i := range c.got {
				if math.Abs(c.got[i]-c.want[i]) > 1e-12 {
					t.Errorf("%q, %s, text %d: %v, want %v", q.Query, name, i, c.got[i], c.want[i])
				}
			}
		}
	}
	if len(goldens.Queries) < 5 {
		t.Errorf("only %d queries", len(goldens.Queries))
	}
}

func vectors(rows ...[]float64) *value.Vectors {
	var data []float64
	for _, r := range rows {
		data = append(data, r...)
	}
	return value.NewVectors(data, len(rows[0]))
}
