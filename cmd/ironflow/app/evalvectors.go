package app

import (
	"context"
	"fmt"
	"maps"
	"strings"

	"github.com/ironflow/ironflow/nodes/chunking/semantic"
	"github.com/ironflow/ironflow/nodes/value"
)

// evalVectors says who makes vectors where a chunker does not.
type evalVectors struct {
	name   string
	params map[string]any // of a node that embeds
	embed  evalChunker    // ai_embed with them
}

// vectors reads the value of --vectors: the name of a model inside the binary, or
// parameters of a provider.
func (s *session) vectors(text string) (*evalVectors, error) {
	v := &evalVectors{name: text, params: map[string]any{"provider": "local", "model": text}}
	var err error
	if strings.Contains(text, "=") {
		if v.params, err = parseSetting(text); err != nil {
			return nil, usageError("--vectors %q: %w", text, err)
		}
	}
	node, ok := s.registry.Lookup("ai_embed")
	if !ok {
		return nil, usageError("there is no node ai_embed here")
	}
	v.embed = evalChunker{name: text, node: node, raw: maps.Clone(v.params)}
	if err = s.fill(&v.embed, nil, nil); err == nil {
		err = s.checkProvider(v.embed.raw)
	}
	if err != nil {
		return nil, usageError("--vectors %q: %w", text, err)
	}
	return v, nil
}

// checkProvider finds what is missing for a provider before any text is read.
func (s *session) checkProvider(raw map[string]any) error {
	provider, ok := raw["provider"].(string)
	if !ok {
		return nil
	}
	model, _ := raw["model"].(string)
	return s.env.Providers.CheckEmbed(provider, s.settingsOf(provider, raw), model, 0)
}

// vectorsOf embeds texts, one row for each.
func (s *session) vectorsOf(ctx context.Context, v *evalVectors, name string, texts []string) (semantic.Matrix, error) {
	rows, err := s.rowsOf(ctx, v, name, texts)
	if err != nil {
		return semantic.Matrix{}, err
	}
	return semantic.MatrixOver(rows.Data(), rows.Dim()), nil
}

// rowsOf is vectorsOf for a search.
func (s *session) rowsOf(ctx context.Context, v *evalVectors, name string, texts []string) (*value.Vectors, error) {
	out, err := s.invoke(ctx, v.embed.node, v.embed.raw, value.NewStrings(texts))
	if err != nil {
		return nil, evalError(err, "%s: --vectors %q: %w", name, v.name, err)
	}
	rows, ok := out["chunks"].(*value.Vectors)
	if !ok || rows.Rows() != len(texts) {
		return nil, exitWith(ExitRun, fmt.Errorf("%s: --vectors %q: no vector for each text", name, v.name))
	}
	return rows, nil
}
