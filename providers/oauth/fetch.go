package oauth

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"time"

	"golang.org/x/oauth2"

	"github.com/ironflow/ironflow/providers"
	"github.com/ironflow/ironflow/transport"
)

const (
	// defaultLife is how long a token is kept when the endpoint does not say.
	defaultLife = 300 * time.Second
	// fetchTimeout bounds the exchange with the token endpoint.
	fetchTimeout = 60 * time.Second
	maxTokenSize = 16 << 10
)

// fetch asks the token endpoint for a token.
func (p *provider) fetch(ctx context.Context) (*token, error) {
	ctx = transport.WithReplay(transport.WithCredential(ctx, true))
	// Without a client in the context the library would take the default one,
	// silently and without the policy.
	ctx = context.WithValue(ctx, oauth2.HTTPClient, p.Client.HTTP())
	sent := p.Clock.Now()
	t, err := p.config.Token(ctx)
	if err != nil {
		return nil, p.fetchError(ctx, err)
	}
	if kind := t.TokenType; kind != "" && !strings.EqualFold(kind, "bearer") {
		return nil, p.badToken("the token endpoint gave a token of another type than Bearer")
	}
	if !plainToken(t.AccessToken) {
		return nil, p.badToken("the token endpoint gave a token with characters that cannot stand in a header")
	}
	return newToken(t.AccessToken, life(t), sent), nil
}

// life is the time for which a token is good. The library keeps only the
// moment of expiry by the machine's clock, taken a moment ago; rounding gets
// the seconds back that the endpoint named.
func life(t *oauth2.Token) time.Duration {
	if t.Expiry.IsZero() {
		return defaultLife
	}
	if d := time.Until(t.Expiry).Round(time.Second); d > 0 {
		return d
	}
	return defaultLife
}

// plainToken reports whether a token consists of visible ASCII.
func plainToken(s string) bool {
	if s == "" || len(s) > maxTokenSize {
		return false
	}
	for i := 0; i < len(s); i++ {
		if s[i] < 0x21 || s[i] > 0x7e {
			return false
		}
	}
	return true
}

func (p *provider) badToken(what string) error {
	return p.token.Answer(&providers.Error{Kind: providers.KindAnswer, Detail: what})
}

// fetchError rewrites an error of the library, whose own texts hold what the
// server sent.
func (p *provider) fetchError(ctx context.Context, err error) error {
	var refused *oauth2.RetrieveError
	if errors.As(err, &refused) && refused.Response != nil {
		e := p.token.StatusError(refused.Response.StatusCode, refused.Response.Header, string(refused.Body))
		if code, ok := providers.KnownCode(refused.ErrorCode); ok {
			e.Code = code
		}
		e.Detail = "the token endpoint gave no token"
		e.Hint = "check token_url, client_id, client_secret, scope and auth_style"
		return e
	}
	var ue *url.Error
	var te *transport.Error
	if errors.As(err, &ue) || errors.As(err, &te) || ctx.Err() != nil {
		return providers.TransportError(ctx, p.Vendor, err)
	}
	return p.badToken("the answer of the token endpoint is not usable: it is cut, too large, or holds no valid access_token and expires_in")
}
