package providers

import (
	"errors"
	"net/http"
	"strings"
)

// task is what a request is about; hints depend on it.
type task int

const (
	taskEmbed task = iota
	taskChat
)

// statusHint names the next step for a status and what its body says.
func (t task) statusHint(status int, c errorClass) string {
	switch c.code {
	case codeTooLong:
		if t == taskChat {
			return "the messages are too long for the model: make them shorter, or use a model with a longer context"
		}
		return "an input is too long for the model: make the chunks smaller"
	case codeTokenLimit:
		if t == taskChat {
			return "the messages hold too many tokens: make them shorter"
		}
		return "the batch holds too many tokens: lower batch_max_bytes or batch_size"
	case codeQuota, codeBilling:
		return "the account's quota is used up: check its billing, waiting does not help"
	case codeNoModel:
		return "check the model's name, and that this server has it"
	case codeCannotChat:
		return "this model does not chat (is it an embedding model?): name a chat model"
	case codeCannotEmbed:
		return "this model makes no embeddings (is it a chat model?): name an embedding model"
	}
	if t == taskChat {
		if hint := parameterHint(c); hint != "" {
			return hint
		}
	}
	return t.plainHint(status)
}

// parameterHint is for servers that say which parameter they do not want.
func parameterHint(c errorClass) string {
	switch {
	case c.param == FieldMaxTokens:
		return `this model does not take max_tokens: set max_tokens_field="max_completion_tokens"`
	case c.param == FieldMaxCompletionTokens:
		return `this server does not take max_completion_tokens: set max_tokens_field="max_tokens"`
	case c.param == "temperature":
		return "this model does not take that temperature: set send_temperature=false"
	case c.format:
		return `the server refuses the form of the answer: set response_format to "auto", "json_object" or "none", or change the schema`
	}
	return ""
}

func (t task) plainHint(status int) string {
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return "check the credential and the address it is sent to"
	case status == http.StatusNotFound || status == http.StatusMethodNotAllowed:
		return "check the address (that of an OpenAI-compatible server ends in a path such as /v1, that of Ollama has none) and the model's name"
	case status == http.StatusRequestEntityTooLarge && t == taskChat:
		return "make the messages shorter"
	case status == http.StatusRequestEntityTooLarge:
		return "lower batch_size or batch_max_bytes"
	case status == http.StatusTooManyRequests && t == taskChat:
		return "make fewer calls at once, or raise call_retries"
	case status == http.StatusTooManyRequests:
		return "lower batch_concurrency or batch_size, or raise batch_retries"
	case status >= 300 && status < 400:
		return "the server points elsewhere: set the address to where it really answers"
	case status == http.StatusBadRequest || status == http.StatusUnprocessableEntity:
		if t == taskChat {
			return "the server refused the request: check model, response_format, max_tokens_field, send_temperature and the size of the messages"
		}
		return "the server refused the request: check model, dimensions, encoding_format and the size of the texts"
	}
	return ""
}

// tooLargeHint is for an answer over the limit on bodies.
func (t task) tooLargeHint() string {
	if t == taskChat {
		return "lower max_tokens, or raise IRONFLOW_MAX_HTTP_BODY_BYTES"
	}
	return `lower batch_size, ask for encoding_format="base64" where the server speaks the OpenAI format, or raise IRONFLOW_MAX_HTTP_BODY_BYTES`
}

// noAPI adds what to do when an answer is a web page or nothing at all, as some
// web servers answer wherever they have nothing.
func noAPI(body string, err error) error {
	if strings.TrimSpace(body) == "" {
		return withHint(err, "the answer is empty: is the address that of an API, with its path complete (such as /v1)?")
	}
	if strings.HasPrefix(strings.TrimLeft(body, " \t\r\n\ufeff"), "<") {
		return withHint(err, "a web page answers at this address: is it that of an API, with its path complete (such as /v1)?")
	}
	return err
}

// wrongAPI adds what to do when an answer is valid JSON of another kind.
func wrongAPI(err error) error {
	return withHint(err, "another kind of API seems to answer at this address: check provider and address")
}

func withHint(err error, hint string) error {
	var e *Error
	if !errors.As(err, &e) || e.Hint != "" {
		return err
	}
	c := *e
	c.Hint = hint
	return &c
}
