//go:build interop

package proxies

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/ollama/ollama/api"
	"github.com/sashabaranov/go-openai"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"github.com/ironflow/ironflow/providers"
	"github.com/ironflow/ironflow/testdata/interop/stand"
	"github.com/ironflow/ironflow/transport"
	"github.com/ironflow/ironflow/transport/transporttest"
)

// libraries are the calls of the libraries in use, over a client of ours.
func libraries() map[string]transporttest.SendHTTP {
	return map[string]transporttest.SendHTTP{
		"post": transporttest.PostJSON,
		"go-openai": func(ctx context.Context, c *http.Client, base string) error {
			cfg := openai.DefaultConfig("sk-sample-0123456789")
			cfg.BaseURL, cfg.HTTPClient = base, c
			_, err := openai.NewClientWithConfig(cfg).CreateEmbeddings(ctx, openai.EmbeddingRequestStrings{Model: "m", Input: []string{"text 1"}})
			return err
		},
		"ollama": func(ctx context.Context, c *http.Client, base string) error {
			u, err := url.Parse(base)
			if err != nil {
				return err
			}
			_, err = api.NewClient(u, c).Embed(ctx, &api.EmbedRequest{Model: "m", Input: []string{"text 1"}})
			return err
		},
		"oauth2": func(ctx context.Context, c *http.Client, base string) error {
			cfg := clientcredentials.Config{ClientID: "id", ClientSecret: "a-client-secret", TokenURL: base + "/token", AuthStyle: oauth2.AuthStyleInParams}
			_, err := cfg.Token(context.WithValue(transport.WithCredential(ctx, true), oauth2.HTTPClient, c))
			return err
		},
	}
}

// jobs are the same questions through the provider layer.
func jobs(base string) map[string]providers.EmbedJob {
	return map[string]providers.EmbedJob{
		"provider openai": {Provider: "openai", Params: map[string]any{"base_url": base, "api_key": "sk-sample-0123456789"}},
		"provider ollama": {Provider: "ollama", Params: map[string]any{"ollama_host": base}},
		"provider oauth": {Provider: "oauth", Params: map[string]any{
			"base_url": base, "token_url": base + "/token", "client_id": "id", "client_secret": "a-client-secret",
		}},
	}
}

// TestRedirectMatrix sends every kind of request to every redirect of a proxy
// that nobody here wrote. Nothing may reach the other origin; the control shows
// that each of these redirects leads there.
func TestRedirectMatrix(t *testing.T) {
	for _, name := range []string{"nginx", "caddy"} {
		t.Run(name, func(t *testing.T) {
			p := newPlace(t, name)
			for _, proto := range protocols {
				t.Run(proto.name, func(t *testing.T) { p.matrix(t, proto) })
			}
		})
	}
}

func (p *place) matrix(t *testing.T, proto protocol) {
	client, err := transport.New(p.policy(proto))
	if err != nil {
		t.Fatal(err)
	}
	defer client.CloseIdleConnections()
	set := stand.NewSet(t, p.policy(proto))
	sent, reached := 0, 0
	for _, c := range proto.cells() {
		base := proto.base(fmt.Sprintf("/r/%d/%s", c.Code, c.Kind))
		p.control(t, proto, c, base)
		if c.reachable {
			reached++
		}
		for lib, send := range libraries() {
			for how, do := range map[string]transporttest.Send{"client": send.Over(), "transport only": send.OverTransportOnly()} {
				sent++
				err := transport.Scrub(t.Context(), do(t.Context(), client, base))
				var te *transport.Error
				if !errors.As(err, &te) || te.Kind != transport.KindRedirect {
					t.Errorf("%d %s, %s by the %s: got %v, want a refused redirect", c.Code, c.Kind, lib, how, err)
				}
				p.nothingArrived(t, c, lib, err)
			}
		}
		for name, job := range jobs(base) {
			sent++
			job.Texts, job.Model = []string{"text 1"}, "m"
			_, err := set.Embed(t.Context(), job)
			var pe *providers.Error
			if !errors.As(err, &pe) || pe.Kind != providers.KindRefused {
				t.Errorf("%d %s, %s: got %v, want a refused redirect", c.Code, c.Kind, name, err)
			}
			p.nothingArrived(t, c, name, err)
		}
	}
	report.Add(t, p.name, p.version, fmt.Sprintf("%s: 301 302 303 307 308 to %d kinds of other origin", proto.name, len(proto.cells())/len(codes)),
		fmt.Sprintf("Location of the proxy; a plain client arrives in %d of %d cases", reached, len(proto.cells())),
		fmt.Sprintf("%d requests by 4 libraries and 3 providers: all refused, 0 connections to the other origin", sent))
}

// control asks the proxy itself: the redirect is the wanted one, and a client
// without a policy follows it to the other origin.
func (p *place) control(t *testing.T, proto protocol, c cell, base string) {
	t.Helper()
	resp, err := p.plain(proto, false).Post(base+"/embeddings", "application/json", strings.NewReader(`{"input":["text 1"]}`))
	if err != nil {
		t.Fatalf("%d %s: %v", c.Code, c.Kind, err)
	}
	_ = resp.Body.Close()
	if resp.StatusCode != c.Code || resp.Header.Get("Location") == "" || (resp.ProtoMajor == 2) != proto.http2 {
		t.Errorf("%s answers %s %d with Location %q; want %d over %s", p.name, resp.Proto, resp.StatusCode, resp.Header.Get("Location"), c.Code, proto.name)
	}
	resp, err = p.plain(proto, true).Post(base+"/embeddings", "application/json", strings.NewReader(`{"input":["text 1"]}`))
	if err == nil {
		_ = resp.Body.Close()
	}
	_, requests, bodies := p.other.take()
	if (requests > 0) != c.reachable {
		t.Errorf("%d %s: %d requests of a plain client at the other origin, want some: %v", c.Code, c.Kind, requests, c.reachable)
	}
	if c.reachable && (c.Code == 307 || c.Code == 308) && bodies == 0 {
		t.Errorf("%d %s: the control replayed no body", c.Code, c.Kind)
	}
}

func (p *place) nothingArrived(t *testing.T, c cell, who string, err error) {
	t.Helper()
	if conns, requests, bodies := p.other.take(); conns+requests+bodies != 0 {
		t.Errorf("%d %s, %s: %d connections, %d requests, %d with a body or credential at the other origin", c.Code, c.Kind, who, conns, requests, bodies)
	}
	if err != nil && strings.Contains(fmt.Sprintf("%v %+v", err, err), "landed") {
		t.Errorf("%d %s, %s: the error shows the Location: %v", c.Code, c.Kind, who, err)
	}
}

// TestSameOrigin: 307 and 308 to the same origin are followed with the body; the
// others would drop it.
func TestSameOrigin(t *testing.T) {
	for _, name := range []string{"nginx", "caddy"} {
		p := newPlace(t, name)
		for _, proto := range protocols {
			set := stand.NewSet(t, p.policy(proto))
			for _, c := range proto.sameOrigin() {
				job := jobs(proto.base(fmt.Sprintf("/r/%d/%s", c.Code, c.Kind)))["provider openai"]
				job.Texts, job.Model = []string{"text 1", "text 2"}, "m"
				got, err := set.Embed(t.Context(), job)
				seen := p.upstream.Seen()
				if c.Code == 307 || c.Code == 308 {
					if err != nil || got.Count != 2 {
						t.Errorf("%s, %s, %d %s: %v", name, proto.name, c.Code, c.Kind, err)
						continue
					}
					if len(seen) != 1 || seen[0].Method != "POST" || !strings.Contains(seen[0].Request, "text 2") || seen[0].Header.Get("Authorization") == "" || seen[0].Header.Get("Referer") != "" {
						t.Errorf("%s, %s, %d %s: %d requests behind the proxy", name, proto.name, c.Code, c.Kind, len(seen))
					}
					continue
				}
				if err == nil || !strings.Contains(err.Error(), "body") || len(seen) != 0 {
					t.Errorf("%s, %s, %d %s: %v, %d requests behind the proxy", name, proto.name, c.Code, c.Kind, err, len(seen))
				}
			}
		}
		report.Add(t, name, p.version, "307 and 308 to the same origin", "relative or complete Location", "followed, the body sent again unchanged, no Referer")
		report.Add(t, name, p.version, "301, 302 and 303 to the same origin", "relative or complete Location", "refused: the body would be dropped")
	}
}

// TestOwnRedirects are those that the proxies make without being told: to the
// address with a slash at its end, by nginx's rewrite, and from a path without
// an origin, which nginx completes with the port that it listens on, whatever
// port the client came through.
func TestOwnRedirects(t *testing.T) {
	for _, name := range []string{"nginx", "caddy"} {
		p := newPlace(t, name)
		for _, c := range []struct{ path, proxy, what string }{
			{"/auto/embeddings", "", "its own redirect to the address with a slash at the end"},
			{"/r/308/completed/embeddings", "nginx", "a path as the target of a redirect, behind a mapped port"},
			{"/rewrite/embeddings", "nginx", "`rewrite ... permanent` to another host"},
		} {
			if c.proxy != "" && c.proxy != name {
				continue
			}
			proto := protocols[0]
			resp, err := p.plain(proto, false).Get(proto.base(c.path))
			if err != nil {
				t.Fatal(err)
			}
			_ = resp.Body.Close()
			job := jobs(proto.base(strings.TrimSuffix(c.path, "/embeddings")))["provider openai"]
			job.Texts, job.Model = []string{"text 1"}, "m"
			_, err = stand.NewSet(t, p.policy(proto)).Embed(t.Context(), job)
			if err == nil {
				t.Errorf("%s %s: no error", name, c.path)
				continue
			}
			p.nothingArrived(t, cell{Kind: c.path}, name, err)
			report.Add(t, name, p.version, c.what, fmt.Sprintf("%d, Location: %s", resp.StatusCode, resp.Header.Get("Location")), err.Error())
		}
	}
}
