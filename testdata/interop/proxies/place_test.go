//go:build interop

// Package proxies tests what IronFlow does with the redirects and faults of
// nginx and caddy.
package proxies

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"text/template"
	"time"

	"github.com/ironflow/ironflow/testdata/interop/stand"
	"github.com/ironflow/ironflow/transport"
	"github.com/ironflow/ironflow/transport/transporttest"
)

var (
	report   = stand.NewReport("proxies")
	ironflow stand.Command
)

func TestMain(m *testing.M) { os.Exit(report.Main(m)) }

// protocol is one way to talk to the proxy.
type protocol struct {
	name       string
	tls, http2 bool
}

var protocols = []protocol{{"HTTP/1.1", false, false}, {"HTTP/1.1 over TLS", true, false}, {"HTTP/2", true, true}}

func (p protocol) scheme() string {
	if p.tls {
		return "https"
	}
	return "http"
}

// cell is one redirect of the configuration.
type cell struct {
	Code     int
	Kind     string
	Location string
	// Verbatim keeps nginx from completing the address.
	Verbatim bool
	// NoPort keeps nginx from completing it with the port that it listens on.
	NoPort bool
	// reachable says that a client without a policy arrives.
	reachable bool
}

var codes = []int{301, 302, 303, 307, 308}

// cells are the redirects to other origins. No name of them is in the DNS.
func (p protocol) cells() []cell {
	scheme, port := p.scheme(), "8080"
	if p.tls {
		port = "8443"
	}
	kinds := []cell{
		{Kind: "other-host", Location: scheme + "://other.test/landed/", reachable: true},
		{Kind: "other-port", Location: scheme + "://api.test:" + port + "/landed/", reachable: true},
		{Kind: "subdomain", Location: scheme + "://sub.api.test/landed/", reachable: true},
		{Kind: "trailing-dot", Location: scheme + "://api.test./landed/", reachable: true},
		{Kind: "scheme-relative", Location: "//other.test/landed/", Verbatim: true, reachable: true},
		{Kind: "userinfo-other-host", Location: scheme + "://api.test:secret@other.test/landed/", reachable: true},
		{Kind: "other-scheme", Location: "ftp://other.test/landed/"},
		{Kind: "no-host", Location: scheme + ":///landed/"},
	}
	if p.tls {
		kinds = append(kinds, cell{Kind: "https-to-http", Location: "http://api.test/landed/", reachable: true})
	} else {
		kinds = append(kinds, cell{Kind: "http-to-https", Location: "https://api.test/landed/", reachable: true})
	}
	var all []cell
	for _, c := range kinds {
		for _, code := range codes {
			c.Code = code
			all = append(all, c)
		}
	}
	return all
}

// sameOrigin are redirects that may be followed.
func (p protocol) sameOrigin() []cell {
	var all []cell
	for _, code := range codes {
		all = append(all,
			cell{Code: code, Kind: "relative", Location: "/landed/embeddings", NoPort: true},
			cell{Code: code, Kind: "same", Location: p.scheme() + "://api.test/landed/embeddings"})
	}
	return all
}

// other records what reaches another origin.
type other struct {
	mu       sync.Mutex
	requests int
	conns    int
	bodies   int // requests with a body or a credential
}

func (o *other) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	o.mu.Lock()
	defer o.mu.Unlock()
	o.requests++
	if len(body) > 0 || r.Header.Get("Authorization") != "" {
		o.bodies++
	}
}

func (o *other) take() (conns, requests, bodies int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	conns, requests, bodies = o.conns, o.requests, o.bodies
	o.conns, o.requests, o.bodies = 0, 0, 0
	return conns, requests, bodies
}

func (o *other) serve(t *testing.T, cert *tls.Certificate) string {
	t.Helper()
	s := httptest.NewUnstartedServer(o)
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	s.Config.ConnState = func(_ net.Conn, state http.ConnState) {
		if state == http.StateNew {
			o.mu.Lock()
			defer o.mu.Unlock()
			o.conns++
		}
	}
	if cert == nil {
		s.Start()
	} else {
		s.EnableHTTP2 = true
		s.TLS = &tls.Config{Certificates: []tls.Certificate{*cert}, MinVersion: tls.VersionTLS12}
		s.StartTLS()
	}
	t.Cleanup(s.Close)
	return s.Listener.Addr().String()
}

// place is a running proxy in a network of names on loopback: api.test is the
// proxy, every other name and port is the other origin.
type place struct {
	name, version string
	other         *other
	upstream      *stand.Watch // in front of an embeddings API of our own
	pool          *x509.CertPool
	hosts         map[protocol]map[string]string
	ports         map[protocol]int
}

// listener is the view of a protocol in the templates.
type listener struct {
	Port       int
	TLS, HTTP2 bool
	Cells      []cell
}

func newPlace(t *testing.T, name string) *place {
	t.Helper()
	p := &place{name: name, other: &other{}, hosts: map[protocol]map[string]string{}, ports: map[protocol]int{}}
	cert, pool := transporttest.Certificate(t, "api.test", "*.api.test", "other.test", "api.test.", "127.0.0.1")
	p.pool = pool
	api := httptest.NewServer(http.HandlerFunc(embeddings))
	t.Cleanup(api.Close)
	p.upstream = stand.NewWatch(t, api.URL, nil)
	plain, secure := p.other.serve(t, nil), p.other.serve(t, &cert)

	dir := t.TempDir()
	view := struct {
		Dir, Upstream string
		DeadPort      int
		// Root says that workers would run as somebody who cannot read here.
		Root      bool
		Listeners []listener
	}{Root: os.Getuid() == 0, Dir: dir, Upstream: p.upstream.URL, DeadPort: stand.FreePort(t)}
	for _, proto := range protocols {
		at := stand.FreePort(t)
		p.ports[proto] = at
		cells := append(proto.cells(), proto.sameOrigin()...)
		cells = append(cells, cell{Code: 308, Kind: "completed", Location: "/landed/"})
		view.Listeners = append(view.Listeners, listener{Port: at, TLS: proto.tls, HTTP2: proto.http2, Cells: cells})
		hosts := map[string]string{"api.test:8080": plain, "api.test:8443": secure}
		for _, host := range []string{"api.test", "other.test", "sub.api.test", "api.test."} {
			hosts[host+":80"], hosts[host+":443"] = plain, secure
		}
		source := "api.test:80"
		if proto.tls {
			source = "api.test:443"
		}
		hosts[source] = fmt.Sprintf("127.0.0.1:%d", at)
		p.hosts[proto] = hosts
	}
	writePEM(t, dir, cert)
	if err := os.MkdirAll(filepath.Join(dir, "html", "auto", "embeddings"), 0o755); err != nil {
		t.Fatal(err)
	}
	page := []byte("<!doctype html><title>A page</title><p>No API here.")
	for _, f := range []string{"html/index.html", "html/auto/embeddings/index.html"} {
		if err := os.WriteFile(filepath.Join(dir, f), page, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	switch name {
	case "nginx":
		program := stand.Need(t, "nginx", "apt-get install --no-install-recommends nginx")
		p.version = versionOf(t, program, "-v")
		render(t, "nginx.conf.tmpl", filepath.Join(dir, "nginx.conf"), view)
		p.wait(t, stand.Start(t, name, dir, nil, program, "-e", "stderr", "-p", dir, "-c", filepath.Join(dir, "nginx.conf")))
	case "caddy":
		program := stand.Need(t, "caddy", "apt-get install --no-install-recommends caddy")
		p.version = versionOf(t, program, "version")
		render(t, "Caddyfile.tmpl", filepath.Join(dir, "Caddyfile"), view)
		env := []string{"HOME=" + dir, "XDG_DATA_HOME=" + dir, "XDG_CONFIG_HOME=" + dir}
		p.wait(t, stand.Start(t, name, dir, env, program, "run", "--adapter", "caddyfile", "--config", filepath.Join(dir, "Caddyfile")))
	}
	return p
}

func (p *place) wait(t *testing.T, s *stand.Server) {
	t.Helper()
	for _, at := range p.ports {
		s.Listening(t, fmt.Sprintf("127.0.0.1:%d", at), 20*time.Second)
	}
}

var number = regexp.MustCompile(`\d+\.\d+\.\d+`)

func versionOf(t *testing.T, program string, arg string) string {
	t.Helper()
	out, err := exec.Command(program, arg).CombinedOutput()
	if err != nil {
		t.Fatal(err)
	}
	return number.FindString(string(out))
}

func render(t *testing.T, from, to string, view any) {
	t.Helper()
	tmpl, err := template.ParseFiles(from)
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := tmpl.Execute(&b, view); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
}

func writePEM(t *testing.T, dir string, cert tls.Certificate) {
	t.Helper()
	key, err := x509.MarshalPKCS8PrivateKey(cert.PrivateKey)
	if err != nil {
		t.Fatal(err)
	}
	for name, block := range map[string]*pem.Block{
		"cert.pem": {Type: "CERTIFICATE", Bytes: cert.Certificate[0]},
		"key.pem":  {Type: "PRIVATE KEY", Bytes: key},
	} {
		if err := os.WriteFile(filepath.Join(dir, name), pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

// embeddings is the API behind the proxy; any path will do.
func embeddings(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	w.Header().Set("Content-Type", "application/json")
	n := strings.Count(string(body), `"text `)
	var data []string
	for i := range n {
		data = append(data, fmt.Sprintf(`{"index":%d,"embedding":[1,%d]}`, i, i))
	}
	_, _ = fmt.Fprintf(w, `{"data":[%s],"model":"m"}`, strings.Join(data, ","))
}

// base is an address of the proxy under its name.
func (proto protocol) base(path string) string { return proto.scheme() + "://api.test" + path }

func (p *place) policy(proto protocol) transport.Policy {
	return transport.Policy{RootCAs: p.pool, Hosts: p.hosts[proto]}
}

// plain is a client of net/http with nothing of ours but the names.
func (p *place) plain(proto protocol, follow bool) *http.Client {
	c := &http.Client{Transport: &http.Transport{
		ForceAttemptHTTP2: true,
		DisableKeepAlives: true,
		TLSClientConfig:   &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS12},
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			to, ok := p.hosts[proto][addr]
			if !ok {
				return nil, fmt.Errorf("no such host in the test network: %s", addr)
			}
			return (&net.Dialer{}).DialContext(ctx, network, to)
		},
	}}
	if !follow {
		c.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	}
	return c
}
