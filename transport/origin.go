package transport

import (
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// origin is the normalised triple that the redirect rule compares with ==.
type origin struct {
	scheme, host, port string
}

func (o origin) String() string { return o.scheme + "://" + net.JoinHostPort(o.host, o.port) }

const (
	badNoURL    detail = "the address is missing"
	badScheme   detail = "only http and https addresses are allowed"
	badOpaque   detail = "the address has no host: write scheme://host[:port][/path]"
	badUserinfo detail = "an address must not contain user information: set the credential in its own parameter"
	badHost     detail = "the host contains a character that is not allowed: use ASCII letters, digits, '-', '_' and '.', the xn-- form for an international name, or an IP address in its usual form"
	badZone     detail = "an IPv6 address in brackets, without a zone, is expected"
	badPort     detail = "the port must be a number from 1 to 65535"
	badQuery    detail = "a base address must not contain a query: give the parameters separately"
	badFragment detail = "a base address must not contain a fragment"
	badSyntax   detail = "the address cannot be parsed: write scheme://host[:port][/path]"
)

// originOf normalises the origin of u, or says why u is not acceptable. Ports
// are compared as numbers with the scheme's default filled in, hosts in ASCII
// lower case, IPv6 literals in canonical form. "h." and "h" stay different, as
// do an IPv4 address and its IPv6-mapped form.
func originOf(u *url.URL) (origin, detail) {
	if u == nil {
		return origin{}, badNoURL
	}
	var o origin
	switch u.Scheme {
	case "http":
		o = origin{scheme: "http", port: "80"}
	case "https":
		o = origin{scheme: "https", port: "443"}
	default:
		return origin{}, badScheme
	}
	if u.Opaque != "" {
		return origin{}, badOpaque
	}
	if u.User != nil {
		return origin{}, badUserinfo
	}
	host, why := normalHost(u)
	if why != "" {
		return origin{}, why
	}
	o.host = host
	if p := u.Port(); p != "" {
		n, err := strconv.ParseUint(p, 10, 16)
		if err != nil || n == 0 {
			return origin{}, badPort
		}
		o.port = strconv.FormatUint(n, 10)
	}
	return o, ""
}

func normalHost(u *url.URL) (string, detail) {
	h := u.Hostname()
	if h == "" {
		return "", badOpaque
	}
	if strings.HasPrefix(u.Host, "[") {
		a, err := netip.ParseAddr(h)
		if err != nil || !a.Is6() || a.Zone() != "" {
			return "", badZone
		}
		return a.String(), ""
	}
	b := []byte(h)
	for i, c := range b {
		switch {
		case c >= 'A' && c <= 'Z':
			b[i] = c + ('a' - 'A')
		case c >= 'a' && c <= 'z', c >= '0' && c <= '9', c == '-', c == '_', c == '.':
		default:
			return "", badHost
		}
	}
	// A name that begins with a dot or holds an empty label cannot be resolved,
	// and proxies and resolvers disagree on what to make of it.
	if h[0] == '.' || strings.Contains(h, "..") {
		return "", badHost
	}
	return string(b), ""
}

// Origin returns the normalised origin "scheme://host:port" of u, with the
// port always present. Addresses with userinfo, an opaque part, another scheme,
// a zone, a non-ASCII host or a port outside 1..65535 give an *Error of
// KindInvalid, which shows nothing of u.
func Origin(u *url.URL) (string, error) {
	o, why := originOf(u)
	if why != "" {
		return "", &Error{Kind: KindInvalid, detail: why}
	}
	return o.String(), nil
}

// ParseBaseURL parses the address of a provider: http or https, a host, an
// optional port and path; no userinfo, query, fragment, zone or non-ASCII host.
// Trailing slashes are trimmed, the host is normalised and a default port is
// dropped, so that equal addresses compare equal as strings. Errors have
// KindInvalid and show at most the normalised origin.
func ParseBaseURL(raw string) (*url.URL, error) {
	if raw == "" {
		return nil, &Error{Kind: KindInvalid, detail: badNoURL}
	}
	u, err := url.Parse(raw)
	if err != nil {
		return nil, &Error{Kind: KindInvalid, detail: badSyntax}
	}
	o, why := originOf(u)
	switch {
	case why != "":
		return nil, &Error{Kind: KindInvalid, detail: why}
	case u.RawQuery != "" || u.ForceQuery:
		return nil, &Error{Kind: KindInvalid, Origin: o.String(), detail: badQuery}
	case strings.Contains(raw, "#"):
		return nil, &Error{Kind: KindInvalid, Origin: o.String(), detail: badFragment}
	}
	esc := strings.TrimRight(u.EscapedPath(), "/")
	path, err := url.PathUnescape(esc)
	if err != nil {
		return nil, &Error{Kind: KindInvalid, Origin: o.String(), detail: badSyntax}
	}
	out := &url.URL{Scheme: o.scheme, Host: o.hostPort(), Path: path}
	if out.EscapedPath() != esc {
		out.RawPath = esc
	}
	return out, nil
}

// hostPort is the host as it is written in a URL, without a default port.
func (o origin) hostPort() string {
	if (o.scheme == "http" && o.port == "80") || (o.scheme == "https" && o.port == "443") {
		if strings.Contains(o.host, ":") {
			return "[" + o.host + "]"
		}
		return o.host
	}
	return net.JoinHostPort(o.host, o.port)
}
