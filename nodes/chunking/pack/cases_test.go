package pack_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ironflow/ironflow/nodes/chunking"
	"github.com/ironflow/ironflow/nodes/chunking/markdown"
	"github.com/ironflow/ironflow/nodes/chunking/pack"
	"github.com/ironflow/ironflow/nodes/chunking/semantic"
	"github.com/ironflow/ironflow/nodes/chunking/sentence"
	"github.com/ironflow/ironflow/nodes/chunking/unit"
)

// The kinds of fault that other chunkers were reported for; docs/design/
// chunking-cases.md maps them to these tests.

func chars(t *testing.T) unit.Counter {
	t.Helper()
	c, err := unit.New("chars", "")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func tokens(t *testing.T) unit.Counter {
	t.Helper()
	c, err := unit.New("tokens", "cl100k_base")
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func recursive(t *testing.T, text string, o pack.RecursiveOptions) []string {
	t.Helper()
	if o.Unit == nil {
		o.Unit = chars(t)
	}
	spans, err := pack.Recursive(text, o)
	if err != nil {
		t.Fatal(err)
	}
	return chunking.Slices(text, spans)
}

func sections(t *testing.T, text string, size int) ([]string, []markdown.Chunk) {
	t.Helper()
	chunks, err := markdown.Split(text, markdown.Options{Size: size, Unit: chars(t)})
	if err != nil {
		t.Fatal(err)
	}
	texts := make([]string, len(chunks))
	for i, c := range chunks {
		texts[i] = c.Slice(text)
	}
	return texts, chunks
}

func TestCasesOffsets(t *testing.T) {
	t.Run("repeated texts keep their own places", func(t *testing.T) { // 1, 4, 5
		text := "tide tide tide tide tide"
		spans, err := pack.Recursive(text, pack.RecursiveOptions{Size: 5, Unit: chars(t)})
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range spans {
			if s.Start != 5*i {
				t.Errorf("chunk %d starts at %d, want %d", i+1, s.Start, 5*i)
			}
		}
	})
	t.Run("token limits and offsets agree", func(t *testing.T) { // 2, 6, 7
		text := strings.Repeat("The harbour lies still. ", 20)
		spans, err := pack.Recursive(text, pack.RecursiveOptions{Size: 9, Overlap: 3, Unit: tokens(t)})
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range spans {
			if s.Start < 0 || s.Stop > len(text) || (i > 0 && s.Start <= spans[i-1].Start) {
				t.Fatalf("span %d: %v", i+1, s)
			}
			if n := tokens(t).Count(s.Slice(text)); n > 9 {
				t.Errorf("chunk %d has %d tokens", i+1, n)
			}
		}
	})
	t.Run("bytes of other scripts", func(t *testing.T) { // 9, 10, 29, 30, 97, 98, 99
		text := strings.Repeat("食べ物と魚😀", 50)
		for _, c := range recursive(t, text, pack.RecursiveOptions{Size: 7}) {
			if !utf8.ValidString(c) || utf8.RuneCountInString(c) > 7 {
				t.Errorf("chunk %q", c)
			}
		}
	})
	t.Run("nothing glued, nothing lost", func(t *testing.T) { // 12 to 15, 17, 21, 22, 24
		for _, text := range []string{
			"ayer el\n\nhuésped llegó\ttarde\u00a0y  cansado", "긴 한국어 문단 은 띄어쓰기 를 지켜야 한다", "    indented\n\tcode\n", "the end of the text\n ",
		} {
			if got := strings.Join(recursive(t, text, pack.RecursiveOptions{Size: 12}), ""); strings.TrimSpace(got) != strings.TrimSpace(text) {
				t.Errorf("joined %q, want %q", got, text)
			}
		}
	})
	t.Run("separators are text, never patterns", func(t *testing.T) { // 18, 19, 23
		got := recursive(t, `Hello\sworld Hello world`, pack.RecursiveOptions{Size: 13, Separators: []string{`\s`, ""}})
		if strings.Join(got, "") != `Hello\sworld Hello world` || got[0] != `Hello\s` {
			t.Errorf("chunks %q", got)
		}
	})
	t.Run("no chunk of white space alone", func(t *testing.T) { // 28, 72, 73
		for _, text := range []string{"a  " + strings.Repeat(" ", 1000) + "b ", " \n\t\n ", "text \n"} {
			for _, c := range recursive(t, text, pack.RecursiveOptions{Size: 4}) {
				if strings.TrimSpace(c) == "" {
					t.Errorf("a blank chunk in %q", text)
				}
			}
		}
	})
}

func TestCasesLimits(t *testing.T) {
	t.Run("one long line, one long word", func(t *testing.T) { // 37, 41, 44, 125b
		text := strings.Repeat("x", 5000) + " " + strings.Repeat("word ", 1000)
		for _, c := range recursive(t, text, pack.RecursiveOptions{Size: 100}) {
			if len(c) > 100 {
				t.Errorf("a chunk has %d characters", len(c))
			}
		}
	})
	t.Run("a sentence over the limit is cut", func(t *testing.T) { // 35, 39, 42
		spans, err := pack.Sentences(strings.Repeat("and so on ", 30)+". Next.", pack.SentencesOptions{Size: 10, Unit: tokens(t)})
		if err != nil || len(spans) < 5 {
			t.Fatalf("%d chunks, %v", len(spans), err)
		}
	})
	t.Run("semantic chunks have a hard maximum", func(t *testing.T) { // 25, 32, 38
		text := strings.TrimSpace(strings.Repeat("The tide is low. ", 12))
		sentences := sentence.ASCII(text)
		m := semantic.NewMatrix(len(sentences), 2)
		for i := range sentences {
			m.Row(i)[0] = 1
		}
		out, err := semantic.Segment(text, sentences, m, semantic.SegmentOptions{
			Detector: "topic", Savgol: semantic.DefaultOptions(), MaxSize: 40, Unit: chars(t), Additive: true,
			CutSentence: func(s string) ([]chunking.Span, error) {
				return pack.Recursive(s, pack.RecursiveOptions{Size: 40, Unit: chars(t)})
			},
		})
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range out.Texts {
			if len(c) > 40 || text[out.Spans[i].Start:out.Spans[i].Stop] != c {
				t.Errorf("chunk %q", c)
			}
		}
	})
	t.Run("overlap when a chunk is exactly full", func(t *testing.T) { // 47, 48
		got := recursive(t, "aaaa bbbb cccc dddd ", pack.RecursiveOptions{Size: 10, Overlap: 5})
		if len(got) < 3 || !strings.HasPrefix(got[1], "bbbb ") {
			t.Errorf("chunks %q", got)
		}
	})
}

func TestCasesProgress(t *testing.T) {
	for _, o := range []pack.RecursiveOptions{{Size: 512, Overlap: 512}, {Size: 10, Overlap: 11}, {Size: 0}, {Size: 5, MinSize: 6}} { // 49, 50, 56, 78, 82
		o.Unit = chars(t)
		var option *chunking.OptionError
		if _, err := pack.Recursive("aaaa", o); !errors.As(err, &option) || option.Param == "" {
			t.Errorf("%+v: %v", o, err)
		}
	}
	// 52 to 55, 58, 64: a tail, a word larger than a chunk, overlaps as large as can be.
	for _, text := range []string{strings.Repeat("a", 5000), strings.Repeat("b", 500) + " c", strings.Repeat("line\n", 100), strings.Repeat(" ", 100000) + "x", strings.Repeat("(", 20000)} {
		spans, err := pack.Recursive(text, pack.RecursiveOptions{Size: 100, Overlap: 99, Unit: chars(t)})
		if err != nil || len(spans) > len(text) {
			t.Errorf("%d chunks, %v", len(spans), err)
		}
	}
}

func TestCasesOddInputs(t *testing.T) {
	for _, text := range []string{"", " ", "....", "?", "\n\n"} { // 66, 71, 73
		if spans, err := pack.Sentences(text, pack.SentencesOptions{Size: 5, Unit: chars(t)}); err != nil || len(spans) > 1 {
			t.Errorf("%q: %v %v", text, spans, err)
		}
	}
	// 69, 70, 75, 76: vectors that are too few, mixed, or zero.
	if _, err := semantic.FromRows([][]float64{{1, 2}, {1}}); err == nil {
		t.Error("mixed dimensions pass")
	}
	text := "One. Two. Three."
	sentences := sentence.ASCII(text)
	if _, err := semantic.Segment(text, sentences, semantic.NewMatrix(2, 2), semantic.SegmentOptions{Detector: "savgol", Savgol: semantic.DefaultOptions()}); err == nil {
		t.Error("too few vectors pass")
	}
	out, err := semantic.Segment(text, sentences, semantic.NewMatrix(3, 2), semantic.SegmentOptions{Detector: "savgol", Savgol: semantic.DefaultOptions()})
	if err != nil || len(out.Texts) != 1 {
		t.Errorf("zero vectors: %q, %v", out.Texts, err)
	}
}

func TestCasesMarkdown(t *testing.T) {
	t.Run("both kinds of fence, a comment is no heading", func(t *testing.T) { // 102, 103, 106, 108
		text := "# Guide\n\n~~~~\n# a comment\n~~~ruby\nputs 1\n~~~~\n\n```sh\n# another\n```\n\n## Next\n\nbody\n"
		_, chunks := sections(t, text, 1000)
		if len(chunks) != 1 || !slices.Equal(chunks[0].Headings, []string{"Guide"}) {
			t.Errorf("headings %q", chunks[0].Headings)
		}
		texts, _ := sections(t, text, 60)
		if !slices.ContainsFunc(texts, func(c string) bool { return strings.Contains(c, "~~~~\n# a comment\n~~~ruby\nputs 1\n~~~~") }) {
			t.Errorf("the fence is cut: %q", texts)
		}
	})
	t.Run("the rest of a table has its header", func(t *testing.T) { // 43, 109, 111, 112
		text := "| gauge | since |\n|---|---|\n" + strings.Repeat("| float | 1931 |\n", 8)
		texts, chunks := sections(t, text, 100)
		if strings.Join(texts, "") != text || len(chunks) < 2 {
			t.Fatalf("chunks %q", texts)
		}
		for i, c := range chunks[1:] {
			if c.Context != "| gauge | since |\n|---|---|" {
				t.Errorf("chunk %d has the context %q", i+2, c.Context)
			}
			if n := len(c.Context) + len(texts[i+1]); n > 100 {
				t.Errorf("chunk %d has %d characters with its context", i+2, n)
			}
		}
	})
	t.Run("a heading stays with its body", func(t *testing.T) { // 115, 119
		texts, chunks := sections(t, "# One\n\nfirst body here\n\n# Two\n\nsecond body here\n", 30)
		if len(texts) != 2 || !strings.HasPrefix(texts[1], "# Two\n\nsecond") || chunks[1].Headings[0] != "Two" {
			t.Errorf("chunks %q", texts)
		}
	})
	t.Run("clusters stay whole", func(t *testing.T) { // 101
		text := "🇩🇪👩‍👩‍👧‍👦é🐱‍👤 "
		for _, c := range recursive(t, strings.Repeat(text, 20), pack.RecursiveOptions{Size: 8}) {
			if strings.HasPrefix(c, "\u200d") || strings.HasPrefix(c, "\u0301") || strings.Count(c, "🇩")+strings.Count(c, "🇪") != 2*strings.Count(c, "🇩🇪") {
				t.Errorf("a cluster is cut: %q", c)
			}
		}
	})
}
