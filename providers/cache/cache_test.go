package cache

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

var start = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)

func openDir(t *testing.T, path string, kind Kind) *Dir {
	t.Helper()
	d, err := Open(path, kind)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func put(t *testing.T, d *Dir, k Key, content string, at time.Time) {
	t.Helper()
	if err := d.Put(k, []byte(content), at); err != nil {
		t.Fatal(err)
	}
}

// TestFormat compares files with ones that another program (Python's struct and
// hashlib) made: what earlier versions kept stays readable.
func TestFormat(t *testing.T) {
	key := NewKey("a", "bc")
	if got := hex.EncodeToString(key[:]); got != "c77430978b91dc7f3438626a61b222f67d4f60966a4267f074f098ca003eeb27" {
		t.Errorf("key %s", got)
	}
	for _, c := range []struct {
		kind    Kind
		name    string
		content []byte
		file    string
	}{
		{Vectors, "vectors-1/c7/7430978b91dc7f3438626a61b222f67d4f60966a4267f074f098ca003eeb27.vec", EncodeVector([]float64{1, 0.5, -2}),
			"49464c5645433031c77430978b91dc7f3438626a61b222f67d4f60966a4267f074f098ca003eeb2703000000040000000000803f0000003f000000c0c05a14861afa939011575638f883c0bc182d494274511fa2f284954f31434d22"},
		{Vectors, "vectors-1/c7/7430978b91dc7f3438626a61b222f67d4f60966a4267f074f098ca003eeb27.vec", EncodeVector([]float64{0.1}),
			"49464c5645433031c77430978b91dc7f3438626a61b222f67d4f60966a4267f074f098ca003eeb2701000000080000009a9999999999b93f20dc3d1d4109e047f2047e9a7e06cc9ffcf830033f985dea5582029c78a389e4"},
		{Answers, "answers-1/c7/7430978b91dc7f3438626a61b222f67d4f60966a4267f074f098ca003eeb27.ans", []byte(`{"text":"x"}`),
			"49464c414e533031c77430978b91dc7f3438626a61b222f67d4f60966a4267f074f098ca003eeb277b2274657874223a2278227d811e1415f8fb3fbc3b67e06066c47120422d9bde927864ed617a1a138d2af338"},
	} {
		dir := t.TempDir()
		d := openDir(t, dir, c.kind)
		put(t, d, key, string(c.content), start)
		file, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(c.name)))
		if err != nil {
			t.Fatal(err)
		}
		if got := hex.EncodeToString(file); got != c.file {
			t.Errorf("%s:\n%s\nwant\n%s", c.name, got, c.file)
		}
		if got, ok := d.Get(key, start); !ok || !bytes.Equal(got, c.content) {
			t.Errorf("got %q, %v", got, ok)
		}
	}
}

// TestKinds: the kinds do not see one another's entries, in one folder and with
// files put into each other's places.
func TestKinds(t *testing.T) {
	dir := t.TempDir()
	vectors, answers := openDir(t, dir, Vectors), openDir(t, dir, Answers)
	key := NewKey("x")
	put(t, vectors, key, "content", start)
	if _, ok := answers.Get(key, start); ok {
		t.Error("an answer was found where only a vector is")
	}
	_, from := vectors.path(key)
	shard, to := answers.path(key)
	file, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(shard, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, file, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, ok := answers.Get(key, start); ok {
		t.Error("a vector was taken for an answer")
	}
}

// TestDamaged flips every bit and cuts at every byte.
func TestDamaged(t *testing.T) {
	dir := t.TempDir()
	d := openDir(t, dir, Answers)
	key := NewKey("x")
	put(t, d, key, "some content", start)
	_, name := d.path(key)
	good, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	damaged := func(b []byte) {
		t.Helper()
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if got, ok := d.Get(key, start); ok {
			t.Errorf("a damaged file gives %q", got)
		}
	}
	for i := range good {
		damaged(good[:i])
		for bit := range 8 {
			b := slices.Clone(good)
			b[i] ^= 1 << bit
			damaged(b)
		}
	}
	damaged(append(slices.Clone(good), 0))
	put(t, d, key, "new", start)
	if got, ok := d.Get(key, start); !ok || string(got) != "new" {
		t.Errorf("after it was replaced: %q, %v", got, ok)
	}
	if _, ok := d.Get(NewKey("y"), start); ok {
		t.Error("found what was never kept")
	}
}

func TestModes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	put(t, openDir(t, dir, Answers), NewKey("x"), "y", start)
	err := filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err != nil {
			return err
		}
		want := fs.FileMode(0o600)
		if e.IsDir() {
			want = 0o700
		}
		if info.Mode().Perm() != want {
			t.Errorf("%s has the mode %v", path, info.Mode().Perm())
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestTrim removes what was used longest ago, unfinished files of an hour ago,
// and nothing that another kind or the user keeps there.
func TestTrim(t *testing.T) {
	dir := t.TempDir()
	d := openDir(t, dir, Answers)
	other := openDir(t, dir, Vectors)
	put(t, other, NewKey("v"), strings.Repeat("v", 1000), start)
	own := filepath.Join(dir, "notes.txt")
	if err := os.WriteFile(own, make([]byte, 1000), 0o600); err != nil {
		t.Fatal(err)
	}
	size := int64(headerSize + 32 + 100)
	for i := range 10 {
		put(t, d, NewKey(fmt.Sprint(i)), strings.Repeat("x", 100), start.Add(time.Duration(i)*time.Minute))
	}
	old, young := filepath.Join(d.root, aside+"old"), filepath.Join(d.root, aside+"young")
	for name, age := range map[string]time.Duration{old: 2 * time.Hour, young: time.Minute} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
		at := start.Add(time.Hour - age)
		if err := os.Chtimes(name, at, at); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok := d.Get(NewKey("0"), start.Add(30*time.Minute)); !ok {
		t.Fatal("0 is not there")
	}
	if err := d.Trim(3*size, start.Add(time.Hour)); err != nil {
		t.Fatal(err)
	}
	var left []int
	for i := range 10 {
		if _, ok := d.Get(NewKey(fmt.Sprint(i)), start.Add(time.Hour)); ok {
			left = append(left, i)
		}
	}
	if want := []int{0, 8, 9}; !slices.Equal(left, want) {
		t.Errorf("left are %v, want %v", left, want)
	}
	if _, ok := other.Get(NewKey("v"), start); !ok {
		t.Error("an entry of another kind is gone")
	}
	for name, want := range map[string]bool{own: true, old: false, young: true} {
		if _, err := os.Stat(name); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", name, err == nil, want)
		}
	}
}

// TestConcurrent lets two Dirs, as two processes have them, read and replace
// the same entries while both are trimmed.
func TestConcurrent(t *testing.T) {
	dir := t.TempDir()
	contents := map[Key]string{}
	for i := range 8 {
		contents[NewKey(fmt.Sprint(i))] = strings.Repeat(string(rune('a'+i)), 1000+i)
	}
	var wg sync.WaitGroup
	for range 2 {
		d := openDir(t, dir, Answers)
		for range 3 {
			wg.Go(func() {
				for range 30 {
					for k, content := range contents {
						if err := d.Put(k, []byte(content), time.Now()); err != nil {
							t.Error(err)
						}
						if got, ok := d.Get(k, time.Now()); ok && string(got) != content {
							t.Errorf("%d bytes, want %d", len(got), len(content))
						}
					}
					if err := d.Trim(5000, time.Now()); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
	wg.Wait()
	d := openDir(t, dir, Answers)
	files, _, err := d.measure(time.Now())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if strings.Contains(f.path, aside) {
			t.Errorf("%s was left behind", f.path)
		}
	}
}

func TestKeys(t *testing.T) {
	seen := map[Key]string{}
	for _, parts := range [][]string{nil, {""}, {"", ""}, {"ab"}, {"a", "b"}, {"", "ab"}, {"ab", ""}, {"a", "", "b"}} {
		k := NewKey(parts...)
		if other, twice := seen[k]; twice {
			t.Errorf("%q and %s have one key", parts, other)
		}
		seen[k] = fmt.Sprintf("%q", parts)
	}
	if NewKey("a").With("b") == NewKey("a", "b") || NewKey("a").With("b") == NewKey("b").With("a") {
		t.Error("spaces are not apart")
	}
}

func FuzzDecodeVector(f *testing.F) {
	f.Add(EncodeVector([]float64{1, 0.1}))
	f.Add(EncodeVector([]float64{1}))
	f.Add([]byte{255, 255, 255, 255, 8, 0, 0, 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		v, ok := DecodeVector(b)
		if !ok {
			return
		}
		if len(v) == 0 {
			t.Fatal("an empty vector")
		}
		again, ok := DecodeVector(EncodeVector(v))
		if !ok || len(again) != len(v) {
			t.Fatalf("%v gives %v, %v", v, again, ok)
		}
		for i := range v {
			if again[i] != v[i] && !(math.IsNaN(again[i]) && math.IsNaN(v[i])) {
				t.Fatalf("number %d: %v, was %v", i, again[i], v[i])
			}
		}
	})
}

func FuzzOpen(f *testing.F) {
	key := NewKey("x")
	f.Add(seal("IFLANS01", key, []byte("content")))
	f.Add([]byte("IFLANS01"))
	f.Fuzz(func(t *testing.T, b []byte) {
		content, ok := open("IFLANS01", key, b)
		if ok && !bytes.Equal(seal("IFLANS01", key, content), b) {
			t.Fatalf("%x is not what is written for %q", b, content)
		}
	})
}
