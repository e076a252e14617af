package ai

import (
	"context"
	"fmt"
	"strings"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
	"github.com/ironflow/ironflow/providers"
)

const embedDoc = `Takes one text or an array of texts and publishes one vector for each, in the same order. Texts travel in
bounded batches; a batch that fails in a way that may pass is sent again, alone. Any failure publishes nothing.

Nothing is cut silently: a text above ` + "`batch_max_bytes`" + `, an empty text, a wrong number of vectors, another dimension than
asked for, or a number that is not finite is an error that names the position of the text. Some servers cut texts that are
too long for their model: where the count of tokens shows it, there is a warning, and such vectors are not cached.

Credentials and addresses come from the flow or, when it gives none, from the named variables. They are never
interpolated and never printed.`

func embedNode(vendors []providers.Vendor) nodes.Node {
	e := &embedder{vendors: vendors}
	params := []nodes.Param{
		{Name: "source_key", Alias: "input_key", Type: nodes.String, Role: nodes.Source, Interpolate: true, Required: true,
			Help: "the text, or the array of texts, to embed"},
		{Name: "output_key", Type: nodes.String, Role: nodes.OutputKey, NonEmpty: true, Default: "embed",
			Help: "start of the published keys"},
		{Name: "text_field", Type: nodes.String, NonEmpty: true,
			Help: "for an array of objects: the member that holds the text"},
	}
	params = append(params, e.params()...)
	params = append(params, nodes.Param{Name: "normalize", Type: nodes.Boolean, Default: false,
		Help: "scale every vector to length 1 (a vector of zeros stays)"})
	return nodes.Node{
		Spec: nodes.Spec{
			Name:    "ai_embed",
			Summary: "Turn texts into vectors through an embedding provider",
			Doc:     embedDoc,
			Params:  params,
			Outputs: []nodes.OutputSpec{
				{Type: nodes.Array, Help: "one vector (an array of numbers) for each text, in order"},
				{Suffix: "_embeddings", Type: nodes.Array, Twin: true, Help: "the same vectors under their earlier name"},
				{Suffix: "_dimension", Type: nodes.Integer, Help: "length of each vector; 0 without a text"},
				{Suffix: "_model", Type: nodes.String, Help: "the model that was asked for; empty without a text"},
				{Suffix: "_usage", Type: nodes.Object, Help: "`{input_tokens, total_tokens}` when the provider says; else absent"},
			},
			Examples: []nodes.Example{{
				Title: "Embed the chunks of a document with a local Ollama",
				Lua: `nodes.ai_embed{
  source_key = "chunks",
  output_key = "vectors",
  provider = "ollama",
  model = "nomic-embed-text",
}`,
				Context: `{"chunks":["The kettle hums.","Rain fell on the harbour."]}`,
				Needs:   "provider",
			}},
		},
		Run: func(ctx context.Context, call *nodes.Call) (nodes.Output, error) {
			texts, err := embedTexts(call)
			if err != nil {
				return nil, err
			}
			answer, err := e.embed(ctx, call, texts, call.Bool("normalize"))
			if err != nil {
				return nil, err
			}
			return embedOutput(answer), nil
		},
	}
}

func embedOutput(answer *providers.Embeddings) nodes.Output {
	vectors := value.NewVectors(answer.Data, answer.Dim)
	out := nodes.Output{
		"":            vectors,
		"_embeddings": vectors,
		"_dimension":  int64(answer.Dim),
		"_model":      answer.Model,
	}
	if u := answer.Usage; u != nil {
		out["_usage"] = map[string]any{"input_tokens": u.InputTokens, "total_tokens": u.TotalTokens}
	}
	return out
}

// embedTexts reads the source: a string, an array of strings, or with
// text_field an array of objects.
func embedTexts(call *nodes.Call) ([]string, error) {
	v, err := call.Source("source_key")
	if err != nil {
		return nil, err
	}
	var texts []string
	if s, ok := v.(string); ok {
		texts = []string{s}
	} else if texts, err = arrayTexts(call, v); err != nil {
		return nil, err
	}
	for i, s := range texts {
		if strings.TrimSpace(s) == "" {
			return nil, call.Errorf("source_key", "%q: text %d is empty or white space alone; leave such texts out (ai_chunk has drop_blank=true for that)", call.String("source_key"), i+1)
		}
	}
	return texts, nil
}

func arrayTexts(call *nodes.Call, v any) ([]string, error) {
	key, field := call.String("source_key"), call.String("text_field")
	if m, ok := v.(map[string]any); ok && len(m) == 0 {
		return nil, nil
	}
	n, ok := value.Len(v)
	if !ok {
		return nil, call.Errorf("source_key", "%q holds %s, want a string or an array of strings", key, nodes.Describe(v))
	}
	texts := make([]string, n)
	for i := range texts {
		e, _ := value.Index(v, i)
		s, err := elementText(e, field)
		if err != nil {
			return nil, call.Errorf("source_key", "%q: element %d %w", key, i+1, err)
		}
		texts[i] = s
	}
	return texts, nil
}

func elementText(e any, field string) (string, error) {
	if field == "" {
		if s, ok := e.(string); ok {
			return s, nil
		}
		return "", fmt.Errorf("is %s, want a string; for objects name the member with text_field", nodes.Describe(e))
	}
	m, ok := e.(map[string]any)
	if !ok {
		return "", fmt.Errorf("is %s, want an object with a member %q (text_field)", nodes.Describe(e), field)
	}
	s, ok := m[field].(string)
	if !ok {
		return "", fmt.Errorf("has no string in its member %q (text_field)", field)
	}
	return s, nil
}
