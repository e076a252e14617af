package markdown

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"github.com/ironflow/ironflow/nodes/chunking/pack"
)

// checkPromises fails unless the chunks of text keep what the package promises,
// without overlap.
func checkPromises(t *testing.T, text string, chunks []Chunk, unit pack.Measure, size int) {
	t.Helper()
	checkSizes(t, text, chunks, unit, size)
	starts := []int{0}
	for state, rest := -1, text; rest != ""; {
		_, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		starts = append(starts, len(text)-len(rest))
	}
	whole := func(at int) {
		if k, found := slices.BinarySearch(starts, at); !found {
			if cluster := text[starts[k-1]:starts[k]]; unit.Count(cluster) <= size {
				t.Fatalf("cluster %q is cut at %d although it fits", cluster, at)
			}
		}
	}
	at := 0
	for i, c := range chunks {
		if c.Start < at {
			t.Fatalf("chunk %d starts at %d, before the end of its forerunner, %d", i, c.Start, at)
		}
		if hole := text[at:c.Start]; hole != "" {
			if strings.TrimSpace(hole) != "" {
				t.Fatalf("%q is in no chunk", hole)
			}
			if unit.Count(text[at:c.Stop]) <= size && c.Context == "" {
				t.Fatalf("white space %q left out although it fits chunk %d", hole, i)
			}
		}
		whole(c.Start)
		whole(c.Stop)
		at = c.Stop
	}
	if hole := text[at:]; strings.TrimSpace(hole) != "" {
		t.Fatalf("%q is in no chunk", hole)
	}
}

func checkSizes(t *testing.T, text string, chunks []Chunk, unit pack.Measure, size int) {
	t.Helper()
	last := Chunk{}
	last.Start = -1
	for i, c := range chunks {
		if c.Start <= last.Start || c.Stop <= last.Stop || c.Stop > len(text) {
			t.Fatalf("chunk %d is %v after %v in a text of %d bytes", i, c.Span, last.Span, len(text))
		}
		chunk := c.Slice(text)
		if strings.TrimSpace(chunk) == "" || !utf8.ValidString(chunk) {
			t.Fatalf("chunk %d is blank or no valid UTF-8: %q", i, chunk)
		}
		if n := unit.Count(c.Context) + unit.Count(chunk); n > size && (utf8.RuneCountInString(chunk) > 1 || c.Context != "") {
			t.Fatalf("chunk %d measures %d, more than %d: %q with %q", i, n, size, chunk, c.Context)
		}
		if c.Context != "" && 2*(size-unit.Count(c.Context)) < size {
			t.Fatalf("context of chunk %d leaves less than half of %d: %q", i, size, c.Context)
		}
		last = c
	}
}

func mustSplit(t testing.TB, text string, o Options) []Chunk {
	t.Helper()
	chunks, err := Split(text, o)
	if err != nil {
		t.Fatal(err)
	}
	return chunks
}

func texts(text string, chunks []Chunk) []string {
	out := make([]string, len(chunks))
	for i, c := range chunks {
		out[i] = c.Slice(text)
	}
	return out
}
