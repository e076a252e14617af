// Package gateway is an embeddings API that asks the authorization server for
// every request whether the token it got is live.
package gateway

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"
)

// Gateway is the server under an address of its own.
type Gateway struct {
	// URL is its address without a slash at the end.
	URL string
	// Introspect asks whether a token is live.
	Introspect func(token string) (live bool, err error)
	// Pause is how long a request takes after the token was looked at.
	Pause time.Duration
	// RefuseAll answers 401 whatever the token.
	RefuseAll bool

	mu   sync.Mutex
	seen Seen
}

// Seen is what reached the gateway.
type Seen struct {
	Served, Refused int
	// Tokens are the distinct tokens, in order of appearance.
	Tokens []string
	// Trouble is a failure of the introspection itself.
	Trouble error
}

// New starts a gateway.
func New(t testing.TB, introspect func(string) (bool, error)) *Gateway {
	t.Helper()
	g := &Gateway{Introspect: introspect}
	s := httptest.NewServer(g)
	t.Cleanup(s.Close)
	g.URL = s.URL
	return g
}

// Seen returns what reached the gateway so far.
func (g *Gateway) Seen() Seen {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.seen
}

// ServeHTTP answers a request for embeddings with the length of each text.
func (g *Gateway) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	token, _ := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	live, err := g.Introspect(token)
	live = live && !g.RefuseAll
	g.count(token, live, err)
	if !live {
		w.Header().Set("WWW-Authenticate", `Bearer error="invalid_token"`)
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	time.Sleep(g.Pause)
	var in struct {
		Input []string `json:"input"`
	}
	body, _ := io.ReadAll(r.Body)
	if err := json.Unmarshal(body, &in); err != nil {
		w.WriteHeader(http.StatusBadRequest)
		return
	}
	var data []string
	for i, text := range in.Input {
		data = append(data, fmt.Sprintf(`{"index":%d,"embedding":[1,%d]}`, i, len(text)))
	}
	w.Header().Set("Content-Type", "application/json")
	_, _ = fmt.Fprintf(w, `{"data":[%s],"model":"m"}`, strings.Join(data, ","))
}

func (g *Gateway) count(token string, live bool, err error) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if err != nil && g.seen.Trouble == nil {
		g.seen.Trouble = err
	}
	if live {
		g.seen.Served++
	} else {
		g.seen.Refused++
	}
	for _, t := range g.seen.Tokens {
		if t == token {
			return
		}
	}
	g.seen.Tokens = append(g.seen.Tokens, token)
}

// RFC7662 is an introspection endpoint as that RFC describes it.
func RFC7662(endpoint, id, secret string) func(string) (bool, error) {
	return func(token string) (bool, error) {
		req, err := http.NewRequest(http.MethodPost, endpoint, strings.NewReader(url.Values{"token": {token}}.Encode()))
		if err != nil {
			return false, err
		}
		req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		req.SetBasicAuth(url.QueryEscape(id), url.QueryEscape(secret))
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			return false, err
		}
		defer func() { _ = resp.Body.Close() }()
		var answer struct {
			Active bool `json:"active"`
		}
		if err := json.NewDecoder(resp.Body).Decode(&answer); err != nil || resp.StatusCode != http.StatusOK {
			return false, fmt.Errorf("introspection: status %d, %v", resp.StatusCode, err)
		}
		return answer.Active, nil
	}
}
