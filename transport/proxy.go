package transport

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/http/httpproxy"
)

// proxyChoice is the proxy of one request; a nil url means a direct connection.
type proxyChoice struct{ url *url.URL }

const (
	badProxy      detail = "HTTP_PROXY and HTTPS_PROXY must be http, https, socks5 or socks5h addresses with a host"
	proxyFailed   detail = "check HTTP_PROXY, HTTPS_PROXY and NO_PROXY"
	proxyRefused  detail = "the proxy did not open a tunnel; check its permissions and NO_PROXY"
	lookupTimeout        = 5 * time.Second
)

// ProxyFromSettings builds Policy.Proxy from the values of HTTP_PROXY,
// HTTPS_PROXY and NO_PROXY, which the command reads once from its own
// environment. Empty values mean no proxy. Requests to localhost and loopback
// addresses are never proxied. An unusable address gives an *Error of KindProxy
// that does not show it, since it may hold a password.
func ProxyFromSettings(httpProxy, httpsProxy, noProxy string) (func(*url.URL) (*url.URL, error), error) {
	for _, raw := range []*string{&httpProxy, &httpsProxy} {
		if *raw == "" {
			continue
		}
		if !strings.Contains(*raw, "://") {
			*raw = "http://" + *raw // "host:port" alone stands for http, as everywhere else
		}
		if u, err := url.Parse(*raw); err != nil || !usableProxy(u) {
			return nil, &Error{Kind: KindProxy, detail: badProxy}
		}
	}
	c := httpproxy.Config{HTTPProxy: httpProxy, HTTPSProxy: httpsProxy, NoProxy: noProxy}
	return c.ProxyFunc(), nil
}

func usableProxy(u *url.URL) bool {
	switch u.Scheme {
	case "http", "https", "socks5", "socks5h":
		_, why := normalHost(u)
		return why == "" && u.Opaque == ""
	}
	return false
}

// chosenProxy hands the transport the proxy that the round tripper has chosen
// and checked, so that the two cannot differ.
func chosenProxy(req *http.Request) (*url.URL, error) { return routeOf(req.Context()).proxy.url, nil }

// chooseProxy asks the policy once per hop.
func (p Policy) chooseProxy(u *url.URL, origin string) (proxyChoice, *Error) {
	if p.Proxy == nil {
		return proxyChoice{}, nil
	}
	pu, err := p.Proxy(u)
	if err != nil {
		return proxyChoice{}, &Error{Kind: KindProxy, Origin: origin, detail: proxyFailed}
	}
	if pu == nil {
		return proxyChoice{}, nil
	}
	if !usableProxy(pu) {
		return proxyChoice{}, &Error{Kind: KindProxy, Origin: origin, detail: badProxy}
	}
	return proxyChoice{url: pu}, nil
}

// checkBehindProxy applies the address rules to the target of a proxied
// request, which our dialler never sees. Every address counts, since the proxy
// resolves the name again and may take any. A name that does not resolve here
// is left to the proxy, unless a credential would travel in clear text.
func (p Policy) checkBehindProxy(ctx context.Context, o origin, clearCredential, strict bool) *Error {
	addrs := p.lookup(ctx, o)
	for _, a := range addrs {
		if e := p.checkAddress(a, o.String(), p.BlockPrivateNetwork); e != nil {
			return e
		}
		if clearCredential && !nearby(a) {
			return insecureError(a, o.String(), strict)
		}
	}
	if clearCredential && len(addrs) == 0 {
		return insecureError(netip.Addr{}, o.String(), strict)
	}
	return nil
}

func (p Policy) lookup(ctx context.Context, o origin) []netip.Addr {
	host := o.host
	if to, ok := p.Hosts[net.JoinHostPort(o.host, o.port)]; ok {
		if h, _, err := net.SplitHostPort(to); err == nil {
			host = h
		}
	}
	if a, err := netip.ParseAddr(host); err == nil {
		return []netip.Addr{a}
	}
	ctx, cancel := context.WithTimeout(ctx, lookupTimeout)
	defer cancel()
	addrs, err := net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	if err != nil {
		return nil
	}
	return addrs
}

// checkProxyConnect replaces net/http's error for a refused tunnel, which
// repeats the status text of the proxy.
func checkProxyConnect(ctx context.Context, _ *url.URL, _ *http.Request, res *http.Response) error {
	if res.StatusCode == http.StatusOK {
		return nil
	}
	return &Error{Kind: KindProxy, Origin: routeOf(ctx).origin, Status: res.StatusCode, detail: proxyRefused}
}
