package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
)

// chatRequest is a question in the formats of OpenAI and of Ollama.
type chatRequest struct {
	Model          string
	Messages       []struct{ Role, Content string }
	Format         json.RawMessage
	ResponseFormat *struct {
		JSONSchema struct{ Schema json.RawMessage } `json:"json_schema"`
	} `json:"response_format"`
}

// schema is the form of answer that is asked for: by a field, or in words.
func (r *chatRequest) schema() (schema map[string]any, byField bool) {
	raw := r.Format
	byField = r.ResponseFormat != nil || len(raw) > 0
	if r.ResponseFormat != nil {
		raw = r.ResponseFormat.JSONSchema.Schema
	}
	if json.Unmarshal(raw, &schema) == nil && schema != nil {
		return schema, byField
	}
	for _, m := range r.Messages {
		if _, text, ok := strings.Cut(m.Content, "JSON Schema:\n"); ok && json.Unmarshal([]byte(text), &schema) == nil {
			return schema, byField
		}
	}
	return nil, byField
}

// sample is a value that fits a schema of the simple sort.
func sample(schema map[string]any) any {
	switch schema["type"] {
	case "object":
		out := map[string]any{}
		properties, _ := schema["properties"].(map[string]any)
		for name, p := range properties {
			member, _ := p.(map[string]any)
			out[name] = sample(member)
		}
		return out
	case "array":
		items, _ := schema["items"].(map[string]any)
		return []any{sample(items)}
	case "integer", "number":
		return 1
	case "boolean":
		return true
	}
	if values, ok := schema["enum"].([]any); ok {
		return values[0]
	}
	return "some text"
}

// chat answers a question: with a sample of the schema that is asked for, else
// with what was said last. Modes change that: "cut" (at the limit on tokens),
// "empty", "refuse", "prose" (no JSON), "misfit" (JSON of another form),
// "noformat" (status 400 when a form is asked for), "stream" (pieces), "broken"
// (a stream without its end).
func chat(w http.ResponseWriter, path, mode string, body []byte) {
	var in chatRequest
	_ = json.Unmarshal(body, &in)
	schema, byField := in.schema()
	text := "You said: "
	if n := len(in.Messages); n > 0 {
		text += in.Messages[n-1].Content
	}
	if schema != nil {
		b, _ := json.Marshal(sample(schema))
		text = string(b)
	}
	reason := "stop"
	switch mode {
	case "agentic", "agenticinvent", "agenticforget":
		text = agenticAnswer(in, mode)
	case "cut":
		text, reason = text[:len(text)/2]+"SECRETMARKER", "length"
	case "empty":
		text = ""
	case "prose":
		text = "I would rather not. SECRETMARKER"
	case "misfit":
		text = `{"SECRETMARKER":["SECRETMARKER"]}`
	case "noformat":
		if byField {
			w.WriteHeader(http.StatusBadRequest)
			fmt.Fprint(w, `{"error":{"message":"response_format SECRETMARKER","param":"response_format","type":"invalid_request_error"}}`)
			return
		}
	}
	streamed := mode == "stream" || mode == "broken"
	if path == "/api/chat" {
		ollamaChat(w, text, reason, streamed, mode == "broken")
		return
	}
	openAIChat(w, text, reason, streamed, mode)
}

func ollamaChat(w io.Writer, text, reason string, streamed, broken bool) {
	message := func(text, rest string) string {
		return fmt.Sprintf(`{"model":"test","message":{"role":"assistant","content":%s},%s}`+"\n", jsonText(text), rest)
	}
	if streamed {
		fmt.Fprint(w, message(text[:1], `"done":false`))
		text = text[1:]
	}
	if broken {
		return
	}
	fmt.Fprint(w, message(text, `"done":true,"done_reason":`+strconv.Quote(reason)+`,"prompt_eval_count":7,"eval_count":3`))
}

func openAIChat(w http.ResponseWriter, text, reason string, streamed bool, mode string) {
	const usage = `{"prompt_tokens":7,"completion_tokens":3,"total_tokens":10}`
	if !streamed {
		message := `"content":` + jsonText(text)
		if mode == "refuse" {
			message = `"content":null,"refusal":"SECRETMARKER"`
		}
		fmt.Fprintf(w, `{"choices":[{"index":0,"message":{"role":"assistant",%s},"finish_reason":%q}],"model":"test","usage":%s}`, message, reason, usage)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for _, piece := range []string{text[:1], text[1:]} {
		fmt.Fprintf(w, "data: {\"choices\":[{\"delta\":{\"content\":%s},\"finish_reason\":null}],\"model\":\"test\"}\n\n", jsonText(piece))
	}
	if mode == "broken" {
		return
	}
	fmt.Fprintf(w, "data: {\"choices\":[{\"delta\":{},\"finish_reason\":%q}]}\n\ndata: {\"choices\":[],\"usage\":%s}\n\ndata: [DONE]\n\n", reason, usage)
}

func jsonText(text string) string {
	b, _ := json.Marshal(text)
	return string(b)
}
