package transporttest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/ironflow/ironflow/transport"
)

// Codes are the statuses with which net/http follows a redirect.
func Codes() []int { return []int{301, 302, 303, 307, 308} }

// kind is one way to leave the origin.
type kind struct {
	name      string
	only      string // scheme of the redirecting server for which it exists; "" = both
	reachable bool   // whether a client without a policy arrives
	location  func(n *network) string
}

func kinds() []kind {
	// The query holds the marker, so that a Location in an error is found.
	path := func(n *network) string { return landed + "?to=" + n.marker }
	at := func(host string) func(*network) string {
		return func(n *network) string { return n.proto.scheme() + "://" + host + path(n) }
	}
	port := func(n *network) string {
		if n.proto == HTTP1 {
			return "8080"
		}
		return "8443"
	}
	return []kind{
		{"other-host", "", true, at("other.test")},
		{"other-port", "", true, func(n *network) string { return n.proto.scheme() + "://api.test:" + port(n) + path(n) }},
		{"subdomain", "", true, at("sub.api.test")},
		{"https-to-http", "https", true, func(n *network) string { return "http://api.test" + path(n) }},
		{"http-to-https", "http", true, func(n *network) string { return "https://api.test" + path(n) }},
		{"trailing-dot", "", true, at("api.test.")},
		{"scheme-relative", "", true, func(n *network) string { return "//other.test" + path(n) }},
		{"userinfo", "", true, func(n *network) string {
			return n.proto.scheme() + "://" + n.marker + ":" + n.marker + "@api.test" + path(n)
		}},
		{"userinfo-other-host", "", true, func(n *network) string {
			return n.proto.scheme() + "://api.test:" + n.marker + "@other.test" + path(n)
		}},
		{"opaque", "", false, func(n *network) string { return n.proto.scheme() + ":other.test" + path(n) }},
		{"no-host", "", false, func(n *network) string { return n.proto.scheme() + "://" + path(n) }},
		{"other-scheme", "", false, func(n *network) string { return "ftp://other.test" + path(n) }},
		{"unparsable", "", false, func(n *network) string { return n.proto.scheme() + "://[other.test" + path(n) }},
		{"port-0", "", true, at("api.test:0")},
		{"port-too-large", "", false, at("api.test:99999")},
		{"ipv6-zone", "", true, at("[fe80::1%25lo]")},
		{"non-ascii", "", true, at("bücher.test")},
	}
}

// applies reports whether the kind exists for the protocol.
func (k kind) applies(p Protocol) bool { return k.only == "" || k.only == p.scheme() }

// Protocols returns the protocols of the matrix.
func Protocols() []Protocol { return []Protocol{HTTP1, HTTP1TLS, HTTP2} }

const cellTimeout = 20 * time.Second

// MatrixOption changes how RedirectMatrix works.
type MatrixOption func(*matrixOptions)

type matrixOptions struct {
	build func(transport.Policy) (*transport.Client, error)
}

// WithBuild makes the clients under test with f instead of transport.New.
func WithBuild(f func(transport.Policy) (*transport.Client, error)) MatrixOption {
	return func(o *matrixOptions) { o.build = f }
}

// RedirectMatrix runs send against a server that redirects with each of Codes to
// each kind of foreign address, over HTTP/1.1 and HTTP/2. In every cell the
// redirecting server must have been asked, nothing may have reached the target,
// send must fail with transport.KindRedirect, and the scrubbed error must hold
// nothing of the Location. The base URL ends without a slash; send may append a
// path.
func RedirectMatrix(t *testing.T, send Send, opts ...MatrixOption) {
	t.Helper()
	o := matrixOptions{build: transport.New}
	for _, f := range opts {
		f(&o)
	}
	for _, p := range Protocols() {
		n := newNetwork(t, p)
		c, err := o.build(n.policy())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.CloseIdleConnections)
		for _, k := range kinds() {
			for _, code := range Codes() {
				if k.applies(p) {
					t.Run(fmt.Sprintf("%s/%s/%d", p, k.name, code), func(t *testing.T) { runCell(t, n, c, send, k, code) })
				}
			}
		}
	}
}

func runCell(t *testing.T, n *network, c *transport.Client, send Send, k kind, code int) {
	t.Helper()
	n.reset()
	ctx, cancel := context.WithTimeout(t.Context(), cellTimeout)
	defer cancel()
	err := send(ctx, c, n.base(code, k.name))
	if n.asked.Load() == 0 {
		t.Errorf("the redirecting server was not asked, so this shows nothing; error: %v", err)
	}
	n.mu.Lock()
	if n.badProto != "" {
		t.Errorf("the redirecting server was asked over %s", n.badProto)
	}
	n.mu.Unlock()
	if h := n.hits.Load(); h != 0 {
		t.Errorf("%d requests reached the target, want 0", h)
	}
	if h := n.conns.Load(); h != 0 {
		t.Errorf("%d connections to the target, want 0", h)
	}
	if !errors.Is(err, transport.KindRedirect) {
		t.Errorf("error is not of kind redirect: %v", err)
	}
	if err != nil {
		AssertNoLeak(t, n.marker, transport.Scrub(ctx, err))
		AssertNoLeak(t, landed, transport.Scrub(ctx, err))
	}
}

// RedirectControl is the positive control of RedirectMatrix: it runs send on the
// same servers with a client of net/http that knows no policy, and fails when a
// reachable target is not reached. Without it a matrix whose targets nobody can
// reach would pass.
func RedirectControl(t *testing.T, send SendHTTP) {
	t.Helper()
	for _, p := range Protocols() {
		n := newNetwork(t, p)
		c := n.plainClient()
		t.Cleanup(c.CloseIdleConnections)
		for _, k := range kinds() {
			for _, code := range Codes() {
				if !k.applies(p) {
					continue
				}
				t.Run(fmt.Sprintf("%s/%s/%d", p, k.name, code), func(t *testing.T) {
					n.reset()
					ctx, cancel := context.WithTimeout(t.Context(), cellTimeout)
					defer cancel()
					err := send(ctx, c, n.base(code, k.name))
					if got := n.hits.Load() > 0; got != k.reachable {
						t.Errorf("target reached = %v, want %v (error: %v)", got, k.reachable, err)
					}
				})
			}
		}
	}
}

// PostJSON is the SendHTTP of a plain JSON call with a credential in a header
// that net/http does not know as one.
func PostJSON(ctx context.Context, c *http.Client, baseURL string) error {
	req, err := newPost(ctx, baseURL+"/v1/embeddings")
	if err != nil {
		return err
	}
	resp, err := c.Do(req)
	return drain(resp, err)
}
