package providertest

import (
	"context"
	"io"
	"log"
	"math/rand/v2"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/ironflow/ironflow/providers"
	"github.com/ironflow/ironflow/transport"
	"github.com/ironflow/ironflow/transport/transporttest"
)

// unusedAddress returns a loopback address where nothing listens.
func unusedAddress(t *testing.T) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

// serveAt starts a server on an address that was found free.
func serveAt(t *testing.T, address string, h http.Handler) {
	l, err := net.Listen("tcp", address)
	if err != nil {
		t.Error(err)
		return
	}
	srv := &http.Server{Handler: h, ReadHeaderTimeout: time.Minute, ErrorLog: log.New(io.Discard, "", 0)}
	go func() { _ = srv.Serve(l) }()
	t.Cleanup(func() { _ = srv.Close() })
}

// testConcurrency checks that order and results do not depend on how many
// batches are under way or how long each takes.
func testConcurrency(t *testing.T, s Subject) {
	for _, workers := range []int{1, 2, 4, 16} {
		var now, most atomic.Int64
		var failed sync.Map // first inputs of the batches that failed once
		h := newHarness(t, s, func(r Request) reply {
			n := now.Add(1)
			defer now.Add(-1)
			for {
				m := most.Load()
				if n <= m || most.CompareAndSwap(m, n) {
					break
				}
			}
			time.Sleep(time.Duration(rand.IntN(8)) * time.Millisecond)
			if _, again := failed.LoadOrStore(r.Input[0], true); !again && len(r.Input[0])%2 == 1 {
				return reply{status: 503}
			}
			return reply{body: s.Answer(vectorsOf(r.Input))}
		})
		job := h.job(number(60)...)
		job.BatchSize, job.BatchConcurrency, job.BatchRetries = 2, workers, 1
		var last atomic.Int64
		job.Progress = func(done, total int) {
			if int64(done) != last.Add(1) || total != 30 {
				t.Errorf("progress %d of %d", done, total)
			}
		}
		got, err := h.embed(job)
		if err != nil {
			t.Fatal(err)
		}
		checkOrder(t, got, 60)
		if m := most.Load(); m > int64(workers) || workers > 1 && m < 2 {
			t.Errorf("batch_concurrency %d: %d requests at once", workers, m)
		}
		if got.Usage == nil || got.Usage.InputTokens != 4*30 {
			t.Errorf("usage %+v, want the sum of 30 answers", got.Usage)
		}
	}
	t.Run("one fails", func(t *testing.T) {
		h := newHarness(t, s, func(r Request) reply {
			if r.Input[0] == "t5" {
				return reply{status: 400}
			}
			time.Sleep(3 * time.Millisecond)
			return reply{body: s.Answer(vectorsOf(r.Input))}
		})
		job := h.job(number(40)...)
		job.BatchSize, job.BatchConcurrency = 1, 4
		got, err := h.embed(job)
		mustFail(t, got, err, providers.KindStatus)
		mustSay(t, err, "embedding inputs 5..5 of 40 (batch 5 of 40)")
		if n := len(h.seen()); n > 20 {
			t.Errorf("%d requests: the rest should not have been sent", n)
		}
	})
	t.Run("the caller leaves", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		never := make(chan struct{})
		h := newHarness(t, s, func(r Request) reply {
			if r.N == 6 {
				cancel()
			}
			if r.N > 1 {
				return reply{wait: never}
			}
			return reply{body: s.Answer(vectorsOf(r.Input))}
		})
		job := h.job(number(40)...)
		job.BatchSize, job.BatchConcurrency = 1, 5
		got, err := h.set.Embed(ctx, job)
		mustFail(t, got, err, providers.KindCancelled)
	})
}

func testConnections(t *testing.T, s Subject) {
	t.Run("one for ten batches", func(t *testing.T) {
		h := newHarness(t, s, func(r Request) reply {
			if r.N == 4 {
				return reply{status: 503, body: strings.Repeat("x", 100000)}
			}
			return reply{body: s.Answer(vectorsOf(r.Input))}
		})
		job := h.job(number(10)...)
		job.BatchSize, job.BatchRetries = 1, 1
		if _, err := h.embed(job); err != nil {
			t.Fatal(err)
		}
		h.mu.Lock()
		defer h.mu.Unlock()
		if h.conns != 1 {
			t.Errorf("%d connections for %d requests, want 1", h.conns, len(h.requests))
		}
	})
	t.Run("closed while idle", func(t *testing.T) {
		h := newHarness(t, s, good(s))
		if _, err := h.embed(h.job("1")); err != nil {
			t.Fatal(err)
		}
		for range 5 {
			h.server.CloseClientConnections()
			got, err := h.embed(h.job("1"))
			if err != nil {
				t.Fatal(err)
			}
			checkOrder(t, got, 1)
		}
	})
}

func testBodyLimit(t *testing.T, s Subject) {
	body := s.Answer([]string{"[1,0.5]"})
	for _, c := range []struct {
		name   string
		status int
		limit  int
		fails  bool
	}{
		{"exactly the limit", 0, len(body), false},
		{"one byte over it", 0, len(body) - 1, true},
		{"error body over it", 500, len(body) - 1, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			// The token answer of the harness is longer; it must fit too.
			pad := 0
			if c.limit < 200 {
				pad = 200
			}
			h := newHarness(t, s, func(Request) reply { return reply{status: c.status, body: body + strings.Repeat(" ", pad)} }, withMaxBody(int64(c.limit+pad)))
			job := h.job("1")
			job.BatchRetries = 2
			got, err := h.embed(job)
			if !c.fails {
				if err != nil {
					t.Fatal(err)
				}
				checkOrder(t, got, 1)
				return
			}
			mustFail(t, got, err, providers.KindTooLarge)
			mustSay(t, err, "batch_size", `encoding_format="base64"`, "IRONFLOW_MAX_HTTP_BODY_BYTES", "inputs 1..1 of 1")
			if n := len(h.seen()); n != 1 {
				t.Errorf("%d requests, want 1", n)
			}
		})
	}
}

// action is one job of either sort against a set.
type action func(ctx context.Context, set *providers.Set, params map[string]any) error

func embedAction(s Subject) action {
	return func(ctx context.Context, set *providers.Set, params map[string]any) error {
		got, err := set.Embed(ctx, providers.EmbedJob{
			Provider: s.Vendor().Name, Model: "m", Texts: []string{"a"}, BatchRetries: 1, Params: params,
		})
		return noResult(got != nil, err)
	}
}

func chatAction(s Subject) action {
	return func(ctx context.Context, set *providers.Set, params map[string]any) error {
		got, err := set.Chat(ctx, providers.ChatJob{
			Provider: s.Vendor().Name, Model: "m", Messages: []providers.Message{{Role: "user", Content: "a"}}, Retries: 1, Params: params,
		})
		return noResult(got != nil, err)
	}
}

// noResult wants that an error comes without a result.
func noResult(result bool, err error) error {
	if result && err != nil {
		panic("a result came with the error " + err.Error())
	}
	return err
}

// testRedirects runs the redirect matrix through the vendor.
func testRedirects(t *testing.T, s Subject) {
	redirects(t, s, embedAction(s))
	t.Run("on the same origin", func(t *testing.T) {
		h := newHarness(t, s, func(r Request) reply {
			if r.N == 1 {
				return reply{status: 307, header: http.Header{"Location": {"/moved"}}}
			}
			return reply{body: s.Answer(vectorsOf(r.Input))}
		})
		got, err := h.embed(h.job("1"))
		if err != nil {
			t.Fatal(err)
		}
		checkOrder(t, got, 1)
		if r := h.seen(); len(r) != 2 || r[1].URI != "/moved" || r[1].Body != r[0].Body || r[1].Header.Get("Authorization") != s.Credential {
			t.Errorf("requests %+v", r)
		}
	})
}

// redirects runs the redirect matrix through an action.
func redirects(t *testing.T, s Subject, act action) {
	h := newHarness(t, s, good(s))
	send := func(params func(base string) map[string]any) transporttest.Send {
		return func(ctx context.Context, c *transport.Client, base string) error {
			set, err := providers.NewSet(providers.SetOptions{Vendors: []providers.Vendor{s.Vendor()}, Client: c, Clock: NewClock()})
			if err != nil {
				return err
			}
			return act(ctx, set, params(base))
		}
	}
	t.Run("of the API", func(t *testing.T) {
		transporttest.RedirectMatrix(t, send(func(base string) map[string]any {
			if s.UsesToken {
				// The matrix has one server, which redirects everything: the
				// token endpoint stands elsewhere.
				return s.Params(base, h.server.URL+"/token")
			}
			return s.Params(base, "")
		}))
	})
	if s.UsesToken {
		t.Run("of the token endpoint", func(t *testing.T) {
			transporttest.RedirectMatrix(t, send(func(base string) map[string]any {
				return s.Params(h.server.URL+s.Base, base+"/token")
			}))
		})
	}
}
