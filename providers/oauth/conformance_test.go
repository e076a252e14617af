package oauth_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/providers/oauth"
	"github.com/ironflow/ironflow/providers/providertest"
)

func answer(vectors []string) string {
	var b strings.Builder
	for i, v := range vectors {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`{"index":` + strconv.Itoa(i) + `,"embedding":` + v + `}`)
	}
	return `{"data":[` + b.String() + `],"model":"m-1","usage":{"prompt_tokens":4,"total_tokens":4}}`
}

func TestConformance(t *testing.T) {
	providertest.Run(t, providertest.Subject{
		Vendor: oauth.Vendor,
		Params: func(api, token string) map[string]any {
			return map[string]any{"token_url": token, "client_id": "id", "client_secret": "s3cret-s3cret", "base_url": api}
		},
		Base:       "/v1",
		Path:       "/embeddings",
		Answer:     answer,
		Credential: "Bearer token-0123456789abcdef",
		Body:       `{"input":["a<b>&c","é\u2028"],"model":"m","encoding_format":"base64","dimensions":2}`,
		Indexed:    true,
		UsesToken:  true,
	})
}
