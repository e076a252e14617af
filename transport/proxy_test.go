package transport_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/transport"
	"github.com/ironflow/ironflow/transport/transporttest"
)

// proxyServer answers plain requests itself and tunnels CONNECT to target, or
// refuses it with the marker when target is empty.
func proxyServer(t *testing.T, target, marker string) (string, *recorder) {
	t.Helper()
	rec := &recorder{}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec.add(r)
		switch {
		case r.Method != http.MethodConnect:
			_, _ = io.WriteString(w, "by proxy")
		case target == "":
			c, _, err := http.NewResponseController(w).Hijack()
			if err != nil {
				return
			}
			_, _ = io.WriteString(c, "HTTP/1.1 407 "+marker+"\r\nProxy-Authenticate: "+marker+"\r\n\r\n"+marker)
			_ = c.Close()
		default:
			tunnel(w, target)
		}
	}))
	t.Cleanup(s.Close)
	return s.URL, rec
}

func tunnel(w http.ResponseWriter, target string) {
	up, err := net.Dial("tcp", target)
	if err != nil {
		return
	}
	c, _, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	_, _ = io.WriteString(c, "HTTP/1.1 200 OK\r\n\r\n")
	go func() {
		_, _ = io.Copy(up, c)
		_ = up.Close()
	}()
	_, _ = io.Copy(c, up)
	_ = c.Close()
}

func behind(t *testing.T, proxy string, p transport.Policy) transport.Policy {
	t.Helper()
	f, err := transport.ProxyFromSettings(proxy, proxy, "")
	if err != nil {
		t.Fatal(err)
	}
	p.Proxy = f
	return p
}

// TestBehindProxy: the address of the URL is checked before the proxy hears of
// the request.
func TestBehindProxy(t *testing.T) {
	hosts := map[string]string{
		"public.test:80": "93.184.216.34:80", "meta.test:80": "169.254.169.254:80", "near.test:80": "10.0.0.1:80",
	}
	for _, tt := range []struct {
		url, key string
		p        transport.Policy
		want     transport.Kind // "" = the proxy gets the request
	}{
		{url: "http://public.test/"},
		{url: "http://near.test/"},
		{url: "http://93.184.216.34/"},
		{url: "http://name-that-does-not-exist.invalid/"},
		{url: "http://169.254.169.254/", want: transport.KindAddressRefused},
		{url: "http://[::ffff:169.254.169.254]/", want: transport.KindAddressRefused},
		{url: "http://[64:ff9b::a9fe:a9fe]/", want: transport.KindAddressRefused},
		{url: "https://100.100.100.200/", want: transport.KindAddressRefused},
		{url: "http://meta.test/", want: transport.KindAddressRefused},
		{url: "http://near.test/", p: transport.Policy{BlockPrivateNetwork: true}, want: transport.KindAddressRefused},
		{url: "http://10.0.0.1/", p: transport.Policy{BlockPrivateNetwork: true}, want: transport.KindAddressRefused},
		{url: "http://public.test/", p: transport.Policy{BlockPrivateNetwork: true}}, // the proxy itself is on loopback
		{url: "http://near.test/", key: "sesame"},
		{url: "http://public.test/", key: "sesame", want: transport.KindInsecure},
		{url: "http://93.184.216.34/", key: "sesame", want: transport.KindInsecure},
		{url: "http://name-that-does-not-exist.invalid/", key: "sesame", want: transport.KindInsecure},
		{url: "http://public.test/", key: "sesame", p: transport.Policy{AllowInsecureHTTP: true}},
	} {
		proxy, rec := proxyServer(t, "", "")
		tt.p.Hosts = hosts
		err := get(t, newClient(t, behind(t, proxy, tt.p)), tt.url, tt.key)
		switch {
		case tt.want == "" && (err != nil || len(rec.list()) != 1):
			t.Errorf("%s, key %q: error %v, %d requests at the proxy; want none, 1", tt.url, tt.key, err, len(rec.list()))
		case tt.want != "" && (!errors.Is(err, tt.want) || len(rec.list()) != 0):
			t.Errorf("%s, key %q: error %v, %d requests at the proxy; want kind %s, 0", tt.url, tt.key, err, len(rec.list()), tt.want)
		}
	}
}

// TestCredentialToPublicProxy: over plain http the proxy reads the credential, so
// its own address counts as well.
func TestCredentialToPublicProxy(t *testing.T) {
	p := behind(t, "http://proxy.test:3128", transport.Policy{Hosts: map[string]string{
		"proxy.test:3128": "93.184.216.34:3128", "near.test:80": "10.0.0.1:80",
	}})
	if err := get(t, newClient(t, p), "http://near.test/", "sesame"); !errors.Is(err, transport.KindInsecure) {
		t.Errorf("error %v, want kind insecure", err)
	}
}

func TestRedirectBehindProxy(t *testing.T) {
	var rec recorder
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		rec.add(r)
		w.Header().Set("Location", "http://other.test/")
		w.WriteHeader(http.StatusTemporaryRedirect)
	}))
	t.Cleanup(s.Close)
	p := behind(t, s.URL, transport.Policy{Hosts: map[string]string{"public.test:80": "93.184.216.34:80"}})
	if err := get(t, newClient(t, p), "http://public.test/", ""); !errors.Is(err, transport.KindRedirect) || len(rec.list()) != 1 {
		t.Errorf("error %v, %d requests; want kind redirect, 1", err, len(rec.list()))
	}
}

func TestTunnel(t *testing.T) {
	s := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "by server") }))
	t.Cleanup(s.Close)
	pool := s.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
	proxy, rec := proxyServer(t, s.Listener.Addr().String(), "")
	c := newClient(t, behind(t, proxy, transport.Policy{RootCAs: pool}))
	if err := get(t, c, "https://example.com/", "sesame"); err != nil {
		t.Fatal(err)
	}
	all := rec.list()
	if len(all) != 1 || all[0].method != "CONNECT" || all[0].header.Get("X-Any-Name") != "" {
		t.Errorf("the proxy saw %v, want one CONNECT without the credential", all)
	}

	m := transporttest.NewMarker()
	proxy, _ = proxyServer(t, "", m)
	err := get(t, newClient(t, behind(t, strings.Replace(proxy, "//", "//user:"+m+"@", 1), transport.Policy{})), "https://example.com/", "")
	if !errors.Is(err, transport.KindProxy) {
		t.Errorf("error %v, want kind proxy", err)
	}
	transporttest.AssertNoLeak(t, m, err)

	err = get(t, newClient(t, behind(t, "http://user:"+m+"@127.0.0.1:1", transport.Policy{})), "https://example.com/", "")
	if !errors.Is(err, transport.KindConnect) || !strings.Contains(err.Error(), "HTTPS_PROXY") {
		t.Errorf("error %v, want kind connect that names the variables", err)
	}
	transporttest.AssertNoLeak(t, m, err)
}

func TestProxyFromSettings(t *testing.T) {
	f, err := transport.ProxyFromSettings("proxy.test:3128", "http://secure.test:3129", "direct.test,.inner.test,10.0.0.0/8")
	if err != nil {
		t.Fatal(err)
	}
	for in, want := range map[string]string{
		"http://api.test":      "http://proxy.test:3128",
		"https://api.test":     "http://secure.test:3129",
		"https://direct.test":  "",
		"https://a.inner.test": "",
		"http://10.1.2.3":      "",
		"http://localhost":     "",
		"http://127.0.0.1:80":  "",
		"http://[::1]":         "",
	} {
		u, err := url.Parse(in)
		if err != nil {
			t.Fatal(err)
		}
		got := ""
		if p, err := f(u); err != nil {
			t.Errorf("%s: %v", in, err)
		} else if p != nil {
			got = p.String()
		}
		if got != want {
			t.Errorf("%s: proxy %q, want %q", in, got, want)
		}
	}
	for _, bad := range []string{"ftp://sesame", "http://", "http://:3128", "://sesame", "http://user:sesame@h:port", "\x01sesame"} {
		for _, pair := range [][2]string{{bad, ""}, {"", bad}} {
			if _, err := transport.ProxyFromSettings(pair[0], pair[1], ""); !errors.Is(err, transport.KindProxy) || strings.Contains(err.Error(), "sesame") {
				t.Errorf("%q: error %v, want kind proxy without the value", pair, err)
			}
		}
	}
	f = func(*url.URL) (*url.URL, error) { return nil, errors.New("sesame") }
	if err := get(t, newClient(t, transport.Policy{Proxy: f}), "http://public.test/", ""); !errors.Is(err, transport.KindProxy) || strings.Contains(err.Error(), "sesame") {
		t.Errorf("error %v, want kind proxy", err)
	}
	f = func(*url.URL) (*url.URL, error) { return &url.URL{Scheme: "ftp", Host: "h"}, nil }
	if err := get(t, newClient(t, transport.Policy{Proxy: f}), "http://public.test/", ""); !errors.Is(err, transport.KindProxy) {
		t.Errorf("error %v, want kind proxy", err)
	}
}
