package transporttest

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/ironflow/ironflow/transport"
)

// Protocol is what the redirecting server speaks.
type Protocol string

// The protocols of the matrix.
const (
	HTTP1    Protocol = "HTTP/1.1 plain"
	HTTP1TLS Protocol = "HTTP/1.1 over TLS"
	HTTP2    Protocol = "HTTP/2 over TLS"
)

func (p Protocol) scheme() string {
	if p == HTTP1 {
		return "http"
	}
	return "https"
}

// landed is the path of every redirect target. A request for it counts as one
// that reached the target, wherever it arrives.
const landed = "/landed"

// network is a small internet on loopback: api.test redirects, every other name
// and port is the target. No name of it exists in the DNS.
type network struct {
	proto  Protocol
	marker string
	pool   *x509.CertPool
	hosts  map[string]string

	asked atomic.Int64 // requests at the redirecting server
	hits  atomic.Int64 // requests at the target
	conns atomic.Int64 // connections to the target

	mu       sync.Mutex
	badProto string // a protocol seen at the redirecting server that was not asked for
}

func newNetwork(t testing.TB, proto Protocol) *network {
	t.Helper()
	n := &network{proto: proto, marker: NewMarker()}
	cert, pool := Certificate(t, "api.test", "*.api.test", "other.test", "api.test.", "xn--bcher-kva.test")
	n.pool = pool
	source := n.serve(t, proto, cert, nil, n.redirect)
	plain := n.serve(t, HTTP1, cert, &n.conns, n.target)
	secure := n.serve(t, HTTP2, cert, &n.conns, n.target)

	n.hosts = map[string]string{"api.test:8080": plain, "api.test:8443": secure}
	for _, name := range []string{"api.test", "other.test", "sub.api.test", "api.test.", "xn--bcher-kva.test", "[fe80::1%lo]"} {
		n.hosts[name+":80"], n.hosts[name+":443"] = plain, secure
	}
	n.hosts["api.test:0"] = plain
	n.hosts["api.test:80"], n.hosts["api.test:443"] = plain, secure
	if proto == HTTP1 {
		n.hosts["api.test:80"] = source
	} else {
		n.hosts["api.test:443"] = source
		n.hosts["api.test:0"] = secure
	}
	return n
}

func (n *network) serve(t testing.TB, proto Protocol, cert tls.Certificate, conns *atomic.Int64, h http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.EnableHTTP2 = proto == HTTP2
	if conns != nil {
		s.Config.ConnState = func(_ net.Conn, st http.ConnState) {
			if st == http.StateNew {
				conns.Add(1)
			}
		}
	}
	if proto == HTTP1 {
		s.Start()
	} else {
		s.TLS = &tls.Config{Certificates: []tls.Certificate{cert}, MinVersion: tls.VersionTLS12}
		s.StartTLS()
	}
	t.Cleanup(s.Close)
	return s.Listener.Addr().String()
}

func (n *network) target(w http.ResponseWriter, _ *http.Request) {
	n.hits.Add(1)
	w.WriteHeader(http.StatusOK)
}

// redirect answers /r/CODE/KIND/... with CODE and the Location of KIND.
func (n *network) redirect(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == landed {
		n.target(w, r)
		return
	}
	n.asked.Add(1)
	if (r.ProtoMajor == 2) != (n.proto == HTTP2) {
		n.mu.Lock()
		n.badProto = r.Proto
		n.mu.Unlock()
	}
	part := strings.Split(r.URL.Path, "/")
	if len(part) < 4 || part[1] != "r" {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	code, err := strconv.Atoi(part[2])
	if err != nil {
		w.WriteHeader(http.StatusNotFound)
		return
	}
	for _, k := range kinds() {
		if k.name == part[3] {
			// Written directly: http.Redirect would clean the address.
			w.Header().Set("Location", k.location(n))
			w.Header().Set("Set-Cookie", "id="+n.marker)
			w.WriteHeader(code)
			_, _ = io.WriteString(w, n.marker)
			return
		}
	}
	w.WriteHeader(http.StatusNotFound)
}

// base is the base URL for one cell of the matrix.
func (n *network) base(code int, kind string) string {
	return fmt.Sprintf("%s://api.test/r/%d/%s", n.proto.scheme(), code, kind)
}

func (n *network) reset() {
	n.asked.Store(0)
	n.hits.Store(0)
	n.conns.Store(0)
}

// policy reaches the network.
func (n *network) policy() transport.Policy {
	return transport.Policy{RootCAs: n.pool, Hosts: n.hosts}
}

// plainClient is a client of net/http with nothing of ours but the names. It
// accepts every certificate, because it has to reach every target.
func (n *network) plainClient() *http.Client {
	return &http.Client{Transport: &http.Transport{
		ForceAttemptHTTP2: true,
		TLSClientConfig:   &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS12}, //nolint:gosec // loopback servers of this test only
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			to, ok := n.hosts[addr]
			if !ok {
				return nil, fmt.Errorf("no such host in the test network: %s", addr)
			}
			var d net.Dialer
			return d.DialContext(ctx, network, to)
		},
	}}
}
