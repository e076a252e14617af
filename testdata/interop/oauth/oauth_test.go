//go:build interop

// Package oauth tests the provider "oauth" against oidc-provider, a certified
// authorization server.
package oauth

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/ironflow/ironflow/providers"
	"github.com/ironflow/ironflow/testdata/interop/gateway"
	"github.com/ironflow/ironflow/testdata/interop/stand"
	"github.com/ironflow/ironflow/transport"
)

var report = stand.NewReport("oauth")

const (
	server  = "oidc-provider"
	version = "9.13.3"
	// secret is the one in op.mjs.
	secret = "s3cr:et/+ &%"
)

func TestMain(m *testing.M) { os.Exit(report.Main(m)) }

// issuer starts the authorization server and returns its address.
func issuer(t *testing.T) string {
	t.Helper()
	dir := stand.Npm(t, "oidc-provider-"+version, stand.Here()+"/oauth", "op.mjs")
	at := stand.FreePort(t)
	s := stand.Start(t, server, dir, nil, "node", "op.mjs", fmt.Sprint(at))
	base := fmt.Sprintf("http://127.0.0.1:%d", at)
	s.Ready(t, base+"/.well-known/openid-configuration", time.Minute)
	return base
}

// place is everything between IronFlow and the tokens.
type place struct {
	issuer string
	tokens *stand.Watch // in front of the authorization server
	api    *gateway.Gateway
	set    *providers.Set
}

func newPlace(t *testing.T, edit func(*http.Response) error) *place {
	t.Helper()
	base := issuer(t)
	return &place{
		issuer: base,
		tokens: stand.NewWatch(t, base, edit),
		api:    gateway.New(t, gateway.RFC7662(base+"/token/introspection", "gateway", "gateway-secret")),
		set:    stand.NewSet(t, transport.Policy{}),
	}
}

func (p *place) job(client, style, secret string, texts ...string) providers.EmbedJob {
	return providers.EmbedJob{
		Provider: "oauth", Model: "m", Texts: texts, BatchRetries: 2,
		Params: map[string]any{
			"token_url": p.tokens.URL + "/token", "base_url": p.api.URL + "/v1", "scope": "embed",
			"client_id": client, "client_secret": secret, "auth_style": style,
		},
	}
}

// TestStyles: both ways to prove oneself, with a secret full of characters that
// encodings get wrong.
func TestStyles(t *testing.T) {
	p := newPlace(t, nil)
	for _, c := range []struct{ client, style, what string }{
		{"basic", "header", "`auth_style=header`"}, {"post", "params", "`auth_style=params`"},
	} {
		got, err := p.set.Embed(t.Context(), p.job(c.client, c.style, secret, "a", "bb"))
		if err != nil {
			t.Fatalf("%s: %v", c.style, err)
		}
		if got.Count != 2 || got.Data[1] != 1 || got.Data[3] != 2 {
			t.Errorf("%s: got %v", c.style, got.Data)
		}
		seen := p.tokens.Seen()
		if len(seen) != 1 {
			t.Fatalf("%s: %d fetches", c.style, len(seen))
		}
		inHeader, inBody := seen[0].Header.Get("Authorization") != "", strings.Contains(seen[0].Request, "client_secret")
		if inHeader != (c.style == "header") || inBody == inHeader {
			t.Errorf("%s: secret in the header %v, in the body %v", c.style, inHeader, inBody)
		}
		report.Add(t, server, version, c.what+", secret with `:/+ &%`", seen[0].Said(), "one fetch; the gateway finds the token live")
	}
	if seen := p.api.Seen(); seen.Served != 2 || seen.Refused != 0 || seen.Trouble != nil {
		t.Errorf("the gateway served %d and refused %d, %v", seen.Served, seen.Refused, seen.Trouble)
	}
	// The control: the server does mind the encoding.
	req, err := http.NewRequest(http.MethodPost, p.tokens.URL+"/token", strings.NewReader("grant_type=client_credentials"))
	if err != nil {
		t.Fatal(err)
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	req.SetBasicAuth("basic", secret)
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusBadRequest {
		t.Errorf("the secret without form encoding gives status %d, want 400", resp.StatusCode)
	}
	report.Add(t, server, version, "basic, the same secret without form encoding", p.tokens.Seen()[0].Said(), "never sent like that (RFC 6749, 2.3.1)")
}

// TestShortTokens sends 200 requests with tokens that live for 5 seconds.
func TestShortTokens(t *testing.T) {
	p := newPlace(t, nil)
	p.api.Pause = 450 * time.Millisecond
	texts := make([]string, 200)
	for i := range texts {
		texts[i] = strings.Repeat("x", i+1)
	}
	job := p.job("basic", "header", secret, texts...)
	job.BatchSize, job.BatchConcurrency, job.BatchRetries = 1, 8, 0
	start := time.Now()
	got, err := p.set.Embed(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	took := time.Since(start)
	for i := range texts {
		if got.Data[2*i+1] != float64(i+1) {
			t.Fatalf("vector %d is that of a text of %v bytes", i, got.Data[2*i+1])
		}
	}
	seen, fetches := p.api.Seen(), len(p.tokens.Seen())
	if seen.Served != 200 || seen.Refused != 0 || seen.Trouble != nil {
		t.Errorf("the gateway served %d and refused %d, %v", seen.Served, seen.Refused, seen.Trouble)
	}
	// A token is used for three quarters of its life.
	most := 2 + int(took.Seconds()/3.75)
	if fetches != len(seen.Tokens) || fetches < 2 || fetches > most {
		t.Errorf("%d fetches gave %d tokens in %v; want 2..%d", fetches, len(seen.Tokens), took, most)
	}
	report.Add(t, server, version, "200 requests, 8 at once, tokens that live 5 s", "`expires_in: 5`",
		"200 live tokens at the gateway, none expired; a new token only after three quarters of the life of the last")
}

// TestSingleFlight lets 50 jobs ask for the first token at once.
func TestSingleFlight(t *testing.T) {
	p := newPlace(t, nil)
	var wg sync.WaitGroup
	errs := make([]error, 50)
	for i := range errs {
		wg.Go(func() { _, errs[i] = p.set.Embed(t.Context(), p.job("post", "params", secret, "a")) })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
	if n := len(p.tokens.Seen()); n != 1 {
		t.Errorf("%d fetches for 50 jobs at once, want 1", n)
	}
	report.Add(t, server, version, "50 jobs at once without a token", "200", "one fetch for all")
}

// TestRevokedToken takes a token back while it is in the cache.
func TestRevokedToken(t *testing.T) {
	p := newPlace(t, nil)
	job := p.job("long", "params", secret, "a")
	if _, err := p.set.Embed(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	resp, err := http.PostForm(p.issuer+"/token/revocation", url.Values{
		"token": p.api.Seen().Tokens, "client_id": {"long"}, "client_secret": {secret},
	})
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		t.Fatalf("revocation: status %d", resp.StatusCode)
	}
	if _, err := p.set.Embed(t.Context(), job); err != nil {
		t.Fatal(err)
	}
	seen := p.api.Seen()
	if seen.Served != 2 || seen.Refused != 1 || len(seen.Tokens) != 2 || len(p.tokens.Seen()) != 2 {
		t.Errorf("the gateway served %d and refused %d with %d tokens", seen.Served, seen.Refused, len(seen.Tokens))
	}
	report.Add(t, server, version, "a cached token is revoked", "introspection: not active; the gateway answers 401",
		"the token is dropped, a new one fetched, the batch sent once more")
}

// TestRefusedForGood: a gateway that accepts no token is asked twice, not forever.
func TestRefusedForGood(t *testing.T) {
	p := newPlace(t, nil)
	p.api.RefuseAll = true
	_, err := p.set.Embed(t.Context(), p.job("post", "params", secret, "a"))
	if err == nil || !strings.Contains(err.Error(), "HTTP status 401") || !strings.Contains(err.Error(), "check the credential") {
		t.Errorf("got %v", err)
	}
	seen, fetches := p.api.Seen(), p.tokens.Seen()
	if seen.Refused != 2 || len(fetches) != 2 {
		t.Errorf("%d requests, %d fetches; want 2 and 2", seen.Refused, len(fetches))
	}
	for _, token := range seen.Tokens {
		if err != nil && strings.Contains(err.Error(), token) {
			t.Error("the error shows a token")
		}
	}
	report.Add(t, server, version, "a gateway that accepts no token", "401", fmt.Sprintf("2 requests, 2 fetches, then: %v", err))
}

// TestRefusedClients: faults of the configuration fail once and show no secret.
func TestRefusedClients(t *testing.T) {
	p := newPlace(t, nil)
	const wrong = "not-the-secret-0123"
	for _, c := range []struct{ what, client, style, secret, code string }{
		{"wrong secret, basic", "basic", "header", wrong, "401 (invalid_client)"},
		{"wrong secret, body", "post", "params", wrong, "401 (invalid_client)"},
		{"unknown client", "nobody", "params", wrong, "401 (invalid_client)"},
	} {
		_, err := p.set.Embed(t.Context(), p.job(c.client, c.style, c.secret, "a"))
		if err == nil {
			t.Fatalf("%s: no error", c.what)
		}
		for _, want := range []string{"the token endpoint gave no token", c.code, "check token_url, client_id, client_secret, scope and auth_style"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("%s: the error does not say %q: %v", c.what, want, err)
			}
		}
		if text := fmt.Sprintf("%v %+v %#v", err, err, err); strings.Contains(text, wrong) || strings.Contains(text, secret) {
			t.Errorf("%s: the error shows the secret", c.what)
		}
		seen := p.tokens.Seen()
		if len(seen) != 1 {
			t.Errorf("%s: %d fetches", c.what, len(seen))
		}
		report.Add(t, server, version, c.what, seen[0].Said(), "one fetch, then: "+err.Error())
	}
	if seen := p.api.Seen(); seen.Served+seen.Refused != 0 {
		t.Error("a request reached the gateway without a token")
	}
}

// TestNoExpiry strips expires_in on the way: no server at hand leaves it out.
func TestNoExpiry(t *testing.T) {
	p := newPlace(t, withoutExpiry)
	for range 5 {
		if _, err := p.set.Embed(t.Context(), p.job("long", "params", secret, "a")); err != nil {
			t.Fatal(err)
		}
	}
	seen := p.tokens.Seen()
	if len(seen) != 1 || strings.Contains(seen[0].Answer, "expires_in") {
		t.Errorf("%d fetches, want 1; the answer is %v", len(seen), strings.Contains(seen[0].Answer, "expires_in"))
	}
	report.Add(t, server, version, "no `expires_in` (taken out by a proxy)", seen[0].Said(), "one fetch for 5 jobs: kept for 300 s")
}

func withoutExpiry(resp *http.Response) error {
	var fields map[string]any
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(body, &fields); err != nil {
		return err
	}
	delete(fields, "expires_in")
	if body, err = json.Marshal(fields); err != nil {
		return err
	}
	resp.Body = io.NopCloser(bytes.NewReader(body))
	resp.ContentLength = int64(len(body))
	resp.Header.Set("Content-Length", fmt.Sprint(len(body)))
	return nil
}

// TestUnknownScope: the server gives a token for less than was asked.
func TestUnknownScope(t *testing.T) {
	p := newPlace(t, nil)
	job := p.job("post", "params", secret, "a")
	job.Params["scope"] = "no-such-scope"
	_, err := p.set.Embed(t.Context(), job)
	seen := p.tokens.Seen()
	if err != nil || strings.Contains(seen[0].Answer, `"scope"`) {
		t.Fatalf("%v; the answer is %v", err, seen[0].Status)
	}
	report.Add(t, server, version, "an unknown scope", seen[0].Said()+", no `scope` in the answer", "the token is used; what it allows is the gateway's to say")
}
