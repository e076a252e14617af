package providers

import (
	"encoding/json"
	"strings"
	"time"
	"unicode/utf8"
)

// Ranges and defaults of a [ChatJob].
const (
	MaxChatRetries     = 5
	MaxChatTokens      = 10_000_000
	MaxTemperature     = 2.0
	DefaultChatTimeout = 120 * time.Second
	maxFormatName      = 64
)

// The values of [ChatJob].FormatMode.
const (
	ModeAuto       = "auto"
	ModeJSONSchema = "json_schema"
	ModeJSONObject = "json_object"
	ModeNone       = "none"
)

// ChatJob is one question to a model, with the rules by which it is asked.
type ChatJob struct {
	// Provider is the vendor's name; Params its settings as the flow gives
	// them. A secret is a transport.Secret or a plain string.
	Provider string
	Params   map[string]any
	// Model is empty for the vendor's default.
	Model    string
	Messages []Message
	// MaxTokens bounds the answer; 0 leaves it to the server.
	MaxTokens int
	// MaxTokensField is empty for FieldMaxTokens; see [ChatRequest].
	MaxTokensField string
	// Temperature, 0..2, is sent when it is not nil, 0 too.
	Temperature *float64
	// Format is the form the answer is to have, FormatMode how much of it the
	// server is asked for: ModeAuto (also when empty) asks for the form and,
	// when the server refuses the field, for JSON without a schema, then for
	// nothing; the set remembers what an address and model refuse. The other
	// modes ask for exactly that much, and a refusal is an error.
	Format     ResponseFormat
	FormatMode string
	// Retries is how often a failed request is sent again, 0..5.
	Retries int
	// Timeout bounds each request; 0 stands for DefaultChatTimeout.
	Timeout time.Duration
	// CacheDir is a folder in which complete answers are kept by all that is
	// asked; empty: none. It is made when it does not exist.
	CacheDir string
	// CacheMaxBytes bounds the size of what is kept; answers that were not
	// used for the longest time go first. 0 stands for DefaultCacheMaxBytes.
	CacheMaxBytes int64
	// CacheSalt separates answers that must not be mixed although the question
	// is the same, such as those of different versions of a prompt.
	CacheSalt string
	// Keep, when set, is asked whether a complete answer is worth keeping.
	Keep func(*ChatResult) bool
}

// ChatResult is the answer to a [ChatJob]. It may be cut, refused or empty:
// see [ChatAnswer.Check].
type ChatResult struct {
	Text    string
	Finish  FinishReason
	Refusal bool
	// Model is the model that was asked for, ReportedModel the one that the
	// server says it used, empty when it says none.
	Model         string
	ReportedModel string
	Usage         *Usage // of the last exchange; nil when the server did not say
	// Calls is the number of requests, Retries how many of them repeated one
	// that had failed. Both are 0 for an answer from the cache.
	Calls   int
	Retries int
	// Cached says that the answer came from CacheDir.
	Cached bool
	// FormatUsed is the form that the server accepted to be asked for:
	// ModeJSONSchema, ModeJSONObject or ModeNone.
	FormatUsed string
	Notes      []Note
}

// Check returns nil for a complete answer; see [ChatAnswer.Check].
func (r *ChatResult) Check() error {
	a := ChatAnswer{Text: r.Text, Finish: r.Finish, Refusal: r.Refusal}
	return a.Check()
}

// withDefaults fills in zero fields and checks every range.
func (j ChatJob) withDefaults() (ChatJob, error) {
	if j.MaxTokensField == "" {
		j.MaxTokensField = FieldMaxTokens
	}
	if j.FormatMode == "" {
		j.FormatMode = ModeAuto
	}
	if j.Timeout == 0 {
		j.Timeout = DefaultChatTimeout
	}
	if j.CacheMaxBytes == 0 {
		j.CacheMaxBytes = DefaultCacheMaxBytes
	}
	switch {
	case j.MaxTokens < 0 || j.MaxTokens > MaxChatTokens:
		return j, configError("max_tokens is %d, allowed are 1..%d, or leave it out", j.MaxTokens, MaxChatTokens)
	case j.MaxTokensField != FieldMaxTokens && j.MaxTokensField != FieldMaxCompletionTokens:
		return j, configError("max_tokens_field is %q, allowed are %q and %q", j.MaxTokensField, FieldMaxTokens, FieldMaxCompletionTokens)
	case j.Temperature != nil && !(*j.Temperature >= 0 && *j.Temperature <= MaxTemperature):
		return j, configError("temperature is %v, allowed are 0..%v", *j.Temperature, MaxTemperature)
	case j.Retries < 0 || j.Retries > MaxChatRetries:
		return j, configError("call_retries is %d, allowed are 0..%d", j.Retries, MaxChatRetries)
	case j.Timeout < 0:
		return j, configError("timeout is %v: give a positive number of seconds", j.Timeout)
	case j.CacheMaxBytes < 0:
		return j, configError("cache_max_bytes is %d: give a positive number of bytes", j.CacheMaxBytes)
	}
	if err := j.checkFormat(); err != nil {
		return j, err
	}
	return j, checkMessages(j.Messages)
}

func (j *ChatJob) checkFormat() error {
	switch j.FormatMode {
	case ModeAuto, ModeJSONSchema, ModeJSONObject, ModeNone:
	default:
		return configError("response_format is %q, allowed are %s", j.FormatMode, quoted([]string{ModeAuto, ModeJSONSchema, ModeJSONObject, ModeNone}))
	}
	switch j.Format.Kind {
	case FormatText, FormatJSONObject:
		if j.FormatMode == ModeJSONSchema {
			return configError("response_format is %q, but there is no schema: set response_schema", ModeJSONSchema)
		}
		return nil
	case FormatJSONSchema:
	default:
		return configError("the kind of format %q is not known", j.Format.Kind)
	}
	if j.Format.Name == "" {
		j.Format.Name = "answer"
	}
	if !plainID(j.Format.Name) || len(j.Format.Name) > maxFormatName {
		return configError("the name of the schema has other characters than letters, digits, - and _, or more than %d", maxFormatName)
	}
	if !json.Valid(j.Format.Schema) || !strings.HasPrefix(strings.TrimLeft(string(j.Format.Schema), " \t\r\n"), "{") {
		return configError("the schema of the answer is not a JSON object")
	}
	return nil
}

// checkMessages checks every message before the first request.
func checkMessages(messages []Message) error {
	if len(messages) == 0 {
		return inputError("there is no message: a model needs at least one")
	}
	for i, m := range messages {
		switch {
		case m.Role != RoleSystem && m.Role != RoleUser && m.Role != RoleAssistant:
			return inputError("message %d of %d has the role %q, allowed are %s", i+1, len(messages), m.Role, quoted([]string{RoleSystem, RoleUser, RoleAssistant}))
		case strings.TrimSpace(m.Content) == "":
			return inputError("message %d of %d (%s) is empty or white space alone", i+1, len(messages), m.Role)
		case !utf8.ValidString(m.Content):
			return inputError("message %d of %d (%s) is not valid UTF-8: convert the text first", i+1, len(messages), m.Role)
		}
	}
	return nil
}
