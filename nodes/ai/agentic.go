package ai

import (
	"context"
	"errors"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/chunking/agentic"
	"github.com/ironflow/ironflow/nodes/chunking/sentence"
	"github.com/ironflow/ironflow/providers"
)

const agenticDoc = `A model breaks the text into propositions (statements of one fact that stand alone) and groups them by theme, so that topics
which alternate in a document come together. Code then checks each answer, whatever the model said:

* no invention: numbers, names, dates, units, quotations, negations, quantifiers and comparisons of a proposition must stand in
  the sentences it rests on, and so must most of its other words;
* no pronoun and no "this process" without what it stands for;
* no repetition, also where a chunker before repeated sentences (its ` + "`overlap`" + `);
* nothing lost: a sentence that no proposition rests on is sent once more (` + "`repairs`" + `), and then stands for itself in its own words
  (` + "`verbatim`" + `), with up to three sentences before it when it leans on a pronoun.

` + "`{k}_report`" + ` counts what was dropped, repaired and taken verbatim, names the rules that were active, and lists what such checks cannot
see: two names exchanged inside a true statement, a statement credited to the wrong speaker.

There is one call for each batch of sentences and one for the themes; very large documents are grouped in windows, with one more call that
merges the labels. The plan is made before the first call, and a plan over ` + "`max_calls`" + ` is an error. The text travels between marks that it
cannot contain, as data: instructions in it are content. With ` + "`cache_dir`" + ` a second run makes no call and gives the same chunks; a cached
answer is checked like a fresh one.

` + "`provider=\"local\"`" + ` works without a model, a key or a network: propositions are the source's own sentences, themes come from the vectors of the
model inside the binary, labels from each theme's most telling words. All rules and fields hold; it does not rewrite, so it is no match for a
language model.

The source is a text, an array of texts such as ` + "`ai_chunk_semantic`" + ` publishes, or an array of ` + "`{chunk_id, text}`" + `. Blank text gives no chunks and
makes no call. Errors publish nothing.`

func agenticNode(vendors []providers.Vendor) nodes.Node {
	n := &agenticRunner{chatter: newChatter(vendors, true), embeds: embedder{vendors: vendors, localModel: segmentModel}}
	return nodes.Node{
		Spec: nodes.Spec{
			Name:    "ai_chunk_agentic",
			Summary: "Break text into checked propositions with a language model and group them by theme",
			Doc:     agenticDoc,
			Params:  append(agenticParams(), n.chatter.params()...),
			Outputs: []nodes.OutputSpec{
				{Type: nodes.Array, Help: "the chunks by their first place in the source: `{chunk_id, document_id, thematic_category, merged_content, proposition_count, character_count, token_estimate, hash, propositions}`; a proposition is `{text, sources, support, verbatim, unresolved}`, its sources are `{chunk_id, start, stop}` in bytes of that input"},
				{Suffix: "_texts", Type: nodes.Array, Help: "the merged contents, ready for ai_embed"},
				{Suffix: "_proposition_count", Type: nodes.Integer, Help: "propositions of all chunks"},
				{Suffix: "_token_estimate", Type: nodes.Integer, Help: "tokens of all chunks"},
				{Suffix: "_report", Type: nodes.Object, Help: "what happened: calls, cache_hits, retries, tokens, batches, windows, repairs, sentences, covered, overlap, propositions, verbatim, verbatim_share, carried, unresolved, dropped (ungrounded, unresolved, duplicate, unknown_label), regrouped, unknown_ids, repeated_ids, truncated, malformed, refused, format_dropped, rules, languages, notes, limits"},
			},
			Examples: []nodes.Example{
				{
					Title:   "Without a model",
					Lua:     `nodes.ai_chunk_agentic{ source_key = "document", provider = "local" }`,
					Context: `{"document":"The barrage turns the tide into power. Bees keep their hive warm. The barrage has eight turbines."}`,
				},
				{
					Title: "With a local Ollama, answers kept for the next run",
					Lua: `nodes.ai_chunk_agentic{
  source_key = "document",
  provider = "ollama",
  model = "llama3.2",
  cache_dir = ".cache",
}`,
					Context: `{"document":"The barrage turns the tide into power. It has eight turbines."}`,
					Needs:   "provider",
				},
			},
		},
		Run: n.run,
	}
}

// agenticRunner is ai_chunk_agentic.
type agenticRunner struct {
	chatter  *chatter
	embeds   embedder
	counters counters
}

func (n *agenticRunner) run(ctx context.Context, call *nodes.Call) (nodes.Output, error) {
	inputs, err := agenticInputs(call)
	if err != nil {
		return nil, err
	}
	options, err := n.options(call)
	if err != nil {
		return nil, err
	}
	var model agentic.Model
	if call.String("provider") != localProvider {
		if model, err = n.model(call); err != nil {
			return nil, err
		}
	}
	result, err := agentic.Run(ctx, options, inputs, model)
	if err != nil {
		return nil, agenticError(call, err)
	}
	for _, note := range result.Report.Notes {
		call.Env().Log.Info(note, "document_id", result.DocumentID)
	}
	return agenticOutput(result), nil
}

// agenticError names the parameter that an error is about.
func agenticError(call *nodes.Call, err error) error {
	var plan *agentic.CallsError
	var input *agentic.InputError
	var unusable *agentic.BatchError
	switch {
	case errors.As(err, &plan):
		return call.Errorf("max_calls", "%w", err)
	case errors.As(err, &unusable):
		return call.Errorf("fallback", "%w", err)
	case errors.As(err, &input):
		return call.Errorf("source_key", "%q: %w", call.String("source_key"), err)
	}
	if isOption(err) {
		return optionError(call, err)
	}
	return err
}

// options turns the parameters into those of the algorithm.
func (n *agenticRunner) options(call *nodes.Call) (agentic.Options, error) {
	o := agentic.DefaultOptions()
	o.DocumentID = call.String("document_id")
	if call.Given("document_id") && o.DocumentID == "" {
		return o, call.Errorf("document_id", "is empty once its placeholders are filled in; leave it out for an id made from the text")
	}
	if call.String("sentence_mode") == "ascii" {
		o.Split = sentence.ASCII
	}
	o.Language = call.String("language")
	o.BatchMaxBytes, o.Concurrency = call.Int("batch_max_bytes"), call.Int("concurrency")
	o.Repairs, o.MaxCalls = call.Int("repairs"), call.Int("max_calls")
	o.ExtractMaxTokens, o.GroupMaxTokens = call.Int("extract_max_tokens"), call.Int("group_max_tokens")
	o.NoFallback, o.ReportOnly = !call.Bool("fallback"), call.String("verify") == "report"
	o.Progress = func(done, total int) { call.Progress(done, total, "call") }
	if n.embeds.hasLocal() {
		o.Vectors = n.vectors(call)
	}
	if call.Has("tokenizer") {
		counter, err := n.counters.get("tokens", call.String("tokenizer"))
		if err != nil {
			return o, optionError(call, err)
		}
		o.CountTokens = counter.Count
	}
	return o, nil
}

func agenticParams() []nodes.Param {
	whole := func(name string, def int, r *nodes.Range, unit, help string) nodes.Param {
		return nodes.Param{Name: name, Type: nodes.Integer, Default: int64(def), Range: r, Unit: unit, Help: help}
	}
	return []nodes.Param{
		{Name: "source_key", Type: nodes.String, Role: nodes.Source, Interpolate: true, Required: true,
			Help: "the text, an array of texts, or an array of `{chunk_id, text}`"},
		{Name: "output_key", Type: nodes.String, Role: nodes.OutputKey, NonEmpty: true, Default: "agentic",
			Help: "start of the published keys"},
		{Name: "document_id", Type: nodes.String, Interpolate: true, NonEmpty: true,
			Help: "start of the chunks' ids; without it doc- and 12 hex digits of the SHA-256 of the texts"},
		whole("batch_max_bytes", agentic.DefaultBatchMaxBytes, nodes.Between(1, agentic.MaxBatchMaxBytes), "bytes",
			"source text of one extraction call: whole inputs while they fit, else whole sentences"),
		whole("extract_max_tokens", agentic.DefaultExtractMaxTokens, nodes.Between(1, agentic.MaxAnswerTokens), "tokens",
			"room for the answer to an extraction; about 1.7 times the tokens of the source is needed"),
		whole("group_max_tokens", agentic.DefaultGroupMaxTokens, nodes.Between(1, agentic.MaxAnswerTokens), "tokens",
			"room for the answer to a grouping call; one call takes an eighth as many propositions, and six bytes of them for each token"),
		whole("concurrency", agentic.DefaultConcurrency, nodes.Between(1, agentic.MaxConcurrency), "calls",
			"calls under way at once; order and results stay the same"),
		whole("repairs", agentic.DefaultRepairs, nodes.Between(0, agentic.MaxRepairs), "calls",
			"further calls for a batch whose answer is cut, cannot be read, or leaves sentences out"),
		whole("max_calls", agentic.DefaultMaxCalls, nodes.Between(1, agentic.MaxMaxCalls), "calls",
			"a plan of more calls is refused before the first; repairs may use what is left"),
		{Name: "fallback", Type: nodes.Boolean, Default: true,
			Help: "take the source's own words where the model leaves gaps; false makes a batch without a usable answer an error, and leaves other gaps to the report"},
		{Name: "verify", Type: nodes.String, Enum: []string{"strict", "report"}, Default: "strict",
			Help: "drop or repair propositions that break a rule, or keep them with their `reasons` and only count them"},
		{Name: "language", Type: nodes.String, Enum: []string{"auto", "en", "de", "none"}, Default: "auto",
			Help: "which rules for words (pronouns, negations, quantifiers) are active; numbers, names, quotations and coverage are checked in every language"},
		{Name: "sentence_mode", Type: nodes.String, Enum: []string{"ascii", "unicode"}, Default: "unicode",
			Help: "how sentences end: at . ! ? before white space, or by Unicode's rules with abbreviations and scripts"},
		{Name: "tokenizer", Type: nodes.String, Enum: []string{"cl100k_base", "o200k_base"},
			Help: "count the tokens of a chunk exactly; without it a quarter of its characters, rounded up"},
	}
}
