package providertest

import (
	"net/http"
	"testing"

	"github.com/ironflow/ironflow/providers"
)

// testRealServers replays how real servers were seen to answer.
func testRealServers(t *testing.T, s Subject) {
	for _, c := range []struct {
		name   string
		status int
		body   string
		kind   providers.ErrorKind
		says   string
	}{
		{"llama.cpp, input too long", 500, `{"error":{"code":500,"message":"input (702 tokens) is too large to process. increase the physical batch size","type":"server_error"}}`,
			providers.KindStatus, "make the chunks smaller"},
		{"llama.cpp, context exceeded", 400, `{"error":{"code":400,"message":"the request exceeds","type":"exceed_context_size_error","n_prompt_tokens":702,"n_ctx":512}}`,
			providers.KindStatus, "HTTP status 400 (context_length_exceeded)"},
		{"llama.cpp, wrong key", 401, `{"error":{"code":401,"message":"Invalid API Key","type":"authentication_error"}}`,
			providers.KindStatus, "HTTP status 401 (authentication_error)"},
		{"llama.cpp, no such path", 404, `{"error":{"message":"File Not Found","type":"not_found_error","code":404}}`, providers.KindStatus, "check the address"},
		{"llama.cpp, chat model", 400, `{"error":{"code":400,"message":"Pooling type 'none' is not OAI compatible. Please use a different pooling type","type":"invalid_request_error"}}`,
			providers.KindStatus, "name an embedding model"},
		{"nginx, no API", 405, "<html><head><title>405 Not Allowed</title></head></html>", providers.KindStatus, "check the address"},
		{"caddy, no route", 200, "", providers.KindAnswer, "the answer is empty"},
		{"llama.cpp, chat server", 501, `{"error":{"code":501,"message":"This server does not support embeddings. Start it with --embeddings","type":"not_supported_error"}}`,
			providers.KindStatus, "HTTP status 501"},
		{"Ollama 0.17, too long", 400, `{"error":"the input length exceeds the context length"}`, providers.KindStatus, "make the chunks smaller"},
		{"Ollama 0.6, too long", 400, `{"error":"input length exceeds maximum context length"}`, providers.KindStatus, "make the chunks smaller"},
		{"Ollama main, JSON in JSON", 400, `{"error":"{\"error\":{\"code\":400,\"message\":\"request (410 tokens) exceeds the available context size (256 tokens)\",\"type\":\"exceed_context_size_error\"}}"}`,
			providers.KindStatus, "make the chunks smaller"},
		{"Ollama, no such model", 404, `{"error":"model \"x\" not found, try pulling it first"}`, providers.KindStatus, "model's name"},
		{"Ollama /v1, no such model", 404, `{"error":{"message":"model not found","type":"not_found_error","param":null,"code":null}}`, providers.KindStatus, "(model_not_found)"},
		{"Ollama, option of a wrong type", 500, `{"error":"option \"num_ctx\" must be of type integer"}`, providers.KindStatus, "HTTP status 500 (invalid_request_error)"},
		{"Ollama 0.17, malformed model name", 500, `{"error":"unqualified name: registry.ollama.ai/library/!MISSING!:latest"}`, providers.KindStatus, "check the model's name"},
		{"Ollama, empty list", 200, `{"model":"m","embeddings":[]}`, providers.KindAnswer, ""},
		{"OpenAI, quota", 429, `{"error":{"message":"You exceeded your current quota","type":"insufficient_quota","param":null,"code":"insufficient_quota"}}`,
			providers.KindStatus, "quota is used up"},
		{"OpenAI, billing", 429, `{"error":{"code":"billing_hard_limit_reached"}}`, providers.KindStatus, "(billing_hard_limit_reached)"},
		{"OpenAI, wrong key", 401, `{"error":{"code":"invalid_api_key","message":["a","b"]}}`, providers.KindStatus, "(invalid_api_key)"},
		{"OpenAI, tokens per request", 400, `{"error":{"code":"max_tokens_per_request","message":"Requested 400000 tokens"}}`, providers.KindStatus, "lower batch_max_bytes"},
		{"Gemini, batch too great", 400, `[{"error":{"code":400,"message":"at most 100 requests can be in one batch","status":"INVALID_ARGUMENT"}}]`, providers.KindStatus, "HTTP status 400"},
		{"proxy, payload too large", 413, "<html>413</html>", providers.KindStatus, "lower batch_size"},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHarness(t, s, func(Request) reply { return reply{status: c.status, body: c.body} })
			job := h.job("a", "b")
			job.BatchRetries = 2
			got, err := h.embed(job)
			mustFail(t, got, err, c.kind)
			mustSay(t, err, c.says)
			if want := 1; len(h.seen()) != want && !(c.status == 401 && s.UsesToken) {
				t.Errorf("%d requests, want %d: this failure is permanent", len(h.seen()), want)
			}
		})
	}
	for _, c := range []struct {
		name   string
		status int
		body   string
	}{
		{"llama.cpp, loading", 503, `{"error":{"message":"Loading model","type":"unavailable_error","code":503}}`},
		{"Ollama, busy", 503, `{"error":"server busy, please try again.  maximum pending requests exceeded"}`},
		{"Ollama, runner ended", 500, `{"error":"an error was encountered while running the model: unexpected EOF"}`},
		{"Ollama, NaN", 500, `{"error":"failed to encode response: json: unsupported value: NaN"}`},
		{"gateway page", 502, "<html><body>Bad Gateway</body></html>"},
		{"nothing at all", http.StatusServiceUnavailable, ""},
		{"overloaded", 529, `{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := newHarness(t, s, func(r Request) reply {
				if r.N == 1 {
					return reply{status: c.status, body: c.body}
				}
				return reply{body: s.Answer(vectorsOf(r.Input))}
			})
			job := h.job(number(2)...)
			job.BatchRetries = 1
			got, err := h.embed(job)
			if err != nil {
				t.Fatal(err)
			}
			checkOrder(t, got, 2)
		})
	}
}
