// Package oauth speaks the OpenAI API behind a gateway that wants an OAuth 2.0
// access token, obtained with the client credentials grant (RFC 6749, 4.4).
//
// golang.org/x/oauth2/clientcredentials does the exchange with the token
// endpoint, over the transport's client. The cache around it is ours; see
// [tokenCache].
package oauth

import (
	"context"
	"crypto/sha256"
	"errors"
	"net/http"
	"net/url"

	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"github.com/ironflow/ironflow/providers"
	"github.com/ironflow/ironflow/providers/openai"
	"github.com/ironflow/ironflow/transport"
)

// Vendor describes the gateway. Every call returns a vendor with a token cache
// of its own; a process makes one, in the set that its command builds.
func Vendor() providers.Vendor {
	cache := newTokenCache()
	return providers.Vendor{
		Name:                "oauth",
		Summary:             "the OpenAI API behind OAuth 2.0 client credentials",
		SendsEncodingFormat: true,
		Chats:               true,
		EmbedModel:          "openai-text-embedding-3-small",
		Settings: []providers.Setting{
			{Name: "token_url", Env: "OAUTH_TOKEN_URL", Kind: providers.AddressSetting, Required: true,
				Help: "address of the token endpoint"},
			{Name: "client_id", Env: "OAUTH_CLIENT_ID", Kind: providers.TextSetting, Required: true,
				Help: "id of the client"},
			{Name: "client_secret", Env: "OAUTH_CLIENT_SECRET", Kind: providers.SecretSetting, Required: true,
				Help: "secret of the client"},
			{Name: "scope", Env: "OAUTH_SCOPE", Kind: providers.TextSetting,
				Help: "scope to ask for, several separated by spaces"},
			{Name: "base_url", Env: "OAUTH_BASE_URL", Kind: providers.AddressSetting, Required: true,
				Help: "address of the API up to and including /v1"},
			{Name: "auth_style", Kind: providers.ChoiceSetting, Choices: []string{styleParams, styleHeader}, Default: styleParams,
				Help: "how the client proves itself: in the form, or in a basic Authorization header"},
		},
		Open: func(s providers.Settings, rt providers.Runtime) (providers.Provider, error) {
			return open(cache, s, rt)
		},
	}
}

const (
	styleParams = "params"
	styleHeader = "header"
)

// provider is a gateway with one set of client credentials.
type provider struct {
	providers.Endpoint
	cache *tokenCache
	key   tokenKey
	// token is the token endpoint, for the texts of its errors.
	token  *providers.Endpoint
	config *clientcredentials.Config
}

func open(cache *tokenCache, s providers.Settings, rt providers.Runtime) (providers.Provider, error) {
	base, err := providers.BaseURL(s, "base_url")
	if err != nil {
		return nil, err
	}
	if err := transport.CheckCredentialURL(base, rt.AllowInsecureHTTP); err != nil {
		return nil, providers.AddressError(s, "base_url", err)
	}
	origin, err := transport.Origin(base)
	if err != nil {
		return nil, providers.AddressError(s, "base_url", err)
	}
	tokenURL, err := parseTokenURL(s.Text("token_url"))
	if err != nil {
		return nil, providers.AddressError(s, "token_url", err)
	}
	id, secret, scope, style := s.Text("client_id"), s.Secret("client_secret"), s.Text("scope"), s.Text("auth_style")
	config := &clientcredentials.Config{
		ClientID:     id,
		ClientSecret: secret.Reveal(),
		TokenURL:     tokenURL.String(),
		// Set always: the library would else try both ways, and so send the
		// secret twice whenever the endpoint fails.
		AuthStyle: oauth2.AuthStyleInParams,
	}
	if style == styleHeader {
		config.AuthStyle = oauth2.AuthStyleInHeader
	}
	if scope != "" {
		config.Scopes = []string{scope}
	}
	return &provider{
		Endpoint: providers.Endpoint{Runtime: rt, Base: base},
		cache:    cache,
		key: tokenKey{
			tokenURL: config.TokenURL, clientID: id, secret: sha256.Sum256([]byte(secret.Reveal())),
			scope: scope, style: style, origin: origin,
		},
		token:  &providers.Endpoint{Runtime: rt, Base: tokenURL},
		config: config,
	}, nil
}

// parseTokenURL accepts a query, which some token endpoints need, but neither
// userinfo nor a fragment, and plain http only where nobody listens in.
func parseTokenURL(raw string) (*url.URL, error) {
	u, err := url.Parse(raw)
	if err != nil {
		return nil, errors.New("the address cannot be parsed: write https://host[:port]/path")
	}
	if err := transport.CheckCredentialURL(u, false); err != nil {
		return nil, err
	}
	if u.Fragment != "" {
		return nil, errors.New("the address must not contain a fragment")
	}
	return u, nil
}

// EmbedBatch sends one batch with a cached token.
func (p *provider) EmbedBatch(ctx context.Context, req *providers.EmbedRequest) (*providers.EmbedAnswer, error) {
	return withToken(ctx, p, func(ep *providers.Endpoint) (*providers.EmbedAnswer, error) { return openai.Embed(ctx, ep, req) })
}

// Chat asks a model with a cached token.
func (p *provider) Chat(ctx context.Context, req *providers.ChatRequest) (*providers.ChatAnswer, error) {
	return withToken(ctx, p, func(ep *providers.Endpoint) (*providers.ChatAnswer, error) { return openai.Chat(ctx, ep, req) })
}

// withToken makes an exchange with a cached token. After a 401 the token is
// dropped and the exchange made once more with a new one.
func withToken[T any](ctx context.Context, p *provider, exchange func(*providers.Endpoint) (T, error)) (T, error) {
	for again := false; ; again = true {
		token, err := p.cache.get(ctx, p.key, p.Vendor, p.Clock, p.fetch)
		if err != nil {
			var none T
			return none, err
		}
		ep := p.Endpoint
		ep.Authorize = func(r *http.Request) error {
			return transport.SetCredential(r, "Authorization", "Bearer ", token.value)
		}
		answer, err := exchange(&ep)
		var pe *providers.Error
		if again || !errors.As(err, &pe) || pe.Status != http.StatusUnauthorized {
			return answer, err
		}
		p.cache.drop(p.key, token)
	}
}
