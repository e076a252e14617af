package ai

import (
	"context"
	"errors"
	"sync"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/chunking"
	"github.com/ironflow/ironflow/nodes/chunking/agentic"
	"github.com/ironflow/ironflow/nodes/chunking/agentic/prompt"
	"github.com/ironflow/ironflow/nodes/chunking/semantic"
	"github.com/ironflow/ironflow/nodes/chunking/unit"
	"github.com/ironflow/ironflow/nodes/chunking/verify"
	"github.com/ironflow/ironflow/nodes/value"
	"github.com/ironflow/ironflow/providers"
)

func isOption(err error) bool {
	var option *chunking.OptionError
	return errors.As(err, &option)
}

// agenticInputs reads the source: a string, an array of strings, or an array of
// objects with a text and perhaps a chunk_id.
func agenticInputs(call *nodes.Call) ([]verify.Input, error) {
	v, err := call.Source("source_key")
	if err != nil {
		return nil, err
	}
	if s, ok := v.(string); ok {
		return []verify.Input{{Text: s}}, nil
	}
	key := call.String("source_key")
	if m, ok := v.(map[string]any); ok && len(m) == 0 {
		return nil, nil
	}
	n, ok := value.Len(v)
	if !ok {
		return nil, call.Errorf("source_key", "%q holds %s, want a string, an array of strings, or an array of {chunk_id, text}", key, nodes.Describe(v))
	}
	inputs := make([]verify.Input, n)
	for i := range inputs {
		e, _ := value.Index(v, i)
		switch e := e.(type) {
		case string:
			inputs[i].Text = e
		case map[string]any:
			text, ok := e["text"].(string)
			if !ok {
				return nil, call.Errorf("source_key", "%q: element %d has no string in its member \"text\"", key, i+1)
			}
			inputs[i].Text = text
			if id, given := e["chunk_id"]; given && id != nil {
				if inputs[i].ID, ok = id.(string); !ok || inputs[i].ID == "" {
					return nil, call.Errorf("source_key", "%q: the chunk_id of element %d is %s, want a string that is not empty", key, i+1, nodes.Describe(id))
				}
			}
		default:
			return nil, call.Errorf("source_key", "%q: element %d is %s, want a string or an object {chunk_id, text}", key, i+1, nodes.Describe(e))
		}
	}
	return inputs, nil
}

// agenticOutput publishes a result.
func agenticOutput(r *agentic.Result) nodes.Output {
	chunks := make([]any, len(r.Chunks))
	texts := make([]string, len(r.Chunks))
	var propositions, tokens int64
	for i, c := range r.Chunks {
		texts[i] = c.Content
		propositions += int64(len(c.Propositions))
		tokens += int64(c.Tokens)
		list := make([]any, len(c.Propositions))
		for k, p := range c.Propositions {
			list[k] = agenticProposition(r.Document, p)
		}
		chunks[i] = map[string]any{
			"chunk_id": c.ID, "document_id": c.DocumentID, "thematic_category": c.Theme, "merged_content": c.Content,
			"proposition_count": int64(len(c.Propositions)), "character_count": int64(c.Characters), "token_estimate": int64(c.Tokens),
			"hash": c.Hash, "propositions": list,
		}
	}
	return nodes.Output{
		"": value.Array(chunks), "_texts": value.NewStrings(texts),
		"_proposition_count": propositions, "_token_estimate": tokens, "_report": r.Report.Map(),
	}
}

func agenticProposition(doc *verify.Document, p agentic.Proposition) map[string]any {
	out := map[string]any{
		"text": p.Text, "sources": sentenceSources(doc, p.Sentences), "support": p.Support, "verbatim": p.Verbatim, "unresolved": p.Unresolved,
	}
	if len(p.Reasons) > 0 {
		reasons := make([]any, len(p.Reasons))
		for i, reason := range p.Reasons {
			reasons[i] = map[string]any{"rule": reason.Rule, "detail": reason.Detail}
		}
		out["reasons"] = reasons
	}
	return out
}

// sentenceSources are the places of sentences in the inputs.
func sentenceSources(doc *verify.Document, sentences []int) []any {
	out := make([]any, len(sentences))
	for i, n := range sentences {
		s := doc.Sentences[n]
		out[i] = map[string]any{"chunk_id": doc.Inputs[s.Input].ID, "start": int64(s.Span.Start), "stop": int64(s.Span.Stop)}
	}
	return out
}

// vectors makes vectors of texts with the model inside the binary, which is there
// whatever provider the model comes from.
func (n *agenticRunner) vectors(call *nodes.Call) func(context.Context, []string) (semantic.Matrix, error) {
	return func(ctx context.Context, texts []string) (semantic.Matrix, error) {
		if call.Env().Providers == nil {
			return semantic.Matrix{}, errors.New("no providers are available here")
		}
		cut := make([]string, len(texts))
		bytes, _ := unit.New("bytes", "")
		for i, t := range texts {
			cut[i] = t[:bytes.Fit(t, longestEmbedded)]
		}
		answer, err := call.Env().Providers.Embed(ctx, providers.EmbedJob{
			Provider: localProvider, Model: n.embeds.localModel, Texts: cut,
			BatchSize: providers.MaxBatchSize, BatchMaxBytes: providers.DefaultBatchMaxBytes, BatchConcurrency: 1,
		})
		if err != nil {
			return semantic.Matrix{}, err
		}
		return semantic.MatrixOver(answer.Data, answer.Dim), nil
	}
}

// longestEmbedded is how much of a proposition its vector is made from, in bytes.
const longestEmbedded = 20_000

// agenticModel asks a provider's model.
type agenticModel struct {
	job   providers.ChatJob
	set   *providers.Set
	call  *nodes.Call
	noted sync.Map
}

func (n *agenticRunner) model(call *nodes.Call) (agentic.Model, error) {
	job, err := n.chatter.job(call)
	if err != nil {
		return nil, err
	}
	job.CacheSalt = prompt.Version
	return &agenticModel{job: job, set: call.Env().Providers, call: call}, nil
}

// Ask asks one question. An answer that is cut, refused or empty is an answer.
func (m *agenticModel) Ask(ctx context.Context, q agentic.Question) (agentic.Reply, error) {
	job := m.job
	job.Messages = []providers.Message{{Role: providers.RoleSystem, Content: q.System}, {Role: providers.RoleUser, Content: q.User}}
	job.MaxTokens = q.MaxTokens
	job.Format = providers.ResponseFormat{Kind: providers.FormatJSONSchema, Name: q.SchemaName, Schema: q.Schema}
	result, err := m.set.Chat(ctx, job)
	if err != nil {
		return agentic.Reply{}, err
	}
	for _, note := range result.Notes {
		if _, before := m.noted.LoadOrStore(note.Code, true); !before {
			m.call.Env().Log.Warn(note.String(), "provider", job.Provider)
		}
	}
	reply := agentic.Reply{
		Text:          result.Text,
		Cut:           result.Finish == providers.FinishLength,
		Refused:       result.Refusal || result.Finish == providers.FinishFilter,
		Retries:       result.Retries,
		Cached:        result.Cached,
		FormatDropped: job.FormatMode == providers.ModeAuto && result.FormatUsed != providers.ModeJSONSchema,
	}
	if u := result.Usage; u != nil {
		reply.InputTokens, reply.OutputTokens = u.InputTokens, u.OutputTokens
	}
	return reply, nil
}
