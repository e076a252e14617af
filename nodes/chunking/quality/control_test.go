package quality

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/nodes/chunking"
	"github.com/ironflow/ironflow/nodes/chunking/sentence"
)

func controlText(text string) ControlText {
	return ControlText{Text: text, Sentences: sentence.ASCII(text)}
}

func TestPackedControl(t *testing.T) {
	// Ten sentences of 9 characters with blanks between: k of them are 10k - 1.
	ten := strings.TrimSpace(strings.Repeat("Aä bb cc. ", 10))
	for _, c := range []struct {
		mean   float64
		chunks []int // how many sentences each has
	}{
		{9, []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
		{1, []int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}},
		{19, []int{2, 2, 2, 2, 2}},
		{24, []int{3, 3, 3, 1}}, // mean 24
		{23, []int{3, 3, 3, 1}}, // 24 is nearer than 19
		{20, []int{2, 2, 2, 2, 2}},
		{49, []int{5, 5}},
		{900, []int{10}},
	} {
		chunks, limit, err := PackedControl([]ControlText{controlText(ten)}, c.mean, 1000)
		if err != nil {
			t.Fatal(err)
		}
		var got []int
		for _, span := range chunks[0] {
			got = append(got, strings.Count(span.Slice(ten), "."))
		}
		if !slices.Equal(got, c.chunks) {
			t.Errorf("mean %v: %v sentences with limit %d, want %v", c.mean, got, limit, c.chunks)
		}
	}
}

func TestPackedControlLongSentences(t *testing.T) {
	text := "Short one. " + strings.Repeat("word ", 60) + "end. Short two. Short three."
	for largest, want := range map[int]string{
		// The long sentence has 304 characters.
		1000: "1 of 304",
		304:  "1 of 304",
		120:  "0 of 304",
	} {
		chunks, _, err := PackedControl([]ControlText{controlText(text)}, 40, largest)
		if err != nil {
			t.Fatal(err)
		}
		whole, most := 0, 0
		for _, span := range chunks[0] {
			if span.Stop-span.Start == 304 {
				whole++
			}
			most = max(most, span.Stop-span.Start)
		}
		if got := fmt.Sprintf("%d of 304", whole); got != want || most > max(largest, 40) {
			t.Errorf("largest %d: %s, the largest has %d", largest, got, most)
		}
	}
}

// TestPackedControlOfCorpora: whole sentences, in order, none lost, and a mean that
// comes within half a per cent.
func TestPackedControlOfCorpora(t *testing.T) {
	names, texts := chromaTexts(t)
	var control []ControlText
	for _, text := range texts {
		control = append(control, ControlText{Text: text, Sentences: sentence.Unicode(text)})
	}
	for _, mean := range []float64{300, 800} {
		chunks, limit, err := PackedControl(control, mean, 10000)
		if err != nil {
			t.Fatal(err)
		}
		size, count := 0, 0
		for i, spans := range chunks {
			next := 0
			for j, p := range chunking.Positions(texts[i], spans) {
				size += p.StopChar - p.StartChar
				count++
				first := next
				for next < len(control[i].Sentences) && control[i].Sentences[next].Stop <= spans[j].Stop {
					next++
				}
				if control[i].Sentences[first].Start != spans[j].Start || control[i].Sentences[next-1].Stop != spans[j].Stop {
					t.Fatalf("%s: chunk %d is not whole sentences", names[i], j+1)
				}
				if p.StopChar-p.StartChar > limit && next-first > 1 {
					t.Fatalf("%s: chunk %d is over the limit", names[i], j+1)
				}
			}
			if next != len(control[i].Sentences) {
				t.Errorf("%s: %d of %d sentences", names[i], next, len(control[i].Sentences))
			}
		}
		if got := float64(size) / float64(count); math.Abs(got/mean-1) > .005 {
			t.Errorf("mean %v, want %v", got, mean)
		}
	}
}

func TestPackedControlOfNothing(t *testing.T) {
	for _, texts := range [][]ControlText{nil, {{Text: " \n"}}} {
		chunks, limit, err := PackedControl(texts, 100, 100)
		if err != nil || len(chunks) != len(texts) || limit < 1 {
			t.Errorf("%v: %v, %d, %v", texts, chunks, limit, err)
		}
	}
}
