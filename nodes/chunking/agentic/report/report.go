// Package report counts what happens on the way from a document to chunks.
package report

import (
	"fmt"
	"math"
)

// Report holds the counters of a run. All count from 0; a degraded result can be
// told by them.
type Report struct {
	// Calls is how many requests were answered by a model, Cached how many answers
	// came from a cache instead, Retries how many requests had to be repeated.
	Calls, Cached, Retries int
	// InputTokens and OutputTokens are those that the provider counted.
	InputTokens, OutputTokens int64
	// Batches is the number of batches, Windows that of grouping calls (1 when all
	// propositions fit into one), Repairs that of further calls.
	Batches, Windows, Repairs int
	// Sentences counts the sentences that say something, Covered those that a
	// proposition rests on.
	Sentences, Covered int
	// Overlap counts the sentences that repeat one of the input before.
	Overlap int
	// Propositions is how many there are, Verbatim how many of them are the
	// source's own words. Carried counts sentences taken along for their referent,
	// Unresolved the propositions that keep a pronoun without one.
	Propositions, Verbatim, Carried, Unresolved int
	// Dropped counts statements that were not kept, and labels.
	Dropped Dropped
	// Regrouped counts propositions that no theme named and that went to the most
	// similar one; UnknownIDs and RepeatedIDs the ids that named nothing, or one
	// that had its theme.
	Regrouped, UnknownIDs, RepeatedIDs int
	// Truncated, Malformed and Refused count answers that were cut, could not be
	// read to the end, or declined.
	Truncated, Malformed, Refused int
	// FormatDropped says that the server did not want to be asked for a schema.
	FormatDropped bool
	// Rules and Languages are those that were active.
	Rules, Languages []string
	// Notes are sentences about what a reader should know.
	Notes []string
	// Limits are sentences about what the rules cannot see.
	Limits []string
}

// Dropped counts what was not kept, by reason.
type Dropped struct {
	Ungrounded, Unresolved, Duplicate, UnknownLabel int
}

// verbatimShare is the share of verbatim propositions from which on a note says
// so.
const verbatimShare = 0.05

// Finish adds the notes that follow from the counters; local says that no model
// was to write propositions.
func (r *Report) Finish(local bool) {
	note := func(format string, args ...any) { r.Notes = append(r.Notes, fmt.Sprintf(format, args...)) }
	if local {
		note("no model was used: propositions are the source's own sentences, themes come from vectors and words")
	} else if r.Propositions > 0 && float64(r.Verbatim) > verbatimShare*float64(r.Propositions) {
		note("%.0f %% of the propositions (%d of %d) are the source's own words: the model left these sentences out, or what it wrote about them was refused", 100*r.VerbatimShare(), r.Verbatim, r.Propositions)
	}
	if r.Covered < r.Sentences {
		note("%d of %d sentences have no proposition", r.Sentences-r.Covered, r.Sentences)
	}
	if r.Unresolved > 0 {
		note("%d propositions keep a pronoun whose referent is not within reach", r.Unresolved)
	}
	if r.Truncated > 0 {
		note("%d answers were cut: raise extract_max_tokens or group_max_tokens", r.Truncated)
	}
	if r.FormatDropped {
		note("the server does not accept the response format that it was asked for; answers were read without it")
	}
}

// VerbatimShare is the share of verbatim propositions, 0 to 1, with three digits.
func (r *Report) VerbatimShare() float64 {
	if r.Propositions == 0 {
		return 0
	}
	return math.Round(1000*float64(r.Verbatim)/float64(r.Propositions)) / 1000
}

// Map returns the report as a context value, every counter included.
func (r *Report) Map() map[string]any {
	return map[string]any{
		"calls":          int64(r.Calls),
		"cache_hits":     int64(r.Cached),
		"retries":        int64(r.Retries),
		"tokens":         map[string]any{"input": r.InputTokens, "output": r.OutputTokens},
		"batches":        int64(r.Batches),
		"windows":        int64(r.Windows),
		"repairs":        int64(r.Repairs),
		"sentences":      int64(r.Sentences),
		"covered":        int64(r.Covered),
		"overlap":        int64(r.Overlap),
		"propositions":   int64(r.Propositions),
		"verbatim":       int64(r.Verbatim),
		"verbatim_share": r.VerbatimShare(),
		"carried":        int64(r.Carried),
		"unresolved":     int64(r.Unresolved),
		"dropped": map[string]any{
			"ungrounded":    int64(r.Dropped.Ungrounded),
			"unresolved":    int64(r.Dropped.Unresolved),
			"duplicate":     int64(r.Dropped.Duplicate),
			"unknown_label": int64(r.Dropped.UnknownLabel),
		},
		"regrouped":      int64(r.Regrouped),
		"unknown_ids":    int64(r.UnknownIDs),
		"repeated_ids":   int64(r.RepeatedIDs),
		"truncated":      int64(r.Truncated),
		"malformed":      int64(r.Malformed),
		"refused":        int64(r.Refused),
		"format_dropped": r.FormatDropped,
		"rules":          texts(r.Rules),
		"languages":      texts(r.Languages),
		"notes":          texts(r.Notes),
		"limits":         texts(r.Limits),
	}
}

func texts(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}
