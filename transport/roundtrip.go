package transport

import (
	"net/http"
	"strconv"
	"strings"
)

// roundTripper enforces the policy on every hop, whoever calls it.
type roundTripper struct {
	policy Policy
	open   *http.Transport
	// nearby is the pool for credentials over plain http. It is apart, because a
	// connection that was made without a credential, and therefore without the
	// check of this dialler, must not be reused for a request that has one.
	nearby *http.Transport

	// noRedirectCheck switches this line of the redirect rule off, so that tests
	// can show that the client's check suffices alone.
	noRedirectCheck bool
}

// CloseIdleConnections is what http.Client.CloseIdleConnections looks for.
func (rt *roundTripper) CloseIdleConnections() {
	rt.open.CloseIdleConnections()
	rt.nearby.CloseIdleConnections()
}

// RoundTrip sends one request. It judges no status code.
func (rt *roundTripper) RoundTrip(req *http.Request) (*http.Response, error) {
	out, pool, o, e := rt.prepare(req)
	if e != nil {
		if req.Body != nil {
			_ = req.Body.Close()
		}
		return nil, e
	}
	resp, err := pool.RoundTrip(out)
	if err != nil {
		return nil, scrubAt(req.Context(), err, o.String())
	}
	// The chain of redirects runs over this field; out is our private copy.
	resp.Request = req
	if e := rt.accept(req, resp, o.String()); e != nil {
		_ = resp.Body.Close()
		return nil, e
	}
	return resp, nil
}

const (
	badHostHeader detail = "the Host may not differ from the address"
	badFraming    detail = "the transfer encoding is set by the transport"
)

// prepare checks req and returns the request to send, the pool to send it on
// and the origin.
func (rt *roundTripper) prepare(req *http.Request) (*http.Request, *http.Transport, origin, *Error) {
	if !rt.noRedirectCheck {
		if e := checkChain(req); e != nil {
			return nil, nil, origin{}, e
		}
	}
	o, why := originOf(req.URL)
	if why != "" {
		return nil, nil, o, &Error{Kind: KindInvalid, detail: why}
	}
	if e := checkRequest(req, o); e != nil {
		return nil, nil, o, e
	}
	use := credentialOf(req)
	strict := use == strictCredential
	clear := o.scheme == "http" && use != noCredential && (strict || !rt.policy.AllowInsecureHTTP)
	if clear {
		if e := checkLiteral(o, strict); e != nil {
			return nil, nil, o, e
		}
	}
	r := &route{origin: o.String(), strict: strict}
	var e *Error
	if r.proxy, e = rt.policy.chooseProxy(req.URL, r.origin); e != nil {
		return nil, nil, o, e
	}
	if r.proxy.url != nil {
		if e := rt.policy.checkBehindProxy(req.Context(), o, clear, strict); e != nil {
			return nil, nil, o, e
		}
	}
	pool := rt.open
	if clear {
		pool = rt.nearby
	}
	return rt.outgoing(req, r), pool, o, nil
}

// checkRequest refuses headers that are not the caller's to set.
func checkRequest(req *http.Request, o origin) *Error {
	if req.Host != "" && req.Host != req.URL.Host {
		return &Error{Kind: KindInvalid, Origin: o.String(), detail: badHostHeader}
	}
	if len(req.TransferEncoding) > 0 {
		return &Error{Kind: KindInvalid, Origin: o.String(), detail: badFraming}
	}
	for name, values := range req.Header {
		if len(values) == 0 {
			values = []string{""}
		}
		for _, v := range values {
			if err := checkHeader(name, v); err != nil {
				return err.withOrigin(o.String())
			}
		}
	}
	return nil
}

// outgoing is the copy of req that goes to net/http.
func (rt *roundTripper) outgoing(req *http.Request, r *route) *http.Request {
	ctx := req.Context()
	out := req.Clone(withRoute(ctx, r))
	if out.Header == nil {
		out.Header = http.Header{}
	}
	for name := range out.Header {
		switch strings.ToLower(name) {
		// net/http asks for gzip and decodes it only when the caller has not
		// named an encoding; the others must not leave this process.
		case "referer", "accept-encoding", strings.ToLower(credentialMark):
			delete(out.Header, name)
		}
	}
	if _, ok := out.Header["User-Agent"]; !ok {
		out.Header.Set("User-Agent", rt.policy.UserAgent)
	}
	if ctx.Value(replayKey{}) != nil && len(out.Header["Idempotency-Key"]) == 0 {
		// An empty list sends no header, but tells net/http that the request may
		// be repeated on a new connection.
		out.Header["Idempotency-Key"] = []string{}
	}
	return out
}

// accept looks at the answer and puts the limits on its body.
func (rt *roundTripper) accept(req *http.Request, resp *http.Response, origin string) *Error {
	// The reason phrase is free text of the server that libraries print.
	resp.Status = strings.TrimRight(strconv.Itoa(resp.StatusCode)+" "+http.StatusText(resp.StatusCode), " ")
	if resp.StatusCode == http.StatusSwitchingProtocols {
		return &Error{Kind: KindProtocol, Origin: origin, Status: resp.StatusCode, detail: unaskedUpgrade}
	}
	if e := checkLocation(req, resp, origin); e != nil {
		return e
	}
	return capBody(req, resp, rt.policy.MaxBodyBytes, origin)
}

const unaskedUpgrade detail = "it switches to another protocol, which was not asked for"

// encoded reports whether the body is still encoded after net/http has undone
// one layer of gzip.
func encoded(h http.Header) bool {
	for _, v := range h.Values("Content-Encoding") {
		if v != "" && !strings.EqualFold(strings.TrimSpace(v), "identity") {
			return true
		}
	}
	return false
}
