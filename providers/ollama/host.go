package ollama

import (
	"errors"
	"net"
	"net/netip"
	"net/url"
	"strings"

	"github.com/ironflow/ironflow/transport"
)

const defaultPort = "11434"

var errHost = errors.New("write host, host:port or http(s)://host[:port][/path]")

// parseHost reads OLLAMA_HOST. A plain host gets Ollama's port; with a scheme
// the scheme's own port applies, as in Ollama. The variable also tells the
// server where to listen, so the addresses that mean "every interface" stand
// for this machine here.
func parseHost(raw string) (*url.URL, error) {
	s := strings.Trim(strings.TrimSpace(raw), `"'`)
	if !strings.Contains(s, "://") {
		var err error
		if s, err = withScheme(s); err != nil {
			return nil, err
		}
	}
	u, err := transport.ParseBaseURL(s)
	if err != nil {
		return nil, err
	}
	if ip, err := netip.ParseAddr(u.Hostname()); err == nil && ip.IsUnspecified() {
		host := "127.0.0.1"
		if ip.Is6() {
			host = "[::1]"
		}
		if port := u.Port(); port != "" {
			host += ":" + port
		}
		u.Host = host
	}
	return u, nil
}

// withScheme completes host, host:port, :port, an IPv6 address with or without
// brackets, and [address]:port.
func withScheme(s string) (string, error) {
	if strings.ContainsAny(s, "/?#@\\") || s == "" {
		return "", errHost
	}
	if ip, err := netip.ParseAddr(strings.Trim(s, "[]")); err == nil {
		return "http://" + net.JoinHostPort(ip.String(), defaultPort), nil
	}
	host, port, err := net.SplitHostPort(s)
	if err != nil {
		if strings.Contains(s, ":") {
			return "", errHost
		}
		host, port = s, defaultPort
	}
	if host == "" {
		host = "127.0.0.1"
	}
	if port == "" {
		port = defaultPort
	}
	return "http://" + net.JoinHostPort(host, port), nil
}
