package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/rogpeppe/go-internal/testscript"
)

// providers finds the server that a script started, by its address.
var providers sync.Map

// provider is a server on loopback that speaks the wire formats of OpenAI and of
// Ollama, for embeddings and for chat, and gives tokens.
type provider struct {
	*httptest.Server
	requests atomic.Int64
	arrived  chan struct{} // one value for each request
	gone     chan struct{} // one value for each request whose client left
}

// newProvider serves vectors in one of these ways: "halves" (the first half of
// a batch is one topic, the second another, orthogonal), "garbage" (status 200
// and no JSON), "short" (one vector too few), "hang" (no answer until the
// client leaves), "fail" (status 503). Questions are answered as [chat] does.
func newProvider(mode string) *provider {
	p := &provider{arrived: make(chan struct{}, 64), gone: make(chan struct{}, 64)}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		p.requests.Add(1)
		body, _ := io.ReadAll(r.Body)
		p.arrived <- struct{}{}
		var in struct {
			Input []string `json:"input"`
		}
		_ = json.Unmarshal(body, &in)
		w.Header().Set("Content-Type", "application/json")
		n := len(in.Input)
		switch mode {
		case "hang":
			<-r.Context().Done()
			p.gone <- struct{}{}
			return
		case "garbage":
			fmt.Fprint(w, "<html>SECRETMARKER</html>")
			return
		case "fail":
			w.WriteHeader(http.StatusServiceUnavailable)
			fmt.Fprint(w, `{"error":{"message":"SECRETMARKER"}}`)
			return
		case "short":
			n--
		}
		switch r.URL.Path {
		case "/token":
			fmt.Fprint(w, `{"access_token":"token-0123456789","token_type":"bearer","expires_in":3600}`)
			return
		case "/api/chat", "/v1/chat/completions":
			chat(w, r.URL.Path, mode, body)
			return
		}
		var items, rows []string
		for i := range n {
			vector := "[1,0]"
			if i >= len(in.Input)/2 {
				vector = "[0,1]"
			}
			rows = append(rows, vector)
			items = append(items, fmt.Sprintf(`{"index":%d,"embedding":%s}`, i, vector))
		}
		if r.URL.Path == "/api/embed" {
			fmt.Fprintf(w, `{"model":"test","embeddings":[%s]}`, strings.Join(rows, ","))
			return
		}
		fmt.Fprintf(w, `{"data":[%s],"model":"test","usage":{"prompt_tokens":7,"total_tokens":7}}`, strings.Join(items, ","))
	}))
	return p
}

// startProvider starts a provider and puts its address into PROVIDER:
//
//	startprovider halves
func startProvider(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: startprovider halves|garbage|short|hang|fail|cut|empty|refuse|prose|misfit|noformat|stream|broken|agentic|agenticinvent|agenticforget")
	}
	p := newProvider(args[0])
	ts.Defer(p.Close)
	ts.Setenv("PROVIDER", p.URL)
	providers.Store(p.URL, p)
}

// countRequests wants that the provider got exactly this many requests.
func countRequests(ts *testscript.TestScript, neg bool, args []string) {
	want, err := strconv.ParseInt(args[0], 10, 64)
	ts.Check(err)
	p, _ := providers.Load(ts.Getenv("PROVIDER"))
	if got := p.(*provider).requests.Load(); (got == want) == neg {
		ts.Fatalf("the provider got %d requests, want %d", got, want)
	}
}
