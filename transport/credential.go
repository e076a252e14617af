package transport

import (
	"context"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"golang.org/x/net/http/httpguts"
)

// credentialMark is a header key whose value list is empty. An empty list
// puts nothing on the wire, and unlike a context value it survives
// Request.WithContext and Clone; the round tripper removes it.
const credentialMark = "X-Ironflow-Credential"

// credentialUse says what a request carries.
type credentialUse int

const (
	noCredential credentialUse = iota
	aCredential
	strictCredential // a token request: no setting lets it travel in clear text
)

type credentialKey struct{}

// WithCredential marks every request made with the returned context as carrying
// a credential that is not in a header set by SetCredential, for instance one
// that a library puts into a form. With strict, no setting permits plain http to
// a public address: token endpoints.
func WithCredential(ctx context.Context, strict bool) context.Context {
	use := aCredential
	if strict || ctx.Value(credentialKey{}) == strictCredential {
		use = strictCredential
	}
	return context.WithValue(ctx, credentialKey{}, use)
}

// credentialOf finds out what req carries. The well-known headers count without
// a mark, because libraries set them themselves.
func credentialOf(req *http.Request) credentialUse {
	use, _ := req.Context().Value(credentialKey{}).(credentialUse)
	if use != noCredential {
		return use
	}
	for k := range req.Header {
		switch strings.ToLower(k) {
		case strings.ToLower(credentialMark), "authorization", "cookie", "api-key", "apikey", "x-api-key",
			"x-goog-api-key", "x-auth-token", "ocp-apim-subscription-key":
			return aCredential
		}
	}
	return noCredential
}

// forbiddenHeader reports whether a caller may not set the header: those that
// steer the connection or the framing of the message.
func forbiddenHeader(name string) bool {
	n := strings.ToLower(name)
	switch n {
	case "host", "content-length", "transfer-encoding", "connection", "keep-alive", "te", "trailer", "upgrade":
		return true
	}
	return strings.HasPrefix(n, "proxy-")
}

// CheckHeader refuses a header that a caller may not set, a name that is not a
// token, and a value with CR, LF or another control character. The error names
// the header, never the value.
func CheckHeader(name, value string) error {
	if e := checkHeader(name, value); e != nil {
		return e
	}
	return nil
}

func checkHeader(name, value string) *Error {
	if name == credentialMark {
		return nil
	}
	switch {
	case !httpguts.ValidHeaderFieldName(name):
		return &Error{Kind: KindInvalid, detail: badHeaderName}
	case forbiddenHeader(name):
		return &Error{Kind: KindInvalid, detail: headerDetail(name, "is set by the transport and may not be set by a caller")}
	case !httpguts.ValidHeaderFieldValue(value):
		return &Error{Kind: KindInvalid, detail: headerDetail(name, "has a value with a line break or another control character")}
	}
	return nil
}

const badHeaderName detail = "a header name must be a token of letters, digits and !#$%&'*+-.^_`|~"

// headerDetail names a header; the name has been checked to be a token. Header
// names come from the caller, never from a server.
func headerDetail(name, what string) detail {
	return detail("header " + http.CanonicalHeaderKey(name) + " " + what)
}

// SetCredential sets the header to prefix followed by the secret and marks the
// request, so that the policy can keep it off plain http to public addresses
// whatever the header is called. The value must be printable ASCII without a
// space at either end; the error names the header, never the value.
func SetCredential(req *http.Request, header, prefix string, s Secret) error {
	if err := CheckHeader(header, ""); err != nil {
		return err
	}
	if s.IsZero() {
		return &Error{Kind: KindInvalid, detail: headerDetail(header, "needs a credential, and none is set")}
	}
	v := s.Reveal()
	bad := func(r rune) bool { return r < 0x20 || r > 0x7e }
	if strings.ContainsFunc(prefix+v, bad) || strings.TrimSpace(v) != v {
		return &Error{Kind: KindInvalid, detail: headerDetail(header,
			"has a credential with a line break, a space at its end, or a character outside printable ASCII: set it without")}
	}
	if req.Header == nil {
		req.Header = http.Header{}
	}
	req.Header.Set(header, prefix+v)
	req.Header[credentialMark] = []string{}
	return nil
}

// CheckCredentialURL refuses plain http with a credential to a literal address
// that is neither loopback nor private, unless allowInsecure. Pass false for a
// token address, for which no setting allows it. A host name passes here: it
// is checked on the address it resolves to when the request is sent. The error
// is an *Error of KindInsecure, or of KindInvalid for an address that Origin
// refuses.
func CheckCredentialURL(u *url.URL, allowInsecure bool) error {
	o, why := originOf(u)
	if why != "" {
		return &Error{Kind: KindInvalid, detail: why}
	}
	if o.scheme == "https" || allowInsecure {
		return nil
	}
	if e := checkLiteral(o, false); e != nil {
		return e
	}
	return nil
}

// checkLiteral is the part of the rule that needs no resolution.
func checkLiteral(o origin, strict bool) *Error {
	a, err := netip.ParseAddr(o.host)
	if err != nil || nearby(a) {
		return nil
	}
	return insecureError(a, o.String(), strict)
}

const (
	insecureAdvice detail = "the address is neither loopback nor private, as far as it is known; use https, or set IRONFLOW_ALLOW_INSECURE_HTTP=true if the network in between is trusted"
	insecureStrict detail = "the address is neither loopback nor private, as far as it is known; a token address needs https"
)

func insecureError(a netip.Addr, origin string, strict bool) *Error {
	e := &Error{Kind: KindInsecure, Origin: origin, detail: insecureAdvice}
	if a.IsValid() {
		e.Address = showAddr(a)
	}
	if strict {
		e.detail = insecureStrict
	}
	return e
}
