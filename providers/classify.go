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
)

// KnownCode maps what servers write in code, type or error to the word that
// we print. The second half are the codes of RFC 6749, 4.1.2.1 and 5.2.
func KnownCode(s string) (string, bool) {
	switch s {
	case codeTooLong, codeQuota, codeBilling, codeBadRequest, codeNoModel, codeTokenLimit,
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
	"invalid model name", "model path", "invalid options", "invalid input type",
	"does not support embedding", "failed to parse grammar", "missing request body",
}

// classify reads an error body for its class only; nothing of it is kept. The
// code is from the closed list or empty.
func classify(status int, body string) (code string, permanent bool) {
	if len(body) > maxClassified {
		body = body[:maxClassified]
	}
	code = bodyCode(body)
	lower := strings.ToLower(body)
	switch status {
	case http.StatusBadRequest, http.StatusRequestEntityTooLarge, http.StatusUnprocessableEntity, http.StatusInternalServerError:
		if containsAny(lower, tooLongPhrases[:]) {
			code = codeTooLong
		}
	}
	switch {
	case code == codeTooLong, code == codeQuota, code == codeBilling, code == codeTokenLimit:
		permanent = true
	case status == http.StatusInternalServerError:
		permanent = containsAny(lower, malformedPhrases[:])
		if permanent && code == "" {
			code = codeBadRequest
		}
	}
	return code, permanent
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
// error.type, error as a string, code, type. Any shape is tolerated.
func bodyCode(body string) string {
	var outer map[string]json.RawMessage
	if json.Unmarshal([]byte(body), &outer) != nil {
		return ""
	}
	var inner map[string]json.RawMessage
	if json.Unmarshal(outer["error"], &inner) != nil {
		inner = nil
	}
	for _, raw := range []json.RawMessage{inner["code"], inner["type"], outer["error"], outer["code"], outer["type"]} {
		var s string
		if len(raw) == 0 || json.Unmarshal(raw, &s) != nil {
			continue
		}
		if code, ok := KnownCode(s); ok {
			return code
		}
	}
	return ""
}

// statusHint names the next step for a status and code.
func statusHint(status int, code string) string {
	switch code {
	case codeTooLong:
		return "an input is too long for the model: make the chunks smaller"
	case codeTokenLimit:
		return "the batch holds too many tokens: lower batch_max_bytes or batch_size"
	case codeQuota, codeBilling:
		return "the account's quota is used up: check its billing, waiting does not help"
	case codeNoModel:
		return "check the model's name, and that this server has it"
	}
	switch {
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return "check the credential and the address it is sent to"
	case status == http.StatusNotFound:
		return "check the address (is the path complete, such as /v1?) and the model's name"
	case status == http.StatusRequestEntityTooLarge:
		return "lower batch_size or batch_max_bytes"
	case status == http.StatusTooManyRequests:
		return "lower batch_concurrency or batch_size, or raise batch_retries"
	case status >= 300 && status < 400:
		return "the server points elsewhere: set the address to where it really answers"
	case status == http.StatusBadRequest || status == http.StatusUnprocessableEntity:
		return "the server refused the request: check model, dimensions, encoding_format and the size of the texts"
	}
	return ""
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
