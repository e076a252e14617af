package pack

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ironflow/ironflow/nodes/chunking"
	"github.com/ironflow/ironflow/nodes/chunking/sentence"
)

var fuzzUnits = []Measure{bytesUnit, charsUnit, pairUnit{}}

func addSeeds(f *testing.F) {
	for _, s := range []string{
		"", " ", "\n\n", "a", "One. Two! Three?", "Title\n\nA paragraph of words, and more; so: there.\n\nAnother.\n",
		"a" + strings.Repeat(" ", 50) + "b", strings.Repeat("\r\n", 9) + "x\r\n\r\ny", "\u00a0\u3000x\u2003",
		"👩‍👩‍👧‍👦🇩🇪🇫🇷🇮🇹 👍🏽é́́́ ", "e\u0301\u0301 \u0301x", "天地。玄黄，宇宙！洪荒？", "नमस्ते दुनिया। क्षत्रिय॥", "ᄀᄀ각각ᆨ", "\u0600 \u0600a",
		"ก็กำ กำ", strings.Repeat("ab ", 40), strings.Repeat("x", 70), "\ufeffabc", "a\x00b", "z\u200d\u200d 👩\u200d",
	} {
		f.Add(s, uint16(7), uint16(2), uint16(3), uint8(0))
		f.Add(s, uint16(1), uint16(0), uint16(1), uint8(1))
		f.Add(s, uint16(20), uint16(9), uint16(15), uint8(5))
	}
}

func FuzzRecursive(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, text string, size, overlap, least uint16, kind uint8) {
		o := RecursiveOptions{
			Size: 1 + int(size)%300, Unit: fuzzUnits[int(kind)%3],
			Sentences: []SplitFunc{sentence.Unicode, sentence.ASCII}[int(kind)/3%2],
		}
		if kind/6%3 == 1 {
			o.Separators = []string{"\n\n", "ab", "\u0301", " ", ""}
		}
		if !utf8.ValidString(text) {
			_, err := Recursive(text, o)
			if bad := new(chunking.InvalidUTF8Error); !errors.As(err, &bad) {
				t.Fatalf("invalid UTF-8: %v", err)
			}
			return
		}
		spans := mustRecursive(t, text, o)
		checkPromises(t, text, spans, o.Unit, o.Size)
		if again := mustRecursive(t, text, o); !slices.Equal(spans, again) {
			t.Fatalf("%v, then %v", spans, again)
		}
		o.MinSize = int(least) % (o.Size + 1)
		spans = mustRecursive(t, text, o)
		checkPromises(t, text, spans, o.Unit, o.Size)
		if o.MinSize > 0 && kind%3 != 2 {
			checkLeast(t, text, spans, o)
		}
		o.Overlap = int(overlap) % o.Size
		spans = mustRecursive(t, text, o)
		checkSizes(t, text, spans, o.Unit, o.Size)
		for i := 1; i < len(spans); i++ {
			one, two := spans[i-1], spans[i]
			if two.Start < one.Stop && o.Unit.Count(text[two.Start:one.Stop]) > o.Overlap {
				t.Fatalf("overlap %q is more than %d", text[two.Start:one.Stop], o.Overlap)
			}
			if new := text[min(one.Stop, two.Stop):two.Stop]; strings.TrimSpace(new) == "" {
				t.Fatalf("chunk %d adds nothing: %q", i, new)
			}
		}
	})
}

// checkLeast fails if a chunk under the least size could be joined to a
// neighbour.
func checkLeast(t *testing.T, text string, spans []chunking.Span, o RecursiveOptions) {
	t.Helper()
	for i := 1; i < len(spans); i++ {
		one, two := spans[i-1], spans[i]
		small := min(o.Unit.Count(one.Slice(text)), o.Unit.Count(two.Slice(text)))
		if joined := o.Unit.Count(text[one.Start:two.Stop]); small < o.MinSize && joined <= o.Size {
			t.Fatalf("%q and %q: one is under %d, together they are %d", one.Slice(text), two.Slice(text), o.MinSize, joined)
		}
	}
}

func FuzzSentences(f *testing.F) {
	addSeeds(f)
	f.Fuzz(func(t *testing.T, text string, size, overlap, _ uint16, kind uint8) {
		if !utf8.ValidString(text) {
			return
		}
		o := SentencesOptions{
			Size: 1 + int(size)%300, Unit: fuzzUnits[int(kind)%3],
			Sentences: []SplitFunc{sentence.Unicode, sentence.ASCII}[int(kind)/3%2],
		}
		spans, err := Sentences(text, o)
		if err != nil {
			t.Fatal(err)
		}
		checkPromises(t, text, spans, o.Unit, o.Size)
		o.Overlap = int(overlap) % 5
		spans, err = Sentences(text, o)
		if err != nil {
			t.Fatal(err)
		}
		checkSizes(t, text, spans, o.Unit, o.Size)
		starts := map[int]bool{}
		for _, s := range o.Sentences(text) {
			starts[s.Start] = true
		}
		for i := 1; i < len(spans); i++ {
			if one, two := spans[i-1], spans[i]; two.Start < one.Stop && !starts[two.Start] {
				t.Fatalf("overlap of chunk %d begins inside a sentence: %q", i, two.Slice(text))
			}
		}
	})
}
