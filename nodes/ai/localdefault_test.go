package ai

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	vendors "github.com/ironflow/ironflow/providers/builtin"
)

// TestLocalSaidOnce: a node that was given no provider says once that it takes
// the model inside the binary, and one that was given it says nothing.
func TestLocalSaidOnce(t *testing.T) {
	b := bench(t, "http://127.0.0.1:1")
	f := embedNode(vendors.Vendors())
	for range 3 {
		if _, err := b.Run(f, map[string]any{"source_key": "t"}, map[string]any{"t": []any{"The tide turns."}}); err != nil {
			t.Fatal(err)
		}
	}
	if got := strings.Count(b.Log.String(), "no provider is set"); got != 1 {
		t.Errorf("said %d times:\n%s", got, b.Log)
	}
	b = bench(t, "http://127.0.0.1:1")
	if _, err := b.Run(embedNode(vendors.Vendors()), map[string]any{"source_key": "t", "provider": "local"}, map[string]any{"t": []any{"The tide turns."}}); err != nil {
		t.Fatal(err)
	}
	if lines := b.Log.Lines(); len(lines) > 0 {
		t.Errorf("logged %q", lines)
	}
}

// TestForeignScriptNote: texts in a script outside the training have vectors,
// and one line of the log counts them.
func TestForeignScriptNote(t *testing.T) {
	b := bench(t, "http://127.0.0.1:1")
	out, err := b.Run(embedNode(vendors.Vendors()), map[string]any{"source_key": "t", "provider": "local", "batch_size": 1},
		map[string]any{"t": []any{"Прилив сменяется отливом.", "潮が引く。", "The tide turns."}})
	if err != nil {
		t.Fatal(err)
	}
	want(t, out, "embed_count", "3")
	lines := b.Log.Lines()
	if len(lines) != 1 || !strings.HasPrefix(lines[0], "WARN 2 texts are mostly in a script outside the training") {
		t.Errorf("logged %q", lines)
	}
}

// TestLocalWrongModel: what the local models cannot do is an error that names
// what they can.
func TestLocalWrongModel(t *testing.T) {
	for _, c := range []struct {
		params map[string]any
		want   []string
	}{
		{map[string]any{"model": "text-embedding-3-small"}, []string{`"text-embedding-3-small"`, `"static"`, `"hybrid"`}},
		{map[string]any{"dimensions": 1536}, []string{"1536", "512", "256"}},
	} {
		c.params["source_key"], c.params["provider"] = "t", "local"
		_, err := bench(t, "http://127.0.0.1:1").Run(embedNode(vendors.Vendors()), c.params, map[string]any{"t": []any{"x"}})
		if err == nil {
			t.Fatalf("%v: no error", c.params)
		}
		for _, part := range c.want {
			if !strings.Contains(err.Error(), part) {
				t.Errorf("%v: %q does not say %s", c.params, err, part)
			}
		}
	}
}

// TestCacheOfVectors: one changed text sends that text alone, two processes may
// use one folder at once, and damaged entries are replaced.
func TestCacheOfVectors(t *testing.T) {
	dir := t.TempDir()
	var mu sync.Mutex
	sent := map[string]int{}
	address, _ := server(t, func(text string) string {
		mu.Lock()
		defer mu.Unlock()
		sent[text]++
		return fmt.Sprintf("[%d,3]", len(text))
	})
	// Each run has its own set of providers, as each process has.
	run := func(params map[string]any, texts ...any) error {
		all := map[string]any{"source_key": "t", "provider": "openai", "cache_dir": dir}
		for k, v := range params {
			all[k] = v
		}
		out, err := bench(t, address).Run(embedNode(vendors.Vendors()), all, map[string]any{"t": texts})
		if err != nil {
			return err
		}
		prefix, _ := params["prefix"].(string)
		rows := make([]string, len(texts))
		for i, text := range texts {
			rows[i] = fmt.Sprintf("[%d,3]", len(prefix)+len(text.(string)))
		}
		want(t, out, "embed", "["+strings.Join(rows, ",")+"]")
		return nil
	}
	expect := func(what string, counts map[string]int) {
		t.Helper()
		mu.Lock()
		defer mu.Unlock()
		if fmt.Sprint(sent) != fmt.Sprint(counts) {
			t.Errorf("%s: sent %v, want %v", what, sent, counts)
		}
		clear(sent)
	}
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}

	must(run(nil, "one", "two", "three"))
	expect("the first run", map[string]int{"one": 1, "two": 1, "three": 1})
	must(run(nil, "one", "two", "three"))
	expect("the second run", map[string]int{})
	must(run(nil, "one", "zwei", "three"))
	expect("one changed text", map[string]int{"zwei": 1})
	must(run(map[string]any{"prefix": "p: "}, "one"))
	expect("another prefix", map[string]int{"p: one": 1})
	must(run(map[string]any{"model": "other"}, "one"))
	expect("another model", map[string]int{"one": 1})

	// Torn, damaged and empty entries.
	n := 0
	must(filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err != nil || info.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		switch n++; n % 3 {
		case 0:
			content = nil
		case 1:
			content = content[:len(content)-1]
		case 2:
			content[len(content)/2] ^= 1
		}
		return os.WriteFile(path, content, 0o600)
	}))
	if n != 6 {
		t.Fatalf("%d entries, want 6", n)
	}
	must(run(nil, "one", "two", "three", "zwei"))
	expect("damaged entries", map[string]int{"one": 1, "two": 1, "three": 1, "zwei": 1})
	must(run(nil, "one", "two", "three", "zwei"))
	expect("after they were replaced", map[string]int{})

	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			if err := run(map[string]any{"batch_size": 1}, "one", "a", "bb", "ccc", "dddd", "eeeee"); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	must(run(nil, "one", "a", "bb", "ccc", "dddd", "eeeee"))
	mu.Lock()
	for text, times := range sent {
		if times > 2 || text == "one" {
			t.Errorf("%q was sent %d times by two runs at once", text, times)
		}
	}
	mu.Unlock()
}

// TestCacheBound: the folder keeps its bound, and what was used last.
func TestCacheBound(t *testing.T) {
	dir := t.TempDir()
	address, requests := server(t, func(text string) string { return fmt.Sprintf("[%d,3]", len(text)) })
	b := bench(t, address)
	const entry = 88 // bytes of a vector of two numbers in its file
	run := func(text string, wantSent bool) {
		t.Helper()
		before := requests.Load()
		if err := b.Clock.Sleep(t.Context(), time.Minute); err != nil {
			t.Fatal(err)
		}
		if _, err := b.Run(embedNode(vendors.Vendors()), map[string]any{"source_key": "t", "provider": "openai", "cache_dir": dir, "cache_max_bytes": 3 * entry},
			map[string]any{"t": text}); err != nil {
			t.Fatal(err)
		}
		if sent := requests.Load() > before; sent != wantSent {
			t.Errorf("%s was sent: %v, want %v", text, sent, wantSent)
		}
		size := int64(0)
		err := filepath.Walk(dir, func(_ string, info os.FileInfo, err error) error {
			if err == nil && !info.IsDir() {
				size += info.Size()
			}
			return err
		})
		if err != nil || size > 3*entry || size < entry {
			t.Errorf("after %s the folder has %d bytes, at most %d wanted (%v)", text, size, 3*entry, err)
		}
	}
	for _, text := range []string{"a", "b", "c"} {
		run(text, true)
	}
	run("a", false)
	run("d", true) // in the place of b
	run("a", false)
	run("c", false)
	run("b", true) // in the place of d
	run("d", true)
}
