package ollama

import (
	"strings"
	"testing"
)

func TestParseHost(t *testing.T) {
	for raw, want := range map[string]string{
		"1.2.3.4":                       "http://1.2.3.4:11434",
		"box":                           "http://box:11434",
		"BOX":                           "http://box:11434",
		"box:5":                         "http://box:5",
		"::1":                           "http://[::1]:11434",
		"[::1]":                         "http://[::1]:11434",
		"[::1]:5":                       "http://[::1]:5",
		"0.0.0.0":                       "http://127.0.0.1:11434",
		"0.0.0.0:5":                     "http://127.0.0.1:5",
		"http://0.0.0.0:5/x":            "http://127.0.0.1:5/x",
		"http://0.0.0.0":                "http://127.0.0.1",
		"::":                            "http://[::1]:11434",
		"[::]:5":                        "http://[::1]:5",
		":5":                            "http://127.0.0.1:5",
		"box:":                          "http://box:11434",
		"http://box":                    "http://box",
		"https://box":                   "https://box",
		"HTTP://BOX:11434":              "http://box:11434",
		"https://box/path/sub/":         "https://box/path/sub",
		"https://box:8443/a%20b":        "https://box:8443/a%20b",
		` "box:5" `:                     "http://box:5",
		"ollama.com":                    "http://ollama.com:11434",
		"http://127.0.0.1:11434":        "http://127.0.0.1:11434",
		"https://gateway.test:443/":     "https://gateway.test",
		"http://[2001:DB8::1]:11434///": "http://[2001:db8::1]:11434",
	} {
		u, err := parseHost(raw)
		if err != nil || u.String() != want {
			t.Errorf("%q gives %v, %v; want %s", raw, u, err, want)
		}
	}
	for _, raw := range []string{
		"", " ", "box/path", "box:abc", "box:99999", "box:0", "http://user:pw@box:11434", "http://box:1?x=y", "http://box:1#f",
		"tcp://box:1", "unix:///x.sock", "http://", "http:///x", "user@box", "bücher.test", "fe80::1%eth0", "a:b:c", "box?x", "http://box:port",
		"b ox", "http://b\nox",
	} {
		if u, err := parseHost(raw); err == nil {
			t.Errorf("%q gives %v, want an error", raw, u)
		} else if strings.Contains(err.Error(), "pw") {
			t.Errorf("the error shows a password: %v", err)
		}
	}
}

func FuzzParseHost(f *testing.F) {
	for _, s := range []string{"box:5", "http://box/x", "::1", "[::]:0", ":1", "h%2f"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		u, err := parseHost(raw)
		if err != nil {
			return
		}
		if u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" {
			t.Fatalf("%q gives %#v", raw, u)
		}
		again, err := parseHost(u.String())
		if err != nil || again.String() != u.String() {
			t.Fatalf("%q gives %s, and that gives %v, %v", raw, u, again, err)
		}
	})
}
