package providertest

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"github.com/ironflow/ironflow/providers"
)

// keptFiles are the files below a folder; all must be private.
func keptFiles(t *testing.T, dir string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || path == dir {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if d.IsDir() {
			want = 0o700
		} else {
			files = append(files, path)
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has the mode %v, want %v", path, info.Mode().Perm(), want)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// testChatCache checks that complete answers are kept, by all they depend on.
func testChatCache(t *testing.T, s Subject) {
	dir := t.TempDir()
	h := newHarness(t, s, goodChat(s))
	base := h.chatJob()
	base.CacheDir = dir
	base.Format, base.Temperature, base.MaxTokens, base.CacheSalt = aSchema(), ptr(0.0), 9, "1"
	first, err := h.chat(base)
	checkSaid(t, first, err)
	again, err := h.chat(base)
	checkSaid(t, again, err)
	if n := len(h.seen()); n != 1 || !again.Cached || again.Calls != 0 || again.ReportedModel != "m-1" || again.FormatUsed != first.FormatUsed || *again.Usage != *first.Usage {
		t.Errorf("%d requests, %+v", n, again)
	}
	if n := len(keptFiles(t, dir)); n != 1 {
		t.Errorf("%d files, want 1", n)
	}
	for name, edit := range map[string]func(*providers.ChatJob){
		"model": func(j *providers.ChatJob) { j.Model = "n" },
		"text":  func(j *providers.ChatJob) { j.Messages = []providers.Message{{Role: "user", Content: "x"}} },
		"role": func(j *providers.ChatJob) {
			j.Messages = []providers.Message{{Role: "system", Content: j.Messages[0].Content}}
		},
		"one more message": func(j *providers.ChatJob) { j.Messages = append(j.Messages, j.Messages[0]) },
		"max_tokens":       func(j *providers.ChatJob) { j.MaxTokens = 10 },
		"field":            func(j *providers.ChatJob) { j.MaxTokensField = "max_completion_tokens" },
		"temperature":      func(j *providers.ChatJob) { j.Temperature = ptr(0.5) },
		"no temperature":   func(j *providers.ChatJob) { j.Temperature = nil },
		"mode":             func(j *providers.ChatJob) { j.FormatMode = "none" },
		"schema":           func(j *providers.ChatJob) { j.Format.Schema = json.RawMessage(`{}`) },
		"name":             func(j *providers.ChatJob) { j.Format.Name = "x" },
		"form":             func(j *providers.ChatJob) { j.Format = providers.ResponseFormat{} },
		"salt":             func(j *providers.ChatJob) { j.CacheSalt = "2" },
		"address": func(j *providers.ChatJob) {
			j.Params = s.Params(h.server.URL+"/x"+s.Base, h.server.URL+"/token")
		},
	} {
		t.Run("another "+name, func(t *testing.T) {
			before := len(h.seen())
			job := base
			job.Messages = append([]providers.Message(nil), base.Messages...)
			edit(&job)
			for range 2 {
				got, err := h.chat(job)
				checkSaid(t, got, err)
			}
			if n := len(h.seen()) - before; n != 1 {
				t.Errorf("%d requests for two equal jobs, want 1", n)
			}
		})
	}
	t.Run("limits of time and retries do not count", func(t *testing.T) {
		before := len(h.seen())
		job := base
		job.Timeout, job.Retries = 1e9, 3
		got, err := h.chat(job)
		checkSaid(t, got, err)
		if len(h.seen()) != before {
			t.Error("asked again")
		}
	})
	t.Run("incomplete answers are not kept", func(t *testing.T) { incompleteIsNotKept(t, s) })
	t.Run("damaged files", func(t *testing.T) { damagedIsReplaced(t, s) })
	t.Run("two processes", func(t *testing.T) { twoProcesses(t, s) })
	t.Run("bound", func(t *testing.T) { cacheBound(t, s) })
	t.Run("folder that cannot be made", func(t *testing.T) {
		file := filepath.Join(t.TempDir(), "file")
		if err := os.WriteFile(file, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		h := newHarness(t, s, goodChat(s))
		job := h.chatJob()
		job.CacheDir = file
		got, err := h.chat(job)
		mustFail(t, got, err, providers.KindConfig)
		mustSay(t, err, "cache_dir")
		if len(h.seen()) != 0 {
			t.Error("a request was made")
		}
	})
}

func incompleteIsNotKept(t *testing.T, s Subject) {
	for name, body := range map[string]string{
		"cut":            s.Chat.Answer(quoted(said), "length"),
		"empty":          s.Chat.Answer(`""`, "stop"),
		"filter":         s.Chat.Answer(quoted(said), "content_filter"),
		"refusal":        s.Chat.Message(`"content":"x","refusal":"no"`, "stop"),
		"no reason":      s.Chat.Answer(quoted(said), ""),
		"unknown reason": s.Chat.Answer(quoted(said), "x"),
	} {
		dir := t.TempDir()
		h := newHarness(t, s, func(Request) reply { return reply{body: body} })
		job := h.chatJob()
		job.CacheDir = dir
		for range 2 {
			got, err := h.chat(job)
			if err != nil || got.Cached {
				t.Errorf("%s: %+v, %v", name, got, err)
			}
		}
		if n := len(h.seen()); n != 2 || len(keptFiles(t, dir)) != 0 {
			t.Errorf("%s: %d requests, files %v", name, n, keptFiles(t, dir))
		}
	}
}

func damagedIsReplaced(t *testing.T, s Subject) {
	dir := t.TempDir()
	h := newHarness(t, s, goodChat(s))
	job := h.chatJob()
	job.CacheDir = dir
	ask := func(want int) {
		t.Helper()
		got, err := h.chat(job)
		checkSaid(t, got, err)
		if n := len(h.seen()); n != want {
			t.Fatalf("%d requests, want %d", n, want)
		}
	}
	ask(1)
	name := keptFiles(t, dir)[0]
	good, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	want := 1
	damaged := [][]byte{nil, good[:len(good)/2], good[:len(good)-1], append(append([]byte(nil), good...), 'x')}
	for _, at := range []int{0, 10, len(good) / 2, len(good) - 1} {
		b := append([]byte(nil), good...)
		b[at] ^= 1
		damaged = append(damaged, b)
	}
	for _, b := range damaged {
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
		want++
		ask(want)
		ask(want)
	}
	if now, _ := os.ReadFile(name); string(now) != string(good) {
		t.Error("the damaged file was not replaced by the good one")
	}
}

// twoProcesses uses two sets, which share nothing but the folder.
func twoProcesses(t *testing.T, s Subject) {
	dir := t.TempDir()
	a, b := newHarness(t, s, goodChat(s)), newHarness(t, s, goodChat(s))
	var wg sync.WaitGroup
	for _, h := range []*harness{a, b} {
		for worker := range 4 {
			wg.Go(func() {
				for i := range 10 {
					job := a.chatJob()
					job.CacheDir = dir
					job.Messages = []providers.Message{{Role: "user", Content: fmt.Sprint("question ", (i+worker)%10)}}
					if got, err := h.chat(job); err != nil || got.Text != said {
						t.Errorf("%+v, %v", got, err)
					}
				}
			})
		}
	}
	wg.Wait()
	if n := len(keptFiles(t, dir)); n != 10 {
		t.Errorf("%d files, want 10 and nothing unfinished", n)
	}
}

// cacheBound keeps the answers that were used last.
func cacheBound(t *testing.T, s Subject) {
	dir := t.TempDir()
	h := newHarness(t, s, goodChat(s))
	ask := func(question string) bool {
		job := h.chatJob()
		job.CacheDir, job.CacheMaxBytes = dir, 600
		job.Messages[0].Content = question
		h.clock.Advance(1e9)
		got, err := h.chat(job)
		checkSaid(t, got, err)
		return got.Cached
	}
	ask("a")
	ask("b")
	if !ask("a") {
		t.Error("a was not kept")
	}
	ask("c")
	if !ask("a") || ask("b") {
		t.Error("the answer that was used longest ago should have gone, and only that")
	}
	var size int64
	for _, f := range keptFiles(t, dir) {
		info, err := os.Stat(f)
		if err != nil {
			t.Fatal(err)
		}
		size += info.Size()
	}
	if size > 600 || size == 0 {
		t.Errorf("%d bytes are kept, allowed are 600", size)
	}
}
