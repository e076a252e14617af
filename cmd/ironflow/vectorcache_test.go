package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// TestVectorCacheOfProcesses runs four processes at once on one cache folder, with
// texts that overlap: each gets the vectors that it gets without a cache, the next
// run sends nothing, a changed sentence is the only text that is sent, and damaged
// entries are replaced while two processes read them.
func TestVectorCacheOfProcesses(t *testing.T) {
	var sent atomic.Int64
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var in struct {
			Input []string `json:"input"`
		}
		if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
			t.Error(err)
		}
		sent.Add(int64(len(in.Input)))
		rows := make([]string, len(in.Input))
		for i, text := range in.Input {
			h := fnv.New32a()
			h.Write([]byte(text))
			rows[i] = fmt.Sprintf(`{"index":%d,"embedding":[%d,%d]}`, i, h.Sum32()%9973, h.Sum32()%997+1)
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"data":[%s]}`, strings.Join(rows, ","))
	}))
	defer server.Close()

	dir := t.TempDir()
	flow := func(name, cache string) {
		writeFile(t, filepath.Join(dir, name), `
local flow = Flow.new("cached")
flow:step("embed", nodes.ai_embed({ source_key = "texts", provider = "openai", model = "m", batch_size = 16`+cache+` }))
return flow
`)
	}
	flow("plain.lua", "")
	flow("cached.lua", `, cache_dir = "cache"`)
	embed := func(flow string, from, to int, edited string) []byte {
		texts := make([]string, 0, to-from)
		for i := from; i < to; i++ {
			texts = append(texts, fmt.Sprintf("Sentence number %d of the document.", i))
		}
		if edited != "" {
			texts[7] = edited
		}
		list, _ := json.Marshal(texts)
		cmd := exec.Command("ironflow", "run", flow, "--quiet", "--json", "--set-json", "texts="+string(list))
		cmd.Dir = dir
		cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "OPENAI_API_KEY=sk-test-0123456789", "OPENAI_BASE_URL=" + server.URL + "/v1"}
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if err != nil {
			t.Errorf("%v: %s", err, &stderr)
		}
		var record struct {
			Context struct {
				Embed json.RawMessage `json:"embed"`
			} `json:"context"`
		}
		if err := json.Unmarshal(out, &record); err != nil || len(record.Context.Embed) == 0 {
			t.Errorf("no vectors: %v\n%.300s", err, out)
		}
		return record.Context.Embed
	}
	atOnce := func(n int, from func(i int) int) {
		t.Helper()
		var wg sync.WaitGroup
		for i := range n {
			wg.Go(func() {
				at := from(i)
				if got, want := embed("cached.lua", at, at+200, ""), embed("plain.lua", at, at+200, ""); !bytes.Equal(got, want) {
					t.Errorf("process %d: other vectors than without a cache", i)
				}
			})
		}
		wg.Wait()
	}

	atOnce(4, func(i int) int { return 50 * i })
	sent.Store(0)
	embed("cached.lua", 0, 350, "")
	if n := sent.Load(); n != 0 {
		t.Errorf("the second run sent %d texts", n)
	}
	embed("cached.lua", 0, 350, "A sentence that was changed.")
	if n := sent.Load(); n != 1 {
		t.Errorf("with one sentence changed %d texts were sent", n)
	}

	damaged := 0
	err := filepath.WalkDir(filepath.Join(dir, "cache"), func(path string, d os.DirEntry, err error) error {
		if err != nil || !d.Type().IsRegular() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		damaged++
		if damaged%2 == 0 {
			return os.WriteFile(path, content[:len(content)/2], 0o600)
		}
		content[len(content)-1] ^= 0xff
		return os.WriteFile(path, content, 0o600)
	})
	if err != nil || damaged < 350 {
		t.Fatalf("%d entries damaged: %v", damaged, err)
	}
	atOnce(2, func(int) int { return 0 })
	sent.Store(0)
	embed("cached.lua", 0, 200, "")
	if n := sent.Load(); n != 0 {
		t.Errorf("after damaged entries were replaced %d texts were sent", n)
	}
}
