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
