// Package ollama speaks the native API of Ollama.
//
// Requests are marshalled from the types of github.com/ollama/ollama/api;
// answers are read by the strict decoder of package providers. Embeddings use
// /api/embed and not the OpenAI-compatible route, because only there can the
// silent truncation of long inputs be switched off. The library's own client is
// not used: it swallows errors, and it may sign requests with a local key.
package ollama

import (
	"context"

	"github.com/ollama/ollama/api"

	"github.com/ironflow/ironflow/providers"
)

// Vendor describes Ollama.
func Vendor() providers.Vendor {
	return providers.Vendor{
		Name:       "ollama",
		Summary:    "models served by Ollama, by default on this machine",
		Chats:      true,
		EmbedModel: "nomic-embed-text",
		ChatModel:  "llama3.2",
		Settings: []providers.Setting{
			{Name: "ollama_host", Env: "OLLAMA_HOST", Kind: providers.AddressSetting, Default: "http://127.0.0.1:11434",
				Help: "address: host, host:port or http(s)://host[:port][/path]; 0.0.0.0 means 127.0.0.1"},
		},
		Open: open,
	}
}

// provider is one Ollama server.
type provider struct{ *providers.Endpoint }

func open(s providers.Settings, rt providers.Runtime) (providers.Provider, error) {
	base, err := parseHost(s.Text("ollama_host"))
	if err != nil {
		return nil, providers.AddressError(s, "ollama_host", err)
	}
	return provider{&providers.Endpoint{Runtime: rt, Base: base}}, nil
}

func (p provider) EmbedBatch(ctx context.Context, req *providers.EmbedRequest) (*providers.EmbedAnswer, error) {
	// Unset means true: the server would cut long inputs and say nothing.
	truncate := false
	body, err := p.PostJSON(ctx, "api/embed", api.EmbedRequest{
		Model:      req.Model,
		Input:      req.Texts,
		Truncate:   &truncate,
		Dimensions: req.Dimensions,
	})
	if err != nil {
		return nil, err
	}
	answer, err := providers.DecodeOllama(body, req)
	if err != nil {
		return nil, p.Answer(err)
	}
	return answer, nil
}
