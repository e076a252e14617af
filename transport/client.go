package transport

import (
	"context"
	"net/http"
)

// Doer sends one request under the policy.
type Doer interface {
	Do(*http.Request) (*http.Response, error)
}

// Client sends requests under a Policy. One Client, with its connections, serves
// a whole process. It is safe for concurrent use.
type Client struct {
	rt   *roundTripper
	http *http.Client
}

// New builds a Client. It fails with an *Error of KindInvalid when the policy
// holds a negative limit or timeout or an unusable user agent.
func New(p Policy) (*Client, error) {
	p, err := p.normal()
	if err != nil {
		return nil, err
	}
	rt := &roundTripper{policy: p, open: p.pool(false), nearby: p.pool(true)}
	// No Jar: a cookie set on a redirect is not replayed. No Timeout: net/http
	// would hold a goroutine per request until the body is closed.
	return &Client{rt: rt, http: &http.Client{Transport: rt, CheckRedirect: checkRedirect}}, nil
}

// Do sends req and returns the final response whatever its status. The body is
// capped while it is read and must be closed. Every error is an *Error.
//
// A request with a body is sent once; see WithReplay for requests that may be
// sent again when a kept connection turns out to be dead.
func (c *Client) Do(req *http.Request) (*http.Response, error) {
	if req == nil || req.URL == nil {
		return nil, &Error{Kind: KindInvalid, detail: badNoURL}
	}
	resp, err := c.http.Do(req)
	if err != nil {
		// net/http returns the refused redirect as well; its body is closed.
		at, why := originOf(req.URL)
		if why != "" {
			return nil, scrubAt(req.Context(), err, "")
		}
		return nil, scrubAt(req.Context(), err, at.String())
	}
	return resp, nil
}

// HTTP returns the http.Client for libraries that need one. It must not be
// changed. Its errors are *url.Error values, whose text holds addresses: pass
// them through Scrub.
func (c *Client) HTTP() *http.Client { return c.http }

// Transport returns the round tripper. A foreign http.Client that is given only
// this obeys the whole policy.
func (c *Client) Transport() http.RoundTripper { return c.rt }

// CloseIdleConnections closes the connections that no request uses.
func (c *Client) CloseIdleConnections() { c.rt.CloseIdleConnections() }

// MaxBodyBytes returns the limit on one decoded response body.
func (c *Client) MaxBodyBytes() int64 { return c.rt.policy.MaxBodyBytes }

// AllowInsecureHTTP reports whether a credential may travel over plain http to a
// public address: the second argument of CheckCredentialURL.
func (c *Client) AllowInsecureHTTP() bool { return c.rt.policy.AllowInsecureHTTP }

type replayKey struct{}

// WithReplay allows requests made with the returned context to be sent again,
// once per dead connection, when a kept connection closes before the first byte
// of the answer. Use it where sending twice does no harm (embeddings,
// completions, tokens); without it a POST fails with KindConnection instead. A
// request whose body has no GetBody is never sent again.
func WithReplay(ctx context.Context) context.Context {
	return context.WithValue(ctx, replayKey{}, true)
}
