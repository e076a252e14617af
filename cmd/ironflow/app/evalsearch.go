package app

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/ironflow/ironflow/nodes/chunking"
	"github.com/ironflow/ironflow/nodes/chunking/quality"
	"github.com/ironflow/ironflow/nodes/retrieval"
	"github.com/ironflow/ironflow/nodes/value"
)

// retrievalResult is what was measured with the chunks of one chunker, or of a
// control.
type retrievalResult struct {
	label, setting string
	control        bool
	chunks         []quality.Passage
	texts          []string // what is searched for each chunk
	omega          []float64
	// values hold, for each way of searching and each measure, one value for
	// every question.
	values [][][]float64
}

// add appends the chunks of a document.
func (r *retrievalResult) add(document int, text string, spans []chunking.Span, texts []string) {
	for _, p := range chunking.Positions(text, spans) {
		r.chunks = append(r.chunks, quality.Passage{Document: document, Span: chunking.Span{Start: p.StartChar, Stop: p.StopChar}})
	}
	r.texts = append(r.texts, texts...)
}

// retrievalMeasure is a column of the tables.
type retrievalMeasure struct {
	evalColumn
	// inDifferences puts it into the table of differences, too.
	inDifferences bool
	of            func(references, ranked []quality.Passage) float64
}

// Reading budgets, in characters: what fits into a prompt beside other things.
const (
	smallBudget = 2000
	largeBudget = 4000
)

func retrievalMeasures(k []int) []retrievalMeasure {
	best := func(ranked []quality.Passage, k int) []quality.Passage { return ranked[:min(k, len(ranked))] }
	var list []retrievalMeasure
	for i, k := range k {
		list = append(list, retrievalMeasure{evalColumn{fmt.Sprintf("recall_at_%d", k), fmt.Sprintf("recall@%d", k)}, i == 0,
			func(references, ranked []quality.Passage) float64 {
				return quality.ScoreRetrieval(references, best(ranked, k)).Recall
			}})
	}
	first := k[0]
	list = append(list,
		retrievalMeasure{evalColumn{fmt.Sprintf("precision_at_%d", first), fmt.Sprintf("precision@%d", first)}, false,
			func(references, ranked []quality.Passage) float64 {
				return quality.ScoreRetrieval(references, best(ranked, first)).Precision
			}},
		retrievalMeasure{evalColumn{fmt.Sprintf("iou_at_%d", first), fmt.Sprintf("IoU@%d", first)}, false,
			func(references, ranked []quality.Passage) float64 {
				return quality.ScoreRetrieval(references, best(ranked, first)).IoU
			}})
	for _, budget := range []int{smallBudget, largeBudget} {
		list = append(list, retrievalMeasure{evalColumn{fmt.Sprintf("recall_within_%d", budget), fmt.Sprintf("within %d", budget)}, true,
			func(references, ranked []quality.Passage) float64 {
				return quality.RecallWithin(references, ranked, budget)
			}})
	}
	return list
}

// retrievalSearch asks the same questions of any set of chunks.
type retrievalSearch struct {
	questions []corpusQuestion
	modes     []string // ways of searching
	measures  []retrievalMeasure
	most      int // chunks that the measures at k look at
	vectors   *evalVectors
	queries   *value.Vectors // of the questions, with vectors
}

func (s *session) newSearch(ctx context.Context, f *evalRetrievalFlags, vectors *evalVectors, questions []corpusQuestion) (*retrievalSearch, error) {
	search := &retrievalSearch{
		questions: questions, modes: []string{retrieval.ModeBM25},
		measures: retrievalMeasures(f.k), most: slices.Max(f.k), vectors: vectors,
	}
	if vectors == nil {
		return search, nil
	}
	search.modes = append(search.modes, retrieval.ModeDense, retrieval.Hybrid)
	texts := make([]string, len(questions))
	for i, q := range questions {
		texts[i] = q.text
	}
	asked := *vectors
	if f.queryPrefix != "" {
		asked.embed.raw = maps.Clone(vectors.embed.raw)
		asked.embed.raw["prefix"] = f.queryPrefix
	}
	var err error
	search.queries, err = s.searchVectors(ctx, &asked, "the questions", texts)
	return search, err
}

// searchVectors embeds texts; a blank one, which no provider takes, gets zeros.
func (s *session) searchVectors(ctx context.Context, v *evalVectors, name string, texts []string) (*value.Vectors, error) {
	var inked []string
	for _, t := range texts {
		if strings.TrimSpace(t) != "" {
			inked = append(inked, t)
		}
	}
	rows, err := s.rowsOf(ctx, v, name, inked)
	if err != nil {
		return nil, err
	}
	if len(inked) == len(texts) {
		return rows, nil
	}
	data := make([]float64, 0, len(texts)*rows.Dim())
	next := 0
	for _, t := range texts {
		if strings.TrimSpace(t) == "" {
			data = append(data, make([]float64, rows.Dim())...)
			continue
		}
		data = append(data, rows.Row(next)...)
		next++
	}
	return value.NewVectors(data, rows.Dim()), nil
}

// measure searches the chunks with every question.
func (s *session) measure(ctx context.Context, search *retrievalSearch, r *retrievalResult) error {
	words := retrieval.NewBM25(r.texts)
	var dense *retrieval.Dense
	if search.vectors != nil {
		vectors, err := s.searchVectors(ctx, search.vectors, "the chunks of "+r.label, r.texts)
		if err != nil {
			return err
		}
		if dense, err = retrieval.NewDense(vectors); err != nil {
			return exitWith(ExitRun, fmt.Errorf("the chunks of %s: --vectors %q: %w", r.label, search.vectors.name, err))
		}
	}
	r.omega = make([]float64, len(search.questions))
	r.values = make([][][]float64, len(search.modes))
	for m := range r.values {
		r.values[m] = make([][]float64, len(search.measures))
		for i := range r.values[m] {
			r.values[m][i] = make([]float64, len(search.questions))
		}
	}
	var next atomic.Int64
	errs := make([]error, runtime.GOMAXPROCS(0))
	var wg sync.WaitGroup
	for w := range errs {
		wg.Go(func() {
			for errs[w] == nil {
				i := int(next.Add(1)) - 1
				if i >= len(search.questions) {
					return
				}
				if errs[w] = ctx.Err(); errs[w] == nil {
					errs[w] = search.ask(i, words, dense, r)
				}
			}
		})
	}
	wg.Wait()
	if err := errors.Join(errs...); err != nil {
		return exitWith(ExitRun, err)
	}
	return nil
}

// ask measures one question.
func (x *retrievalSearch) ask(i int, words *retrieval.BM25, dense *retrieval.Dense, r *retrievalResult) error {
	q := x.questions[i]
	r.omega[i] = quality.PrecisionOmega(q.references, r.chunks)
	scores := words.Scores(q.text)
	var cosines []float64
	if dense != nil {
		var err error
		if cosines, err = dense.Scores(x.queries.Row(i)); err != nil {
			return fmt.Errorf("question %q: %w", q.text, err)
		}
	}
	for m, mode := range x.modes {
		ranked := x.rank(mode, scores, cosines, r.chunks)
		for k, measure := range x.measures {
			r.values[m][k][i] = measure.of(q.references, ranked)
		}
	}
	return nil
}

// rank returns as many of the best chunks as the measures look at.
func (x *retrievalSearch) rank(mode string, scores, cosines []float64, chunks []quality.Passage) []quality.Passage {
	for top := max(64, x.most); ; top *= 4 {
		hits := retrieval.Order(mode, scores, cosines, top)
		ranked := make([]quality.Passage, len(hits))
		chars := 0
		for i, h := range hits {
			ranked[i] = chunks[h.Index]
			chars += ranked[i].Span.Stop - ranked[i].Span.Start
		}
		if chars >= largeBudget || len(hits) < top || top >= len(chunks) {
			return ranked
		}
	}
}
