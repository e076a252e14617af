package providertest

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/ironflow/ironflow/providers"
)

// testRealChatServers replays how real servers were seen to answer questions.
func testRealChatServers(t *testing.T, s Subject) {
	for _, c := range []struct {
		name   string
		status int
		body   string
		says   string
	}{
		{"llama.cpp, prompt too long", 400, `{"error":{"code":400,"message":"the request exceeds the available context size","type":"exceed_context_size_error","n_prompt_tokens":702,"n_ctx":512}}`,
			"(context_length_exceeded); the messages are too long"},
		{"llama.cpp, wrong key", 401, `{"error":{"code":401,"message":"Invalid API Key","type":"authentication_error"}}`, "(authentication_error); check the credential"},
		{"llama.cpp, embedding server", 501, `{"error":{"code":501,"message":"This server does not support completions. Start it without --embeddings","type":"not_supported_error"}}`,
			"name a chat model"},
		{"Ollama, embedding model", 400, `{"error":"\"all-minilm\" does not support chat"}`, "(model_cannot_chat); this model does not chat"},
		{"Ollama, no such model", 404, `{"error":"model \"m\" not found, try pulling it first"}`, "(model_not_found); check the model's name"},
		{"Ollama, context", 400, `{"error":"{\"error\":{\"code\":400,\"message\":\"request (410 tokens) exceeds the available context size (256 tokens)\",\"type\":\"exceed_context_size_error\"}}"}`,
			"messages are too long"},
		{"Ollama, option of a wrong type", 500, `{"error":"option \"num_ctx\" must be of type integer"}`, "HTTP status 500 (invalid_request_error)"},
		{"Ollama, model name", 500, `{"error":"invalid model name"}`, "HTTP status 500 (model_not_found)"},
		{"Ollama, thinking", 400, `{"error":"\"m\" does not support thinking"}`, "HTTP status 400"},
		{"OpenAI, quota", 429, `{"error":{"type":"insufficient_quota","code":"insufficient_quota"}}`, "quota is used up"},
		{"OpenAI, max_tokens", 400, `{"error":{"message":"Unsupported parameter","type":"invalid_request_error","param":"max_tokens","code":"unsupported_parameter"}}`,
			`(unsupported_parameter); this model does not take max_tokens: set max_tokens_field="max_completion_tokens"`},
		{"OpenAI, temperature", 400, `{"error":{"param":"temperature","code":"unsupported_value"}}`, "set send_temperature=false"},
		{"OpenAI, no chat model", 404, `{"error":{"message":"This is not a chat model and thus not supported in the v1/chat/completions endpoint.","type":"invalid_request_error","param":"model"}}`,
			"name a chat model"},
		{"vLLM, no such model", 404, `{"object":"error","message":"The model ` + "`m`" + ` does not exist.","type":"NotFoundError","code":404}`, "(model_not_found)"},
		{"vLLM, embedding model", 400, `{"object":"error","message":"The model does not support Chat Completions API","type":"BadRequestError","code":400}`, "name a chat model"},
		{"another server", 404, "404 page not found", "check the address"},
		{"another server, HTML", 405, "<html>405</html>", "check the address"},
		{"proxy, payload too large", 413, "<html>413</html>", "make the messages shorter"},
		{"Anthropic, several answers", 400, `{"type":"error","error":{"type":"invalid_request_error","message":"n"}}`, "(invalid_request_error); the server refused the request: check model"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h, got, err := chatOnce(t, s, reply{status: c.status, body: c.body})
			mustFail(t, got, err, providers.KindStatus)
			mustSay(t, err, c.says, "provider "+s.Vendor().Name, "http://127.0.0.1:")
			if n := len(h.seen()); n != 1 && !(c.status == 401 && s.UsesToken) {
				t.Errorf("%d requests, want 1: this failure is permanent", n)
			}
		})
	}
	for name, rep := range map[string]reply{
		"llama.cpp, loading":    {status: 503, body: `{"error":{"message":"Loading model","type":"unavailable_error","code":503}}`},
		"Ollama, busy":          {status: 503, body: `{"error":"server busy, please try again.  maximum pending requests exceeded"}`},
		"Ollama, runner ended":  {status: 500, body: `{"error":"an error was encountered while running the model: unexpected EOF"}`},
		"Anthropic, overloaded": {status: 529, body: `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`},
		"nothing at all":        {status: 503},
		"rate limit":            {status: 429, body: `{"error":{"code":"rate_limit_exceeded"}}`},
	} {
		t.Run(name, func(t *testing.T) {
			h := newHarness(t, s, func(r Request) reply {
				if r.N == 1 {
					return rep
				}
				return reply{body: s.Chat.Answer(quoted(said), "stop")}
			})
			job := h.chatJob()
			job.Retries = 1
			got, err := h.chat(job)
			checkSaid(t, got, err)
		})
	}
}

func testChatStatuses(t *testing.T, s Subject) {
	retried := map[int]bool{408: true, 429: true, 500: true, 502: true, 503: true, 504: true, 529: true}
	for _, status := range []int{300, 301, 302, 304, 307, 399, 400, 401, 402, 403, 404, 408, 409, 418, 422, 425, 429, 499, 500, 501, 502, 503, 504, 505, 529, 530} {
		t.Run(strconv.Itoa(status), func(t *testing.T) {
			// The body is a good answer: a wrong status makes it worthless.
			h, got, err := chatOnce(t, s, reply{status: status, body: s.Chat.Answer(quoted(said), "stop")})
			pe := mustFail(t, got, err, providers.KindStatus)
			if pe.Status != status {
				t.Errorf("status %d in the error", pe.Status)
			}
			mustSay(t, err, fmt.Sprintf("HTTP status %d", status), `asking the model "m" failed`)
			want := 1
			switch {
			case retried[status]:
				want = 3
				mustSay(t, err, "after 3 attempts")
			case status == 401 && s.UsesToken:
				want = 2
			}
			if n := len(h.seen()); n != want {
				t.Errorf("%d requests, want %d", n, want)
			}
		})
	}
	for _, status := range []int{200, 201, 206, 299} {
		_, got, err := chatOnce(t, s, reply{status: status, body: s.Chat.Answer(quoted(said), "stop")})
		checkSaid(t, got, err)
	}
	if s.UsesToken {
		h := newHarness(t, s, func(r Request) reply {
			if r.N == 1 {
				return reply{status: 401}
			}
			return reply{body: s.Chat.Answer(quoted(said), "stop")}
		})
		got, err := h.chat(h.chatJob())
		checkSaid(t, got, err)
		if h.tokens != 2 {
			t.Errorf("%d tokens were fetched, want 2: a refused one is dropped", h.tokens)
		}
	}
}

func testChatRetries(t *testing.T, s Subject) {
	const refuse = time.Duration(-1)
	for value, want := range map[string]time.Duration{
		"7": 7 * time.Second, "0": 10 * time.Millisecond, "60": time.Minute, "61": refuse, "soon": 500 * time.Millisecond,
	} {
		h := newHarness(t, s, func(r Request) reply {
			if r.N > 1 {
				return reply{body: s.Chat.Answer(quoted(said), "stop")}
			}
			return reply{status: 429, header: http.Header{"Retry-After": {value}}}
		})
		job := h.chatJob()
		job.Retries = 1
		got, err := h.chat(job)
		if want == refuse {
			mustFail(t, got, err, providers.KindWait)
			mustSay(t, err, "60 s")
			continue
		}
		checkSaid(t, got, err)
		if w := h.clock.Sleeps(); len(w) != 1 || w[0] != want {
			t.Errorf("Retry-After %s: waits %v, want [%v]", value, w, want)
		}
	}
	h := newHarness(t, s, func(Request) reply { return reply{status: 503} })
	job := h.chatJob()
	job.Retries = 5
	got, err := h.chat(job)
	mustFail(t, got, err, providers.KindStatus)
	want := []time.Duration{500 * time.Millisecond, time.Second, 2 * time.Second, 4 * time.Second, 8 * time.Second}
	if w := h.clock.Sleeps(); !reflect.DeepEqual(w, want) || len(h.seen()) != 6 {
		t.Errorf("waits %v, want %v", w, want)
	}
	for i, r := range h.seen() {
		if r.Body != h.seen()[0].Body {
			t.Errorf("request %d differs from the first", i+1)
		}
	}
	t.Run("a body that is cut", func(t *testing.T) {
		h, got, err := chatOnce(t, s, reply{body: s.Chat.Answer(quoted(said), "stop"), cut: true})
		mustFail(t, got, err, providers.KindConnection)
		if n := len(h.seen()); n != 1 {
			t.Errorf("%d requests, want 1, as for vectors", n)
		}
	})
	t.Run("nobody there", func(t *testing.T) {
		h := newHarness(t, s, goodChat(s))
		job := h.chatJob()
		job.Retries = 2
		job.Params = s.Params("http://"+unusedAddress(t)+s.Base, h.server.URL+"/token")
		got, err := h.chat(job)
		mustFail(t, got, err, providers.KindConnect)
		mustSay(t, err, "could not connect to http://127.0.0.1:", "after 3 attempts")
	})
}

// testChatTime checks limits of time: of one request, and of the caller.
func testChatTime(t *testing.T, s Subject) {
	never := make(chan struct{})
	t.Run("of one request", func(t *testing.T) {
		h := newHarness(t, s, func(r Request) reply {
			if r.N < 3 {
				return reply{wait: never}
			}
			return reply{body: s.Chat.Answer(quoted(said), "stop")}
		})
		job := h.chatJob()
		job.Retries, job.Timeout = 2, 100*time.Millisecond
		got, err := h.chat(job)
		checkSaid(t, got, err)
		if got.Retries != 2 {
			t.Errorf("%d retries", got.Retries)
		}
		job.Retries = 0
		h = newHarness(t, s, func(Request) reply { return reply{wait: never} })
		job.Params = h.chatJob().Params
		got, err = h.chat(job)
		mustFail(t, got, err, providers.KindTimeout)
	})
	t.Run("in the middle of a stream", func(t *testing.T) {
		stream := s.Chat.Stream(pieces(), "stop")
		rep := s.Chat.reply(stream[:strings.Index(stream, "\n")+1])
		rep.hold = true
		h := newHarness(t, s, func(Request) reply { return rep })
		job := h.chatJob()
		job.Timeout = 100 * time.Millisecond
		got, err := h.chat(job)
		mustFail(t, got, err, providers.KindTimeout)
	})
	t.Run("the caller leaves", func(t *testing.T) {
		gone := errors.New("gone")
		ctx, cancel := context.WithCancelCause(t.Context())
		h := newHarness(t, s, func(Request) reply {
			cancel(gone)
			return reply{wait: never}
		})
		job := h.chatJob()
		job.Retries = 2
		got, err := h.set.Chat(ctx, job)
		mustFail(t, got, err, providers.KindCancelled)
		if !errors.Is(err, context.Canceled) || !errors.Is(err, gone) {
			t.Errorf("neither the cancellation nor its cause can be found in %v", err)
		}
		if n := len(h.seen()); n != 1 {
			t.Errorf("%d requests, want 1", n)
		}
	})
	t.Run("a wait past the deadline", func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
		defer cancel()
		h := newHarness(t, s, func(Request) reply { return reply{status: 503, header: http.Header{"Retry-After": {"50"}}} })
		job := h.chatJob()
		job.Retries = 2
		got, err := h.set.Chat(ctx, job)
		mustFail(t, got, err, providers.KindStatus)
		mustSay(t, err, "after the deadline")
		if n := len(h.seen()); n != 1 {
			t.Errorf("%d requests, want 1", n)
		}
	})
}

func testChatBodyLimit(t *testing.T, s Subject) {
	body := s.Chat.Answer(quoted(said), "stop") + strings.Repeat(" ", 200)
	stream := s.Chat.Stream(characters(strings.Repeat(said, 20)), "stop")
	for _, c := range []struct {
		name  string
		rep   reply
		limit int
		fails bool
	}{
		{"exactly the limit", reply{body: body}, len(body), false},
		{"one byte over it", reply{body: body}, len(body) - 1, true},
		{"error body over it", reply{body: body, status: 500}, len(body) - 1, true},
		{"stream over it", s.Chat.reply(stream), len(stream) / 2, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHarness(t, s, func(Request) reply { return c.rep }, withMaxBody(int64(c.limit)))
			job := h.chatJob()
			job.Retries = 2
			got, err := h.chat(job)
			if !c.fails {
				checkSaid(t, got, err)
				return
			}
			mustFail(t, got, err, providers.KindTooLarge)
			mustSay(t, err, "lower max_tokens", "IRONFLOW_MAX_HTTP_BODY_BYTES")
			if n := len(h.seen()); n != 1 {
				t.Errorf("%d requests, want 1", n)
			}
		})
	}
}

func testChatConnections(t *testing.T, s Subject) {
	stream := s.Chat.reply(s.Chat.Stream(pieces(), "stop"))
	h := newHarness(t, s, func(r Request) reply {
		switch r.N % 3 {
		case 0:
			return reply{status: 503, body: strings.Repeat("x", 100000)}
		case 1:
			return stream
		}
		return reply{body: s.Chat.Answer(quoted(said), "stop")}
	})
	job := h.chatJob()
	job.Retries = 1
	for range 8 {
		got, err := h.chat(job)
		checkSaid(t, got, err)
	}
	h.mu.Lock()
	conns := h.conns
	h.mu.Unlock()
	if conns != 1 {
		t.Errorf("%d connections for %d requests, want 1", conns, len(h.seen()))
	}
	for range 3 {
		h.server.CloseClientConnections()
		got, err := h.chat(job)
		checkSaid(t, got, err)
	}
}
