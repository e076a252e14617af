// Package openai speaks the OpenAI API, and with that the many servers that
// have a copy of it: Azure OpenAI (/openai/v1), vLLM, llama.cpp, LiteLLM, Text
// Embeddings Inference and others.
//
// Requests are marshalled from the types of github.com/sashabaranov/go-openai;
// answers are read by the strict decoder of package providers.
package openai

import (
	"context"
	"net/http"
	"strings"

	goopenai "github.com/sashabaranov/go-openai"

	"github.com/ironflow/ironflow/providers"
	"github.com/ironflow/ironflow/transport"
)

// publicURL is the endpoint when no address is set. Only there a key is
// required: other servers often need none.
const publicURL = "https://api.openai.com/v1"

// Vendor describes OpenAI and compatible servers.
func Vendor() providers.Vendor {
	return providers.Vendor{
		Name:                "openai",
		Summary:             "OpenAI and servers that speak its API",
		SendsEncodingFormat: true,
		Chats:               true,
		EmbedModel:          string(goopenai.SmallEmbedding3),
		ChatModel:           goopenai.GPT4Dot1Mini,
		Settings: []providers.Setting{
			{Name: "api_key", Env: "OPENAI_API_KEY", Kind: providers.SecretSetting,
				Help: "key, sent as bearer token; required for the public endpoint, elsewhere sent when set"},
			{Name: "headers", Kind: providers.SecretHeadersSetting,
				Help: "further request headers, such as api-key for Azure; a header Authorization replaces the key"},
			{Name: "base_url", Env: "OPENAI_BASE_URL", Kind: providers.AddressSetting, Default: publicURL,
				Help: "address of the API up to and including /v1"},
		},
		Open: open,
	}
}

// provider is the API at one address with one set of credentials.
type provider struct{ *providers.Endpoint }

func open(s providers.Settings, rt providers.Runtime) (providers.Provider, error) {
	base, err := providers.BaseURL(s, "base_url")
	if err != nil {
		return nil, err
	}
	key, headers := s.Secret("api_key"), s.Headers("headers")
	own := hasAuthorization(headers)
	if key.IsZero() && !own && isPublic(base.Host) {
		return nil, s.Missing("api_key")
	}
	bearer := !key.IsZero() && !own
	ep := &providers.Endpoint{Runtime: rt, Base: base, Authorize: func(req *http.Request) error {
		for _, h := range headers {
			if err := transport.SetCredential(req, h.Name, "", h.Value); err != nil {
				return err
			}
		}
		if bearer {
			return transport.SetCredential(req, "Authorization", "Bearer ", key)
		}
		return nil
	}}
	if err := ep.CheckCredentials(); err != nil {
		return nil, err
	}
	return provider{ep}, nil
}

func hasAuthorization(headers []providers.Header) bool {
	for _, h := range headers {
		if strings.EqualFold(h.Name, "Authorization") {
			return true
		}
	}
	return false
}

// isPublic reports whether a normalised host is OpenAI's own.
func isPublic(host string) bool { return host == "api.openai.com" }

func (p provider) EmbedBatch(ctx context.Context, req *providers.EmbedRequest) (*providers.EmbedAnswer, error) {
	return Embed(ctx, p.Endpoint, req)
}

// Embed sends one batch to an endpoint that speaks the OpenAI API. It is what
// other vendors with this wire format build on.
func Embed(ctx context.Context, ep *providers.Endpoint, req *providers.EmbedRequest) (*providers.EmbedAnswer, error) {
	body, err := ep.PostJSON(ctx, "embeddings", goopenai.EmbeddingRequest{
		Input:          req.Texts,
		Model:          goopenai.EmbeddingModel(req.Model),
		EncodingFormat: goopenai.EmbeddingEncodingFormat(req.EncodingFormat),
		Dimensions:     req.Dimensions,
	})
	if err != nil {
		return nil, err
	}
	answer, err := providers.DecodeOpenAI(body, req)
	if err != nil {
		return nil, ep.Answer(err)
	}
	return answer, nil
}
