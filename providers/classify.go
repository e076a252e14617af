package providers

import (
	"encoding/json"
	"net/http"
	"strings"
)

// maxClassified bounds how much of an error body is read for its class.
const maxClassified = 64 << 10

// Codes that may appear in an error text. A server chooses among these words;
// it cannot write its own.
const (
	codeTooLong    = "context_length_exceeded"
	codeQuota      = "insufficient_quota"
	codeBilling    = "billing_hard_limit_reached"
	codeBadRequest = "invalid_request_error"
	codeNoModel    = "model_not_found"
	codeTokenLimit = "max_tokens_per_request"
	// codeCannotChat and codeCannotEmbed are ours: servers say it in prose.
	codeCannotChat  = "model_cannot_chat"
	codeCannotEmbed = "model_cannot_embed"
	codeParameter   = "unsupported_parameter"
	codeValue       = "unsupported_value"
)

// KnownCode maps what servers write in code, type or error to the word that
// we print. The second half are the codes of RFC 6749, 4.1.2.1 and 5.2.
func KnownCode(s string) (string, bool) {
	switch s {
	case codeTooLong, codeQuota, codeBilling, codeBadRequest, codeNoModel, codeTokenLimit, codeParameter, codeValue,
		"invalid_api_key", "rate_limit_exceeded", "server_error", "content_filter",
		"authentication_error", "permission_error", "overloaded_error", "unavailable_error":
		return s, true
	case "exceed_context_size_error": // llama.cpp
		return codeTooLong, true
	case "not_found_error": // Ollama and others, for models
		return codeNoModel, true
	case "invalid_request", "invalid_client", "invalid_grant", "unauthorized_client",
		"unsupported_grant_type", "invalid_scope", "access_denied", "temporarily_unavailable":
		return s, true
	}
	return "", false
}

// tooLongPhrases are what servers say when one input does not fit: llama.cpp
// (as a 500), Ollama of several versions, OpenAI, Text Embeddings Inference.
var tooLongPhrases = [...]string{
	"too large to process", "exceeds the context length", "exceeds maximum context length",
	"exceed_context_size", "maximum context length", "context_length_exceeded",
	"context size has been exceeded", "exceeds the available context size", "must have less than",
	"input is too long", "input too long",
}

// malformedPhrases are permanent faults that Ollama and llama.cpp report with
// a status that otherwise asks for a retry.
var malformedPhrases = [...]string{
	"invalid_request_error", "must be of type", "invalid json schema", "invalid format",
	"model path", "invalid options", "invalid input type",
	"failed to parse grammar", "missing request body",
}

// badNamePhrases are what Ollama says of a model name that it cannot read; one
// version reports that as 500, others as a missing model.
var badNamePhrases = [...]string{"unqualified name", "invalid model name", "model is required"}

// Phrases with which servers say that a model is of the other sort: Ollama,
// llama.cpp (which has one sort for each process), vLLM, OpenAI.
var (
	cannotEmbedPhrases = [...]string{"does not support embedding", "not allowed to generate embeddings", "not support embeddings api", "pooling type 'none'"}
	cannotChatPhrases  = [...]string{
		"does not support chat", "does not support completions", "does not support generate", "not a chat model", "not support chat completions",
	}
)

// formatPhrases name the form of an answer in a refusal. Those of grammars
// stand for a schema that the server cannot turn into one.
var formatPhrases = [...]string{
	"response_format", "response format", "json_schema", "json_object", "json schema", "invalid format", "structured output", "grammar",
}

// errorClass is what an error body says, in our own words.
type errorClass struct {
	code      string // from the closed list or empty
	param     string // the parameter that is complained about, from the closed list or empty
	permanent bool   // repeating does not help although the status says so
	format    bool   // the form of the answer is refused
}

// classify reads an error body for its class only; nothing of it is kept.
func classify(status int, body string) errorClass {
	if len(body) > maxClassified {
		body = body[:maxClassified]
	}
	var c errorClass
	c.code, c.param = bodyCode(body)
	lower := strings.ToLower(body)
	if c.code == codeNoModel && !strings.Contains(lower, "model") {
		c.code = "" // llama.cpp says not_found_error of a path, too
	}
	switch status {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity, http.StatusInternalServerError:
		if containsAny(lower, tooLongPhrases[:]) {
			c.code = codeTooLong
		}
	}
	switch {
	case status < 400 || c.code == codeTooLong:
	case containsAny(lower, cannotEmbedPhrases[:]):
		c.code = codeCannotEmbed
	case containsAny(lower, cannotChatPhrases[:]):
		c.code = codeCannotChat
	case containsAny(lower, badNamePhrases[:]):
		c.code, c.permanent = codeNoModel, true
		return c
	case status == http.StatusNotFound && strings.Contains(lower, "model") && (strings.Contains(lower, "not found") || strings.Contains(lower, "does not exist")):
		c.code = codeNoModel
	}
	malformed := status == http.StatusInternalServerError && containsAny(lower, malformedPhrases[:])
	if malformed && c.code == "" {
		c.code = codeBadRequest
	}
	switch c.code {
	case codeTooLong, codeQuota, codeBilling, codeTokenLimit, codeCannotChat, codeCannotEmbed:
		c.permanent = true
		return c
	}
	c.permanent = malformed
	switch status {
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		c.format = containsAny(lower, formatPhrases[:])
	case http.StatusInternalServerError:
		c.format = malformed && containsAny(lower, formatPhrases[:])
	case http.StatusNotImplemented:
		c.format = true
	}
	return c
}

func containsAny(s string, phrases []string) bool {
	for _, p := range phrases {
		if strings.Contains(s, p) {
			return true
		}
	}
	return false
}

// bodyCode looks for a known code where servers put one: error.code,
// error.type, error as a string, code, type; and for a known parameter in
// error.param. Any shape is tolerated.
func bodyCode(body string) (code, param string) {
	var outer map[string]json.RawMessage
	if json.Unmarshal([]byte(body), &outer) != nil {
		return "", ""
	}
	var inner map[string]json.RawMessage
	if json.Unmarshal(outer["error"], &inner) != nil {
		inner = nil
	}
	if s, ok := rawText(inner["param"]); ok {
		switch s {
		case FieldMaxTokens, FieldMaxCompletionTokens, "temperature", "response_format", "model", "messages":
			param = s
		}
	}
	for _, raw := range []json.RawMessage{inner["code"], inner["type"], outer["error"], outer["code"], outer["type"]} {
		s, ok := rawText(raw)
		if !ok {
			continue
		}
		if code, ok := KnownCode(s); ok {
			return code, param
		}
	}
	return "", param
}

func rawText(raw json.RawMessage) (s string, ok bool) {
	return s, len(raw) != 0 && json.Unmarshal(raw, &s) == nil
}

// requestID returns the provider's id of a request when it is harmless text.
func requestID(h http.Header) string {
	for _, name := range []string{"X-Request-Id", "Request-Id", "Apim-Request-Id"} {
		if id := h.Get(name); id != "" {
			if plainID(id) {
				return id
			}
			return ""
		}
	}
	return ""
}

func plainID(s string) bool {
	if len(s) > 80 {
		return false
	}
	for i := 0; i < len(s); i++ {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_') {
			return false
		}
	}
	return s != ""
}
