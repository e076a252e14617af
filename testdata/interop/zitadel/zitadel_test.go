//go:build interop

// Package zitadel tests the provider "oauth" against the example server of
// github.com/zitadel/oidc.
package zitadel

import (
	"fmt"
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

var report = stand.NewReport("zitadel")

const (
	server  = "zitadel/oidc example"
	version = "v3.52.0"
)

func TestMain(m *testing.M) { os.Exit(report.Main(m)) }

type place struct {
	tokens *stand.Watch
	api    *gateway.Gateway
	set    *providers.Set
}

func newPlace(t *testing.T) *place {
	t.Helper()
	op := stand.GoBuild(t, "zitadel-oidc-"+version, stand.Here()+"/zitadel/op")
	at := stand.FreePort(t)
	s := stand.Start(t, server, t.TempDir(), nil, op, fmt.Sprint(at))
	base := fmt.Sprintf("http://127.0.0.1:%d", at)
	s.Ready(t, base+"/.well-known/openid-configuration", time.Minute)
	return &place{
		tokens: stand.NewWatch(t, base, nil),
		api:    gateway.New(t, gateway.RFC7662(base+"/oauth/introspect", "sid1", "verysecret")),
		set:    stand.NewSet(t, transport.Policy{}),
	}
}

func (p *place) job(style, secret string, texts ...string) providers.EmbedJob {
	return providers.EmbedJob{
		Provider: "oauth", Model: "m", Texts: texts, BatchRetries: 2,
		Params: map[string]any{
			"token_url": p.tokens.URL + "/oauth/token", "base_url": p.api.URL + "/v1",
			"client_id": "sid1", "client_secret": secret, "auth_style": style,
		},
	}
}

func TestStyles(t *testing.T) {
	p := newPlace(t)
	for _, style := range []string{"params", "header"} {
		var wg sync.WaitGroup
		errs := make([]error, 20)
		for i := range errs {
			wg.Go(func() { _, errs[i] = p.set.Embed(t.Context(), p.job(style, "verysecret", "a")) })
		}
		wg.Wait()
		for _, err := range errs {
			if err != nil {
				t.Fatalf("%s: %v", style, err)
			}
		}
		seen := p.tokens.Seen()
		if len(seen) != 1 {
			t.Fatalf("%s: %d fetches for 20 jobs at once, want 1", style, len(seen))
		}
		report.Add(t, server, version, "`auth_style="+style+"`, 20 jobs at once", seen[0].Said()+", an encrypted token of several hundred characters", "one fetch for all; the gateway finds the token live")
	}
	seen := p.api.Seen()
	if seen.Served != 40 || seen.Refused != 0 || seen.Trouble != nil {
		t.Errorf("the gateway served %d and refused %d, %v", seen.Served, seen.Refused, seen.Trouble)
	}
}

func TestWrongSecret(t *testing.T) {
	p := newPlace(t)
	for _, style := range []string{"params", "header"} {
		_, err := p.set.Embed(t.Context(), p.job(style, "not-the-secret-0123", "a"))
		if err == nil || !strings.Contains(err.Error(), "HTTP status 401 (invalid_client)") ||
			strings.Contains(fmt.Sprintf("%+v %#v", err, err), "not-the-secret") {
			t.Errorf("%s: got %v", style, err)
		}
		seen := p.tokens.Seen()
		if len(seen) != 1 {
			t.Errorf("%s: %d fetches", style, len(seen))
		}
		report.Add(t, server, version, "wrong secret, `auth_style="+style+"`", seen[0].Said(), fmt.Sprintf("one fetch, then: %v", err))
	}
}

// TestUnknownToken is the control: the gateway's question is a real one.
func TestUnknownToken(t *testing.T) {
	p := newPlace(t)
	if live, err := p.api.Introspect("no-such-token"); live || err != nil {
		t.Errorf("a token that nobody gave is live = %v, %v", live, err)
	}
}
