package transport_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/transport"
)

// get sends a GET, with a credential when key is not empty.
func get(t *testing.T, c *transport.Client, url, key string) error {
	t.Helper()
	req := newRequest(t, "GET", url, nil)
	if key != "" {
		if err := transport.SetCredential(req, "X-Any-Name", "", transport.NewSecret(key)); err != nil {
			t.Fatal(err)
		}
	}
	resp, err := c.Do(req)
	if err != nil {
		return err
	}
	return resp.Body.Close()
}

func TestDialGuard(t *testing.T) {
	names := map[string]string{
		"meta.test:80": "169.254.169.254:80", "meta.test:443": "169.254.169.254:443",
		"mapped.test:80": "[::ffff:169.254.169.254]:80", "zone.test:80": "[fe80::1%lo]:80",
		"public.test:80": "93.184.216.34:80", "private.test:80": "127.0.0.1:1",
	}
	for _, tt := range []struct {
		url  string
		p    transport.Policy
		want transport.Kind
		text string
	}{
		{url: "http://169.254.169.254/latest/meta-data", want: transport.KindAddressRefused, text: "169.254.169.254"},
		{url: "https://169.254.169.254/", want: transport.KindAddressRefused},
		{url: "http://[::ffff:169.254.169.254]/", want: transport.KindAddressRefused},
		{url: "http://[64:ff9b::a9fe:a9fe]/", want: transport.KindAddressRefused},
		{url: "http://[fe80::1]/", want: transport.KindAddressRefused},
		{url: "http://0.0.0.0/", want: transport.KindAddressRefused},
		{url: "http://[::]/", want: transport.KindAddressRefused},
		{url: "http://224.0.0.1/", want: transport.KindAddressRefused},
		{url: "http://100.100.100.200/", want: transport.KindAddressRefused},
		{url: "http://168.63.129.16/", want: transport.KindAddressRefused},
		{url: "http://192.0.0.192/", want: transport.KindAddressRefused},
		{url: "http://[fd00:ec2::254]/", want: transport.KindAddressRefused},
		{url: "http://meta.test/", want: transport.KindAddressRefused, text: "http://meta.test:80"},
		{url: "https://meta.test/", want: transport.KindAddressRefused},
		{url: "http://mapped.test/", want: transport.KindAddressRefused},
		{url: "http://zone.test/", want: transport.KindAddressRefused},
		{url: "http://private.test/", want: transport.KindConnect},
		{url: "http://127.0.0.1:1/", want: transport.KindConnect},
		{url: "http://localhost:1/", want: transport.KindConnect},
		{url: "http://private.test/", p: transport.Policy{BlockPrivateNetwork: true}, want: transport.KindAddressRefused, text: "IRONFLOW_BLOCK_PRIVATE_NETWORK"},
		{url: "http://127.0.0.1:1/", p: transport.Policy{BlockPrivateNetwork: true}, want: transport.KindAddressRefused},
		{url: "http://localhost:1/", p: transport.Policy{BlockPrivateNetwork: true}, want: transport.KindAddressRefused},
		{url: "http://[::1]:1/", p: transport.Policy{BlockPrivateNetwork: true}, want: transport.KindAddressRefused},
		{url: "https://10.0.0.1/", p: transport.Policy{BlockPrivateNetwork: true}, want: transport.KindAddressRefused},
		{url: "https://192.168.1.1/", p: transport.Policy{BlockPrivateNetwork: true}, want: transport.KindAddressRefused},
	} {
		tt.p.Hosts = names
		err := get(t, newClient(t, tt.p), tt.url, "")
		if !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.text) {
			t.Errorf("%s (block private: %v): error %v, want kind %s with %q", tt.url, tt.p.BlockPrivateNetwork, err, tt.want, tt.text)
		}
		var e *transport.Error
		if errors.As(err, &e) && e.Retryable() != (tt.want == transport.KindConnect) {
			t.Errorf("%s: Retryable() = %v", tt.url, e.Retryable())
		}
	}
}

// TestCredentialOverPlainHTTP: the rule holds for literal addresses, which are
// judged at once, and for names, on the address they resolve to.
func TestCredentialOverPlainHTTP(t *testing.T) {
	var rec recorder
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { rec.add(r) }))
	t.Cleanup(s.Close)
	hosts := map[string]string{"public.test:80": "93.184.216.34:80", "near.test:80": s.Listener.Addr().String()}
	c := newClient(t, transport.Policy{Hosts: hosts})
	const key = "sesame-sesame"
	for _, url := range []string{"http://93.184.216.34/", "http://[2606:4700::1111]/", "http://public.test/", "http://100.64.0.1/"} {
		err := get(t, c, url, key)
		if !errors.Is(err, transport.KindInsecure) || !strings.Contains(err.Error(), "IRONFLOW_ALLOW_INSECURE_HTTP") || strings.Contains(err.Error(), key) {
			t.Errorf("%s: error %v, want kind insecure", url, err)
		}
	}
	for _, url := range []string{s.URL, "http://near.test/"} {
		if err := get(t, c, url, key); err != nil {
			t.Errorf("%s: %v", url, err)
		}
	}
	for _, seen := range rec.list() {
		if seen.header.Get("X-Any-Name") != key {
			t.Errorf("the credential is missing: %v", seen.header)
		}
	}
	if n := len(rec.list()); n != 2 {
		t.Errorf("%d requests, want 2", n)
	}
}

// TestCredentialSources: every way to give a request a credential counts.
func TestCredentialSources(t *testing.T) {
	public := map[string]string{"public.test:80": "93.184.216.34:80"}
	c := newClient(t, transport.Policy{Hosts: public})
	for _, h := range []string{"Authorization", "authorization", "Cookie", "Api-Key", "X-Api-Key", "X-Goog-Api-Key"} {
		req := newRequest(t, "GET", "http://public.test/", nil)
		req.Header[h] = []string{"v"}
		if _, err := c.Do(req); !errors.Is(err, transport.KindInsecure) { //nolint:bodyclose // there is no response
			t.Errorf("header %s: error %v, want kind insecure", h, err)
		}
	}
	marked := newRequest(t, "GET", "http://public.test/", nil)
	if err := transport.SetCredential(marked, "X-Odd", "", transport.NewSecret("v")); err != nil {
		t.Fatal(err)
	}
	for name, req := range map[string]*http.Request{
		"clone":        marked.Clone(t.Context()),
		"with context": marked.WithContext(t.Context()),
		"context mark": newRequest(t, "GET", "http://public.test/", nil).WithContext(transport.WithCredential(t.Context(), false)),
	} {
		if _, err := c.Do(req); !errors.Is(err, transport.KindInsecure) { //nolint:bodyclose // there is no response
			t.Errorf("%s: error %v, want kind insecure", name, err)
		}
	}
}

// TestTokenAddressIsStrict: the setting that loosens the rule does not loosen it
// for token requests.
func TestTokenAddressIsStrict(t *testing.T) {
	hosts := map[string]string{"public.test:80": "93.184.216.34:80"}
	c := newClient(t, transport.Policy{AllowInsecureHTTP: true, Hosts: hosts})
	for name, send := range libraries() {
		if !strings.HasPrefix(name, "oauth") {
			continue
		}
		for _, base := range []string{"http://public.test", "http://93.184.216.34"} {
			err := send(t.Context(), c.HTTP(), base)
			if !errors.Is(err, transport.KindInsecure) || !strings.Contains(err.Error(), "needs https") {
				t.Errorf("%s at %s: error %v, want kind insecure", name, base, err)
			}
		}
	}
	// A later, weaker mark does not weaken the first.
	ctx := transport.WithCredential(transport.WithCredential(t.Context(), true), false)
	req := newRequest(t, "GET", "http://public.test/", nil).WithContext(ctx)
	if _, err := c.Do(req); !errors.Is(err, transport.KindInsecure) { //nolint:bodyclose // there is no response
		t.Errorf("error %v, want kind insecure", err)
	}
}

func TestCheckCredentialURL(t *testing.T) {
	for in, want := range map[string]transport.Kind{
		"https://93.184.216.34":     "",
		"http://127.0.0.1:11434":    "",
		"http://[::1]/":             "",
		"http://192.168.1.2":        "",
		"http://[fd00::2]":          "",
		"http://localhost":          "",
		"http://api.example.com":    "", // judged when it is sent
		"http://93.184.216.34":      transport.KindInsecure,
		"http://[2606:4700::1111]":  transport.KindInsecure,
		"http://169.254.169.254":    transport.KindInsecure,
		"http://u:sesame@127.0.0.1": transport.KindInvalid,
		"ftp://127.0.0.1":           transport.KindInvalid,
	} {
		u, err := url.Parse(in)
		if err != nil {
			t.Fatal(err)
		}
		err = transport.CheckCredentialURL(u, false)
		if (want == "") != (err == nil) || (want != "" && !errors.Is(err, want)) {
			t.Errorf("%s: error %v, want kind %q", in, err, want)
		}
		if err := transport.CheckCredentialURL(u, true); (want == transport.KindInvalid) != (err != nil) {
			t.Errorf("%s with plain http allowed: error %v", in, err)
		}
	}
}

// TestCredentialHasOwnConnections: a connection that was made without the check
// for credentials is not reused for a request with one.
func TestCredentialHasOwnConnections(t *testing.T) {
	var conns connCounter
	s := conns.server(t, func(http.ResponseWriter, *http.Request) {})
	c := newClient(t, transport.Policy{})
	for i, key := range []string{"", "", "sesame", "sesame", ""} {
		if err := get(t, c, s.URL, key); err != nil {
			t.Fatal(err)
		}
		want := int64(1)
		if i >= 2 {
			want = 2
		}
		if n := conns.n.Load(); n != want {
			t.Errorf("after request %d: %d connections, want %d", i+1, n, want)
		}
	}
}

func TestSetCredential(t *testing.T) {
	for _, tt := range []struct {
		header, prefix, value, want string
	}{
		{"Authorization", "Bearer ", "sk-123", "Bearer sk-123"},
		{"api-key", "", "a b~!", "a b~!"},
		{"Authorization", "Bearer ", "sesame\n", ""},
		{"Authorization", "Bearer ", "sesame\r\nX: y", ""},
		{"Authorization", "Bearer ", " sesame", ""},
		{"Authorization", "Bearer ", "sesame\x7f", ""},
		{"Authorization", "Bearer ", "sesame\u00fc", ""},
		{"Authorization", "Bearer ", "sesame\xff", ""},
		{"Authorization", "Bea\nrer ", "sesame", ""},
		{"Authorization", "Bearer ", "", ""},
		{"Proxy-Authorization", "", "sesame", ""},
		{"Host", "", "sesame", ""},
		{"a b", "", "sesame", ""},
		{"", "", "sesame", ""},
	} {
		req := newRequest(t, "GET", "http://127.0.0.1/", nil)
		req.Header = nil
		err := transport.SetCredential(req, tt.header, tt.prefix, transport.NewSecret(tt.value))
		if (err == nil) != (tt.want != "") || req.Header.Get(tt.header) != tt.want {
			t.Errorf("%+v: header %q, error %v", tt, req.Header.Get(tt.header), err)
		}
		if err != nil && (strings.Contains(err.Error(), "sesame") || !errors.Is(err, transport.KindInvalid)) {
			t.Errorf("%+v: error %v", tt, err)
		}
	}
}
