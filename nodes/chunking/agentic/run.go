package agentic

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/ironflow/ironflow/nodes/chunking"
	"github.com/ironflow/ironflow/nodes/chunking/agentic/plan"
	"github.com/ironflow/ironflow/nodes/chunking/agentic/report"
	"github.com/ironflow/ironflow/nodes/chunking/sentence"
	"github.com/ironflow/ironflow/nodes/chunking/verify"
)

// Run makes chunks of a document that comes in one or several inputs. An input
// without an id gets one from its position. A nil model makes propositions of the
// source's own sentences, without a call.
//
// Text without a sentence has no chunks and asks nothing. Errors are those of the
// options ([*chunking.OptionError]), of the inputs ([*InputError]), of the plan
// ([*CallsError]), of a batch ([*BatchError]), of the model and of the context;
// with an error there is no result.
func Run(ctx context.Context, opt Options, inputs []verify.Input, model Model) (*Result, error) {
	r, err := prepare(opt, inputs, model)
	if err != nil {
		return nil, err
	}
	var settled []Proposition
	var themes []themed
	if len(r.plan.Roots()) > 0 {
		if model == nil {
			settled = r.ownSentences()
		} else if settled, err = r.propositions(ctx); err != nil {
			return nil, err
		}
		if themes, err = r.themes(ctx, settled); err != nil {
			return nil, err
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	out := &Result{DocumentID: r.opt.DocumentID, Document: r.doc, Chunks: r.chunks(themes)}
	r.count(settled)
	r.report.Finish(model == nil)
	out.Report = r.report
	return out, nil
}

// InputError reports an input that cannot be used.
type InputError struct {
	// Input counts from 1.
	Input int
	// Problem says in words what is wrong, and what to do.
	Problem string
	// Err is the cause, or nil.
	Err error
}

// Error names the input by its position.
func (e *InputError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("input %d: %v", e.Input, e.Err)
	}
	return fmt.Sprintf("input %d: %s", e.Input, e.Problem)
}

// Unwrap returns the cause.
func (e *InputError) Unwrap() error { return e.Err }

// run is one call of [Run].
type run struct {
	opt    Options
	doc    *verify.Document
	check  *verify.Checker
	plan   *plan.Plan
	model  Model
	report report.Report
	// spare is how many calls are left for repairs.
	spare int

	// mu guards what follows.
	mu          sync.Mutex
	done, total int
}

func prepare(opt Options, inputs []verify.Input, model Model) (*run, error) {
	if err := opt.Check(); err != nil {
		return nil, err
	}
	inputs, err := Named(inputs)
	if err != nil {
		return nil, err
	}
	if opt.Split == nil {
		opt.Split = sentence.Unicode
	}
	if opt.DocumentID == "" {
		opt.DocumentID = DocumentID(inputs)
	}
	r := &run{opt: opt, model: model, doc: verify.NewDocument(inputs, opt.Split)}
	if r.check, err = verify.NewChecker(r.doc, verify.Options{Language: opt.Language}); err != nil {
		return nil, err
	}
	r.plan = plan.New(r.doc, opt.BatchMaxBytes)
	r.report = report.Report{Rules: r.check.Rules(), Languages: r.check.Languages(), Limits: Limits(), Sentences: r.plan.Count()}
	for _, root := range r.plan.Roots() {
		r.report.Overlap += len(r.plan.Repeats(root))
	}
	return r, nil
}

// Named checks the inputs and gives those without an id one from their position,
// in-0001 and so on. It returns a copy; the errors are of type [*InputError].
func Named(inputs []verify.Input) ([]verify.Input, error) {
	out := make([]verify.Input, len(inputs))
	seen := make(map[string]int, len(inputs))
	for i, in := range inputs {
		if in.ID == "" {
			in.ID = fmt.Sprintf("in-%04d", i+1)
		}
		if first, twice := seen[in.ID]; twice {
			return nil, &InputError{Input: i + 1, Problem: fmt.Sprintf("its id %q is also that of input %d; give each input an id of its own, or none", in.ID, first)}
		}
		seen[in.ID] = i + 1
		if err := chunking.CheckUTF8(in.Text); err != nil {
			return nil, &InputError{Input: i + 1, Err: err}
		}
		out[i] = in
	}
	return out, nil
}

// DocumentID makes an id from texts: "doc-" and the first 12 hex digits of the
// SHA-256 over the texts joined by line feeds.
func DocumentID(inputs []verify.Input) string {
	h := sha256.New()
	for i, in := range inputs {
		if i > 0 {
			h.Write([]byte{'\n'})
		}
		h.Write([]byte(in.Text))
	}
	return "doc-" + hex.EncodeToString(h.Sum(nil))[:12]
}

// parallel calls do for 0..n-1, at most Options.Concurrency at a time, and
// returns the first error after all calls have come back.
func (r *run) parallel(ctx context.Context, n int, do func(ctx context.Context, i int) error) error {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var wg sync.WaitGroup
	var next atomic.Int64
	for range min(n, r.opt.Concurrency) {
		wg.Go(func() {
			for ctx.Err() == nil {
				i := int(next.Add(1)) - 1
				if i >= n {
					return
				}
				if err := do(ctx, i); err != nil {
					cancel(err) // the first one counts, and ends the others
					return
				}
			}
		})
	}
	wg.Wait()
	return context.Cause(ctx)
}

// ask puts a question and tells of it.
func (r *run) ask(ctx context.Context, q Question) (Reply, error) {
	reply, err := r.model.Ask(ctx, q)
	if err != nil {
		return Reply{}, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done++
	if r.opt.Progress != nil {
		r.opt.Progress(r.done, r.total)
	}
	return reply, nil
}

// tally adds what a reply cost.
func (r *run) tally(reply Reply) {
	if reply.Cached {
		r.report.Cached++
	} else {
		r.report.Calls++
		r.report.InputTokens += reply.InputTokens
		r.report.OutputTokens += reply.OutputTokens
	}
	r.report.Retries += reply.Retries
	if reply.Refused {
		r.report.Refused++
	}
	r.report.FormatDropped = r.report.FormatDropped || reply.FormatDropped
}

// note adds a sentence to the report.
func (r *run) note(format string, args ...any) {
	r.report.Notes = append(r.report.Notes, fmt.Sprintf(format, args...))
}

// count fills in what can be told from the finished propositions.
func (r *run) count(all []Proposition) {
	covered := make([]bool, len(r.doc.Sentences))
	for _, p := range all {
		r.report.Propositions++
		if p.Verbatim {
			r.report.Verbatim++
		}
		if p.Unresolved {
			r.report.Unresolved++
		}
		r.report.Carried += p.Carried
		for _, s := range p.Sentences[p.Carried:] {
			covered[s] = true
		}
	}
	for s, ok := range covered {
		if ok && r.plan.Root(s) >= 0 {
			r.report.Covered++
		}
	}
}

// joined returns the texts of sentences on one line, with one space for all white
// space within and between them.
func (r *run) joined(sentences ...int) string {
	var words []string
	for _, s := range sentences {
		words = append(words, strings.Fields(r.doc.Text(s))...)
	}
	return strings.Join(words, " ")
}
