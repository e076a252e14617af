//go:build interop

package llama

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/testdata/interop/stand"
)

// TestAgentic breaks a document into statements with a real model. Whatever it
// answers, the five rules hold of what is published.
func TestAgentic(t *testing.T) {
	_, _, w := chatter(t, 4096)
	texts := []string{
		"The ferry crosses the fjord eleven times a day. It takes twenty-five minutes. Walkers travel free of charge.",
		"The ship has run on batteries since 2020. A car costs 90 crowns with its driver, a motorcycle 40. The ferry stops when the wind from the north is stronger than twenty metres per second.",
	}
	context, _ := json.Marshal(map[string]any{"texts": texts})
	got := ironflow.Flow(t, []string{"OPENAI_BASE_URL=" + w.URL + "/v1"}, `
local flow = Flow.new("f")
flow:step("facts", nodes.ai_chunk_agentic({
  source_key = "texts", output_key = "facts", provider = "openai", model = "smol",
  document_id = "ferry", extract_max_tokens = 300, group_max_tokens = 200, concurrency = 1, timeout = 300,
}))
return flow`, "-c", string(context), "--quiet", "--json")
	p := stand.Agentic(t, got, "facts", texts)
	seen := w.Seen()
	t.Logf("counts: %v", p.Counts)
	for _, c := range p.Chunks {
		t.Logf("%s: %s", c.Theme, c.Content)
	}
	if len(seen) == 0 || p.Counts["calls"] == 0 {
		t.Errorf("%d requests, the report counts %d calls", len(seen), p.Counts["calls"])
	}
	report.Add(t, "llama.cpp", version, "`ai_chunk_agentic` with an instruct model of 135 million parameters", fmt.Sprint(seen[0].Status)+", JSON of the schema, the content often wrong",
		fmt.Sprintf("the five rules hold: %d sentences, all covered, %d in their own words, %d statements dropped", p.Counts["sentences"], p.Counts["verbatim"], stand.Dropped(p)))
}

// TestLocalPipeline runs examples/local_llm.lua as its head says.
func TestLocalPipeline(t *testing.T) {
	_, _, chat := chatter(t, 4096)
	_, url := serve(t, options{model: stand.MiniLM(t), embed: true})
	embed := stand.NewWatch(t, url, nil)
	dir := t.TempDir()
	const document = "The ferry crosses the fjord eleven times a day. The crossing takes twenty-five minutes. Walkers travel free of charge.\n\n" +
		"A colony of honeybees keeps its nest at thirty-five degrees. In winter the bees form a cluster and shiver."
	got := ironflow.Run(t, dir, []string{"LOCAL_LLM_URL=" + chat.URL + "/v1", "LOCAL_EMBED_URL=" + embed.URL + "/v1"},
		"run", filepath.Join(stand.Root(), "examples", "local_llm.lua"), "--set", "document="+document,
		"--set", "output=facts.jsonl", "--quiet", "--json")
	if got.Code != 0 {
		t.Fatal(got.Stderr)
	}
	var topics []string
	for _, topic := range got.Context(t)["topics"].([]any) {
		topics = append(topics, topic.(string))
	}
	p := stand.Agentic(t, got, "facts", topics)
	file, err := os.Open(filepath.Join(dir, "facts.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	n := 0
	for lines.Scan() {
		var record struct {
			ID, Theme, Text string
			Vector          []float64
			Sources         []any
		}
		if err := json.Unmarshal(lines.Bytes(), &record); err != nil {
			t.Fatal(err)
		}
		if n >= len(p.Chunks) || record.Text != p.Chunks[n].Content || len(record.Vector) != 384 || len(record.Sources) == 0 || record.Theme == "" {
			t.Errorf("record %d is %s with %d numbers", n+1, record.ID, len(record.Vector))
		}
		n++
	}
	if n == 0 || n != len(p.Chunks) {
		t.Errorf("%d records for %d chunks", n, len(p.Chunks))
	}
	said := embed.Seen()
	report.Add(t, "llama.cpp", version, "examples/local_llm.lua: two servers, from a file to JSON lines", fmt.Sprintf("%d chat and %d embedding requests", len(chat.Seen()), len(said)),
		strings.Join([]string{fmt.Sprintf("%d topics, %d themes, as many records with a vector of 384 numbers", len(topics), n), "the five rules hold"}, "; "))
}
