package openai_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/providers"
	"github.com/ironflow/ironflow/providers/openai"
	"github.com/ironflow/ironflow/transport"
)

func newSet(t *testing.T, env map[string]string, allowInsecure bool) *providers.Set {
	t.Helper()
	client, err := transport.New(transport.Policy{AllowInsecureHTTP: allowInsecure})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(client.CloseIdleConnections)
	set, err := providers.NewSet(providers.SetOptions{
		Vendors: []providers.Vendor{openai.Vendor()}, Client: client, AllowInsecureHTTP: allowInsecure,
		Lookup: func(name string) (string, providers.Source, bool) {
			v, ok := env[name]
			return v, providers.FromEnvironment, ok
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func TestCheck(t *testing.T) {
	const key = "sk-secret-0123456789"
	headers := func(name, value string) map[string]any {
		return map[string]any{"headers": map[string]any{name: value}, "base_url": "http://127.0.0.1:1"}
	}
	for _, c := range []struct {
		name     string
		params   map[string]any
		env      map[string]string
		insecure bool
		says     []string // nil: no error
	}{
		{"public without a key", nil, nil, false, []string{"api_key", "OPENAI_API_KEY"}},
		{"public with a key from the environment", nil, map[string]string{"OPENAI_API_KEY": key}, false, nil},
		{"public with a key in the flow", map[string]any{"api_key": transport.NewSecret(key)}, nil, false, nil},
		{"public by its address", map[string]any{"base_url": "https://API.openai.com:443/v1/"}, nil, false, []string{"OPENAI_API_KEY"}},
		{"public with a header Authorization", map[string]any{"headers": map[string]any{"authorization": "Bearer x"}}, nil, false, nil},
		{"elsewhere without a key", map[string]any{"base_url": "http://127.0.0.1:8080/v1"}, nil, false, nil},
		{"elsewhere from the environment", nil, map[string]string{"OPENAI_BASE_URL": "http://10.0.0.1/v1"}, false, nil},
		{"plain http, public address, no credential", map[string]any{"base_url": "http://8.8.8.8/v1"}, nil, false, nil},
		{"plain http, public address", map[string]any{"base_url": "http://8.8.8.8/v1", "api_key": key}, nil, false, []string{"http://8.8.8.8:80", "IRONFLOW_ALLOW_INSECURE_HTTP"}},
		{"plain http, public address, header", map[string]any{"base_url": "http://8.8.8.8/v1", "headers": map[string]any{"X": key}}, nil, false, []string{"IRONFLOW_ALLOW_INSECURE_HTTP"}},
		{"plain http, public address, allowed", map[string]any{"base_url": "http://8.8.8.8/v1", "api_key": key}, nil, true, nil},
		{"userinfo", map[string]any{"base_url": "https://u:" + key + "@h.test/v1"}, nil, false, []string{"parameter base_url", "user information"}},
		{"query", nil, map[string]string{"OPENAI_BASE_URL": "https://h.test/v1?key=" + key}, false, []string{"OPENAI_BASE_URL", "query"}},
		{"fragment", map[string]any{"base_url": "https://h.test/v1#" + key}, nil, false, []string{"fragment"}},
		{"other scheme", map[string]any{"base_url": "ftp://h.test"}, nil, false, []string{"http and https"}},
		{"no address", map[string]any{"base_url": "localhost"}, nil, false, []string{"base_url"}},
		{"key with a line break", map[string]any{"api_key": key + "\r\nX: y"}, nil, false, []string{"Authorization", "line break"}},
		{"key with a space at its end", nil, map[string]string{"OPENAI_API_KEY": key + "\n"}, false, []string{"Authorization"}},
		{"header with a line break", headers("Api-Key", key+"\nX: y"), nil, false, []string{"Api-Key"}},
		{"header name with a line break", headers("Api\r\nKey", key), nil, false, []string{"header name"}},
		{"empty header", headers("Api-Key", ""), nil, false, []string{"Api-Key", "none is set"}},
		{"header Host", headers("Host", key), nil, false, []string{"Host"}},
		{"header Content-Length", headers("content-length", "5"), nil, false, []string{"Content-Length"}},
		{"header Transfer-Encoding", headers("Transfer-Encoding", "chunked"), nil, false, []string{"Transfer-Encoding"}},
		{"header Connection", headers("Connection", "close"), nil, false, []string{"Connection"}},
		{"header Proxy-Authorization", headers("Proxy-Authorization", key), nil, false, []string{"Proxy-Authorization"}},
		{"good header", headers("api-key", key), nil, false, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			err := newSet(t, c.env, c.insecure).Check("openai", c.params)
			if c.says == nil {
				if err != nil {
					t.Error(err)
				}
				return
			}
			var pe *providers.Error
			if !errors.As(err, &pe) || pe.Kind != providers.KindConfig {
				t.Fatalf("error %v", err)
			}
			for _, part := range append(c.says, "openai") {
				if !strings.Contains(err.Error(), part) {
					t.Errorf("error %q does not say %q", err, part)
				}
			}
			if strings.Contains(err.Error(), key) {
				t.Errorf("error shows the secret: %v", err)
			}
		})
	}
}

// TestRequests compares addresses and credentials on the wire for common
// servers.
func TestRequests(t *testing.T) {
	for _, c := range []struct {
		name   string
		path   string // of base_url
		params map[string]any
		uri    string
		header map[string]string
	}{
		{"OpenAI", "/v1", map[string]any{"api_key": "sk-1"}, "/v1/embeddings", map[string]string{"Authorization": "Bearer sk-1"}},
		{"slash at the end", "/v1/", nil, "/v1/embeddings", map[string]string{"Authorization": ""}},
		{"no path", "", nil, "/embeddings", nil},
		{"Azure", "/openai/v1", map[string]any{"headers": map[string]any{"api-key": "azure-1"}}, "/openai/v1/embeddings", map[string]string{"Api-Key": "azure-1", "Authorization": ""}},
		{"Azure beside a key", "/openai/v1", map[string]any{"api_key": "k", "headers": map[string]any{"api-key": "azure-1"}}, "/openai/v1/embeddings", map[string]string{"Api-Key": "azure-1", "Authorization": "Bearer k"}},
		{"own Authorization", "/v1", map[string]any{"api_key": "k", "headers": map[string]any{"AUTHORIZATION": "Basic abc"}}, "/v1/embeddings", map[string]string{"Authorization": "Basic abc"}},
		{"escaped path", "/a%2Fb/v1", nil, "/a%2Fb/v1/embeddings", nil},
		{"Gemini", "/v1beta/openai", map[string]any{"api_key": "g"}, "/v1beta/openai/embeddings", map[string]string{"Authorization": "Bearer g"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got *http.Request
			srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				got = r
				_, _ = io.WriteString(w, answer([]string{"[1]"}))
			}))
			defer srv.Close()
			params := map[string]any{"base_url": srv.URL + c.path}
			for k, v := range c.params {
				params[k] = v
			}
			set := newSet(t, nil, false)
			if _, err := set.Embed(t.Context(), providers.EmbedJob{Provider: "openai", Params: params, Texts: []string{"a"}}); err != nil {
				t.Fatal(err)
			}
			if got.RequestURI != c.uri {
				t.Errorf("address %s, want %s", got.RequestURI, c.uri)
			}
			for name, want := range c.header {
				if v := got.Header.Get(name); v != want {
					t.Errorf("header %s is %q, want %q", name, v, want)
				}
			}
		})
	}
}
