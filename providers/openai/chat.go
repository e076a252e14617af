package openai

import (
	"context"
	"encoding/json"

	goopenai "github.com/sashabaranov/go-openai"

	"github.com/ironflow/ironflow/providers"
)

// chatRequest is the library's request with two fields of ours in the place of
// its own, under the same names.
type chatRequest struct {
	goopenai.ChatCompletionRequest
	// The library's message escapes its text for HTML, which makes one byte
	// six, and leaves an empty content out.
	Messages []chatMessage `json:"messages"`
	// The library's float32 leaves a temperature of 0 out, and the server would
	// then take its own default.
	Temperature *float64 `json:"temperature,omitempty"`
}

type chatMessage struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// Chat asks a model with one exchange.
func (p provider) Chat(ctx context.Context, req *providers.ChatRequest) (*providers.ChatAnswer, error) {
	return Chat(ctx, p.Endpoint, req)
}

// Chat asks a model at an endpoint that speaks the OpenAI API. It is what other
// vendors with this wire format build on.
func Chat(ctx context.Context, ep *providers.Endpoint, req *providers.ChatRequest) (*providers.ChatAnswer, error) {
	body, err := ep.PostChat(ctx, "chat/completions", newChatRequest(req))
	if err != nil {
		return nil, err
	}
	answer, err := providers.DecodeOpenAIChat(body)
	if err != nil {
		return nil, ep.Answer(err)
	}
	return answer, nil
}

func newChatRequest(req *providers.ChatRequest) chatRequest {
	out := chatRequest{Temperature: req.Temperature, Messages: make([]chatMessage, len(req.Messages))}
	out.Model = req.Model
	for i, m := range req.Messages {
		out.Messages[i] = chatMessage{m.Role, m.Content}
	}
	if req.MaxTokensField == providers.FieldMaxCompletionTokens {
		out.MaxCompletionTokens = req.MaxTokens
	} else {
		out.MaxTokens = req.MaxTokens
	}
	switch req.Format.Kind {
	case providers.FormatJSONObject:
		out.ResponseFormat = &goopenai.ChatCompletionResponseFormat{Type: goopenai.ChatCompletionResponseFormatTypeJSONObject}
	case providers.FormatJSONSchema:
		out.ResponseFormat = &goopenai.ChatCompletionResponseFormat{
			Type: goopenai.ChatCompletionResponseFormatTypeJSONSchema,
			JSONSchema: &goopenai.ChatCompletionResponseFormatJSONSchema{
				Name: req.Format.Name, Schema: req.Format.Schema, Strict: strict(req.Format.Schema),
			},
		}
	}
	return out
}

// strict reports whether a schema meets the rules under which OpenAI enforces
// one: each object lists all of its properties as required and allows no
// others. With strict on, the server refuses any other schema; without it, it
// follows the schema as well as it can.
func strict(schema json.RawMessage) bool {
	var v any
	return json.Unmarshal(schema, &v) == nil && strictValue(v, true)
}

// strictValue looks at a schema, or with isSchema false at a map or list of
// schemas.
func strictValue(v any, isSchema bool) bool {
	switch v := v.(type) {
	case map[string]any:
		if isSchema && !strictObject(v) {
			return false
		}
		for key, member := range v {
			if isSchema && (key == "enum" || key == "const" || key == "default" || key == "examples" || key == "required") {
				continue
			}
			if !strictValue(member, !isSchema || key != "properties" && key != "$defs" && key != "definitions") {
				return false
			}
		}
	case []any:
		for _, member := range v {
			if !strictValue(member, true) {
				return false
			}
		}
	}
	return true
}

func strictObject(schema map[string]any) bool {
	properties, has := schema["properties"].(map[string]any)
	if !has && schema["type"] != "object" {
		return true
	}
	if schema["additionalProperties"] != false {
		return false
	}
	required, _ := schema["required"].([]any)
	listed := map[any]bool{}
	for _, name := range required {
		listed[name] = true
	}
	for name := range properties {
		if !listed[name] {
			return false
		}
	}
	return true
}
