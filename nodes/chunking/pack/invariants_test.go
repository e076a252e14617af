package pack

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/rivo/uniseg"

	"github.com/ironflow/ironflow/nodes/chunking"
)

// checkPromises fails unless spans keep what the package promises for chunks
// without overlap.
func checkPromises(t *testing.T, text string, spans []chunking.Span, unit Measure, size int) {
	t.Helper()
	checkSizes(t, text, spans, unit, size)
	boundaries := clusterStarts(text)
	at := 0
	gap := func(start, stop int) {
		if hole := text[start:stop]; strings.TrimSpace(hole) != "" {
			t.Fatalf("%q is in no chunk", hole)
		}
	}
	for i, s := range spans {
		if s.Start < at {
			t.Fatalf("chunk %d starts at %d, before the end of its forerunner, %d", i, s.Start, at)
		}
		gap(at, s.Start)
		if hole := text[at:s.Start]; hole != "" {
			if i > 0 && unit.Count(text[spans[i-1].Start:s.Start]) <= size {
				t.Fatalf("white space %q left out although it fits chunk %d", hole, i-1)
			}
			if unit.Count(text[at:s.Stop]) <= size {
				t.Fatalf("white space %q left out although it fits chunk %d", hole, i)
			}
		}
		checkClusters(t, text, s.Stop, boundaries, unit, size)
		checkClusters(t, text, s.Start, boundaries, unit, size)
		at = s.Stop
	}
	gap(at, len(text))
	if n := len(spans); n > 0 && at < len(text) && unit.Count(text[spans[n-1].Start:]) <= size {
		t.Fatalf("white space %q left out although it fits the last chunk", text[at:])
	}
}

// checkSizes checks each chunk by itself.
func checkSizes(t *testing.T, text string, spans []chunking.Span, unit Measure, size int) {
	t.Helper()
	last := chunking.Span{Start: -1}
	for i, s := range spans {
		if s.Start <= last.Start || s.Stop <= last.Stop || s.Stop > len(text) {
			t.Fatalf("chunk %d is %v after %v in a text of %d bytes", i, s, last, len(text))
		}
		chunk := s.Slice(text)
		if strings.TrimSpace(chunk) == "" {
			t.Fatalf("chunk %d is blank: %q", i, chunk)
		}
		if !utf8.ValidString(chunk) {
			t.Fatalf("chunk %d is no valid UTF-8: %q", i, chunk)
		}
		if n := unit.Count(chunk); n > size && utf8.RuneCountInString(chunk) > 1 {
			t.Fatalf("chunk %d measures %d, more than %d: %q", i, n, size, chunk)
		}
		last = s
	}
}

func clusterStarts(text string) []int {
	starts := []int{0}
	state, rest := -1, text
	for rest != "" {
		_, rest, _, state = uniseg.FirstGraphemeClusterInString(rest, state)
		starts = append(starts, len(text)-len(rest))
	}
	return starts
}

func checkClusters(t *testing.T, text string, at int, boundaries []int, unit Measure, size int) {
	t.Helper()
	k, found := slices.BinarySearch(boundaries, at)
	if found {
		return
	}
	if cluster := text[boundaries[k-1]:boundaries[k]]; unit.Count(cluster) <= size {
		t.Fatalf("cluster %q (%d bytes) is cut at %d although it fits", cluster, len(cluster), at)
	}
}

func join(text string, spans []chunking.Span) string {
	return strings.Join(chunking.Slices(text, spans), "")
}

func mustRecursive(t testing.TB, text string, o RecursiveOptions) []chunking.Span {
	t.Helper()
	spans, err := Recursive(text, o)
	if err != nil {
		t.Fatal(err)
	}
	return spans
}

func quoted(text string, spans []chunking.Span) string {
	return fmt.Sprintf("%q", chunking.Slices(text, spans))
}
