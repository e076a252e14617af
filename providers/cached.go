package providers

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"
	"sync/atomic"

	"github.com/ironflow/ironflow/providers/cache"
)

// NoteCacheWrite is the code of the note on vectors that could not be kept.
const NoteCacheWrite = "cache_write"

// cachedJob is a job whose vectors are looked up before they are asked for.
type cachedJob struct {
	set      *Set
	job      EmbedJob
	embedder Embedder
	dir      *cache.Dir
	keys     []cache.Key // one for each text
	// have are the vectors so far; those of one job have one length.
	have map[cache.Key][]float64

	unkept  atomic.Int64
	lastErr atomic.Pointer[error]
}

// embedCached answers a job from its folder of vectors and sends the rest:
// each text once, however often it occurs. Every batch is kept as soon as it
// is there, so that a job that fails later does not pay for it again.
func (s *Set) embedCached(ctx context.Context, job EmbedJob, embedder Embedder) (*Embeddings, error) {
	dir, err := s.cacheDir(job.CacheDir, cache.Vectors)
	if err != nil {
		return nil, err
	}
	c := &cachedJob{set: s, job: job, embedder: embedder, dir: dir, have: map[cache.Key][]float64{}}
	c.makeKeys()
	if err := c.load(ctx); err != nil {
		return nil, err
	}
	out := &Embeddings{Model: job.Model, Usage: &Usage{}}
	for _, k := range c.keys {
		if c.have[k] != nil {
			out.Cached++
		}
	}
	err = c.fetch(ctx, out)
	if trimErr := dir.Trim(job.CacheMaxBytes, s.opt.Clock.Now()); trimErr != nil {
		c.failed(0, trimErr)
	}
	if err != nil {
		return nil, err
	}
	if e := c.lastErr.Load(); e != nil {
		out.Notes = addNotes(out.Notes, []Note{{Code: NoteCacheWrite, Inputs: int(c.unkept.Load()),
			Detail: fmt.Sprintf("not kept in cache_dir %q: %v", job.CacheDir, *e)}})
	}
	return out, c.assemble(out)
}

// cachePlace is a folder of one kind.
type cachePlace struct {
	path string
	kind cache.Kind
}

// cacheDir opens a folder once for each set, so that its size is counted in
// one place.
func (s *Set) cacheDir(path string, kind cache.Kind) (*cache.Dir, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return nil, cacheError(path, err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	place := cachePlace{abs, kind}
	if d := s.caches[place]; d != nil {
		return d, nil
	}
	d, err := cache.Open(abs, kind)
	if err != nil {
		return nil, cacheError(path, err)
	}
	if s.caches == nil {
		s.caches = map[cachePlace]*cache.Dir{}
	}
	s.caches[place] = d
	return d, nil
}

func cacheError(path string, err error) error {
	return &Error{Kind: KindConfig, Err: err, Detail: fmt.Sprintf("cache_dir %q cannot be used: %v: give a folder that this user may write to", path, err)}
}

// makeKeys computes what each text is kept under: all that its vector depends
// on.
func (c *cachedJob) makeKeys() {
	version := ""
	if v, ok := c.embedder.(Versioned); ok {
		version = v.Version(c.job.Model)
	}
	space := cache.NewKey("embedding", c.job.Provider, c.embedder.Address(), c.job.Model, version,
		strconv.Itoa(c.job.Dimensions), c.job.Prefix)
	c.keys = make([]cache.Key, len(c.job.Texts))
	for i, t := range c.job.Texts {
		c.keys[i] = space.With(t)
	}
}

// load reads what is kept. Vectors of a length that was not asked for, or of
// different lengths, stem from a model that has changed behind its name: none
// of them is used.
func (c *cachedJob) load(ctx context.Context) error {
	dim := c.job.Dimensions
	for _, k := range c.keys {
		if ctx.Err() != nil {
			return canceled(ctx)
		}
		if c.have[k] != nil {
			continue
		}
		content, ok := c.dir.Get(k, c.set.opt.Clock.Now())
		if !ok {
			continue
		}
		row, ok := cache.DecodeVector(content)
		if !ok {
			continue
		}
		if dim == 0 {
			dim = len(row)
		}
		if len(row) != dim {
			clear(c.have)
			return nil
		}
		c.have[k] = row
	}
	return nil
}

// fetch sends the texts that have no vector. When the new vectors have another
// length than the kept ones, the model has changed, and the kept ones are
// asked for again.
func (c *cachedJob) fetch(ctx context.Context, out *Embeddings) error {
	for {
		run := c.missing()
		if len(run.job.Texts) == 0 {
			return nil
		}
		e, err := run.run(ctx)
		if err != nil {
			return err
		}
		if out.ReportedModel == "" {
			out.ReportedModel = e.ReportedModel
		}
		if e.Usage == nil || out.Usage == nil {
			out.Usage = nil
		} else {
			sum := out.Usage.add(*e.Usage)
			out.Usage = &sum
		}
		out.Notes = addNotes(out.Notes, e.Notes)
		stale := 0
		for k, row := range c.have {
			if len(row) != e.Dim {
				delete(c.have, k)
				stale++
			}
		}
		for i, at := range run.at {
			c.have[c.keys[at]] = e.Data[i*e.Dim : (i+1)*e.Dim]
		}
		if stale > 0 && out.Cached == 0 {
			return answerError("its vectors have %d numbers, those of the texts before had another number: the server answers with different models", e.Dim)
		}
		if stale > 0 {
			out.Cached = 0
		}
	}
}

// missing makes a run of the texts that have no vector, each text once.
func (c *cachedJob) missing() *embedRun {
	job := c.job
	job.Texts = nil
	var at []int
	seen := map[cache.Key]bool{}
	for i, k := range c.keys {
		if c.have[k] == nil && !seen[k] {
			seen[k] = true
			at = append(at, i)
			job.Texts = append(job.Texts, c.job.Texts[i])
		}
	}
	run := c.set.newRun(job, c.embedder)
	run.total, run.at = len(c.keys), at
	run.keep = func(lo int, a *EmbedAnswer) {
		for i := 0; i*a.Dim < len(a.Data); i++ {
			if err := c.dir.Put(c.keys[at[lo+i]], cache.EncodeVector(a.Data[i*a.Dim:(i+1)*a.Dim]), c.set.opt.Clock.Now()); err != nil {
				c.failed(1, err)
			}
		}
	}
	return run
}

// failed notes vectors that could not be kept. The job goes on: the vectors
// themselves are there.
func (c *cachedJob) failed(n int64, err error) {
	c.unkept.Add(n)
	c.lastErr.Store(&err)
}

// assemble puts the vectors in the order of the texts.
func (c *cachedJob) assemble(out *Embeddings) error {
	out.Count, out.Dim = len(c.keys), len(c.have[c.keys[0]])
	if err := (&embedRun{total: out.Count, maxVals: c.set.opt.Limits.MaxEmbeddingValues}).checkValues(out.Dim); err != nil {
		return err
	}
	out.Data = make([]float64, out.Count*out.Dim)
	for i, k := range c.keys {
		copy(out.Data[i*out.Dim:], c.have[k])
	}
	return nil
}
