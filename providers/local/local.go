package local

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/ironflow/ironflow/providers"
)

// The models. [Static] is for cutting a text by topic, [Hybrid] for search.
const (
	Static = "static"
	Hybrid = "hybrid"
)

// Lengths of the vectors of the two models.
const (
	StaticDimensions = dim
	HybridDimensions = 2 * dim
)

// NoteForeignScript is the code of the note on texts in a script that the
// model was not trained on.
const NoteForeignScript = "foreign_script"

// weightsSum is the SHA-256 of local-model.bin; a test compares them.
const weightsSum = "9b439f2d21d64bddf46dbb6b18cb2b3d3dbe58e2d73418294a807cbd70bc4996"

// bytesPerWorker is the amount of text for which another processor is worth
// asking: about half a millisecond of work.
const bytesPerWorker = 8192

// Vendor describes the models inside the binary. They are indexed when the
// first text is embedded, once for each Vendor value.
func Vendor() providers.Vendor {
	e := &engine{}
	return providers.Vendor{
		Name:       "local",
		Summary:    "models inside this program: no key, no network; English",
		EmbedModel: Hybrid,
		Open: func(_ providers.Settings, rt providers.Runtime) (providers.Provider, error) {
			return provider{engine: e, vendor: rt.Vendor}, nil
		},
	}
}

// engine is what all providers of one Vendor value share.
type engine struct {
	once  sync.Once
	table *table
	err   error
	// running holds one token for each text that is being read, so that any
	// number of jobs together use each processor once.
	running chan struct{}
	// idle holds *encoder.
	idle sync.Pool
}

func (e *engine) start() error {
	e.once.Do(func() {
		e.table, e.err = newTable(weights)
		e.running = make(chan struct{}, runtime.GOMAXPROCS(0))
	})
	return e.err
}

type provider struct {
	*engine
	vendor string
}

// Address is empty: nothing leaves the process.
func (provider) Address() string { return "" }

// Version changes when a text may get another vector than before.
func (provider) Version(string) string { return "1-" + weightsSum[:16] }

// CheckEmbed knows the two models and the length of their vectors.
func (p provider) CheckEmbed(model string, dimensions int) error {
	_, err := p.check(model, dimensions)
	return err
}

// check returns the vector length of a model.
func (p provider) check(model string, dimensions int) (int, error) {
	length := 0
	switch model {
	case Static:
		length = StaticDimensions
	case Hybrid:
		length = HybridDimensions
	default:
		return 0, p.configError("model %q is not known, allowed are %q and %q", model, Static, Hybrid)
	}
	if dimensions != 0 && dimensions != length {
		return 0, p.configError("dimensions is %d, but the vectors of model %q have %d numbers: leave dimensions out (%q has %d, %q has %d)",
			dimensions, model, length, Static, StaticDimensions, Hybrid, HybridDimensions)
	}
	return length, nil
}

func (p provider) configError(format string, args ...any) error {
	return &providers.Error{Kind: providers.KindConfig, Provider: p.vendor, Detail: fmt.Sprintf(format, args...)}
}

// EmbedBatch reads the texts on as many processors as are free. It ends
// between two texts when ctx does.
func (p provider) EmbedBatch(ctx context.Context, req *providers.EmbedRequest) (*providers.EmbedAnswer, error) {
	length, err := p.check(req.Model, req.Dimensions)
	if err != nil {
		return nil, err
	}
	if err := p.start(); err != nil {
		return nil, p.configError("the model inside this program is damaged: %v; install the program anew", err)
	}
	b := &batch{engine: p.engine, texts: req.Texts, length: length, data: make([]float64, len(req.Texts)*length)}
	if err := b.run(ctx); err != nil {
		return nil, p.ended(err)
	}
	answer := &providers.EmbedAnswer{Data: b.data, Dim: length, Model: req.Model}
	if n := int(b.foreign.Load()); n > 0 {
		answer.Notes = []providers.Note{{Code: NoteForeignScript, Inputs: n, Detail: fmt.Sprintf(
			"mostly in a script outside the training of provider %s (English): the vectors follow the spelling of words, not their meaning", p.vendor)}}
	}
	return answer, nil
}

// ended is the error for a batch whose context ended.
func (p provider) ended(err error) error {
	out := &providers.Error{Kind: providers.KindCancelled, Provider: p.vendor, Detail: "the request was cancelled", Err: err}
	if errors.Is(err, context.DeadlineExceeded) {
		out.Kind, out.Detail, out.Hint = providers.KindTimeout, "the texts were not embedded within the time limit", "raise timeout or lower batch_size"
	}
	return out
}

// batch is one call of EmbedBatch under way.
type batch struct {
	*engine
	texts  []string
	length int
	data   []float64

	next    atomic.Int64 // the text to take next
	foreign atomic.Int64
}

// run waits for one processor and takes as many more as are free and useful.
func (b *batch) run(ctx context.Context) error {
	select {
	case b.running <- struct{}{}:
	case <-ctx.Done():
		return ctx.Err()
	}
	size := 0
	for _, t := range b.texts {
		size += len(t)
	}
	var wg sync.WaitGroup
	for range min(size/bytesPerWorker, len(b.texts)-1) {
		if !b.another() {
			break
		}
		wg.Go(func() { b.work(ctx) })
	}
	b.work(ctx)
	wg.Wait()
	// A worker stops early only when the context has ended.
	if int(b.next.Load()) < len(b.texts) {
		return ctx.Err()
	}
	return nil
}

// another takes a token if one is free.
func (b *batch) another() bool {
	select {
	case b.running <- struct{}{}:
		return true
	default:
		return false
	}
}

// work embeds texts until none is left and gives its token back.
func (b *batch) work(ctx context.Context) {
	defer func() { <-b.running }()
	e, ok := b.idle.Get().(*encoder)
	if !ok {
		e = &encoder{table: b.table}
	}
	defer b.idle.Put(e)
	for ctx.Err() == nil {
		i := int(b.next.Add(1)) - 1
		if i >= len(b.texts) {
			return
		}
		e.read(b.texts[i])
		dst := b.data[i*b.length : (i+1)*b.length]
		if b.length == HybridDimensions {
			e.writeHybrid(dst)
		} else {
			e.writeStatic(dst)
		}
		if e.foreign > 0 {
			b.foreign.Add(1)
		}
	}
}
