package retrieval

import (
	"cmp"
	"math"
	"slices"

	"github.com/ironflow/ironflow/nodes/chunking/terms"
)

// Parameters of BM25: how soon further occurrences of a term stop counting, and
// how much the length of a text matters.
const (
	k1 = 1.2
	b  = 0.75
)

// BM25 scores texts by the terms they share with a query. Any number of
// goroutines may use it at once.
//
// Terms are those of [terms.Index]: words in lower case without English function
// words, reduced to their English Snowball stems, and pairs of characters in
// scripts without spaces. With N texts, n of which hold a term, f occurrences in
// a text of L terms, and the mean length M, the score of a text is the sum over
// the terms of the query, repeated ones as often as they stand there, of
//
//	ln(1 + (N - n + 0.5) / (n + 0.5)) f (k1 + 1) / (f + k1 (1 - b + b L / M))
//
// with k1 = 1.2 and b = 0.75: Robertson and Zaragoza, The Probabilistic Relevance
// Framework: BM25 and Beyond (2009), with the inverse document frequency of
// Lucene, which is never negative.
type BM25 struct {
	index    *terms.Index
	postings [][]posting // by term, texts rising
	norm     []float64   // for each text k1 (1 - b + b L / M)
}

// posting says how often a term occurs in a text.
type posting struct{ text, count int32 }

// NewBM25 reads the texts. Time and memory are linear in their length.
func NewBM25(texts []string) *BM25 {
	x := &BM25{index: terms.NewIndex(), norm: make([]float64, len(texts))}
	total := 0
	for i, text := range texts {
		list := x.index.Add(text)
		x.norm[i] = float64(len(list))
		total += len(list)
		slices.Sort(list)
		x.postings = append(x.postings, make([][]posting, x.index.Len()-len(x.postings))...)
		for start := 0; start < len(list); {
			stop := start
			for stop < len(list) && list[stop] == list[start] {
				stop++
			}
			x.postings[list[start]] = append(x.postings[list[start]], posting{int32(i), int32(stop - start)})
			start = stop
		}
	}
	if total == 0 {
		return x
	}
	mean := float64(total) / float64(len(texts))
	for i, length := range x.norm {
		x.norm[i] = k1 * (1 - b + float64(b*length/mean))
	}
	return x
}

// Len returns the number of texts.
func (x *BM25) Len() int { return len(x.norm) }

// Scores returns the score of each text, from 0 on. It is 0 exactly when a text
// shares no term with the query.
func (x *BM25) Scores(query string) []float64 {
	scores := make([]float64, len(x.norm))
	for _, term := range x.index.Find(query) {
		list := x.postings[term]
		n := float64(len(list))
		idf := math.Log(1 + (float64(len(x.norm))-n+0.5)/(n+0.5))
		for _, p := range list {
			f := float64(p.count)
			// The conversion keeps the product from being fused with the sum,
			// which would differ between processors.
			scores[p.text] += float64(idf * f * (k1 + 1) / (f + x.norm[p.text]))
		}
	}
	return scores
}

// Hit is a text in a ranking.
type Hit struct {
	// Index is the number of the text, from zero.
	Index int
	Score float64
}

// Top returns the k best scores, best first; of equal ones the lower index comes
// first. It takes time n log k and memory for k.
func Top(scores []float64, k int) []Hit {
	worse := func(a, b Hit) int { // for a heap whose root is the worst
		return cmp.Or(cmp.Compare(a.Score, b.Score), cmp.Compare(b.Index, a.Index))
	}
	k = max(0, min(k, len(scores)))
	heap := make([]Hit, 0, k)
	for i, score := range scores {
		h := Hit{Index: i, Score: score}
		switch {
		case len(heap) < k:
			heap = append(heap, h)
			siftUp(heap, worse)
		case k > 0 && worse(heap[0], h) < 0:
			heap[0] = h
			siftDown(heap, worse)
		}
	}
	slices.SortFunc(heap, func(a, b Hit) int { return worse(b, a) })
	return heap
}

func siftUp(heap []Hit, worse func(a, b Hit) int) {
	for i := len(heap) - 1; i > 0; {
		parent := (i - 1) / 2
		if worse(heap[parent], heap[i]) <= 0 {
			return
		}
		heap[parent], heap[i] = heap[i], heap[parent]
		i = parent
	}
}

func siftDown(heap []Hit, worse func(a, b Hit) int) {
	for i := 0; ; {
		least := i
		for child := 2*i + 1; child <= 2*i+2 && child < len(heap); child++ {
			if worse(heap[child], heap[least]) < 0 {
				least = child
			}
		}
		if least == i {
			return
		}
		heap[least], heap[i] = heap[i], heap[least]
		i = least
	}
}
