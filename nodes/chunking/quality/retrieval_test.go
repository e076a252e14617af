package quality

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/ironflow/ironflow/nodes/chunking"
)

// in returns passages of document 0 from pairs of start and stop.
func in(bounds ...int) []Passage {
	var out []Passage
	for i := 0; i < len(bounds); i += 2 {
		out = append(out, Passage{Span: chunking.Span{Start: bounds[i], Stop: bounds[i+1]}})
	}
	return out
}

func near(a, b float64) bool { return math.Abs(a-b) < 1e-12 }

// Every value is worked out by hand from the character counts in the comment.
func TestScoreRetrieval(t *testing.T) {
	elsewhere := Passage{Document: 1, Span: chunking.Span{Start: 50, Stop: 70}}
	for _, c := range []struct {
		name                   string
		references, retrieved  []Passage
		recall, precision, iou float64
	}{
		// References hold 10 + 20 characters in all but the last cases.
		{"5 of 10 and 10 of 20, 55 read", in(10, 20, 50, 70), in(0, 15, 60, 100), 15. / 30, 15. / 55, 15. / 70},
		{"a repeated stretch is found once, read twice", in(10, 20, 50, 70), in(0, 15, 10, 25), 10. / 30, 10. / 30, 10. / 50},
		{"all", in(10, 20, 50, 70), in(50, 70, 10, 20), 1, 1, 1},
		{"the whole document", in(10, 20, 50, 70), in(0, 100), 1, .3, .3},
		{"the same place in another document", in(10, 20, 50, 70), []Passage{elsewhere}, 0, 0, 0},
		{"beside one that is right", in(10, 20, 50, 70), append(in(50, 70), elsewhere), 20. / 30, 20. / 40, 20. / 50},
		{"touching is not meeting", in(10, 20, 50, 70), in(20, 50, 0, 10, 70, 80), 0, 0, 0},
		{"references that overlap count once", in(10, 30, 20, 40), in(25, 45), 15. / 30, 15. / 20, 15. / 35},
		{"one chunk over both references", in(10, 20, 50, 70), in(15, 55), 10. / 30, 10. / 40, 10. / 60},
		{"nothing retrieved", in(10, 20), nil, 0, 0, 0},
		{"an empty chunk", in(10, 20), in(15, 15), 0, 0, 0},
		{"no reference", nil, in(10, 20), 0, 0, 0},
	} {
		got := ScoreRetrieval(c.references, c.retrieved)
		if !near(got.Recall, c.recall) || !near(got.Precision, c.precision) || !near(got.IoU, c.iou) {
			t.Errorf("%s: %+v, want %v %v %v", c.name, got, c.recall, c.precision, c.iou)
		}
	}
}

func TestPrecisionOmega(t *testing.T) {
	for _, c := range []struct {
		name               string
		references, chunks []Passage
		want               float64
	}{
		{"two of four chunks, 50 characters", in(10, 20, 50, 70), in(0, 25, 25, 50, 50, 75, 75, 100), 30. / 50},
		{"one chunk of everything", in(10, 20, 50, 70), in(0, 100), .3},
		{"exactly the references", in(10, 20, 50, 70), in(0, 10, 10, 20, 20, 50, 50, 70), 1},
		// 60 characters met, 20 of them wanted, 10 wanted ones in no chunk.
		{"a gap", in(10, 20, 50, 70), in(0, 15, 55, 100), 20. / 70},
		// Chunks 0-30 and 20-50 hold 50 characters together.
		{"chunks that overlap", in(15, 35), in(0, 30, 20, 50, 50, 80), 20. / 50},
		{"none meets", in(10, 20), in(20, 40, 0, 10), 0},
		{"another document", in(10, 20), []Passage{{Document: 1, Span: chunking.Span{Stop: 100}}}, 0},
		{"no chunk", in(10, 20), nil, 0},
	} {
		if got := PrecisionOmega(c.references, c.chunks); !near(got, c.want) {
			t.Errorf("%s: %v, want %v", c.name, got, c.want)
		}
	}
}

func TestRecallWithin(t *testing.T) {
	references, ranked := in(10, 20, 50, 70), in(60, 100, 0, 25, 50, 60)
	for chars, want := range map[int]float64{
		0:    0,
		5:    5. / 30,
		20:   10. / 30, // 60 to 80
		40:   10. / 30, // the first chunk
		45:   10. / 30, // and 0 to 5
		55:   15. / 30, // and 0 to 15
		65:   20. / 30, // two chunks
		70:   25. / 30, // and 50 to 55
		75:   1,
		4000: 1,
	} {
		if got := RecallWithin(references, ranked, chars); !near(got, want) {
			t.Errorf("%d characters: %v, want %v", chars, got, want)
		}
	}
	if ranked[0].Span.Stop != 100 {
		t.Error("the ranking was changed")
	}
}

func TestChunkSizes(t *testing.T) {
	if n, mean, largest := ChunkSizes(in(0, 10, 10, 40, 35, 46)); n != 3 || !near(mean, 17) || largest != 30 {
		t.Errorf("%d chunks, mean %v, largest %d", n, mean, largest)
	}
	if n, mean, largest := ChunkSizes(nil); n != 0 || mean != 0 || largest != 0 {
		t.Errorf("no chunks: %d, %v, %d", n, mean, largest)
	}
}

// TestRetrievalBySets compares with sums over sets of single characters.
func TestRetrievalBySets(t *testing.T) {
	type char struct{ document, at int }
	random := rand.New(rand.NewPCG(7, 8))
	passages := func(n int) []Passage {
		var out []Passage
		for range random.IntN(n) {
			start := random.IntN(60)
			out = append(out, Passage{Document: random.IntN(2), Span: chunking.Span{Start: start, Stop: start + random.IntN(20)}})
		}
		return out
	}
	set := func(list []Passage) map[char]bool {
		out := map[char]bool{}
		for _, p := range list {
			for at := p.Span.Start; at < p.Span.Stop; at++ {
				out[char{p.Document, at}] = true
			}
		}
		return out
	}
	both := func(a, b map[char]bool) int {
		n := 0
		for c := range a {
			if b[c] {
				n++
			}
		}
		return n
	}
	for range 2000 {
		references, chunks := passages(4), passages(8)
		wanted, read := set(references), 0
		var met []Passage
		for _, c := range chunks {
			read += c.Span.Stop - c.Span.Start
			if both(set([]Passage{c}), wanted) > 0 {
				met = append(met, c)
			}
		}
		found := both(wanted, set(chunks))
		got := ScoreRetrieval(references, chunks)
		want := RetrievalScores{Recall: share(found, len(wanted)), Precision: share(found, read), IoU: share(found, read+len(wanted)-found)}
		if got != want {
			t.Fatalf("references %v, chunks %v: %+v, want %+v", references, chunks, got, want)
		}
		if got, want := PrecisionOmega(references, chunks), share(found, len(set(append(met, references...)))); got != want {
			t.Fatalf("references %v, chunks %v: Omega %v, want %v", references, chunks, got, want)
		}
		if got := RecallWithin(references, chunks, 1000); got != want.Recall {
			t.Fatalf("references %v, chunks %v: within 1000 characters %v, want %v", references, chunks, got, want.Recall)
		}
	}
}
