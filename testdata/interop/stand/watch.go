package stand

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"regexp"
	"strings"
	"sync"
	"testing"
)

// Exchange is one request and its answer as they went past a [Watch].
type Exchange struct {
	Method, Path string
	Header       http.Header // of the request
	Request      string
	Status       int
	Answer       string
}

// Said describes an answer in a few words of the server: its status and what an
// error says.
func (x Exchange) Said() string {
	var body struct {
		Error      json.RawMessage `json:"error"`
		Embeddings *[]any          `json:"embeddings"`
	}
	said := ""
	if json.Unmarshal([]byte(x.Answer), &body) == nil {
		var inner struct {
			Message string `json:"message"`
			Type    string `json:"type"`
		}
		var text string
		switch {
		case json.Unmarshal(body.Error, &text) == nil:
			said = text
		case json.Unmarshal(body.Error, &inner) == nil:
			said = inner.Type + ": " + inner.Message
		case body.Embeddings != nil && len(*body.Embeddings) == 0:
			said = "embeddings: []"
		}
	} else if x.Answer != "" {
		said = "no JSON"
	}
	if said == "" || said == ": " {
		return fmt.Sprint(x.Status)
	}
	return fmt.Sprintf("%d %s", x.Status, shorten(said))
}

func shorten(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if r := []rune(s); len(r) > 140 {
		s = string(r[:140]) + " ..."
	}
	return s
}

// Watch is a proxy in front of a server that remembers every exchange and, but
// for the two edits, changes nothing. A connection that breaks behind it breaks
// in front of it, too.
type Watch struct {
	// URL is its own address, without a slash at the end.
	URL string
	// EditRequest, when set, changes the body of a request on its way: so the
	// server can be asked what IronFlow would not ask.
	EditRequest func(body string) string

	mu   sync.Mutex
	seen []*Exchange
}

// NewWatch starts a proxy in front of the server at target. edit, when set,
// may change an answer before it is passed on.
func NewWatch(t testing.TB, target string, edit func(*http.Response) error) *Watch {
	t.Helper()
	to, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	w := &Watch{}
	proxy := &httputil.ReverseProxy{
		Rewrite:        func(r *httputil.ProxyRequest) { r.SetURL(to) },
		FlushInterval:  -1,
		ErrorLog:       log.New(io.Discard, "", 0),
		ModifyResponse: func(resp *http.Response) error { return w.record(resp, edit) },
		ErrorHandler:   func(http.ResponseWriter, *http.Request, error) { panic(http.ErrAbortHandler) },
	}
	s := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		raw, _ := io.ReadAll(r.Body)
		body := string(raw)
		if w.EditRequest != nil {
			body = w.EditRequest(body)
		}
		r.Body, r.ContentLength = io.NopCloser(strings.NewReader(body)), int64(len(body))
		x := &Exchange{Method: r.Method, Path: r.URL.Path, Header: r.Header.Clone(), Request: body}
		proxy.ServeHTTP(rw, r.WithContext(context.WithValue(r.Context(), exchangeKey{}, x)))
	}))
	s.Config.ErrorLog = log.New(io.Discard, "", 0)
	t.Cleanup(s.Close)
	w.URL = s.URL
	return w
}

// record remembers an answer before it is passed on, because the client may look
// at once. Only a stream is passed on while it comes in.
func (w *Watch) record(resp *http.Response, edit func(*http.Response) error) error {
	if edit != nil {
		if err := edit(resp); err != nil {
			return err
		}
	}
	x := resp.Request.Context().Value(exchangeKey{}).(*Exchange)
	x.Status = resp.StatusCode
	kind := resp.Header.Get("Content-Type")
	if strings.HasPrefix(kind, "text/event-stream") || strings.HasPrefix(kind, "application/x-ndjson") {
		w.add(x)
		resp.Body = &recorder{ReadCloser: resp.Body, watch: w, exchange: x}
		return nil
	}
	body, err := io.ReadAll(resp.Body)
	_ = resp.Body.Close()
	resp.Body = io.NopCloser(bytes.NewReader(body))
	x.Answer = string(body)
	w.add(x)
	return err
}

func (w *Watch) add(x *Exchange) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.seen = append(w.seen, x)
}

// recorder writes down a stream while it goes past.
type recorder struct {
	io.ReadCloser
	watch    *Watch
	exchange *Exchange
}

// Read implements io.Reader.
func (r *recorder) Read(p []byte) (int, error) {
	n, err := r.ReadCloser.Read(p)
	r.watch.mu.Lock()
	defer r.watch.mu.Unlock()
	r.exchange.Answer += string(p[:n])
	return n, err
}

// Seen returns the exchanges since the last call of Seen.
func (w *Watch) Seen() []Exchange {
	w.mu.Lock()
	defer w.mu.Unlock()
	seen := make([]Exchange, len(w.seen))
	for i, x := range w.seen {
		seen[i] = *x
	}
	w.seen = nil
	return seen
}

// Streaming returns how much of the answers of the open exchanges came past.
func (w *Watch) Streaming() int {
	w.mu.Lock()
	defer w.mu.Unlock()
	n := 0
	for _, x := range w.seen {
		n += len(x.Answer)
	}
	return n
}

type exchangeKey struct{}

var port = regexp.MustCompile(`([\w.\]]):(\d{5})\b`)

// Plain replaces the ports that the test machine handed out, which differ
// between runs.
func Plain(text string) string { return port.ReplaceAllString(text, "$1:PORT") }

// Post sends a body past the proxy and returns the exchange: a question that
// IronFlow itself would not ask.
func (w *Watch) Post(t testing.TB, path, body string) Exchange {
	t.Helper()
	resp, err := plain().Post(w.URL+path, "application/json", strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	_ = resp.Body.Close()
	seen := w.Seen()
	return seen[len(seen)-1]
}
