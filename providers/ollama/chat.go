package ollama

import (
	"context"
	"encoding/json"

	"github.com/ollama/ollama/api"

	"github.com/ironflow/ironflow/providers"
)

// Chat asks a model with one exchange.
func (p provider) Chat(ctx context.Context, req *providers.ChatRequest) (*providers.ChatAnswer, error) {
	body, err := p.PostChat(ctx, "api/chat", newChatRequest(req))
	if err != nil {
		return nil, err
	}
	answer, err := providers.DecodeOllamaChat(body)
	if err != nil {
		return nil, p.Answer(err)
	}
	return answer, nil
}

func newChatRequest(req *providers.ChatRequest) api.ChatRequest {
	// Unset, the first means true and the answer comes in pieces; the second
	// means true and the server drops the oldest messages when they do not fit;
	// the third means true and the server forgets the start while the answer
	// grows. Off, these become an error and an answer that is cut.
	stream, truncate, shift := false, false, false
	out := api.ChatRequest{
		Model: req.Model, Messages: make([]api.Message, len(req.Messages)),
		Stream: &stream, Truncate: &truncate, Shift: &shift, Options: map[string]any{},
	}
	for i, m := range req.Messages {
		out.Messages[i] = api.Message{Role: m.Role, Content: m.Content}
	}
	if req.Temperature != nil {
		out.Options["temperature"] = *req.Temperature
	}
	if req.MaxTokens > 0 {
		out.Options["num_predict"] = req.MaxTokens
	}
	switch req.Format.Kind {
	case providers.FormatJSONObject:
		out.Format = json.RawMessage(`"json"`)
	case providers.FormatJSONSchema:
		out.Format = req.Format.Schema
	}
	return out
}
