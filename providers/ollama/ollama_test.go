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
	})
}
