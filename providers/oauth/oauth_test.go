package oauth_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ironflow/ironflow/providers"
	"github.com/ironflow/ironflow/providers/oauth"
	"github.com/ironflow/ironflow/providers/providertest"
	"github.com/ironflow/ironflow/transport"
)

// gateway is a token endpoint and an API on one server.
type gateway struct {
	*httptest.Server
	set   *providers.Set
	clock *providertest.Clock

	mu     sync.Mutex
	tokens []tokenRequest // requests at the token endpoint
	calls  []string       // Authorization headers at the API
}

type tokenRequest struct {
	header http.Header
	form   url.Values
	raw    string
	query  string
}

// newGateway gives each token the name "token-N". grant writes the answer of
// the token endpoint (nil: a good one that lives an hour), api the status of
// the API for its n-th call (nil: 200).
func newGateway(t *testing.T, grant func(w http.ResponseWriter, n int), api func(n int) int) *gateway {
	t.Helper()
	g := &gateway{clock: providertest.NewClock()}
	g.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		g.mu.Lock()
		defer g.mu.Unlock()
		if r.URL.Path == "/token" {
			form, _ := url.ParseQuery(string(body))
			g.tokens = append(g.tokens, tokenRequest{r.Header, form, string(body), r.URL.RawQuery})
			if grant != nil {
				grant(w, len(g.tokens))
				return
			}
			granted(w, fmt.Sprintf(`{"access_token":"token-%d","token_type":"Bearer","expires_in":3600}`, len(g.tokens)))
			return
		}
		g.calls = append(g.calls, r.Header.Get("Authorization"))
		if api != nil {
			if status := api(len(g.calls)); status != 200 {
				w.WriteHeader(status)
				return
			}
		}
		var req struct{ Input []string }
		_ = json.Unmarshal(body, &req)
		_, _ = io.WriteString(w, answer(append([]string{}, strings.Split(strings.Repeat("[1] ", len(req.Input)), " ")[:len(req.Input)]...)))
	}))
	t.Cleanup(g.Close)
	client, err := transport.New(transport.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.CloseIdleConnections)
	g.set, err = providers.NewSet(providers.SetOptions{Vendors: []providers.Vendor{oauth.Vendor()}, Client: client, Clock: g.clock})
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func granted(w http.ResponseWriter, body string) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, body)
}

func (g *gateway) params(more ...string) map[string]any {
	p := map[string]any{"token_url": g.URL + "/token", "client_id": "the id", "client_secret": "s3cr:et/+ &%", "base_url": g.URL + "/v1"}
	for i := 0; i+1 < len(more); i += 2 {
		p[more[i]] = more[i+1]
	}
	return p
}

func (g *gateway) embed(t *testing.T, params map[string]any) error {
	t.Helper()
	_, err := g.set.Embed(t.Context(), providers.EmbedJob{Provider: "oauth", Params: params, Texts: []string{"a"}})
	return err
}

func TestTokenRequest(t *testing.T) {
	for _, c := range []struct {
		name   string
		params []string
		form   string
		basic  string
	}{
		{"in the form", nil, "client_id=the+id&client_secret=s3cr%3Aet%2F%2B+%26%25&grant_type=client_credentials", ""},
		{"with a scope", []string{"scope", "embed read"}, "client_id=the+id&client_secret=s3cr%3Aet%2F%2B+%26%25&grant_type=client_credentials&scope=embed+read", ""},
		// RFC 6749, 2.3.1: id and secret are form-encoded before base64.
		{"in the header", []string{"auth_style", "header"}, "grant_type=client_credentials", "the+id:s3cr%3Aet%2F%2B+%26%25"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newGateway(t, nil, nil)
			if err := g.embed(t, g.params(c.params...)); err != nil {
				t.Fatal(err)
			}
			r := g.tokens[0]
			if r.raw != c.form || r.header.Get("Content-Type") != "application/x-www-form-urlencoded" {
				t.Errorf("form %s, want %s", r.raw, c.form)
			}
			user, pass, _ := (&http.Request{Header: r.header}).BasicAuth()
			if got := user + ":" + pass; c.basic != "" && got != c.basic || c.basic == "" && r.header.Get("Authorization") != "" {
				t.Errorf("basic %q, want %q", got, c.basic)
			}
			if g.calls[0] != "Bearer token-1" {
				t.Errorf("the API saw %q", g.calls[0])
			}
		})
	}
	t.Run("with a query", func(t *testing.T) {
		g := newGateway(t, nil, nil)
		if err := g.embed(t, g.params("token_url", g.URL+"/token?api-version=1")); err != nil || g.tokens[0].query != "api-version=1" {
			t.Errorf("%v, query %q", err, g.tokens[0].query)
		}
	})
}

// TestKeys checks for which settings a token is shared and for which not.
func TestKeys(t *testing.T) {
	g := newGateway(t, nil, nil)
	other := newGateway(t, nil, nil)
	for _, c := range []struct {
		name   string
		params map[string]any
		fresh  bool
	}{
		{"first", g.params(), true},
		{"the same", g.params(), false},
		{"another path of the API", g.params("base_url", g.URL+"/v2"), false},
		{"another id", g.params("client_id", "id2"), true},
		{"another secret", g.params("client_secret", "another"), true},
		{"a scope", g.params("scope", "s"), true},
		{"another style", g.params("auth_style", "header"), true},
		{"another token address", g.params("token_url", g.URL+"/token?x=1"), true},
		{"another origin of the API", g.params("base_url", other.URL+"/v1"), true},
		{"the first again", g.params(), false},
	} {
		before := len(g.tokens)
		if err := g.embed(t, c.params); err != nil {
			t.Fatal(c.name, err)
		}
		if fresh := len(g.tokens) > before; fresh != c.fresh {
			t.Errorf("%s: a token was fetched = %v, want %v", c.name, fresh, c.fresh)
		}
	}
	for _, call := range g.calls {
		if call == other.calls[0] {
			t.Errorf("the token for one origin was sent to another: %s", call)
		}
	}
}

// TestLife checks what is made of expires_in: how long the token is used.
func TestLife(t *testing.T) {
	for answer, used := range map[string]time.Duration{
		`"expires_in":3600`:                   3540 * time.Second,
		`"expires_in":"3600"`:                 3540 * time.Second,
		`"expires_in":5`:                      3750 * time.Millisecond,
		`"expires_in":1`:                      750 * time.Millisecond,
		`"x":1`:                               240 * time.Second,
		`"expires_in":0`:                      240 * time.Second,
		`"expires_in":-1`:                     240 * time.Second,
		`"expires_in":null`:                   240 * time.Second,
		`"expires_in":99999999999999`:         2147483587 * time.Second,
		`"expires_in":3600,"token_type":null`: 3540 * time.Second,
	} {
		g := newGateway(t, func(w http.ResponseWriter, n int) {
			granted(w, fmt.Sprintf(`{"access_token":"token-%d",%s}`, n, answer))
		}, nil)
		for i, step := range []time.Duration{0, used - time.Millisecond, time.Millisecond} {
			g.clock.Advance(step)
			if err := g.embed(t, g.params()); err != nil {
				t.Fatal(answer, err)
			}
			if want := 1 + i/2; len(g.tokens) != want {
				t.Errorf("%s: %d fetches after step %d, want %d", answer, len(g.tokens), i, want)
			}
		}
	}
}

func TestRefusedTokens(t *testing.T) {
	const marker = "leakmark0123456789"
	for _, c := range []struct {
		name, answer string
		status       int
		kind         providers.ErrorKind
		says         string
	}{
		{"wrong secret", `{"error":"invalid_client","error_description":"` + marker + `"}`, 401, providers.KindStatus, "HTTP status 401 (invalid_client)"},
		{"unknown scope", `{"error":"invalid_scope"}`, 400, providers.KindStatus, "HTTP status 400 (invalid_scope)"},
		{"own code", `{"error":"` + marker + `"}`, 400, providers.KindStatus, "HTTP status 400;"},
		{"error in 200", `{"error":"unauthorized_client"}`, 200, providers.KindStatus, "HTTP status 200 (unauthorized_client)"},
		{"validation list", `{"detail":[{"msg":"` + marker + `"}]}`, 422, providers.KindStatus, "HTTP status 422"},
		{"HTML", "<html>" + marker + "</html>", 200, providers.KindAnswer, "not usable"},
		{"no token", `{"token_type":"Bearer"}`, 200, providers.KindAnswer, "not usable"},
		{"fractional life", `{"access_token":"a","expires_in":3600.5}`, 200, providers.KindAnswer, "expires_in"},
		{"life in words", `{"access_token":"a","expires_in":"` + marker + `"}`, 200, providers.KindAnswer, "expires_in"},
		{"mac", `{"access_token":"a","token_type":"mac"}`, 200, providers.KindAnswer, "another type than Bearer"},
		{"line break", `{"access_token":"a\r\nX: ` + marker + `"}`, 200, providers.KindAnswer, "cannot stand in a header"},
		{"space", `{"access_token":"a b"}`, 200, providers.KindAnswer, "cannot stand in a header"},
		{"non-ASCII", `{"access_token":"é"}`, 200, providers.KindAnswer, "cannot stand in a header"},
		{"huge", `{"access_token":"` + strings.Repeat("a", 20000) + `"}`, 200, providers.KindAnswer, "cannot stand in a header"},
		{"over the library's limit", `{"access_token":"a","x":"` + strings.Repeat("a", 2<<20) + `"}`, 200, providers.KindAnswer, "not usable"},
		{"redirect without a place", ``, 302, providers.KindStatus, "HTTP status 302"},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newGateway(t, func(w http.ResponseWriter, _ int) {
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(c.status)
				_, _ = io.WriteString(w, c.answer)
			}, nil)
			_, err := g.set.Embed(t.Context(), providers.EmbedJob{Provider: "oauth", Params: g.params(), Texts: []string{"a"}, BatchRetries: 2})
			var pe *providers.Error
			if !errors.As(err, &pe) || pe.Kind != c.kind {
				t.Fatalf("error %v", err)
			}
			if !strings.Contains(err.Error(), c.says) || strings.Contains(fmt.Sprintf("%+v", err), marker) {
				t.Errorf("error %v, want %q", err, c.says)
			}
			// One request: neither another style nor another try.
			if len(g.tokens) != 1 || len(g.calls) != 0 {
				t.Errorf("%d token requests, %d calls", len(g.tokens), len(g.calls))
			}
		})
	}
}

// TestTokenRetries checks that a busy token endpoint counts like a busy API.
func TestTokenRetries(t *testing.T) {
	g := newGateway(t, func(w http.ResponseWriter, n int) {
		if n < 3 {
			w.Header().Set("Retry-After", "2")
			w.WriteHeader(503)
			return
		}
		granted(w, `{"access_token":"late"}`)
	}, nil)
	if _, err := g.set.Embed(t.Context(), providers.EmbedJob{Provider: "oauth", Params: g.params(), Texts: []string{"a"}, BatchRetries: 2}); err != nil {
		t.Fatal(err)
	}
	if w := g.clock.Sleeps(); len(w) != 2 || w[0] != 2*time.Second || len(g.tokens) != 3 || g.calls[0] != "Bearer late" {
		t.Errorf("waits %v, %d fetches, calls %v", w, len(g.tokens), g.calls)
	}
}

// TestRefusedByTheAPI checks that a 401 costs the token and one more try.
func TestRefusedByTheAPI(t *testing.T) {
	g := newGateway(t, nil, func(n int) int {
		if n == 2 {
			return 401
		}
		return 200
	})
	for range 2 {
		if err := g.embed(t, g.params()); err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Join(g.calls, ","); got != "Bearer token-1,Bearer token-1,Bearer token-2" {
		t.Errorf("calls %s", got)
	}
	g = newGateway(t, nil, func(int) int { return 401 })
	err := g.embed(t, g.params())
	var pe *providers.Error
	if !errors.As(err, &pe) || pe.Status != 401 || len(g.calls) != 2 || len(g.tokens) != 2 {
		t.Errorf("%v after %d calls and %d tokens", err, len(g.calls), len(g.tokens))
	}
	g = newGateway(t, nil, func(int) int { return 403 })
	if err := g.embed(t, g.params()); err == nil || len(g.calls) != 1 {
		t.Errorf("403: %v after %d calls", err, len(g.calls))
	}
}

// TestManyCallers runs 32 jobs at once over one gateway, which hands out its
// token only after a while, and one which refuses.
func TestManyCallers(t *testing.T) {
	for _, refuse := range []bool{false, true} {
		g := newGateway(t, func(w http.ResponseWriter, _ int) {
			time.Sleep(300 * time.Millisecond)
			if refuse {
				w.WriteHeader(400)
				return
			}
			granted(w, `{"access_token":"shared","expires_in":5}`)
		}, nil)
		var wg sync.WaitGroup
		for range 32 {
			wg.Go(func() {
				if err := g.embed(t, g.params()); (err != nil) != refuse {
					t.Error(err)
				}
			})
		}
		wg.Wait()
		if len(g.tokens) != 1 {
			t.Errorf("refuse %v: %d fetches for 32 callers, want 1", refuse, len(g.tokens))
		}
	}
}

func TestCheck(t *testing.T) {
	g := newGateway(t, nil, nil)
	for _, c := range []struct {
		name   string
		params map[string]any
		says   []string
	}{
		{"complete", g.params(), nil},
		{"no token_url", g.params("token_url", ""), []string{"token_url"}},
		{"nothing", map[string]any{}, []string{"token_url", "OAUTH_TOKEN_URL"}},
		{"no secret", g.params("client_secret", ""), []string{"client_secret", "OAUTH_CLIENT_SECRET"}},
		{"unknown style", g.params("auth_style", "auto"), []string{"auth_style", `"params", "header"`}},
		{"plain http to a public token address", g.params("token_url", "http://8.8.8.8/token"), []string{"token_url", "http://8.8.8.8:80", "https"}},
		{"plain http to a public API", g.params("base_url", "http://8.8.8.8/v1"), []string{"base_url", "http://8.8.8.8:80"}},
		{"userinfo", g.params("token_url", "https://u:secretpw@h.test/token"), []string{"token_url", "user information"}},
		{"fragment", g.params("token_url", "https://h.test/token#secretpw"), []string{"token_url", "fragment"}},
		{"not an address", g.params("token_url", "http://h.test:secretpw"), []string{"token_url"}},
		{"query in base_url", g.params("base_url", "https://h.test/v1?secretpw"), []string{"base_url", "query"}},
	} {
		err := g.set.Check("oauth", c.params)
		if c.says == nil && err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		for _, part := range c.says {
			if err == nil || !strings.Contains(err.Error(), part) || strings.Contains(err.Error(), "secretpw") {
				t.Errorf("%s: error %v does not say %q", c.name, err, part)
			}
		}
	}
	if len(g.tokens) != 0 {
		t.Error("a check made a request")
	}
}
