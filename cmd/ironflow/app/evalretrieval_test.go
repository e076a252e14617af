package app

import (
	"context"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/ironflow/ironflow/nodes/chunking/quality"
)

// chromaSession opens the command over the question set of Chroma's evaluation.
func chromaSession(t *testing.T) (*session, []corpusText, []corpusQuestion) {
	t.Helper()
	root, err := filepath.Abs("../../../testdata/corpora/chroma")
	if err != nil {
		t.Fatal(err)
	}
	s, err := New().open(&globals{process: Process{Dir: root, Stderr: io.Discard}}, grants{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.close)
	corpus, err := s.readCorpus(".", []string{"md"}, "questions.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	questions, err := s.readQuestions("questions.jsonl", corpus)
	if err != nil {
		t.Fatal(err)
	}
	if len(corpus) != 5 || len(questions) != 472 {
		t.Fatalf("%d documents, %d questions", len(corpus), len(questions))
	}
	return s, corpus, questions
}

// cutChroma runs a chunker over the corpus.
func cutChroma(t *testing.T, s *session, corpus []corpusText, setting string) (evalChunker, *retrievalResult) {
	t.Helper()
	chunkers, err := s.chunkers([]string{setting}, nil, map[string]any{"provider": "local"})
	if err != nil {
		t.Fatal(err)
	}
	r := &retrievalResult{label: setting}
	for i, d := range corpus {
		cut, err := s.cut(context.Background(), chunkers[0], d.name, d.text)
		if err != nil {
			t.Fatal(err)
		}
		r.add(i, d.text, cut.spans, cut.texts)
	}
	return chunkers[0], r
}

func omegas(questions []corpusQuestion, r *retrievalResult) []float64 {
	out := make([]float64, len(questions))
	for i, q := range questions {
		out[i] = quality.PrecisionOmega(q.references, r.chunks)
	}
	return out
}

// TestSearchesOnChroma holds the figures of searches over pieces of 800
// characters; the published BM25 recall at 5 is .84 to .865.
func TestSearchesOnChroma(t *testing.T) {
	s, corpus, questions := chromaSession(t)
	_, fixed := cutChroma(t, s, corpus, "mode=recursive,size=800,separators=")
	if n, _, largest := quality.ChunkSizes(fixed.chunks); n != 1807 || largest != 800 {
		t.Errorf("%d chunks of at most %d characters, want 1807 of 800", n, largest)
	}
	vectors, err := s.vectors("hybrid")
	if err != nil {
		t.Fatal(err)
	}
	search, err := s.newSearch(context.Background(), &evalRetrievalFlags{k: []int{5}}, vectors, questions)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.measure(context.Background(), search, fixed); err != nil {
		t.Fatal(err)
	}
	recall := map[string]float64{}
	for m, mode := range search.modes {
		recall[mode] = quality.MeanOf(fixed.values[m][0]).Value
	}
	t.Logf("recall at 5: %v", recall)
	if bm25 := recall["bm25"]; bm25 < .84 || bm25 > .865 || recall["dense"] < .715 || recall["hybrid"] < bm25-.012 {
		t.Errorf("recall at 5 %v; want bm25 in .84 to .865, dense from .715 on, hybrid at most .012 below bm25", recall)
	}
	// Pieces of 200 tokens cut recursively: published Precision-Omega about .30.
	_, tokens := cutChroma(t, s, corpus, "mode=recursive,size=200,unit=tokens")
	if omega := quality.MeanOf(omegas(questions, tokens)).Value; omega < .285 || omega > .315 {
		t.Errorf("Omega of recursive chunks of 200 tokens is %.4f, want about .30", omega)
	}
}

// TestOmegaOfEvenTopics holds the one claim that is made for cutting by topic: at
// the same mean size, detector dp meets less text beside the references than
// packing whole sentences does, with the whole interval above 0.
func TestOmegaOfEvenTopics(t *testing.T) {
	s, corpus, questions := chromaSession(t)
	for _, target := range []int{400, 800} {
		for _, model := range []string{"static", "hybrid"} {
			setting := fmt.Sprintf("detector=dp,target_size=%d,max_size=%d,sentence_mode=unicode,model=%s", target, 2*target, model)
			chunker, r := cutChroma(t, s, corpus, setting)
			control, err := controlOf(chunker, r, corpus)
			if err != nil {
				t.Fatal(err)
			}
			_, mean, largest := quality.ChunkSizes(r.chunks)
			_, controlMean, controlLargest := quality.ChunkSizes(control.chunks)
			if math.Abs(controlMean/mean-1) > .005 || controlLargest > largest {
				t.Errorf("%s: mean %.1f, the control's is %.1f; largest %d and %d", setting, mean, controlMean, largest, controlLargest)
			}
			i := quality.PairedBootstrap(differences(omegas(questions, r), omegas(questions, control)), quality.DefaultResamples, 1)
			t.Logf("%s: mean %.1f and %.1f, Omega %+.4f [%+.4f, %+.4f]", setting, mean, controlMean, i.Mean, i.Low, i.High)
			if i.Low <= 0 {
				t.Errorf("%s: Omega %+.4f [%+.4f, %+.4f]", setting, i.Mean, i.Low, i.High)
			}
		}
	}
}

func TestChunkerLabel(t *testing.T) {
	var got []string
	for _, i := range []int{0, 1, 25, 26, 52} {
		got = append(got, chunkerLabel(i))
	}
	if !slices.Equal(got, []string{"A", "B", "Z", "A2", "A3"}) {
		t.Errorf("%v", got)
	}
}
