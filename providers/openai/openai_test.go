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
	})
}
