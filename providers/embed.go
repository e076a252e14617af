package providers

import (
	"context"
	"errors"
	"sync"
)

// Embed returns the vectors of all texts of a job, in their order. On any
// failure nothing is returned. All inputs are checked before the first
// request; no text is cut, and a job without texts makes no request.
//
// Errors are a *[BatchError] around an *[Error] once a request was made, else
// an *[Error] of KindConfig or KindInput.
func (s *Set) Embed(ctx context.Context, job EmbedJob) (*Embeddings, error) {
	job, err := job.withDefaults()
	if err != nil {
		return nil, err
	}
	if _, err := s.lookupVendor(job.Provider); err != nil {
		return nil, err
	}
	if len(job.Texts) == 0 {
		return &Embeddings{}, nil
	}
	if err := checkTexts(job.Texts, job.Prefix, job.BatchMaxBytes); err != nil {
		return nil, err
	}
	p, vendor, err := s.open(job.Provider, job.Params)
	if err != nil {
		return nil, err
	}
	embedder, ok := p.(Embedder)
	if !ok {
		return nil, configError("provider %q cannot embed texts", job.Provider)
	}
	if job.Model == "" {
		job.Model = vendor.EmbedModel
	}
	if job.Model == "" {
		return nil, configError("provider %q has no default embedding model: set model", job.Provider)
	}
	if c, ok := p.(EmbedChecker); ok {
		if err := c.CheckEmbed(job.Model, job.Dimensions); err != nil {
			return nil, err
		}
	}
	r := s.newRun(job, embedder)
	if err := r.checkValues(max(job.Dimensions, 1)); err != nil {
		return nil, err
	}
	var e *Embeddings
	if job.CacheDir != "" {
		e, err = s.embedCached(ctx, job, embedder)
	} else {
		e, err = r.run(ctx)
	}
	if err == nil && job.Normalize {
		normalizeRows(e.Data, e.Dim)
	}
	return e, err
}

func (s *Set) newRun(job EmbedJob, embedder Embedder) *embedRun {
	return &embedRun{
		job:      job,
		embedder: embedder,
		clock:    s.opt.Clock,
		maxVals:  s.opt.Limits.MaxEmbeddingValues,
		total:    len(job.Texts),
		plan:     planBatches(job.Texts, job.Prefix, job.BatchSize, job.BatchMaxBytes),
		usage:    &Usage{},
	}
}

// embedRun is one job under way.
type embedRun struct {
	job      EmbedJob
	embedder Embedder
	clock    Clock
	maxVals  int64
	plan     []span
	// total is the number of inputs that the limit on values and the positions
	// in errors count; at[i] is the 0-based position of text i among them. nil
	// stands for the texts of the job themselves.
	total int
	at    []int
	// keep, when set, receives the answer to the texts from lo on.
	keep func(lo int, a *EmbedAnswer)

	dim  int       // set by the first batch
	data []float64 // allocated after the first batch
	// mu guards what follows, and calls to Progress.
	mu    sync.Mutex
	done  int
	model string
	usage *Usage
	notes []Note
}

func (r *embedRun) run(ctx context.Context) (*Embeddings, error) {
	if err := r.batch(ctx, 0); err != nil {
		return nil, err
	}
	if err := r.rest(ctx); err != nil {
		return nil, err
	}
	return &Embeddings{
		Data:          r.data,
		Count:         len(r.job.Texts),
		Dim:           r.dim,
		Model:         r.job.Model,
		ReportedModel: r.model,
		Usage:         r.usage,
		Notes:         r.notes,
	}, nil
}

// rest sends all batches but the first, BatchConcurrency at a time. The error
// is the one of the lowest batch that failed on its own account.
func (r *embedRun) rest(ctx context.Context) error {
	workers := min(r.job.BatchConcurrency, len(r.plan)-1)
	if workers <= 1 {
		for i := 1; i < len(r.plan); i++ {
			if err := r.batch(ctx, i); err != nil {
				return err
			}
		}
		return nil
	}
	group, cancel := context.WithCancel(ctx)
	defer cancel()
	next := make(chan int)
	errs := make([]error, len(r.plan))
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := range next {
				if errs[i] = r.batch(group, i); errs[i] != nil {
					cancel()
				}
			}
		})
	}
feed:
	for i := 1; i < len(r.plan); i++ {
		select {
		case next <- i:
		case <-group.Done():
			break feed
		}
	}
	close(next)
	wg.Wait()
	return r.firstError(ctx, errs)
}

// firstError picks the lowest batch whose error is not the echo of another
// batch's failure.
func (r *embedRun) firstError(ctx context.Context, errs []error) error {
	var echo error
	for _, err := range errs {
		if err == nil {
			continue
		}
		e := asError(err)
		if ctx.Err() != nil || e == nil || e.Kind != KindCancelled {
			return err
		}
		echo = err
	}
	if echo == nil && ctx.Err() != nil {
		return canceled(ctx)
	}
	return echo
}

// batch sends batch i, with retries, and stores its vectors.
func (r *embedRun) batch(ctx context.Context, i int) error {
	sp := r.plan[i]
	var answer *EmbedAnswer
	attempts, err := withRetries(ctx, r.clock, r.job.BatchRetries, func(ctx context.Context) error {
		ctx, cancel := context.WithTimeout(ctx, r.job.Timeout)
		defer cancel()
		var err error
		answer, err = r.embedder.EmbedBatch(ctx, r.request(sp))
		return err
	})
	if err == nil {
		err = r.named(r.store(i, answer))
	}
	if err == nil {
		return nil
	}
	var be *BatchError
	if errors.As(err, &be) {
		return err
	}
	failed := &BatchError{
		Batch: i + 1, Batches: len(r.plan),
		First: r.position(sp.lo), Last: r.position(sp.hi - 1), Total: r.total,
		Attempts: attempts, Err: err,
	}
	if e := asError(err); e != nil && e.Code == codeTooLong {
		longest := r.longest(sp)
		failed.Longest, failed.LongestBytes = r.position(longest), len(r.job.Texts[longest])+len(r.job.Prefix)
	}
	return failed
}

// position is the 1-based position of a text in the job of the caller.
func (r *embedRun) position(i int) int {
	if r.at != nil {
		return r.at[i] + 1
	}
	return i + 1
}

func (r *embedRun) request(sp span) *EmbedRequest {
	texts := r.job.Texts[sp.lo:sp.hi]
	if r.job.Prefix != "" {
		texts = make([]string, sp.hi-sp.lo)
		for i := range texts {
			texts[i] = r.job.Prefix + r.job.Texts[sp.lo+i]
		}
	}
	return &EmbedRequest{
		Model:          r.job.Model,
		Dimensions:     r.job.Dimensions,
		Texts:          texts,
		EncodingFormat: r.job.EncodingFormat,
		MaxDimension:   int(r.maxVals / int64(r.total)),
	}
}

// store checks the shape of an answer against the job and keeps it. The first
// batch runs alone, so dim and data need no lock.
func (r *embedRun) store(i int, a *EmbedAnswer) error {
	sp := r.plan[i]
	if a.Dim <= 0 || len(a.Data) != a.Dim*(sp.hi-sp.lo) {
		return answerError("the answer holds %d numbers for %d inputs of dimension %d", len(a.Data), sp.hi-sp.lo, a.Dim)
	}
	if i == 0 {
		if err := r.firstShape(a); err != nil {
			return err
		}
	}
	if a.Dim != r.dim {
		return answerError("its vectors have %d numbers, those of the first batch have %d: the server answers with different models", a.Dim, r.dim)
	}
	copy(r.data[sp.lo*r.dim:sp.hi*r.dim], a.Data)
	cut := embedCut(r.job.Texts[sp.lo:sp.hi], a.Usage)
	if r.keep != nil && cut == nil {
		r.keep(sp.lo, a)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if i == 0 {
		r.model = a.Model
	}
	if a.Usage == nil || r.usage == nil {
		r.usage = nil
	} else {
		sum := r.usage.add(*a.Usage)
		r.usage = &sum
	}
	r.notes = addNotes(addNotes(r.notes, a.Notes), cut)
	r.done++
	if r.job.Progress != nil {
		r.job.Progress(r.done, len(r.plan))
	}
	return nil
}
