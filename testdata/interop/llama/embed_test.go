//go:build interop

package llama

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/ironflow/ironflow/providers"
	"github.com/ironflow/ironflow/testdata/interop/stand"
	"github.com/ironflow/ironflow/transport"
)

// embedder starts MiniLM behind a proxy that counts.
func embedder(t *testing.T) (*providers.Set, *stand.Watch) {
	t.Helper()
	_, url := serve(t, options{model: stand.MiniLM(t), embed: true})
	return stand.NewSet(t, transport.Policy{}), stand.NewWatch(t, url, nil)
}

func job(w *stand.Watch, texts ...string) providers.EmbedJob {
	return providers.EmbedJob{
		Provider: "openai", Params: map[string]any{"base_url": w.URL + "/v1"}, Model: "minilm",
		Texts: texts, BatchRetries: 2,
	}
}

func cosine(a, b []float64) float64 {
	var ab, aa, bb float64
	for i := range a {
		ab, aa, bb = ab+a[i]*b[i], aa+a[i]*a[i], bb+b[i]*b[i]
	}
	return ab / math.Sqrt(aa*bb)
}

func row(e *providers.Embeddings, i int) []float64 { return e.Data[i*e.Dim : (i+1)*e.Dim] }

// TestVectorsAreThePublishedOnes compares similarities with those that the
// authors of the model print in its documentation (sbert.net, quickstart): the
// server, the converted file and our decoder together give the real vectors.
func TestVectorsAreThePublishedOnes(t *testing.T) {
	s, w := embedder(t)
	got, err := s.Embed(t.Context(), job(w, "The weather is lovely today.", "It's so sunny outside!", "He drove to the stadium."))
	if err != nil {
		t.Fatal(err)
	}
	if got.Dim != 384 || got.Count != 3 {
		t.Fatalf("%d vectors of %d numbers", got.Count, got.Dim)
	}
	for _, c := range []struct {
		i, j int
		want float64
	}{{0, 1, 0.6660}, {0, 2, 0.1046}, {1, 2, 0.1411}} {
		if sim := cosine(row(got, c.i), row(got, c.j)); math.Abs(sim-c.want) > 0.0005 {
			t.Errorf("similarity of %d and %d is %.4f, published is %.4f", c.i, c.j, sim, c.want)
		}
	}
	report.Add(t, "llama.cpp", version, "three sentences with published similarities", w.Seen()[0].Said(),
		"384 numbers each; similarities equal the published ones to 0.0005")
}

// TestOrderBatchesBase64 wants the vectors of a batch to be those that each
// text gets alone, whatever the batches and the encoding.
func TestOrderBatchesBase64(t *testing.T) {
	s, w := embedder(t)
	var texts []string
	for i, topic := range []string{"tides", "bees", "rails", "bread", "glaciers", "violins", "tax law"} {
		texts = append(texts, fmt.Sprintf("Sentence %d tells something about %s.", i, topic))
	}
	var alone [][]float64
	for _, text := range texts {
		one, err := s.Embed(t.Context(), job(w, text))
		if err != nil {
			t.Fatal(err)
		}
		alone = append(alone, one.Data)
	}
	w.Seen()
	for _, c := range []struct {
		size, concurrency, requests int
		format                      string
	}{{1, 1, 7, ""}, {3, 1, 3, "float"}, {3, 2, 3, "base64"}, {7, 1, 1, "base64"}} {
		j := job(w, texts...)
		j.BatchSize, j.BatchConcurrency, j.EncodingFormat = c.size, c.concurrency, c.format
		got, err := s.Embed(t.Context(), j)
		if err != nil {
			t.Fatalf("%+v: %v", c, err)
		}
		seen := w.Seen()
		if len(seen) != c.requests {
			t.Errorf("%+v: %d requests", c, len(seen))
		}
		if isText := strings.Contains(seen[0].Answer, `"embedding":"`); isText != (c.format == "base64") {
			t.Errorf("%+v: base64 in the answer is %v", c, isText)
		}
		for i := range texts {
			best := 0
			for k := range alone {
				if cosine(row(got, i), alone[k]) > cosine(row(got, i), alone[best]) {
					best = k
				}
			}
			if sim := cosine(row(got, i), alone[i]); best != i || sim < 0.99999 {
				t.Errorf("%+v: vector %d is nearest to text %d; to its own it has %.6f", c, i, best, sim)
			}
		}
		if got.Usage == nil || got.Usage.InputTokens < int64(5*len(texts)) {
			t.Errorf("%+v: usage %+v", c, got.Usage)
		}
	}
	report.Add(t, "llama.cpp", version, "7 texts, batch_size 3, `encoding_format=base64`", "200, vectors as base64",
		"3 requests, each vector at the place of its text, equal to the one that the text gets alone")
}

// TestTooLong: llama.cpp answers 500, which elsewhere asks for a retry.
func TestTooLong(t *testing.T) {
	s, w := embedder(t)
	j := job(w, "one", "two", "three", strings.Repeat("long word ", 400), "five")
	j.BatchSize = 2
	_, err := s.Embed(t.Context(), j)
	if err == nil {
		t.Fatal("a text longer than the model gave no error")
	}
	for _, want := range []string{"inputs 3..4 of 5", "the longest is input 4", "make the chunks smaller", "(context_length_exceeded)"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("the error does not say %q: %v", want, err)
		}
	}
	seen := w.Seen()
	if len(seen) != 2 || seen[1].Status != 500 {
		t.Errorf("%d requests, the last with status %d; want 2 and 500", len(seen), seen[len(seen)-1].Status)
	}
	report.Add(t, "llama.cpp", version, "a text longer than the model, 4th of 5", seen[len(seen)-1].Said(), "not retried: "+err.Error())
}

// TestWrongKey looks for the key in the error, and shows that the right one works.
func TestWrongKey(t *testing.T) {
	const right, wrong = "right-key-0123456789", "wrong-key-0123456789"
	_, url := serve(t, options{model: stand.MiniLM(t), embed: true, key: right})
	s, w := stand.NewSet(t, transport.Policy{}), stand.NewWatch(t, url, nil)
	for _, key := range []string{wrong, "", right} {
		j := job(w, "a")
		if key != "" {
			j.Params["api_key"] = key
		}
		_, err := s.Embed(t.Context(), j)
		seen := w.Seen()
		if len(seen) != 1 {
			t.Errorf("key %q: %d requests", key, len(seen))
		}
		if key == right {
			if err != nil {
				t.Errorf("the right key: %v", err)
			}
			continue
		}
		if err == nil {
			t.Fatalf("key %q gave no error", key)
		}
		for _, want := range []string{"HTTP status 401 (authentication_error)", "check the credential"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("key %q: the error does not say %q: %v", key, want, err)
			}
		}
		if strings.Contains(fmt.Sprintf("%+v %#v", err, err), wrong) {
			t.Errorf("the error shows the key: %v", err)
		}
		if key == wrong {
			report.Add(t, "llama.cpp", version, "wrong key", seen[0].Said(), "not retried, key not shown: "+err.Error())
		}
	}
}

// TestLoading asks while the model is still being loaded.
func TestLoading(t *testing.T) {
	model, _ := stand.ChatModel(t) // takes longer to load than MiniLM
	server, url := launch(t, options{model: model, embed: true, pooling: "mean"})
	server.Listening(t, strings.TrimPrefix(url, "http://"), time.Minute)
	s, w := stand.NewSet(t, transport.Policy{}), stand.NewWatch(t, url, nil)
	j := job(w, "a")
	j.BatchRetries = 5
	got, err := s.Embed(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	seen := w.Seen()
	if len(seen) < 2 || seen[0].Status != 503 || seen[len(seen)-1].Status != 200 {
		t.Fatalf("%d requests, the first with status %d: the server was not met while loading", len(seen), seen[0].Status)
	}
	if got.Count != 1 || got.Dim == 0 {
		t.Errorf("%d vectors of %d numbers", got.Count, got.Dim)
	}
	report.Add(t, "llama.cpp", version, "model still loading", seen[0].Said(), "retried until the vectors came")
}

// TestDimensionIgnored: the server takes the field and does not mind it.
func TestDimensionIgnored(t *testing.T) {
	s, w := embedder(t)
	for _, dim := range []int{64, 9999} {
		j := job(w, "a", "b")
		j.Dimensions = dim
		_, err := s.Embed(t.Context(), j)
		if err == nil {
			t.Fatalf("dimensions=%d gave no error", dim)
		}
		for _, want := range []string{"provider openai (" + w.URL + ")", fmt.Sprintf("dimensions=%d was asked for", dim), "384 numbers", "leave the parameter out"} {
			if !strings.Contains(err.Error(), want) {
				t.Errorf("dimensions=%d: the error does not say %q: %v", dim, want, err)
			}
		}
		if seen := w.Seen(); len(seen) != 1 || seen[0].Status != 200 {
			t.Errorf("dimensions=%d: %d requests", dim, len(seen))
		} else if dim == 64 {
			report.Add(t, "llama.cpp", version, "`dimensions=64`", seen[0].Said()+", 384 numbers", err.Error())
		}
	}
}

// TestModelName: the name is echoed, not looked up.
func TestModelName(t *testing.T) {
	s, w := embedder(t)
	j := job(w, "a")
	j.Model = "no-such-model"
	got, err := s.Embed(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	if got.Model != "no-such-model" || got.ReportedModel != "no-such-model" {
		t.Errorf("model %q, reported %q", got.Model, got.ReportedModel)
	}
	report.Add(t, "llama.cpp", version, "a model that is not there", w.Seen()[0].Said()+", the name is echoed",
		"cannot be told from the answer: vectors are returned")
}

// TestEmptyText: the server embeds nothing without complaint.
func TestEmptyText(t *testing.T) {
	s, w := embedder(t)
	_, err := s.Embed(t.Context(), job(w, "a", ""))
	if err == nil || !strings.Contains(err.Error(), "input 2 of 2 is empty") {
		t.Errorf("got %v", err)
	}
	if seen := w.Seen(); len(seen) != 0 {
		t.Errorf("%d requests", len(seen))
	}
	report.Add(t, "llama.cpp", version, "an empty text among others", "not asked (it would give the vector of nothing)", "refused before any request: "+err.Error())
}

// TestChatModelAskedToEmbed: the message names the step, the address and what to
// do. The server may have been started without embeddings, or with them but with
// a model that has none.
func TestChatModelAskedToEmbed(t *testing.T) {
	model, _ := stand.ChatModel(t)
	for _, c := range []struct {
		what   string
		embed  bool
		status int
	}{{"a chat server asked to embed", false, 501}, {"a chat model behind an embedding server", true, 400}} {
		_, url := serve(t, options{model: model, embed: c.embed})
		w := stand.NewWatch(t, url, nil)
		got := ironflow.Flow(t, []string{"OPENAI_BASE_URL=" + w.URL + "/v1"}, `
local flow = Flow.new("f")
flow:step("vectors", nodes.ai_embed({ source_key = "text", provider = "openai" }))
return flow`, "--set", "text=hello", "--quiet")
		if got.Code == 0 {
			t.Fatal("no error")
		}
		for _, want := range []string{`step "vectors"`, w.URL, fmt.Sprintf("HTTP status %d (model_cannot_embed)", c.status), "name an embedding model"} {
			if !strings.Contains(got.Stderr, want) {
				t.Errorf("%s: the error does not say %q:\n%s", c.what, want, got.Stderr)
			}
		}
		seen := w.Seen()
		if len(seen) != 1 {
			t.Errorf("%s: %d requests", c.what, len(seen))
		}
		report.Add(t, "llama.cpp", version, c.what, seen[0].Said(), "not retried: "+stand.LastLine(got.Stderr))
	}
}

// TestOtherAPI: a server of another kind at the address.
func TestOtherAPI(t *testing.T) {
	_, w := embedder(t)
	got := ironflow.Flow(t, nil, `
local flow = Flow.new("f")
flow:step("vectors", nodes.ai_embed({ source_key = "text", provider = "ollama", ollama_host = "`+w.URL+`" }))
return flow`, "--set", "text=hello", "--quiet")
	for _, want := range []string{`step "vectors"`, w.URL, "HTTP status 404", "check the address"} {
		if !strings.Contains(got.Stderr, want) {
			t.Errorf("the error does not say %q:\n%s", want, got.Stderr)
		}
	}
	report.Add(t, "llama.cpp", version, "taken for an Ollama", w.Seen()[0].Said(), stand.LastLine(got.Stderr))
}

var bees = []string{
	"A colony of honeybees keeps its brood nest at thirty-five degrees.",
	"The workers heat the comb by shivering with their flight muscles.",
	"On hot afternoons bees carry water into the hive and fan it dry.",
	"A single forager may visit several hundred flowers for one load of nectar.",
	"Pollen travels home in little baskets on the hind legs of the bee.",
	"Back in the hive a bee dances to tell the others where the flowers are.",
	"The angle of her dance shows the direction of the flowers from the hive.",
	"Nectar becomes honey when the bees have driven the water out of it.",
	"Full cells of honey are sealed with a thin lid of wax.",
	"A queen lays up to two thousand eggs a day in early summer.",
	"When the hive grows too narrow, half of the bees leave with the old queen.",
	"In late summer the worker bees drive the drones out of the hive.",
}

var rails = []string{
	"Railway tracks rest on a deep bed of crushed stone.",
	"The stone spreads the weight of each train and lets rain run off the track.",
	"Concrete sleepers hold both rails of the track at a fixed distance.",
	"Long rails are welded together and stretched before they are fastened.",
	"Without that tension the rails would buckle in the summer heat.",
	"A measuring train checks the geometry of the railway line every month.",
	"Machines lift the sleepers and pack fresh stone beneath the track.",
	"Signals keep a whole section of track free between two trains.",
	"In winter the points of a railway are heated so that ice cannot block them.",
	"Overhead wires carry the current for the locomotive.",
	"A freight train of fifty wagons needs more than a kilometre to stop.",
	"Worn rails are ground back to their profile before the first train runs.",
}

// TestSemanticChunks cuts a document of two topics by real vectors. The curve of
// savgol is smoothed, so its minimum may lie one sentence beside the change.
func TestSemanticChunks(t *testing.T) {
	_, url := serve(t, options{model: stand.MiniLM(t), embed: true})
	document := strings.Join(bees, " ") + "\n\n" + strings.Join(rails, " ")
	for _, c := range []struct {
		detector   string
		slack, max int // sentences beside the change, chunks
	}{{"savgol", 1, 3}, {"depth", 0, 4}, {"topic", 0, 3}} {
		t.Run(c.detector, func(t *testing.T) {
			w := stand.NewWatch(t, url, nil)
			got := ironflow.Flow(t, []string{"OPENAI_BASE_URL=" + w.URL + "/v1"}, `
local flow = Flow.new("f")
flow:step("topics", nodes.ai_chunk_semantic({
  source_key = "document", output_key = "topics", provider = "openai", model = "minilm",
  detector = "`+c.detector+`", text = "source",
}))
return flow`, "--set", "document="+document, "--quiet", "--print", "topics")
			var chunks []string
			got.JSON(t, &chunks)
			if strings.Join(strings.Fields(strings.Join(chunks, " ")), " ") != strings.Join(strings.Fields(document), " ") {
				t.Errorf("the chunks are not the document: %q", chunks)
			}
			off := 1000
			for _, chunk := range chunks[1:] {
				for i, s := range append(slices.Clone(bees), rails...) {
					if strings.HasPrefix(strings.TrimSpace(chunk), s) {
						off = min(off, max(i-len(bees), len(bees)-i))
					}
				}
			}
			if off > c.slack || len(chunks) > c.max {
				t.Errorf("%d chunks, the nearest cut lies %d sentences beside the change: %q", len(chunks), off, chunks)
			}
			report.Add(t, "llama.cpp", version, "`ai_chunk_semantic`, `detector="+c.detector+"`, two topics of 12 sentences",
				w.Seen()[0].Said(), fmt.Sprintf("%d chunks, no sentence lost; the nearest cut lies %d sentences beside the change of topic", len(chunks), off))
		})
	}
}

// TestErrorsAreNotShown: the server returns a piece of what it was sent.
func TestErrorsAreNotShown(t *testing.T) {
	_, w := embedder(t)
	var answer struct {
		Error struct {
			Code any `json:"code"`
		} `json:"error"`
	}
	x := w.Post(t, "/v1/embeddings", `{"model":"m","input":5}`)
	if err := json.Unmarshal([]byte(x.Answer), &answer); err != nil || x.Status != 400 {
		t.Fatalf("status %d: %v", x.Status, err)
	}
	if _, ok := answer.Error.Code.(float64); !ok {
		t.Errorf("the code of an error is %T; the decoder was written for a number", answer.Error.Code)
	}
	report.Add(t, "llama.cpp", version, "shape of an error", x.Said()+"; `code` is a number", "both numbers and texts are read as codes")
}
