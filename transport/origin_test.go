package transport_test

import (
	"net/url"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/transport"
)

func TestOriginNormalises(t *testing.T) {
	for in, want := range map[string]string{
		"https://h":                        "https://h:443",
		"https://h:443":                    "https://h:443",
		"https://h:":                       "https://h:443",
		"https://h:0443":                   "https://h:443",
		"HTTPS://H/a?b#c":                  "https://h:443",
		"http://h:443":                     "http://h:443",
		"http://API.Example.COM":           "http://api.example.com:80",
		"https://h.":                       "https://h.:443",
		"https://[::1]":                    "https://[::1]:443",
		"https://[0:0:0:0:0:0:0:1]:443":    "https://[::1]:443",
		"https://[::FFFF:127.0.0.1]":       "https://[::ffff:127.0.0.1]:443",
		"https://127.0.0.1":                "https://127.0.0.1:443",
		"https://xn--bcher-kva.example":    "https://xn--bcher-kva.example:443",
		"http://my_host-1:65535":           "http://my_host-1:65535",
		"https://2852039166":               "https://2852039166:443",
		"https://h/%2f%2fevil/\\evil?x=//": "https://h:443",
	} {
		u, err := url.Parse(in)
		if err != nil {
			t.Fatalf("%s: %v", in, err)
		}
		got, err := transport.Origin(u)
		if err != nil || got != want {
			t.Errorf("Origin(%s) = %q, %v; want %q", in, got, err, want)
		}
	}
}

func TestOriginRefuses(t *testing.T) {
	for _, in := range []string{
		"", "h", "//h", "/path", "https:///x", "https:x", "http:evil", "javascript:x", "data:x", "file:///x", "ftp://h", "ws://h",
		"https://u@h", "https://u:p@h", "https://@h", "https://h:0", "https://h:00", "https://h:65536", "https://h:99999",
		"https://[fe80::1%25eth0]", "https://bücher.example", "https://api.example.com\u212a", "https://.h", "https://a..b", "https://.",
		"https://h%41", "https://h*", "https://h,i", "https://h;i", "https://a'b",
	} {
		u, err := url.Parse(in)
		if err != nil {
			continue // refused even earlier
		}
		if got, err := transport.Origin(u); err == nil {
			t.Errorf("Origin(%s) = %q, want an error", in, got)
		}
	}
	if _, err := transport.Origin(nil); err == nil {
		t.Error("Origin(nil) succeeds")
	}
}

func TestParseBaseURL(t *testing.T) {
	for in, want := range map[string]string{
		"https://api.example.com":            "https://api.example.com",
		"https://api.example.com/":           "https://api.example.com",
		"https://API.example.com:443/v1///":  "https://api.example.com/v1",
		"http://127.0.0.1:11434/ollama/":     "http://127.0.0.1:11434/ollama",
		"http://[0:0::1]:80/v1":              "http://[::1]/v1",
		"http://[::1]:8080":                  "http://[::1]:8080",
		"https://h/a%2Fb/":                   "https://h/a%2Fb",
		"https://h/openai/deployments/my%20": "https://h/openai/deployments/my%20",
		"https://h:80/":                      "https://h:80",
	} {
		u, err := transport.ParseBaseURL(in)
		if err != nil || u.String() != want {
			t.Errorf("ParseBaseURL(%s) = %v, %v; want %s", in, u, err, want)
		}
	}
	for in, why := range map[string]string{
		"":                           "missing",
		"api.example.com/v1":         "http and https",
		"localhost:8080":             "http and https",
		"https://sesame:open@h/v1":   "user information",
		"https://h/v1?key=sesame":    "query",
		"https://h/v1?":              "query",
		"https://h/v1#sesame":        "fragment",
		"https://h/v1#":              "fragment",
		"https:sesame":               "no host",
		"https://h:0/sesame":         "port",
		"https://[fe80::1%25e]/":     "zone",
		"https://bücher.example":     "xn--",
		"https://sesame:o pen@h":     "parsed",
		"https://h:port":             "parsed",
		" https://h":                 "parsed",
		"https://h/%zz?sesame=1":     "parsed",
		"https://sesame:open@h:port": "parsed",
		"unix:///sesame.sock":        "http and https",
	} {
		u, err := transport.ParseBaseURL(in)
		if err == nil {
			t.Errorf("ParseBaseURL(%q) = %v, want an error", in, u)
			continue
		}
		if !strings.Contains(err.Error(), why) || strings.Contains(err.Error(), "sesame") {
			t.Errorf("ParseBaseURL(%q): error %q; want %q in it and nothing of the secret", in, err, why)
		}
	}
}

// FuzzParseBaseURL checks that an accepted address means the same to net/url, is
// stable, and that a refused one is not shown.
func FuzzParseBaseURL(f *testing.F) {
	for _, s := range []string{"https://h/v1/", "http://[::1%25x]:0", "https://u:p@h?q#f", "HTTP://H:0080/%2f//", "https:opaque", "http://h:99999"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		u, err := transport.ParseBaseURL(raw)
		if err != nil {
			if len(raw) > 12 && strings.Contains(err.Error(), raw) {
				t.Fatalf("the error shows the address: %v", err)
			}
			return
		}
		first, err := url.Parse(raw)
		if err != nil {
			t.Fatal("accepted what net/url refuses")
		}
		if !strings.EqualFold(first.Hostname(), u.Hostname()) && !strings.Contains(u.Host, "[") {
			t.Fatalf("host changed from %q to %q", first.Hostname(), u.Hostname())
		}
		if u.User != nil || u.RawQuery != "" || u.Fragment != "" || strings.HasSuffix(u.Path, "/") && u.RawPath == "" {
			t.Fatalf("kept what must not be there: %v", u)
		}
		again, err := transport.ParseBaseURL(u.String())
		if err != nil || again.String() != u.String() {
			t.Fatalf("not stable: %q, then %v, %v", u, again, err)
		}
		a, err := transport.Origin(first)
		b, err2 := transport.Origin(u)
		if err != nil || err2 != nil || a != b {
			t.Fatalf("origins %q (%v) and %q (%v) differ", a, err, b, err2)
		}
	})
}

// FuzzOrigin checks that an origin is plain text that parses back to itself.
func FuzzOrigin(f *testing.F) {
	for _, s := range []string{"https://h", "http://[::ffff:1.2.3.4]:080", "https://h.:443/x", "//h", "https://\u212a"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		u, err := url.Parse(raw)
		if err != nil {
			return
		}
		o, err := transport.Origin(u)
		if err != nil {
			return
		}
		if strings.ContainsFunc(o, func(r rune) bool { return r <= 0x20 || r >= 0x7f }) || o != strings.ToLower(o) {
			t.Fatalf("origin %q is not plain lower-case ASCII", o)
		}
		v, err := url.Parse(o)
		if err != nil {
			t.Fatalf("origin %q does not parse: %v", o, err)
		}
		if again, err := transport.Origin(v); err != nil || again != o {
			t.Fatalf("origin %q becomes %q, %v", o, again, err)
		}
	})
}
