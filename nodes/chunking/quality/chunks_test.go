package quality

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ironflow/ironflow/nodes/chunking"
)

// chunked cuts a text at the bars in it.
func chunked(marked string) ChunkedText {
	t := ChunkedText{Text: strings.ReplaceAll(marked, "|", "")}
	at := 0
	for _, chunk := range strings.Split(marked, "|") {
		t.Chunks = append(t.Chunks, chunk)
		t.Spans = append(t.Spans, chunking.Span{Start: at, Stop: at + len(chunk)})
		at += len(chunk)
	}
	return t
}

// partsOf finds each of the texts, every one once, in order.
func partsOf(text string, parts ...string) []chunking.Span {
	var spans []chunking.Span
	from := 0
	for _, p := range parts {
		start := from + strings.Index(text[from:], p)
		spans = append(spans, chunking.Span{Start: start, Stop: start + len(p)})
		from = start + len(p)
	}
	return spans
}

func TestScoreChunksByHand(t *testing.T) {
	// 4 + 5 + 5 = 14 characters that are not white space; chunks of 8, 3 and 6
	// characters, 9, 3 and 6 bytes.
	text := chunked("Tée. Rai|n f|alls. ")
	c := &ChunkCounter{Size: utf8.RuneCountInString, Limited: func(s string) int { return len(s) }, Limit: 8}
	s := c.ScoreChunks(text, Parts{Sentences: partsOf(text.Text, "Tée. ", "Rain falls."), Tables: partsOf(text.Text, "n f")})
	if !slices.Equal(s.Sizes, []int{8, 3, 6}) || s.Over != 1 {
		t.Errorf("sizes %v, over %d", s.Sizes, s.Over)
	}
	text.Limited = []string{"Tée. Ra", "header\nn f", "header\nalls."}
	if s := c.ScoreChunks(text, Parts{}); s.Over != 2 {
		t.Errorf("with a header: over %d, want 2", s.Over)
	}
	if s.Ink != 14 || s.Covered != 14 || s.Repeated != 0 || s.Coverage() != 1 {
		t.Errorf("%+v", s)
	}
	if s.Sentences != (Cut{Of: 2, Cut: 1}) || s.Tables != (Cut{Of: 1}) || s.Fences != (Cut{}) || s.Sentences.Share() != .5 || s.Fences.Share() != 0 {
		t.Errorf("cut: %+v", s)
	}
}

func TestCoverageByHand(t *testing.T) {
	// a b c d e f, a gap over c, b twice, d to e in a chunk out of order.
	text := ChunkedText{Text: "a b c d e f"}
	for _, span := range []chunking.Span{{Start: 0, Stop: 3}, {Start: 2, Stop: 4}, {Start: 10, Stop: 11}, {Start: 6, Stop: 9}, {Start: 8, Stop: 8}} {
		text.Spans = append(text.Spans, span)
		text.Chunks = append(text.Chunks, span.Slice(text.Text))
	}
	c := &ChunkCounter{Size: utf8.RuneCountInString}
	s := c.ScoreChunks(text, Parts{Sentences: partsOf(text.Text, "a", "a b"[2:], "c", "d e", "e f")})
	if s.Ink != 6 || s.Covered != 5 || s.Repeated != 1 || s.Coverage() != 5./6 {
		t.Errorf("%+v, coverage %v", s, s.Coverage())
	}
	// c lies in no chunk, "e f" in none whole.
	if s.Sentences != (Cut{Of: 5, Cut: 2}) {
		t.Errorf("cut: %+v", s.Sentences)
	}
	// A sentence that the next chunk repeats whole is not cut.
	text = ChunkedText{Text: "One two.", Spans: []chunking.Span{{Start: 0, Stop: 5}, {Start: 0, Stop: 8}}, Chunks: []string{"One t", "One two."}}
	if s := c.ScoreChunks(text, Parts{Sentences: partsOf(text.Text, "One two.")}); s.Sentences != (Cut{Of: 1}) || s.Repeated != 4 {
		t.Errorf("repeated: %+v", s)
	}
	if s := c.ScoreChunks(ChunkedText{Text: " \n"}, Parts{Sentences: []chunking.Span{{Start: 0, Stop: 2}}}); s.Coverage() != 1 || s.Sentences.Of != 0 || s.Sizes != nil {
		t.Errorf("blank: %+v", s)
	}
	if s := c.ScoreChunks(ChunkedText{Text: "x"}, Parts{}); s.Coverage() != 0 {
		t.Errorf("no chunk: %+v", s)
	}
}

func TestDuplicates(t *testing.T) {
	c := &ChunkCounter{Size: utf8.RuneCountInString}
	// "b" with other white space is the same, "B" is not.
	first := c.ScoreChunks(chunked("a|b |\nb|B"), Parts{})
	second := c.ScoreChunks(chunked("c|a"), Parts{})
	if first.Duplicates != 1 || second.Duplicates != 1 {
		t.Errorf("%d and %d duplicates, want 1 and 1", first.Duplicates, second.Duplicates)
	}
	first.Add(second)
	if first.Duplicates != 2 || len(first.Sizes) != 6 || first.Ink != 6 {
		t.Errorf("together: %+v", first)
	}
	sum := ChunkScores{Sentences: Cut{5, 1}, Fences: Cut{2, 2}, Tables: Cut{1, 0}, Over: 1, Repeated: 3, Covered: 4}
	sum.Add(ChunkScores{Sentences: Cut{1, 1}, Fences: Cut{1, 0}, Tables: Cut{1, 1}, Over: 2, Repeated: 1, Covered: 6})
	if sum.Sentences != (Cut{6, 2}) || sum.Fences != (Cut{3, 2}) || sum.Tables != (Cut{2, 1}) || sum.Over != 3 || sum.Repeated != 4 || sum.Covered != 10 {
		t.Errorf("sum: %+v", sum)
	}
}

func TestMedian(t *testing.T) {
	for _, c := range []struct {
		values []int
		want   float64
	}{{nil, 0}, {[]int{7}, 7}, {[]int{9, 1, 4}, 4}, {[]int{8, 1, 4, 3}, 3.5}} {
		before := slices.Clone(c.values)
		if got := Median(c.values); got != c.want || !slices.Equal(before, c.values) {
			t.Errorf("%v: %v, want %v", c.values, got, c.want)
		}
	}
}
