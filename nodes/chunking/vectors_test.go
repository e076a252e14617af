package chunking

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
)

func readTestdata(tb testing.TB, elem ...string) []byte {
	tb.Helper()
	data, err := os.ReadFile(filepath.Join(append([]string{"..", "..", "testdata"}, elem...)...))
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

type chunkVectors struct {
	Fixed []struct {
		Text       string
		Size       int
		Delimiters string
		Prefix     bool
		Chunks     []string
	}
	Split []struct {
		Text       string
		Delimiters string
		MinChars   int `json:"min_chars"`
		Chunks     []string
	}
	Merge []struct {
		Chunks    []string
		ChunkSize int `json:"chunk_size"`
		Unit      string
		Merged    []string
	}
}

func TestGoldenChunks(t *testing.T) {
	var v chunkVectors
	if err := json.Unmarshal(readTestdata(t, "vectors", "chunking.json"), &v); err != nil {
		t.Fatal(err)
	}
	if len(v.Fixed) == 0 || len(v.Split) == 0 || len(v.Merge) == 0 {
		t.Fatal("no vectors read")
	}
	for _, c := range v.Fixed {
		spans, err := Fixed(c.Text, FixedOptions{Size: c.Size, Delimiters: c.Delimiters, Prefix: c.Prefix})
		if got := Slices(c.Text, spans); err != nil || !slices.Equal(got, c.Chunks) {
			t.Errorf("Fixed(%q, size %d, delimiters %q, prefix %v) = %q, %v; want %q", c.Text, c.Size, c.Delimiters, c.Prefix, got, err, c.Chunks)
		}
	}
	for _, c := range v.Split {
		spans, err := Split(c.Text, SplitOptions{Delimiters: c.Delimiters, MinChars: c.MinChars})
		if got := Slices(c.Text, spans); err != nil || !slices.Equal(got, c.Chunks) {
			t.Errorf("Split(%q, %q, min %d) = %q, %v; want %q", c.Text, c.Delimiters, c.MinChars, got, err, c.Chunks)
		}
	}
	for _, c := range v.Merge {
		if got := Merge(c.Chunks, c.ChunkSize, Words()); !slices.Equal(got, c.Merged) {
			t.Errorf("Merge(%q, %d) = %q, want %q", c.Chunks, c.ChunkSize, got, c.Merged)
		}
	}
}
