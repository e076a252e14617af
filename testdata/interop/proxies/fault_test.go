//go:build interop

package proxies

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/testdata/interop/stand"
)

// TestNoSuchServer points every provider at web servers that have no API. The
// message names the step, the address without secrets, and what to do.
func TestNoSuchServer(t *testing.T) {
	const key = "sk-sample-0123456789"
	for _, name := range []string{"nginx", "caddy"} {
		p := newPlace(t, name)
		at := fmt.Sprintf("http://127.0.0.1:%d", p.ports[protocols[0]])
		for _, c := range []struct {
			what, proxy, path string
			wants             []string
		}{
			{"no API at this address", "nginx", "/v1", []string{"HTTP status 40", "check the address"}},
			{"a page for every address", "nginx", "/page/v1", []string{"not valid JSON", "web page"}},
			{"an empty 200 for every address", "caddy", "/v1", []string{"empty", "API"}},
		} {
			if c.proxy != name {
				continue
			}
			for provider, setting := range map[string]string{"openai": "base_url", "ollama": "ollama_host"} {
				params := fmt.Sprintf(`provider = %q, %s = %q`, provider, setting, at+c.path)
				env := []string{"OPENAI_API_KEY=" + key}
				got := ironflow.Flow(t, env, `
local flow = Flow.new("f")
flow:step("make_vectors", nodes.ai_embed({ source_key = "text", `+params+` }))
return flow`, "--set", "text=hello", "--quiet")
				if got.Code == 0 {
					t.Fatalf("%s, %s: no error", c.what, provider)
				}
				for _, want := range append(c.wants, `step "make_vectors"`, at, "provider "+provider) {
					if !strings.Contains(got.Stderr, want) {
						t.Errorf("%s, %s: the error does not say %q:\n%s", c.what, provider, want, got.Stderr)
					}
				}
				if strings.Contains(got.Stderr+got.Stdout, key) {
					t.Errorf("%s, %s: the error shows the key", c.what, provider)
				}
				if provider == "openai" {
					x := stand.NewWatch(t, at, nil).Post(t, c.path+"/embeddings", `{"input":["a"]}`)
					report.Add(t, name, p.version, c.what, x.Said(), stand.LastLine(got.Stderr))
				}
			}
		}
	}
}

// TestGatewayFaults: limits and errors of the proxy itself.
func TestGatewayFaults(t *testing.T) {
	for _, name := range []string{"nginx", "caddy"} {
		p := newPlace(t, name)
		at := fmt.Sprintf("http://127.0.0.1:%d", p.ports[protocols[0]])
		for _, c := range []struct {
			what, proxy, path string
			requests          int
			wants             []string // none: it must succeed
		}{
			{"a body above `client_max_body_size`", "nginx", "/small", 1, []string{"HTTP status 413", "lower batch_size"}},
			{"the server behind it is down", "", "/dead", 3, []string{"after 3 attempts", "HTTP status 502"}},
			{"the answer compressed", "", "/gzip", 1, nil},
		} {
			if c.proxy != "" && c.proxy != name {
				continue
			}
			w := stand.NewWatch(t, at, nil)
			set := stand.NewSet(t, p.policy(protocols[0]))
			job := jobs(w.URL + c.path)["provider openai"]
			job.Model, job.BatchRetries = "m", 2
			for range 50 {
				job.Texts = append(job.Texts, "text "+strings.Repeat("x", 40))
			}
			got, err := set.Embed(t.Context(), job)
			seen := w.Seen()
			if len(seen) != c.requests {
				t.Errorf("%s, %s: %d requests, want %d", name, c.what, len(seen), c.requests)
			}
			if c.wants == nil {
				if err != nil || got.Count != 50 {
					t.Errorf("%s, %s: %v", name, c.what, err)
				}
				report.Add(t, name, p.version, c.what, fmt.Sprint(seen[0].Status), "decoded; 50 vectors in order")
				continue
			}
			if err == nil {
				t.Fatalf("%s, %s: no error", name, c.what)
			}
			for _, want := range c.wants {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("%s, %s: the error does not say %q: %v", name, c.what, want, err)
				}
			}
			report.Add(t, name, p.version, c.what, seen[0].Said(), err.Error())
		}
	}
}
