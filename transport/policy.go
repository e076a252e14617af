package transport

import (
	"crypto/tls"
	"crypto/x509"
	"net/http"
	"net/url"
	"strings"
	"time"

	"golang.org/x/net/http/httpguts"
)

// Defaults of a Policy.
const (
	DefaultMaxBodyBytes   = 52428800 // 50 MiB of decoded response body
	defaultDialTimeout    = 10 * time.Second
	defaultTLSTimeout     = 10 * time.Second
	defaultIdleTimeout    = 50 * time.Second // below the usual limit of load balancers
	defaultPingInterval   = 30 * time.Second
	defaultPingTimeout    = 15 * time.Second
	defaultUserAgent      = "ironflow"
	maxIdleConnsPerHost   = 32
	maxResponseHeaderSize = 1 << 20
	maxRedirects          = 10 // redirects followed; the 11th fails
)

// Policy is what a Client allows. The zero value is the default policy. It is
// made from flags and the process environment only, never from a flow file.
//
// There is no limit on the whole request: a completion may take minutes to its
// first byte, so every attempt carries its deadline in its context.
type Policy struct {
	// MaxBodyBytes is the limit on the decoded bytes of one response body;
	// 0 means DefaultMaxBodyBytes. A body of exactly the limit passes.
	MaxBodyBytes int64
	// BlockPrivateNetwork refuses loopback, private and other addresses that
	// are not reachable from the public network.
	BlockPrivateNetwork bool
	// AllowInsecureHTTP permits a credential over plain http to a public
	// address. Token endpoints stay refused.
	AllowInsecureHTTP bool
	// Proxy chooses the proxy for a request address; nil means none, and so
	// does a nil result. See ProxyFromSettings.
	Proxy func(*url.URL) (*url.URL, error)
	// RootCAs are the accepted certificate authorities; nil means the system's.
	RootCAs *x509.CertPool
	// Hosts maps "host:port" in lower case to the "address:port" that is dialled
	// instead. It is for tests, which need names that no resolver knows; the
	// address rules apply to the mapped address.
	Hosts map[string]string
	// UserAgent is sent when a request names none; "" means "ironflow".
	UserAgent string
	// DialTimeout limits one attempt to connect; 0 means 10 s.
	DialTimeout time.Duration
	// TLSHandshakeTimeout limits the handshake; 0 means 10 s.
	TLSHandshakeTimeout time.Duration
	// IdleConnTimeout closes idle connections after this time; 0 means 50 s.
	IdleConnTimeout time.Duration
	// PingInterval is the silence on an HTTP/2 connection after which a ping is
	// sent; 0 means 30 s. PingTimeout is how long its answer may take; 0 means
	// 15 s. Without pings a dead connection holds every request on it.
	PingInterval, PingTimeout time.Duration
}

const (
	badLimit     detail = "MaxBodyBytes must be a positive number of bytes"
	badTimeout   detail = "a timeout must not be negative"
	badUserAgent detail = "the user agent contains a character that is not allowed in a header"
)

// normal returns p with defaults filled in.
func (p Policy) normal() (Policy, error) {
	if p.MaxBodyBytes < 0 {
		return p, &Error{Kind: KindInvalid, detail: badLimit}
	}
	if p.MaxBodyBytes == 0 {
		p.MaxBodyBytes = DefaultMaxBodyBytes
	}
	if p.UserAgent == "" {
		p.UserAgent = defaultUserAgent
	}
	if !httpguts.ValidHeaderFieldValue(p.UserAgent) {
		return p, &Error{Kind: KindInvalid, detail: badUserAgent}
	}
	for _, t := range []struct {
		d   *time.Duration
		def time.Duration
	}{
		{&p.DialTimeout, defaultDialTimeout},
		{&p.TLSHandshakeTimeout, defaultTLSTimeout},
		{&p.IdleConnTimeout, defaultIdleTimeout},
		{&p.PingInterval, defaultPingInterval},
		{&p.PingTimeout, defaultPingTimeout},
	} {
		if *t.d < 0 {
			return p, &Error{Kind: KindInvalid, detail: badTimeout}
		}
		if *t.d == 0 {
			*t.d = t.def
		}
	}
	hosts := make(map[string]string, len(p.Hosts))
	for k, v := range p.Hosts {
		hosts[strings.ToLower(k)] = v
	}
	p.Hosts = hosts
	return p, nil
}

// pool builds one connection pool. privateOnly gives the one for credentials
// over plain http: its dialler connects to loopback and private addresses only.
func (p Policy) pool(privateOnly bool) *http.Transport {
	d := &dialer{policy: p, privateOnly: privateOnly}
	return &http.Transport{
		Proxy:                  chosenProxy,
		OnProxyConnectResponse: checkProxyConnect,
		DialContext:            d.dial,
		// A custom dialler switches HTTP/2 off unless it is asked for.
		ForceAttemptHTTP2: true,
		TLSClientConfig: &tls.Config{
			MinVersion: tls.VersionTLS12,
			RootCAs:    p.RootCAs,
		},
		TLSHandshakeTimeout:    p.TLSHandshakeTimeout,
		MaxIdleConns:           4 * maxIdleConnsPerHost,
		MaxIdleConnsPerHost:    maxIdleConnsPerHost,
		IdleConnTimeout:        p.IdleConnTimeout,
		ExpectContinueTimeout:  time.Second,
		MaxResponseHeaderBytes: maxResponseHeaderSize,
		HTTP2: &http.HTTP2Config{
			SendPingTimeout: p.PingInterval,
			PingTimeout:     p.PingTimeout,
		},
	}
}
