//go:build interop

// Package ollama tests the provider "ollama" against the oldest and the newest
// Ollama that can be built from the registries.
package ollama

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/ironflow/ironflow/providers"
	"github.com/ironflow/ironflow/testdata/interop/stand"
	"github.com/ironflow/ironflow/transport"
)

var (
	report   = stand.NewReport("ollama")
	ironflow stand.Command
)

func TestMain(m *testing.M) { os.Exit(report.Main(m)) }

// place is one running Ollama.
type place struct {
	version string
	server  *stand.Server
	watch   *stand.Watch
	set     *providers.Set
}

// each runs a test against every version.
func each(t *testing.T, test func(t *testing.T, p *place)) {
	t.Helper()
	for _, version := range stand.OllamaVersions() {
		t.Run(version, func(t *testing.T) {
			server, url := stand.Ollama(t, version)
			test(t, &place{version, server, stand.NewWatch(t, url, nil), stand.NewSet(t, transport.Policy{})})
		})
	}
}

func (p *place) row(t *testing.T, what, said, ironflow string) {
	t.Helper()
	report.Add(t, "Ollama", p.version, what, said, ironflow)
}

// edit changes members of the request on its way to the server.
func (p *place) edit(members map[string]any) {
	p.watch.EditRequest = func(body string) string {
		var fields map[string]any
		if json.Unmarshal([]byte(body), &fields) != nil {
			return body
		}
		for name, v := range members {
			if v == nil {
				delete(fields, name)
				continue
			}
			fields[name] = v
		}
		out, _ := json.Marshal(fields)
		return string(out)
	}
}

func (p *place) embedJob(texts ...string) providers.EmbedJob {
	return providers.EmbedJob{
		Provider: "ollama", Params: map[string]any{"ollama_host": p.watch.URL}, Model: "minilm", Texts: texts, BatchRetries: 2,
		Timeout: 5 * time.Minute,
	}
}

func (p *place) chatJob(text string, tokens int) providers.ChatJob {
	zero := 0.0
	return providers.ChatJob{
		Provider: "ollama", Params: map[string]any{"ollama_host": p.watch.URL}, Model: "smol", MaxTokens: tokens, Temperature: &zero,
		Messages: []providers.Message{{Role: providers.RoleUser, Content: text}}, Timeout: 5 * time.Minute,
	}
}

// says wants an error that holds all these texts, and so many requests.
func (p *place) says(t *testing.T, err error, requests int, wants ...string) stand.Exchange {
	t.Helper()
	seen := p.watch.Seen()
	if err == nil {
		t.Fatal("no error")
	}
	for _, want := range wants {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %q: %v", want, err)
		}
	}
	if len(seen) != requests {
		t.Fatalf("%d requests, want %d: %v", len(seen), requests, err)
	}
	if requests == 0 {
		return stand.Exchange{}
	}
	return seen[len(seen)-1]
}

func cosine(e *providers.Embeddings, i, j int) float64 {
	var ab, aa, bb float64
	for k := range e.Dim {
		a, b := e.Data[i*e.Dim+k], e.Data[j*e.Dim+k]
		ab, aa, bb = ab+a*b, aa+a*a, bb+b*b
	}
	return ab / math.Sqrt(aa*bb)
}

// TestEmbed checks vectors against published similarities, order and batches,
// and every fault of an embedding that the server was seen to have.
func TestEmbed(t *testing.T) {
	each(t, func(t *testing.T, p *place) {
		t.Run("vectors", p.vectors)
		t.Run("too long", p.tooLong)
		t.Run("no vectors", p.noVectors)
		t.Run("dimensions", p.dimensions)
		t.Run("models", p.models)
		t.Run("bad options", p.badOptions)
	})
}

func (p *place) vectors(t *testing.T) {
	// The first three similarities are printed in the model's documentation.
	texts := []string{"The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium.", "Bread needs salt.", "A violin has four strings."}
	job := p.embedJob(texts...)
	job.BatchSize = 2
	got, err := p.set.Embed(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		i, j int
		want float64
	}{{0, 1, 0.6660}, {0, 2, 0.1046}, {1, 2, 0.1411}} {
		if sim := cosine(got, c.i, c.j); math.Abs(sim-c.want) > 0.001 {
			t.Errorf("similarity of %d and %d is %.4f, published is %.4f", c.i, c.j, sim, c.want)
		}
	}
	seen := p.watch.Seen()
	if len(seen) != 3 || got.Dim != 384 || got.Count != 5 || got.Usage == nil {
		t.Errorf("%d requests, %d vectors of %d numbers, usage %+v", len(seen), got.Count, got.Dim, got.Usage)
	}
	p.row(t, "5 texts, batch_size 2", seen[0].Said(), "3 requests, 384 numbers each; similarities equal the published ones to 0.001")
}

func (p *place) tooLong(t *testing.T) {
	long := strings.Repeat("long word ", 400)
	control := p.watch.Post(t, "/api/embed", `{"model":"minilm","options":{"num_ctx":128},"input":"`+long+`"}`)
	if control.Status != 200 {
		t.Errorf("without truncate:false the server answers %s", control.Said())
	}
	_, err := p.set.Embed(t.Context(), p.embedJob("one", long, "three"))
	last := p.says(t, err, 1, "(context_length_exceeded)", "make the chunks smaller", "the longest is input 2 with 4000 bytes")
	p.row(t, "a text longer than the model", last.Said()+"; without `truncate:false`: 200, cut in silence", "never cut, not retried: "+err.Error())
}

func (p *place) noVectors(t *testing.T) {
	defer func() { p.watch.EditRequest = nil }()
	for what, input := range map[string]any{"input is an empty text": "", "input is an empty list": []string{}} {
		p.edit(map[string]any{"input": input})
		_, err := p.set.Embed(t.Context(), p.embedJob("a"))
		last := p.says(t, err, 1, "0 vectors for 1 input")
		if last.Status != 200 {
			t.Errorf("%s: %s", what, last.Said())
		}
	}
	_, err := p.set.Embed(t.Context(), p.embedJob("a", " "))
	p.says(t, err, 0, "input 2 of 2 is empty")
	p.row(t, "an empty text or list as input", "200 embeddings: []", "an answer without vectors is an error; empty texts are refused before any request")
}

func (p *place) dimensions(t *testing.T) {
	for _, dim := range []int{64, 9999} {
		job := p.embedJob("a", "b")
		job.Dimensions = dim
		got, err := p.set.Embed(t.Context(), job)
		if err == nil {
			if p.watch.Seen(); dim != 64 || got.Dim != 64 {
				t.Errorf("dimensions=%d gave %d numbers", dim, got.Dim)
			}
			p.row(t, "`dimensions=64`", "200, 64 numbers", "taken")
			continue
		}
		last := p.says(t, err, 1, fmt.Sprintf("dimensions=%d was asked for", dim), "384 numbers", p.watch.URL, "leave the parameter out")
		p.row(t, fmt.Sprintf("`dimensions=%d`", dim), last.Said()+", 384 numbers", err.Error())
	}
}

func (p *place) models(t *testing.T) {
	job := p.embedJob("a")
	job.Model = "no-such-model"
	_, err := p.set.Embed(t.Context(), job)
	last := p.says(t, err, 1, "HTTP status 404 (model_not_found)", "check the model's name")
	p.row(t, "a model that is not there", last.Said(), err.Error())
	job.Model = "smol"
	got, err := p.set.Embed(t.Context(), job)
	seen := p.watch.Seen()
	switch {
	case err != nil:
		p.row(t, "a chat model asked to embed", seen[0].Said(), err.Error())
	case got.Dim == 384:
		t.Errorf("smol gave vectors of %d numbers", got.Dim)
	default:
		p.row(t, "a chat model asked to embed", fmt.Sprintf("%s, %d numbers", seen[0].Said(), got.Dim), "cannot be told from the answer: vectors are returned")
	}
}

// badOptions: faults of the request that come as 500.
func (p *place) badOptions(t *testing.T) {
	defer func() { p.watch.EditRequest = nil }()
	p.edit(map[string]any{"options": map[string]any{"num_ctx": "big"}})
	_, err := p.set.Embed(t.Context(), p.embedJob("a"))
	last := p.says(t, err, 1, "HTTP status")
	p.row(t, "an option of a wrong type", last.Said(), "not retried: "+err.Error())
	p.watch.EditRequest = nil
	job := p.embedJob("a")
	job.Model = "a//b"
	_, err = p.set.Embed(t.Context(), job)
	last = p.says(t, err, 1, "(model_not_found)", "check the model's name")
	p.row(t, "a malformed model name", last.Said(), "not retried: "+err.Error())
	p.edit(map[string]any{"input": 5})
	_, err = p.set.Embed(t.Context(), p.embedJob("a"))
	last = p.says(t, err, 1, "HTTP status 400")
	p.row(t, "a number as input", last.Said(), "not retried: "+err.Error())
}

// TestChat asks the chat model, for text and for JSON.
func TestChat(t *testing.T) {
	each(t, func(t *testing.T, p *place) {
		t.Run("text", p.text)
		t.Run("schema", p.schema)
		t.Run("cut", p.cut)
		t.Run("bad format", p.badFormat)
		t.Run("no answer", p.noAnswer)
		t.Run("too long", p.messagesTooLong)
		t.Run("stream", p.stream)
		t.Run("killed", p.killed)
	})
}

func (p *place) text(t *testing.T) {
	got, err := p.set.Chat(t.Context(), p.chatJob("Say hello.", 20))
	if err != nil {
		t.Fatal(err)
	}
	seen := p.watch.Seen()
	if got.Text == "" || got.Usage == nil || got.Usage.OutputTokens == 0 || got.Usage.InputTokens == 0 || len(seen) != 1 {
		t.Errorf("%d requests, %+v", len(seen), got)
	}
	if !strings.Contains(seen[0].Request, `"temperature":0`) || !strings.Contains(seen[0].Request, `"stream":false`) {
		t.Errorf("the request is %s", seen[0].Request)
	}
	p.row(t, "a question", seen[0].Said(), "text, finish reason and usage are read; temperature 0 is sent as 0")
}

const schema = `{"type":"object","additionalProperties":false,"required":["age"],"properties":{"age":{"type":"integer","minimum":0,"maximum":150}}}`

// schema runs the node llm.
func (p *place) schema(t *testing.T) {
	got := ironflow.Flow(t, []string{"OLLAMA_HOST=" + p.watch.URL}, `
local flow = Flow.new("f")
flow:step("ask", nodes.llm({
  provider = "ollama", model = "smol", max_tokens = 30, timeout = 300,
  prompt = "Extract the age as JSON: ${ctx.text}",
  response_schema = { type = "object", additionalProperties = false, required = { "age" },
    properties = { age = { type = "integer", minimum = 0, maximum = 150 } } },
}))
return flow`, "--set", "text=Anna is 41.", "--quiet", "--print", "llm_json")
	var person struct{ Age *int }
	got.JSON(t, &person)
	seen := p.watch.Seen()
	if person.Age == nil || len(seen) != 1 || !strings.Contains(seen[0].Request, `"format":{`) {
		t.Errorf("%d requests, got %s", len(seen), got.Stdout)
	}
	p.row(t, "node `llm` with a JSON schema", seen[0].Said()+", JSON of that schema", "one request; the answer is checked and published as data")
}

func (p *place) cut(t *testing.T) {
	job := p.chatJob("Extract the age as JSON: Anna is 41.", 2)
	job.Format = providers.ResponseFormat{Kind: providers.FormatJSONSchema, Schema: json.RawMessage(schema)}
	got, err := p.set.Chat(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	seen := p.watch.Seen()
	if got.Finish != providers.FinishLength || got.Check() == nil {
		t.Errorf("finish %q", got.Finish)
	}
	p.row(t, "schema, `max_tokens` too small", seen[0].Said()+`, half a JSON text, done_reason "length"`, fmt.Sprintf("an error: %v", got.Check()))
}

func (p *place) badFormat(t *testing.T) {
	defer func() { p.watch.EditRequest = nil }()
	badSchema := map[string]any{"type": 5}
	for _, c := range []struct {
		what   string
		format any
		stream bool
	}{
		{"`format` is \"yaml\"", "yaml", false}, {"`format` is a number", 5, false},
		{"`format` is a bad schema", badSchema, false}, {"`format` is a bad schema, streamed", badSchema, true},
	} {
		p.edit(map[string]any{"format": c.format, "stream": c.stream})
		job := p.chatJob("Say hello.", 4)
		job.Format, job.FormatMode, job.Retries = providers.ResponseFormat{Kind: providers.FormatJSONObject}, providers.ModeJSONObject, 2
		got, err := p.set.Chat(t.Context(), job)
		if err == nil {
			seen := p.watch.Seen()
			p.row(t, c.what, seen[0].Said()+", free text", "the caller checks the form: "+fmt.Sprintf("%q", got.Text))
			continue
		}
		last := p.says(t, err, 1, "the server refuses the form of the answer")
		p.row(t, c.what, last.Said(), "not retried: "+err.Error())
	}
}

// noAnswer: a 200 that says no more than that the model was loaded.
func (p *place) noAnswer(t *testing.T) {
	defer func() { p.watch.EditRequest = nil }()
	p.edit(map[string]any{"messages": []any{}})
	got, err := p.set.Chat(t.Context(), p.chatJob("Say hello.", 4))
	seen := p.watch.Seen()
	if err == nil {
		err = got.Check()
	}
	if err == nil || seen[0].Status != 200 {
		t.Fatalf("%s gave %+v", seen[0].Said(), got)
	}
	p.row(t, "no messages", seen[0].Said()+`, empty content, done_reason "load"`, err.Error())
}

// messagesTooLong: the old server drops the beginning whatever it is told.
func (p *place) messagesTooLong(t *testing.T) {
	defer func() { p.watch.EditRequest = nil }()
	p.watch.EditRequest = func(body string) string {
		return strings.Replace(body, `"options":{`, `"options":{"num_ctx":128,`, 1)
	}
	job := p.chatJob(strings.Repeat("many words ", 150), 4)
	job.Retries = 2
	got, err := p.set.Chat(t.Context(), job)
	if err != nil {
		last := p.says(t, err, 1, "make them shorter")
		p.row(t, "messages longer than the context", last.Said(), "never cut, not retried: "+err.Error())
		return
	}
	seen := p.watch.Seen()
	if len(got.Notes) == 0 || got.Notes[0].Code != providers.NoteInputCut {
		t.Fatalf("messages were cut in silence: %s", seen[0].Answer)
	}
	p.row(t, "messages longer than the context", fmt.Sprintf("%s, cut in silence although `truncate` is false", seen[0].Said()),
		"a warning, and the answer is not cached: "+got.Notes[0].String())
}

// stream makes the server stream although IronFlow does not ask for it.
func (p *place) stream(t *testing.T) {
	job := p.chatJob("Name three rivers.", 20)
	plain, err := p.set.Chat(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { p.watch.EditRequest = nil }()
	p.edit(map[string]any{"stream": true})
	p.watch.Seen()
	got, err := p.set.Chat(t.Context(), job)
	if err != nil {
		t.Fatal(err)
	}
	seen := p.watch.Seen()
	if strings.Count(seen[0].Answer, "\n") < 3 || got.Text != plain.Text || got.Finish != plain.Finish {
		t.Errorf("streamed %q %q in %d lines, plain %q %q", got.Text, got.Finish, strings.Count(seen[0].Answer, "\n"), plain.Text, plain.Finish)
	}
	p.row(t, "a stream", seen[0].Said()+", one JSON text in each line", "text and finish reason as without a stream")
}

// killed ends the process that runs the model, which Ollama starts again.
func (p *place) killed(t *testing.T) {
	defer func() { p.watch.EditRequest = nil }()
	for _, stream := range []bool{true, false} {
		p.watch.EditRequest = nil
		if stream {
			p.edit(map[string]any{"stream": true})
		}
		killed := make(chan int, 1)
		go func() {
			start := time.Now()
			for stream && p.watch.Streaming() < 500 && time.Since(start) < time.Minute {
				time.Sleep(10 * time.Millisecond)
			}
			if !stream {
				time.Sleep(2 * time.Second)
			}
			killed <- p.server.KillChildren("runner")
		}()
		job := p.chatJob("Write a very long story about a lighthouse keeper and his dog.", 400)
		_, err := p.set.Chat(t.Context(), job)
		n := <-killed
		var pe *providers.Error
		seen := p.watch.Seen()
		if n == 0 || err == nil || !errors.As(err, &pe) || len(seen) != 1 {
			t.Fatalf("stream %v: %d processes killed, %d requests, %v", stream, n, len(seen), err)
		}
		if !pe.Retryable() {
			t.Errorf("stream %v: the failure is not worth a retry: %v", stream, err)
		}
		what, said := "killed while it answers", seen[0].Said()
		if stream {
			lines := strings.Split(strings.TrimSpace(seen[0].Answer), "\n")
			what, said = "killed while it streams", fmt.Sprintf("%d, valid lines, then %s and a clean end", seen[0].Status, lines[len(lines)-1])
		}
		p.row(t, what, said, "an error that is worth a retry: "+err.Error())
		// The retry: the server starts the model again.
		p.watch.EditRequest = nil
		again := p.chatJob("Say hello.", 4)
		again.Retries = 3
		if _, err := p.set.Chat(t.Context(), again); err != nil {
			t.Errorf("after the crash: %v", err)
		}
		p.watch.Seen()
	}
}

// TestAgentic breaks a document into statements with a real model. Whatever it
// answers, the five rules hold of what is published.
func TestAgentic(t *testing.T) {
	each(t, func(t *testing.T, p *place) {
		texts := []string{"The ferry crosses the fjord eleven times a day. It takes twenty-five minutes.", "Walkers travel free of charge."}
		context, err := json.Marshal(map[string]any{"texts": texts})
		if err != nil {
			t.Fatal(err)
		}
		got := ironflow.Flow(t, []string{"OLLAMA_HOST=" + p.watch.URL}, `
local flow = Flow.new("f")
flow:step("facts", nodes.ai_chunk_agentic({
  source_key = "texts", output_key = "facts", provider = "ollama", model = "smol",
  document_id = "ferry", extract_max_tokens = 100, group_max_tokens = 60, repairs = 0, concurrency = 1, timeout = 600,
}))
return flow`, "-c", string(context), "--quiet", "--json")
		published := stand.Agentic(t, got, "facts", texts)
		seen := p.watch.Seen()
		if len(seen) == 0 || !strings.Contains(seen[0].Request, `"format":{`) {
			t.Fatalf("%d requests", len(seen))
		}
		p.row(t, "`ai_chunk_agentic` with an instruct model of 135 million parameters", seen[0].Said()+", JSON of the schema or the half of one",
			fmt.Sprintf("the five rules hold: %d sentences, all covered, %d in their own words, %d statements dropped",
				published.Counts["sentences"], published.Counts["verbatim"], stand.Dropped(published)))
	})
}
