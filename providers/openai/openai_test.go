package openai_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/providers/openai"
	"github.com/ironflow/ironflow/providers/providertest"
)

// answer writes vectors as OpenAI does.
func answer(vectors []string) string {
	var b strings.Builder
	for i, v := range vectors {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`{"object":"embedding","index":` + strconv.Itoa(i) + `,"embedding":` + v + `}`)
	}
	return `{"object":"list","data":[` + b.String() + `],"model":"m-1","usage":{"prompt_tokens":4,"total_tokens":4}}`
}

func TestConformance(t *testing.T) {
	providertest.Run(t, providertest.Subject{
		Vendor: openai.Vendor,
		Params: func(api, _ string) map[string]any {
			return map[string]any{"api_key": "sk-0123456789", "base_url": api}
		},
		Base:       "/v1",
		Path:       "/embeddings",
		Answer:     answer,
		Credential: "Bearer sk-0123456789",
		Body:       `{"input":["a<b>&c","é\u2028"],"model":"m","encoding_format":"base64","dimensions":2}`,
		Indexed:    true,
		Chat:       chat(),
	})
}

// message writes an answer to a question as OpenAI does.
func message(members, finish string) string {
	return `{"id":"c-1","object":"chat.completion","choices":[{"index":0,"message":{` + members + `},"logprobs":null,"finish_reason":` + reason(finish) +
		`}],"model":"m-1","usage":{"prompt_tokens":4,"completion_tokens":2,"total_tokens":6,"prompt_tokens_details":{"cached_tokens":0}}}`
}

func reason(finish string) string {
	if finish == "" {
		return "null"
	}
	return strconv.Quote(finish)
}

// stream writes one as OpenAI does when it streams with usage.
func stream(pieces []string, finish string) string {
	chunk := func(choices, usage string) string {
		return `data: {"id":"c-1","object":"chat.completion.chunk","choices":[` + choices + `],"model":"m-1","usage":` + usage + "}\n\n"
	}
	var b strings.Builder
	b.WriteString(chunk(`{"index":0,"delta":{"role":"assistant","content":null,"refusal":null},"finish_reason":null}`, "null"))
	for _, p := range pieces {
		b.WriteString(chunk(`{"index":0,"delta":{"content":`+p+`},"finish_reason":null}`, "null"))
	}
	b.WriteString(chunk(`{"index":0,"delta":{},"finish_reason":`+reason(finish)+`}`, "null"))
	b.WriteString(chunk("", `{"prompt_tokens":4,"completion_tokens":2,"total_tokens":6}`))
	return b.String() + "data: [DONE]\n\n"
}

func chat() providertest.ChatSubject {
	return providertest.ChatSubject{
		Path:       "/chat/completions",
		Answer:     func(content, finish string) string { return message(`"role":"assistant","content":`+content, finish) },
		Message:    message,
		Stream:     stream,
		End:        "data: [DONE]",
		StreamType: "text/event-stream",
		Events:     true,
		Body: `{"model":"m","max_tokens":7,"stream":false,"response_format":{"type":"json_schema","json_schema":{"name":"facts","schema":` +
			`{"type":"object","properties":{"z":{"type":"string"},"a":{"enum":["<"]}},"required":["z","a"],"additionalProperties":false},"strict":true}},` +
			`"messages":[{"role":"system","content":"a<b>&c"},{"role":"user","content":"é\u2028"},{"role":"assistant","content":"x"}],"temperature":0}`,
		SchemaMark: `"type":"json_schema"`, ObjectMark: `{"type":"json_object"}`, NoMark: "response_format",
		TokenField: "max_completion_tokens",
	}
}
