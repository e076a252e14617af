package providers

import (
	"context"
	"encoding/json"
)

// The roles of a [Message].
const (
	RoleSystem    = "system"
	RoleUser      = "user"
	RoleAssistant = "assistant"
)

// Message is one turn of a conversation. Content is valid UTF-8 and not empty.
type Message struct {
	Role    string // RoleSystem, RoleUser or RoleAssistant
	Content string
}

// The kinds of a [ResponseFormat].
const (
	FormatText       = ""
	FormatJSONObject = "json_object"
	FormatJSONSchema = "json_schema"
)

// ResponseFormat is the form that an answer is to have. A server that accepts
// it promises nothing: several were seen to ignore it. The caller validates.
type ResponseFormat struct {
	Kind string // FormatText, FormatJSONObject or FormatJSONSchema
	// Name and Schema belong to FormatJSONSchema. Name consists of letters,
	// digits, dashes and underscores, at most 64; empty stands for "answer".
	Name   string
	Schema json.RawMessage
}

// ChatRequest is one question to a model.
type ChatRequest struct {
	Model    string
	Messages []Message // at least one
	// MaxTokens bounds the answer; 0 leaves it to the server.
	MaxTokens int
	// MaxTokensField is the name under which the OpenAI format carries
	// MaxTokens: FieldMaxTokens or FieldMaxCompletionTokens. It cannot be told
	// from a model's name. Other formats ignore it.
	MaxTokensField string
	// Temperature is sent when it is not nil, 0 too.
	Temperature *float64
	Format      ResponseFormat
}

// The values of [ChatRequest].MaxTokensField. Older and most compatible servers
// know the first, OpenAI's reasoning models only the second.
const (
	FieldMaxTokens           = "max_tokens"
	FieldMaxCompletionTokens = "max_completion_tokens"
)

// FinishReason says why an answer ended, in one vocabulary for all servers.
type FinishReason string

const (
	// FinishUnknown: the server did not say.
	FinishUnknown FinishReason = ""
	// FinishStop: the model had said all.
	FinishStop FinishReason = "stop"
	// FinishLength: the answer met a limit on tokens and is cut.
	FinishLength FinishReason = "length"
	// FinishFilter: a filter of the provider ended or withheld the answer.
	FinishFilter FinishReason = "content_filter"
	// FinishTools: the model wants a tool to be called.
	FinishTools FinishReason = "tool_calls"
	// FinishLoad: the server loaded or unloaded the model and said nothing.
	FinishLoad FinishReason = "load"
	// FinishEmpty: the model ended without a word although nothing stopped it.
	FinishEmpty FinishReason = "empty"
	// FinishOther: the server gave a reason that is not known.
	FinishOther FinishReason = "other"
)

// ChatAnswer is the answer to one [ChatRequest]. It may be cut, refused or
// empty: see [ChatAnswer.Check].
type ChatAnswer struct {
	Text   string // without reasoning that the server keeps apart
	Finish FinishReason
	// Refusal says that the model declined; what it said then is not kept.
	Refusal bool
	// Model is the model that the server says it used; empty when it said
	// nothing or something that is no plain model name.
	Model string
	Usage *Usage // nil when the server did not say
	// Notes are what the caller should hear although there is an answer.
	Notes []Note
}

// Chatter asks a model with exactly one exchange (a refreshed credential may
// repeat it once). It does not retry, and it reports every failure as an
// [*Error].
type Chatter interface {
	Provider
	Chat(ctx context.Context, req *ChatRequest) (*ChatAnswer, error)
}

// Check returns nil for a complete answer, else an [*Error] of KindAnswer that
// says why there is none: cut, refused, filtered, empty, a call of a tool.
func (a *ChatAnswer) Check() error {
	detail, hint := "", ""
	switch {
	case a.Refusal:
		detail, hint = "the model refused to answer", "change what it is asked, or use another model"
	case a.Finish == FinishFilter:
		detail, hint = "a content filter of the provider withheld the answer or a part of it", "change what is asked, or use another model"
	case a.Finish == FinishLength && a.Text == "":
		detail, hint = "the limit on tokens was reached before the answer began", "raise max_tokens: reasoning counts towards it"
	case a.Finish == FinishLength:
		detail, hint = "the answer was cut at the limit on tokens", "raise max_tokens, or ask for less"
	case a.Finish == FinishTools:
		detail, hint = "the model asked for a tool to be called instead of answering", "use another model, or say that no tools exist"
	case a.Finish == FinishLoad:
		detail, hint = "the server loaded the model and answered nothing", "ask again"
	case a.Finish == FinishEmpty:
		detail, hint = "the answer is empty", "change what is asked, or use another model"
	default:
		return nil
	}
	return &Error{Kind: KindAnswer, Detail: detail, Hint: hint}
}
