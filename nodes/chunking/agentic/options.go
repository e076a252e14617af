package agentic

import (
	"context"
	"fmt"
	"strings"

	"github.com/ironflow/ironflow/nodes/chunking"
	"github.com/ironflow/ironflow/nodes/chunking/semantic"
)

// Defaults and ranges of [Options].
const (
	DefaultBatchMaxBytes    = 2500
	DefaultConcurrency      = 4
	DefaultRepairs          = 1
	DefaultMaxCalls         = 200
	DefaultExtractMaxTokens = 2000
	DefaultGroupMaxTokens   = 4000

	MaxBatchMaxBytes = 1_000_000
	MaxConcurrency   = 64
	MaxRepairs       = 3
	MaxMaxCalls      = 1_000_000
	MaxAnswerTokens  = 1_000_000
)

// Options say how [Run] works. [DefaultOptions] gives the defaults; the zero value
// of a number outside its range is an error.
type Options struct {
	// DocumentID begins the ids of the chunks; empty: made from the texts.
	DocumentID string
	// Split finds sentences; nil: sentence.Unicode.
	Split func(string) []chunking.Span
	// Language says which rules for words are active: "auto", "en", "de" or
	// "none"; empty: auto.
	Language string
	// BatchMaxBytes is the most source text of an extraction call, in bytes.
	BatchMaxBytes int
	// Concurrency is how many calls are under way at once.
	Concurrency int
	// Repairs is how many further calls each batch may have, 0..3.
	Repairs int
	// MaxCalls is the most calls of the run.
	MaxCalls int
	// ExtractMaxTokens and GroupMaxTokens bound the answers.
	ExtractMaxTokens, GroupMaxTokens int
	// NoFallback leaves out the source's own words where the model leaves gaps,
	// and makes a batch of which nothing is left an error.
	NoFallback bool
	// ReportOnly keeps propositions that break a rule, with the reasons.
	ReportOnly bool
	// Vectors returns one vector for each text, for themes without a model and for
	// propositions that no theme names; nil: words that they share.
	Vectors func(ctx context.Context, texts []string) (semantic.Matrix, error)
	// CountTokens measures chunks; nil: a quarter of the characters, rounded up.
	CountTokens func(string) int
	// Progress, when not nil, hears how many calls of a known number are done. It
	// is called by one goroutine at a time.
	Progress func(done, total int)
}

// DefaultOptions returns the options of a flow that sets none.
func DefaultOptions() Options {
	return Options{
		Language:         "auto",
		BatchMaxBytes:    DefaultBatchMaxBytes,
		Concurrency:      DefaultConcurrency,
		Repairs:          DefaultRepairs,
		MaxCalls:         DefaultMaxCalls,
		ExtractMaxTokens: DefaultExtractMaxTokens,
		GroupMaxTokens:   DefaultGroupMaxTokens,
	}
}

// Check returns a [*chunking.OptionError] for the first option out of range. The
// language is checked by package verify.
func (o Options) Check() error {
	for _, n := range []struct {
		name        string
		value       int
		least, most int
	}{
		{"batch_max_bytes", o.BatchMaxBytes, 1, MaxBatchMaxBytes},
		{"concurrency", o.Concurrency, 1, MaxConcurrency},
		{"repairs", o.Repairs, 0, MaxRepairs},
		{"max_calls", o.MaxCalls, 1, MaxMaxCalls},
		{"extract_max_tokens", o.ExtractMaxTokens, 1, MaxAnswerTokens},
		{"group_max_tokens", o.GroupMaxTokens, 1, MaxAnswerTokens},
	} {
		if n.value < n.least || n.value > n.most {
			return &chunking.OptionError{Param: n.name, Value: n.value, Allowed: fmt.Sprintf("%d..%d", n.least, n.most)}
		}
	}
	if strings.ContainsFunc(o.DocumentID, func(r rune) bool { return r < ' ' || r == 0x7f }) {
		return &chunking.OptionError{Param: "document_id", Value: o.DocumentID, Allowed: "text without control characters"}
	}
	return nil
}

// CallsError reports a plan that needs more calls than Options.MaxCalls.
type CallsError struct {
	// Batches and Grouping are the calls that the plan needs at least.
	Batches, Grouping int
	// Max is the limit.
	Max int
}

// Error says how many calls are needed and the ways out.
func (e *CallsError) Error() string {
	n := e.Batches + e.Grouping
	return fmt.Sprintf("%d calls are allowed, but the plan needs %d (%d batches and %d for grouping): set max_calls=%d or more, raise batch_max_bytes, or give less text", e.Max, n, e.Batches, e.Grouping, n)
}

// BatchError reports a batch of which no proposition is left while NoFallback is
// set.
type BatchError struct {
	// Batch counts from 1, as do First and Last, the numbers of its sentences.
	Batch, First, Last int
	// Why says how its answers ended.
	Why string
}

// Error names the batch, its sentences and the ways out.
func (e *BatchError) Error() string {
	return fmt.Sprintf("batch %d (sentences %d to %d) has no usable answer: %s; set fallback=true for the source's own words, raise repairs or extract_max_tokens, or use another model", e.Batch, e.First, e.Last, e.Why)
}
