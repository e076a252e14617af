package transport_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/ironflow/ironflow/transport"
	"github.com/ironflow/ironflow/transport/transporttest"
)

func newClient(t *testing.T, p transport.Policy) *transport.Client {
	t.Helper()
	c, err := transport.New(p)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.CloseIdleConnections)
	return c
}

func newRequest(t *testing.T, method, url string, body io.Reader) *http.Request {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), method, url, body)
	if err != nil {
		t.Fatal(err)
	}
	return req
}

// seen is one request as a server saw it.
type seen struct {
	method, uri, body, host string
	header                  http.Header
}

// recorder keeps what arrived at a server.
type recorder struct {
	mu  sync.Mutex
	all []seen
}

func (r *recorder) add(req *http.Request) seen {
	b, _ := io.ReadAll(req.Body)
	s := seen{req.Method, req.RequestURI, string(b), req.Host, req.Header.Clone()}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.all = append(r.all, s)
	return s
}

func (r *recorder) list() []seen {
	r.mu.Lock()
	defer r.mu.Unlock()
	return append([]seen(nil), r.all...)
}

// site is a server at the name api.test, over HTTP/1.1 or HTTP/2.
func site(t *testing.T, h2 bool, h http.HandlerFunc) (base string, p transport.Policy) {
	t.Helper()
	s := httptest.NewUnstartedServer(h)
	s.EnableHTTP2 = h2
	if h2 {
		s.StartTLS()
		p.RootCAs = s.Client().Transport.(*http.Transport).TLSClientConfig.RootCAs
		base = "https://example.com" // a name of httptest's certificate
	} else {
		s.Start()
		base = "http://example.com"
	}
	t.Cleanup(s.Close)
	a := s.Listener.Addr().String()
	p.Hosts = map[string]string{"Example.com:80": a, "example.com:443": a}
	return base, p
}

// TestSameOriginRedirectFollowed: every spelling of the same origin is followed,
// a 307 or 308 carries the body unchanged, no hop has a Referer, and the
// credential stays.
func TestSameOriginRedirectFollowed(t *testing.T) {
	const body = `{"input":["a\u0000b","ü"]}`
	for _, h2 := range []bool{false, true} {
		scheme, port := "http", "80"
		if h2 {
			scheme, port = "https", "443"
		}
		for name, loc := range map[string]string{
			"relative":        "/end",
			"dots":            "../end",
			"query":           "/end?q=%2F",
			"fragment":        "/end#part",
			"absolute":        scheme + "://example.com/end",
			"upper case":      strings.ToUpper(scheme) + "://EXAMPLE.com/end",
			"default port":    scheme + "://example.com:" + port + "/end",
			"padded port":     scheme + "://example.com:0" + port + "/end",
			"empty port":      scheme + "://example.com:/end",
			"scheme-relative": "//example.com/end",
			"backslash":       "/end?\\\\evil.test",
		} {
			for _, code := range []int{307, 308} {
				t.Run(fmt.Sprintf("h2=%v/%s/%d", h2, name, code), func(t *testing.T) {
					var rec recorder
					base, p := site(t, h2, func(w http.ResponseWriter, r *http.Request) {
						rec.add(r)
						if r.URL.Path != "/end" {
							w.Header().Set("Location", loc)
							w.Header().Set("Set-Cookie", "a=b")
							w.WriteHeader(code)
						}
					})
					if p.Hosts["example.com:0"+port] == "" {
						p.Hosts["example.com:0"+port] = p.Hosts["example.com:443"]
					}
					c := newClient(t, p)
					req := newRequest(t, "POST", base+"/v1/start?key=q", strings.NewReader(body))
					req.Header.Set("Referer", "https://before.test/page?key=q")
					if err := transport.SetCredential(req, "X-Api-Key", "", transport.NewSecret("a-secret-key")); err != nil {
						t.Fatal(err)
					}
					resp, err := c.Do(req)
					if err != nil {
						t.Fatal(err)
					}
					_ = resp.Body.Close()
					all := rec.list()
					if len(all) != 2 || resp.StatusCode != 200 {
						t.Fatalf("%d requests, status %d; want 2 and 200", len(all), resp.StatusCode)
					}
					for i, s := range all {
						if s.method != "POST" || s.body != body || s.header.Get("X-Api-Key") != "a-secret-key" {
							t.Errorf("request %d: %s with body %q and key %q", i, s.method, s.body, s.header.Get("X-Api-Key"))
						}
						for _, h := range []string{"Referer", "Cookie", "X-Ironflow-Credential"} {
							if v, ok := s.header[h]; ok {
								t.Errorf("request %d has %s: %q", i, h, v)
							}
						}
					}
				})
			}
		}
	}
}

// TestRefererNeverSent looks at a foreign client too, whose own redirect code
// adds a Referer with the query of the first address.
func TestRefererNeverSent(t *testing.T) {
	var rec recorder
	base, p := site(t, false, func(w http.ResponseWriter, r *http.Request) {
		rec.add(r)
		if r.URL.Path != "/end" {
			http.Redirect(w, r, "/end", http.StatusFound)
		}
	})
	c := newClient(t, p)
	for name, hc := range map[string]*http.Client{"own": c.HTTP(), "foreign": {Transport: c.Transport()}} {
		resp, err := hc.Do(newRequest(t, "GET", base+"/start?key=q", nil))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		_ = resp.Body.Close()
	}
	for _, s := range rec.list() {
		if v := s.header.Get("Referer"); v != "" {
			t.Errorf("%s has Referer %q", s.uri, v)
		}
	}
	if n := len(rec.list()); n != 4 {
		t.Errorf("%d requests, want 4", n)
	}
}

// TestHopLimit: ten redirects are followed, the eleventh fails, by either check
// alone. net/http's own limit stops a foreign client one earlier.
func TestHopLimit(t *testing.T) {
	for name, build := range map[string]func(transport.Policy) (*transport.Client, error){
		"both": transport.New, "client": transport.NewOnlyClientCheck,
	} {
		for redirects, wantErr := range map[int]bool{1: false, 10: false, 11: true, 1000: true} {
			var rec recorder
			base, p := site(t, false, func(w http.ResponseWriter, r *http.Request) {
				rec.add(r)
				if n := len(rec.list()); n <= redirects {
					http.Redirect(w, r, fmt.Sprintf("/%d", n), http.StatusFound)
				}
			})
			c, err := build(p)
			if err != nil {
				t.Fatal(err)
			}
			resp, err := c.Do(newRequest(t, "GET", base+"/0", nil))
			if err == nil {
				_ = resp.Body.Close()
			}
			if (err != nil) != wantErr || (wantErr && !errors.Is(err, transport.KindRedirect)) {
				t.Errorf("%s, %d redirects: error %v", name, redirects, err)
			}
			if n := len(rec.list()); n != min(redirects, 10)+1 {
				t.Errorf("%s, %d redirects: %d requests", name, redirects, n)
			}
			c.CloseIdleConnections()
		}
	}
}

// TestHopLimitInRoundTripper gives the round tripper a client that never stops.
func TestHopLimitInRoundTripper(t *testing.T) {
	var rec recorder
	base, p := site(t, false, func(w http.ResponseWriter, r *http.Request) {
		rec.add(r)
		http.Redirect(w, r, "/again", http.StatusFound)
	})
	hc := &http.Client{
		Transport:     newClient(t, p).Transport(),
		CheckRedirect: func(*http.Request, []*http.Request) error { return nil },
	}
	resp, err := hc.Do(newRequest(t, "GET", base, nil))
	if err == nil {
		_ = resp.Body.Close()
	}
	if !errors.Is(err, transport.KindRedirect) || len(rec.list()) != 11 {
		t.Errorf("error %v after %d requests; want kind redirect after 11", err, len(rec.list()))
	}
}

// TestBrokenChain: a request that says it follows a redirect, but not of what, is
// refused, as is one whose first request was elsewhere.
func TestBrokenChain(t *testing.T) {
	var rec recorder
	base, p := site(t, false, func(_ http.ResponseWriter, r *http.Request) { rec.add(r) })
	rt := newClient(t, p).Transport()
	for name, before := range map[string]*http.Request{"none": nil, "elsewhere": newRequest(t, "GET", "http://other.test/", nil)} {
		req := newRequest(t, "GET", base, nil)
		req.Response = &http.Response{StatusCode: 302, Request: before}
		if _, err := rt.RoundTrip(req); !errors.Is(err, transport.KindRedirect) { //nolint:bodyclose // there is no response
			t.Errorf("%s: error %v, want kind redirect", name, err)
		}
	}
	if n := len(rec.list()); n != 0 {
		t.Errorf("%d requests, want 0", n)
	}
}

// TestTwoLocations: several different Locations are ambiguous.
func TestTwoLocations(t *testing.T) {
	var rec recorder
	base, p := site(t, false, func(w http.ResponseWriter, r *http.Request) {
		rec.add(r)
		if r.URL.Path == "/" {
			w.Header()["Location"] = []string{"/a", "/b"}
			w.WriteHeader(http.StatusFound)
		}
	})
	_, err := newClient(t, p).Do(newRequest(t, "GET", base+"/", nil)) //nolint:bodyclose // there is no response
	if !errors.Is(err, transport.KindRedirect) || len(rec.list()) != 1 {
		t.Errorf("error %v after %d requests, want kind redirect after 1", err, len(rec.list()))
	}
}

// TestChainComparedWithFirst: two steps within the origin do not make a third
// step out of it acceptable.
func TestChainComparedWithFirst(t *testing.T) {
	for name, build := range map[string]func(transport.Policy) (*transport.Client, error){
		"both": transport.New, "client": transport.NewOnlyClientCheck, "round tripper": transport.NewOnlyRoundTripperCheck,
	} {
		t.Run(name, func(t *testing.T) {
			var other recorder
			target := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { other.add(r) }))
			t.Cleanup(target.Close)
			var rec recorder
			base, p := site(t, false, func(w http.ResponseWriter, r *http.Request) {
				rec.add(r)
				w.Header().Set("Location", map[string]string{"/a": "/b", "/b": "http://example.com:80/c", "/c": target.URL + "/d"}[r.URL.Path])
				w.WriteHeader(http.StatusTemporaryRedirect)
			})
			c, err := build(p)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(c.CloseIdleConnections)
			_, err = c.Do(newRequest(t, "POST", base+"/a", strings.NewReader("x"))) //nolint:bodyclose // there is no response
			if !errors.Is(err, transport.KindRedirect) || len(rec.list()) != 3 || len(other.list()) != 0 {
				t.Fatalf("error %v, %d requests, %d at the target; want kind redirect, 3, 0", err, len(rec.list()), len(other.list()))
			}
			want := "redirect to a different origin refused (http://example.com:80 -> " + target.URL + "): set base_url to the final address"
			if err.Error() != want {
				t.Errorf("error %q, want %q", err, want)
			}
		})
	}
}

// TestRedirectThatDropsBody: 301, 302 and 303 to a POST fail by either check; a
// GET is followed.
func TestRedirectThatDropsBody(t *testing.T) {
	builds := map[string]func(transport.Policy) (*transport.Client, error){
		"both": transport.New, "client": transport.NewOnlyClientCheck, "round tripper": transport.NewOnlyRoundTripperCheck,
	}
	for name, build := range builds {
		for _, code := range []int{301, 302, 303} {
			for _, method := range []string{"POST", "PUT", "DELETE", "GET", "HEAD"} {
				var rec recorder
				base, p := site(t, false, func(w http.ResponseWriter, r *http.Request) {
					rec.add(r)
					if r.URL.Path == "/" {
						w.Header().Set("Location", "/end")
						w.WriteHeader(code)
					}
				})
				c, err := build(p)
				if err != nil {
					t.Fatal(err)
				}
				var body io.Reader
				if method == "POST" || method == "PUT" {
					body = strings.NewReader("x")
				}
				resp, err := c.Do(newRequest(t, method, base+"/", body))
				if err == nil {
					_ = resp.Body.Close()
				}
				c.CloseIdleConnections()
				safe := method == "GET" || method == "HEAD"
				if safe && (err != nil || len(rec.list()) != 2) {
					t.Errorf("%s: %d to a %s: error %v after %d requests, want none after 2", name, code, method, err, len(rec.list()))
				}
				if !safe && (!errors.Is(err, transport.KindRedirect) || len(rec.list()) != 1 || !strings.Contains(err.Error(), "body")) {
					t.Errorf("%s: %d to a %s: error %v after %d requests, want kind redirect after 1", name, code, method, err, len(rec.list()))
				}
			}
		}
	}
	t.Run("GET with a body", func(t *testing.T) {
		base, p := site(t, false, func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/end", http.StatusFound) })
		_, err := newClient(t, p).Do(newRequest(t, "GET", base, strings.NewReader("x"))) //nolint:bodyclose // there is no response
		if !errors.Is(err, transport.KindRedirect) {
			t.Errorf("error %v, want kind redirect", err)
		}
	})
}

// closeCounter is a body without GetBody that counts how often it is closed.
type closeCounter struct {
	io.Reader
	n int
}

func (c *closeCounter) Close() error { c.n++; return nil }

func TestUnreplayableBody(t *testing.T) {
	base, p := site(t, false, func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		http.Redirect(w, r, "/end", http.StatusPermanentRedirect)
	})
	for _, build := range []func(transport.Policy) (*transport.Client, error){transport.New, transport.NewOnlyClientCheck} {
		c, err := build(p)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(c.CloseIdleConnections)
		body := &closeCounter{Reader: strings.NewReader("x")}
		_, err = c.Do(newRequest(t, "POST", base, body)) //nolint:bodyclose // there is no response
		if !errors.Is(err, transport.KindRedirect) || !strings.Contains(err.Error(), "second time") {
			t.Errorf("error %v, want kind redirect", err)
		}
		if body.n == 0 {
			t.Error("the body was not closed")
		}
	}
}

// TestFinalStatusReturned: without a Location there is nothing to follow, and the
// transport does not judge.
func TestFinalStatusReturned(t *testing.T) {
	for _, code := range []int{200, 204, 300, 301, 302, 303, 304, 305, 307, 308, 399, 400, 429, 500, 599} {
		base, p := site(t, false, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(code) })
		resp, err := newClient(t, p).Do(newRequest(t, "POST", base, strings.NewReader("x")))
		if err != nil || resp.StatusCode != code {
			t.Errorf("%d: %v, %v", code, resp, err)
			continue
		}
		_ = resp.Body.Close()
	}
}

// TestCallerHeadersRefused: nothing that steers the connection is the caller's.
func TestCallerHeadersRefused(t *testing.T) {
	var rec recorder
	base, p := site(t, false, func(_ http.ResponseWriter, r *http.Request) { rec.add(r) })
	c := newClient(t, p)
	send := func(change func(*http.Request)) error {
		body := &closeCounter{Reader: strings.NewReader("x")}
		req := newRequest(t, "POST", base, body)
		change(req)
		resp, err := c.Do(req)
		if err == nil {
			return resp.Body.Close()
		}
		if body.n != 1 {
			t.Errorf("the body was closed %d times, want once", body.n)
		}
		return err
	}
	for _, h := range []string{
		"Host", "Content-Length", "Transfer-Encoding", "Connection", "Proxy-Authorization", "Proxy-Connection", "proxy-x", "Upgrade", "host", "TE",
	} {
		err := send(func(r *http.Request) { r.Header[h] = []string{"sesame"} })
		if !errors.Is(err, transport.KindInvalid) || strings.Contains(err.Error(), "sesame") || !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(h)) {
			t.Errorf("header %s: error %v, want kind invalid_request that names it", h, err)
		}
		if err := transport.CheckHeader(h, "v"); !errors.Is(err, transport.KindInvalid) {
			t.Errorf("CheckHeader(%s) = %v", h, err)
		}
	}
	for name, change := range map[string]func(*http.Request){
		"host override":     func(r *http.Request) { r.Host = "other.test" },
		"transfer encoding": func(r *http.Request) { r.TransferEncoding = []string{"identity"} },
		"value with LF":     func(r *http.Request) { r.Header.Set("X-A", "sesame\nX-B: c") },
		"value with CR":     func(r *http.Request) { r.Header.Set("X-A", "sesame\r") },
		"value with NUL":    func(r *http.Request) { r.Header.Set("X-A", "sesame\x00") },
		"name with space":   func(r *http.Request) { r.Header["X A"] = []string{"sesame"} },
		"userinfo":          func(r *http.Request) { r.URL.User = nil; r.URL.Host = "sesame@" + r.URL.Host },
		"other scheme":      func(r *http.Request) { r.URL.Scheme = "ftp" },
	} {
		if err := send(change); !errors.Is(err, transport.KindInvalid) || strings.Contains(err.Error(), "sesame") {
			t.Errorf("%s: error %v, want kind invalid_request without the value", name, err)
		}
	}
	if n := len(rec.list()); n != 0 {
		t.Errorf("%d requests were sent, want 0", n)
	}
	if err := send(func(r *http.Request) { r.Header.Set("X-Fine", "ok") }); err != nil || len(rec.list()) != 1 {
		t.Errorf("control: error %v, %d requests", err, len(rec.list()))
	}
	for _, req := range []*http.Request{nil, {}} {
		if _, err := c.Do(req); !errors.Is(err, transport.KindInvalid) { //nolint:bodyclose // there is no response
			t.Errorf("Do(%v): error %v", req, err)
		}
	}
}

// TestRedirectErrorThroughLibraries: the refusal is still recognised after the
// library and net/http have wrapped it, and Scrub removes what they added.
func TestRedirectErrorThroughLibraries(t *testing.T) {
	m := transporttest.NewMarker()
	base, p := site(t, false, func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Location", "http://127.0.0.1:1/"+m+"?token="+m)
		w.WriteHeader(http.StatusTemporaryRedirect)
	})
	c := newClient(t, p)
	for name, send := range libraries() {
		err := send(context.Background(), c.HTTP(), base)
		if err == nil || !strings.Contains(err.Error(), m) {
			t.Errorf("%s: the raw error %v does not hold the Location, so this shows nothing", name, err)
		}
		scrubbed := transport.Scrub(t.Context(), err)
		if !errors.Is(scrubbed, transport.KindRedirect) {
			t.Errorf("%s: %v", name, scrubbed)
		}
		transporttest.AssertNoLeak(t, m, scrubbed)
	}
}
