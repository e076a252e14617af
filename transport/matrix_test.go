package transport_test

import (
	"context"
	"net/http"
	"net/url"
	"testing"

	"github.com/ollama/ollama/api"
	"github.com/sashabaranov/go-openai"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"github.com/ironflow/ironflow/transport"
	"github.com/ironflow/ironflow/transport/transporttest"
)

func openaiClient(c *http.Client, base string) *openai.Client {
	cfg := openai.DefaultConfig("sk-sample-0123456789")
	cfg.BaseURL = base
	cfg.HTTPClient = c
	return openai.NewClientWithConfig(cfg)
}

func openaiEmbed(ctx context.Context, c *http.Client, base string) error {
	_, err := openaiClient(c, base).CreateEmbeddings(ctx, openai.EmbeddingRequestStrings{Model: "m", Input: []string{"a"}})
	return err
}

func openaiChat(ctx context.Context, c *http.Client, base string) error {
	_, err := openaiClient(c, base).CreateChatCompletion(ctx, openai.ChatCompletionRequest{
		Model:    "m",
		Messages: []openai.ChatCompletionMessage{{Role: "user", Content: "hello"}},
	})
	return err
}

func ollamaClient(c *http.Client, base string) (*api.Client, error) {
	u, err := url.Parse(base)
	if err != nil {
		return nil, err
	}
	return api.NewClient(u, c), nil
}

func ollamaEmbed(ctx context.Context, c *http.Client, base string) error {
	oc, err := ollamaClient(c, base)
	if err != nil {
		return err
	}
	_, err = oc.Embed(ctx, &api.EmbedRequest{Model: "m", Input: []string{"a"}})
	return err
}

func ollamaChat(ctx context.Context, c *http.Client, base string) error {
	oc, err := ollamaClient(c, base)
	if err != nil {
		return err
	}
	return oc.Chat(ctx, &api.ChatRequest{Model: "m", Messages: []api.Message{{Role: "user", Content: "hello"}}},
		func(api.ChatResponse) error { return nil })
}

func oauthToken(style oauth2.AuthStyle) transporttest.SendHTTP {
	return func(ctx context.Context, c *http.Client, base string) error {
		cfg := clientcredentials.Config{
			ClientID: "id", ClientSecret: "a-client-secret", TokenURL: base + "/token", AuthStyle: style,
		}
		ctx = transport.WithCredential(ctx, true)
		_, err := cfg.Token(context.WithValue(ctx, oauth2.HTTPClient, c))
		return err
	}
}

// libraries are the calls whose redirects the policy must hold.
func libraries() map[string]transporttest.SendHTTP {
	return map[string]transporttest.SendHTTP{
		"post":         transporttest.PostJSON,
		"openai embed": openaiEmbed,
		"openai chat":  openaiChat,
		"ollama embed": ollamaEmbed,
		"ollama chat":  ollamaChat,
		"oauth params": oauthToken(oauth2.AuthStyleInParams),
		"oauth header": oauthToken(oauth2.AuthStyleInHeader),
	}
}

func TestRedirectMatrix(t *testing.T) {
	builds := map[string]func(transport.Policy) (*transport.Client, error){
		"both checks":             transport.New,
		"only the client's check": transport.NewOnlyClientCheck,
		"only the round tripper":  transport.NewOnlyRoundTripperCheck,
	}
	for name, build := range builds {
		t.Run(name, func(t *testing.T) {
			t.Run("own call", func(t *testing.T) {
				transporttest.RedirectMatrix(t, transporttest.Post, transporttest.WithBuild(build))
			})
			for lib, send := range libraries() {
				t.Run(lib, func(t *testing.T) {
					transporttest.RedirectMatrix(t, send.Over(), transporttest.WithBuild(build))
				})
			}
		})
	}
	for lib, send := range libraries() {
		t.Run("foreign client/"+lib, func(t *testing.T) {
			transporttest.RedirectMatrix(t, send.OverTransportOnly())
		})
	}
}

// TestRedirectControl shows that the targets of the matrix can be reached, by
// each library, when nothing stands in the way.
func TestRedirectControl(t *testing.T) {
	for lib, send := range libraries() {
		t.Run(lib, func(t *testing.T) { transporttest.RedirectControl(t, send) })
	}
}
