package builtin_test

import (
	"strings"
	"testing"

	"github.com/ironflow/ironflow/providers"
	"github.com/ironflow/ironflow/providers/builtin"
	"github.com/ironflow/ironflow/transport"
)

// TestDeclarations compares what the vendors declare with what users rely on:
// names, variables, defaults.
func TestDeclarations(t *testing.T) {
	want := map[string]string{
		"local":  "hybrid ",
		"openai": "text-embedding-3-small gpt-4.1-mini api_key=OPENAI_API_KEY/secret/ headers=/secret headers/ base_url=OPENAI_BASE_URL/address/https://api.openai.com/v1",
		"ollama": "nomic-embed-text llama3.2 ollama_host=OLLAMA_HOST/address/http://127.0.0.1:11434",
		"oauth": "openai-text-embedding-3-small  token_url=OAUTH_TOKEN_URL/address/ client_id=OAUTH_CLIENT_ID/text/ client_secret=OAUTH_CLIENT_SECRET/secret/ " +
			"scope=OAUTH_SCOPE/text/ base_url=OAUTH_BASE_URL/address/ auth_style=/choice/params",
	}
	client, err := transport.New(transport.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	set, err := providers.NewSet(providers.SetOptions{Vendors: builtin.Vendors(), Client: client})
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(set.Names(), " "); got != "local oauth ollama openai" {
		t.Errorf("vendors %s", got)
	}
	for _, v := range set.Vendors() {
		got := []string{v.EmbedModel, v.ChatModel}
		for _, s := range v.Settings {
			got = append(got, s.Name+"="+s.Env+"/"+s.Kind.String()+"/"+s.Default)
		}
		if line := strings.Join(got, " "); line != want[v.Name] {
			t.Errorf("%s declares\n%s\nwant\n%s", v.Name, line, want[v.Name])
		}
		if v.Summary == "" {
			t.Errorf("%s has no summary", v.Name)
		}
	}
}

// TestChatVendors checks who can chat, before any request.
func TestChatVendors(t *testing.T) {
	client, err := transport.New(transport.Policy{})
	if err != nil {
		t.Fatal(err)
	}
	set, err := providers.NewSet(providers.SetOptions{Vendors: builtin.Vendors(), Client: client})
	if err != nil {
		t.Fatal(err)
	}
	job := providers.ChatJob{Messages: []providers.Message{{Role: "user", Content: "x"}}}
	for provider, want := range map[string]string{
		"local": `provider "local" has no models that chat, allowed are "oauth", "ollama", "openai"`,
		"gpt":   `provider "gpt" is not known, allowed are "oauth", "ollama", "openai"`,
		"":      `no provider is named: set provider to one of "oauth", "ollama", "openai"`,
		// The key of the public endpoint is missing.
		"openai": "OPENAI_API_KEY",
	} {
		job.Provider = provider
		if got, err := set.Chat(t.Context(), job); got != nil || err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, %v; want %q", provider, got, err, want)
		}
		if err := set.CheckChat(provider, nil, ""); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: the preflight says %v, want %q", provider, err, want)
		}
	}
	if err := set.CheckChat("ollama", nil, ""); err != nil {
		t.Error(err)
	}
}
