package ollama_test

import (
	"strings"
	"testing"

	"github.com/ironflow/ironflow/providers/ollama"
	"github.com/ironflow/ironflow/providers/providertest"
)

func answer(vectors []string) string {
	return `{"model":"m-1","embeddings":[` + strings.Join(vectors, ",") + `],"total_duration":14143917,"load_duration":1019500,"prompt_eval_count":4}`
}

func TestConformance(t *testing.T) {
	// With this variable the library's own client signs requests with a local
	// key. Requests must come out the same.
	t.Setenv("OLLAMA_AUTH", "1")
	providertest.Run(t, providertest.Subject{
		Vendor: ollama.Vendor,
		Params: func(api, _ string) map[string]any {
			return map[string]any{"ollama_host": api}
		},
		Path:   "/api/embed",
		Answer: answer,
		Body:   `{"model":"m","input":["a<b>&c","é\u2028"],"truncate":false,"dimensions":2,"options":null}`,
		Chat: providertest.ChatSubject{
			Path:       "/api/chat",
			Answer:     func(content, finish string) string { return message(`"role":"assistant","content":`+content, finish) },
			Message:    message,
			Stream:     stream,
			End:        last("stop"),
			StreamType: "application/x-ndjson",
			Body: `{"model":"m","messages":[{"role":"system","content":"a<b>&c"},{"role":"user","content":"é\u2028"},{"role":"assistant","content":"x"}],"stream":false,` +
				`"format":{"type":"object","properties":{"z":{"type":"string"},"a":{"enum":["<"]}},"required":["z","a"],"additionalProperties":false},` +
				`"options":{"num_predict":7,"temperature":0},"truncate":false,"shift":false}`,
			SchemaMark: `"format":{`, ObjectMark: `"format":"json"`, NoMark: `"format"`,
			TokenField: "num_predict",
		},
	})
}

// message writes an answer to a question as Ollama does.
func message(members, finish string) string {
	return `{"model":"m-1","created_at":"2026-01-01T00:00:00Z","message":{` + members + `},` + ending(finish) + `}`
}

func ending(finish string) string {
	return `"done":true,"done_reason":"` + finish + `","total_duration":5,"prompt_eval_count":4,"eval_count":2`
}

// last is the last line of a stream.
func last(finish string) string { return message(`"role":"assistant","content":""`, finish) }

func stream(pieces []string, finish string) string {
	var b strings.Builder
	for _, p := range pieces {
		b.WriteString(`{"model":"m-1","message":{"role":"assistant","content":` + p + `},"done":false}` + "\n")
	}
	return b.String() + last(finish) + "\n"
}
