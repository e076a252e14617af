package providertest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/ironflow/ironflow/providers"
	"github.com/ironflow/ironflow/transport"
)

// Request is a request as a server received it.
type Request struct {
	N      int // 1 for the first request of the test
	Method string
	URI    string
	Header http.Header
	Body   string

	Model          string   `json:"model"`
	Input          []string `json:"input"`
	Dimensions     int      `json:"dimensions"`
	EncodingFormat string   `json:"encoding_format"`
	Messages       []struct{ Role, Content string }
}

// reply is what a server does with a request: an answer, or something else
// with the connection.
type reply struct {
	status int // 0 means 200
	header http.Header
	body   string
	wait   <-chan struct{} // answers only after this is closed
	cut    bool            // closes the connection in the middle of the body
	abort  bool            // ends a body of no declared length without its end
	hold   bool            // keeps the connection open behind the body
}

type handler func(r Request) reply

// harness is one server, one set and what they saw.
type harness struct {
	t      *testing.T
	sub    Subject
	server *httptest.Server
	client *transport.Client
	clock  *Clock
	set    *providers.Set

	mu       sync.Mutex
	requests []Request
	tokens   int
	conns    int
}

// option changes how a harness is set up.
type option func(*providers.SetOptions, *transport.Policy)

func withMaxValues(n int64) option {
	return func(o *providers.SetOptions, _ *transport.Policy) { o.Limits.MaxEmbeddingValues = n }
}

func withMaxBody(n int64) option {
	return func(_ *providers.SetOptions, p *transport.Policy) { p.MaxBodyBytes = n }
}

// sampleToken is what the token endpoint of the harness hands out.
const sampleToken = "token-0123456789abcdef"

func newHarness(t *testing.T, sub Subject, h handler, opts ...option) *harness {
	t.Helper()
	hs := &harness{t: t, sub: sub, clock: NewClock()}
	hs.server = httptest.NewUnstartedServer(hs.mux(h))
	hs.server.Config.ErrorLog = log.New(io.Discard, "", 0)
	hs.server.Config.ConnState = func(_ net.Conn, st http.ConnState) {
		if st == http.StateNew {
			hs.mu.Lock()
			hs.conns++
			hs.mu.Unlock()
		}
	}
	hs.server.Start()
	t.Cleanup(hs.server.Close)

	so, policy := providers.SetOptions{Vendors: []providers.Vendor{sub.Vendor()}, Clock: hs.clock}, transport.Policy{}
	for _, o := range opts {
		o(&so, &policy)
	}
	var err error
	if hs.client, err = transport.New(policy); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(hs.client.CloseIdleConnections)
	so.Client = hs.client
	if hs.set, err = providers.NewSet(so); err != nil {
		t.Fatal(err)
	}
	return hs
}

// mux answers /token by itself and hands everything else to h.
func (hs *harness) mux(h handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return
		}
		hs.mu.Lock()
		if r.URL.Path == "/token" {
			hs.tokens++
			hs.mu.Unlock()
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `{"access_token":"`+sampleToken+`","token_type":"bearer","expires_in":3600}`)
			return
		}
		req := Request{N: len(hs.requests) + 1, Method: r.Method, URI: r.RequestURI, Header: r.Header, Body: string(body)}
		if err := json.Unmarshal(body, &req); err != nil {
			hs.t.Errorf("request %d is not valid JSON: %v", req.N, err)
		}
		hs.requests = append(hs.requests, req)
		hs.mu.Unlock()
		rep := h(req)
		if rep.wait != nil {
			select {
			case <-rep.wait:
			case <-r.Context().Done():
				return
			}
		}
		rep.write(w, r)
	}
}

func (rep reply) write(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	for k, v := range rep.header {
		w.Header()[k] = v
	}
	if rep.cut {
		w.Header().Set("Content-Length", strconv.Itoa(len(rep.body)+10))
	}
	if rep.status != 0 {
		w.WriteHeader(rep.status)
	}
	_, _ = io.WriteString(w, rep.body)
	if rep.abort || rep.hold {
		_ = http.NewResponseController(w).Flush()
	}
	if rep.hold {
		<-r.Context().Done()
	}
	if rep.abort {
		panic(http.ErrAbortHandler)
	}
}

// job is a job for the harness's server with a model named "m".
func (hs *harness) job(texts ...string) providers.EmbedJob {
	name := hs.sub.Vendor().Name
	return providers.EmbedJob{
		Provider: name,
		Params:   hs.sub.Params(hs.server.URL+hs.sub.Base, hs.server.URL+"/token"),
		Model:    "m",
		Texts:    texts,
	}
}

func (hs *harness) embed(job providers.EmbedJob) (*providers.Embeddings, error) {
	hs.t.Helper()
	return hs.set.Embed(hs.t.Context(), job)
}

// seen returns the requests so far.
func (hs *harness) seen() []Request {
	hs.mu.Lock()
	defer hs.mu.Unlock()
	return append([]Request(nil), hs.requests...)
}

// number makes the texts "t1" to "tn".
func number(n int) []string {
	texts := make([]string, n)
	for i := range texts {
		texts[i] = "t" + strconv.Itoa(i+1)
	}
	return texts
}

// vectorOf is the vector that the good server has for a text: its number.
func vectorOf(text string) string {
	return "[" + strings.TrimLeft(text, "abcdefghijklmnopqrstuvwxyz: ") + ",0.5]"
}

// good answers every request properly.
func good(sub Subject) handler {
	return func(r Request) reply { return reply{body: sub.Answer(vectorsOf(r.Input))} }
}

func vectorsOf(texts []string) []string {
	v := make([]string, len(texts))
	for i, t := range texts {
		v[i] = vectorOf(t)
	}
	return v
}

// checkOrder fails unless the vectors are those of "t1" to "tn", in order.
func checkOrder(t *testing.T, e *providers.Embeddings, n int) {
	t.Helper()
	if e.Count != n || e.Dim != 2 || len(e.Data) != 2*n {
		t.Fatalf("count %d, dim %d, %d numbers; want %d, 2, %d", e.Count, e.Dim, len(e.Data), n, 2*n)
	}
	for i := range n {
		if e.Data[2*i] != float64(i+1) || e.Data[2*i+1] != 0.5 {
			t.Fatalf("row %d is %v, want [%d 0.5]", i, e.Data[2*i:2*i+2], i+1)
		}
	}
}

// mustFail returns the provider error in err, whose kind must be as wanted.
func mustFail[T any](t *testing.T, got *T, err error, kind providers.ErrorKind) *providers.Error {
	t.Helper()
	if got != nil {
		t.Errorf("something was returned with the error: %v", got)
	}
	var pe *providers.Error
	if !errors.As(err, &pe) {
		t.Fatalf("error %v (%T), want a *providers.Error", err, err)
	}
	if pe.Kind != kind {
		t.Fatalf("error kind %v, want %v: %v", pe.Kind, kind, err)
	}
	return pe
}

// mustSay fails unless the error's text holds each of the parts.
func mustSay(t *testing.T, err error, parts ...string) {
	t.Helper()
	for _, p := range parts {
		if err == nil || !strings.Contains(err.Error(), p) {
			t.Errorf("error %q does not say %q", fmt.Sprint(err), p)
		}
	}
}
