//go:build interop

package ollama

import (
	"fmt"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/providers"
	"github.com/ironflow/ironflow/testdata/interop/stand"
	"github.com/ironflow/ironflow/transport"
)

// TestOpenAIRoute uses Ollama through its copy of the OpenAI API, which is
// another program than /api in several points.
func TestOpenAIRoute(t *testing.T) {
	each(t, func(t *testing.T, p *place) {
		t.Run("base64", p.base64)
		t.Run("too long", p.v1TooLong)
		t.Run("no such model", p.v1NoModel)
		t.Run("max_completion_tokens", p.v1MaxTokens)
		t.Run("stream with usage", p.v1Chat)
	})
}

func (p *place) v1Embed(texts ...string) providers.EmbedJob {
	job := p.embedJob(texts...)
	job.Provider, job.Params = "openai", map[string]any{"base_url": p.watch.URL + "/v1"}
	return job
}

func (p *place) v1ChatJob(text string, tokens int) providers.ChatJob {
	job := p.chatJob(text, tokens)
	job.Provider, job.Params = "openai", map[string]any{"base_url": p.watch.URL + "/v1"}
	return job
}

// base64 is asked for; an old server answers with numbers.
func (p *place) base64(t *testing.T) {
	native, err := p.set.Embed(t.Context(), p.embedJob("a", "Bread needs salt."))
	if err != nil {
		t.Fatal(err)
	}
	p.watch.Seen()
	job := p.v1Embed("a", "Bread needs salt.")
	job.EncodingFormat = "base64"
	got, err := p.set.Embed(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	seen := p.watch.Seen()
	for i, v := range native.Data {
		if d := v - got.Data[i]; d > 1e-5 || d < -1e-5 {
			t.Fatalf("number %d is %v by /v1 and %v by /api", i, got.Data[i], v)
		}
	}
	what := "numbers"
	if strings.Contains(seen[0].Answer, `"embedding":"`) {
		what = "base64"
	}
	p.row(t, "/v1: `encoding_format=base64`", fmt.Sprintf("%s, vectors as %s", seen[0].Said(), what), "both are read; the vectors are those of /api")
}

// v1TooLong: this route cannot be told not to truncate.
func (p *place) v1TooLong(t *testing.T) {
	p.watch.EditRequest = func(body string) string {
		return strings.Replace(body, `"model"`, `"options":{"num_ctx":128},"model"`, 1)
	}
	defer func() { p.watch.EditRequest = nil }()
	job := p.v1Embed(strings.Repeat("long word ", 300))
	job.BatchRetries = 0 // an old server crashes each time
	got, err := p.set.Embed(t.Context(), job)
	seen := p.watch.Seen()
	if err != nil {
		p.row(t, "/v1: a text longer than the model", seen[len(seen)-1].Said(), err.Error())
		return
	}
	if len(got.Notes) == 0 || got.Notes[0].Code != providers.NoteInputCut {
		t.Fatalf("a text was cut in silence: usage %+v", got.Usage)
	}
	p.row(t, "/v1: a text longer than the model", seen[0].Said()+", cut in silence", "a warning, and the vectors are not cached: "+got.Notes[0].String())
}

func (p *place) v1NoModel(t *testing.T) {
	job := p.v1Embed("a")
	job.Model = "no-such-model"
	_, err := p.set.Embed(t.Context(), job)
	last := p.says(t, err, 1, "HTTP status 404 (model_not_found)", "check the model's name")
	p.row(t, "/v1: a model that is not there", last.Said(), err.Error())
}

// v1MaxTokens: the newer name of the limit is not known to every server.
func (p *place) v1MaxTokens(t *testing.T) {
	for _, field := range []string{providers.FieldMaxTokens, providers.FieldMaxCompletionTokens} {
		job := p.v1ChatJob("Say hello.", 2)
		job.MaxTokensField = field
		got, err := p.set.Chat(t.Context(), job)
		seen := p.watch.Seen()
		if err != nil {
			t.Fatal(err)
		}
		if field == providers.FieldMaxTokens && (got.Finish != providers.FinishLength || got.Usage.OutputTokens > 2) {
			t.Errorf("%s=2: finish %q after %d tokens", field, got.Finish, got.Usage.OutputTokens)
		}
		what := "taken"
		if got.Usage.OutputTokens > 2 {
			what = "ignored: more tokens than that"
		}
		p.row(t, "/v1: `max_tokens_field=\""+field+"\"`, 2 tokens", seen[0].Said()+", "+what, fmt.Sprintf("finish reason %q; the default is max_tokens", got.Finish))
	}
}

func (p *place) v1Chat(t *testing.T) {
	job := p.v1ChatJob("Name two colours.", 12)
	plain, err := p.set.Chat(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { p.watch.EditRequest = nil }()
	p.edit(map[string]any{"stream": true, "stream_options": map[string]any{"include_usage": true}})
	p.watch.Seen()
	got, err := p.set.Chat(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	seen := p.watch.Seen()
	if !strings.Contains(seen[0].Answer, "data: [DONE]") || got.Text != plain.Text || got.Usage == nil {
		t.Errorf("streamed %q, plain %q, usage %+v", got.Text, plain.Text, got.Usage)
	}
	p.row(t, "/v1: a stream with usage", seen[0].Said()+", [DONE]", "text, finish reason and usage as without a stream")
}

// TestVersionsAgree embeds the same texts by all versions. Plain text must agree;
// what accents do is written down.
func TestVersionsAgree(t *testing.T) {
	versions := stand.OllamaVersions()
	set := stand.NewSet(t, transport.Policy{})
	texts := []string{"Plain words about bread and salt.", "Élise Brun's café: naïve résumé."}
	var all []*providers.Embeddings
	for _, version := range versions {
		_, url := stand.Ollama(t, version)
		got, err := set.Embed(t.Context(), providers.EmbedJob{
			Provider: "ollama", Params: map[string]any{"ollama_host": url}, Model: "minilm", Texts: texts,
		})
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, got)
	}
	for i, version := range versions[1:] {
		both := &providers.Embeddings{Dim: 384, Data: append(append([]float64{}, all[0].Data...), all[i+1].Data...)}
		plain, accents := cosine(both, 0, 2), cosine(both, 1, 3)
		if plain < 0.999 {
			t.Errorf("plain text has the cosine %.4f between %s and %s", plain, versions[0], version)
		}
		report.Add(t, "Ollama", version, "the same model file and text as in "+versions[0],
			fmt.Sprintf("cosine %.3f for plain text, %.3f for accented text", plain, accents),
			"cannot be told from an answer: after an upgrade of a server, embed again what is stored, with another `cache_dir`")
	}
}
