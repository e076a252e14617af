package chunking

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// mergePlainly measures each candidate text as it would be emitted.
func mergePlainly(chunks []string, budget int, count func(string) int) []string {
	var out []string
	for i, c := range chunks {
		if i > 0 {
			if grown := out[len(out)-1] + "\n\n" + c; count(grown) <= budget {
				out[len(out)-1] = grown
				continue
			}
		}
		out = append(out, c)
	}
	return out
}

func TestMergeMeasuresWhatItEmits(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	words := []string{"", "a", "b c", "déjà vu", "日本語", "d e f g h", " \u00a0x "}
	// A counter whose parts do not add up: runs of line ends are one unit.
	clumped := func(s string) int {
		n, in := 0, false
		for _, r := range s {
			if r != '\n' || !in {
				n++
			}
			in = r == '\n'
		}
		return n
	}
	units := map[string]struct {
		unit  MergeUnit
		count func(string) int
	}{
		"words":   {Words(), func(s string) int { return len(strings.Fields(s)) }},
		"chars":   {Chars(), utf8.RuneCountInString},
		"clumped": {CountedBy(clumped), clumped},
		"bytes":   {CountedBy(func(s string) int { return len(s) }), func(s string) int { return len(s) }},
	}
	for name, u := range units {
		for range 1500 {
			chunks := make([]string, rng.IntN(20))
			for i := range chunks {
				chunks[i] = words[rng.IntN(len(words))]
			}
			budget := 1 + rng.IntN(40)
			got, want := Merge(chunks, budget, u.unit), mergePlainly(chunks, budget, u.count)
			if !slices.Equal(got, want) {
				t.Fatalf("%s: Merge(%q, %d) = %q, want %q", name, chunks, budget, got, want)
			}
		}
	}
}

func TestMergeCallsTheCounterSeldom(t *testing.T) {
	calls, bytes := 0, 0
	unit := CountedBy(func(s string) int { calls++; bytes += len(s); return len(s) })
	chunks := slices.Repeat([]string{"x"}, 20000)
	got := Merge(chunks, 3*len(chunks), unit)
	if len(got) != 1 || calls > 40 || bytes > 10*len(got[0]) {
		t.Errorf("%d groups, %d calls over %d bytes", len(got), calls, bytes)
	}
}
