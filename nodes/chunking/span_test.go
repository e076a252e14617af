package chunking

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// spansOf makes spans of pairs of bounds.
func spansOf(bounds ...int) []Span {
	spans := make([]Span, 0, len(bounds)/2)
	for i := 0; i < len(bounds); i += 2 {
		spans = append(spans, Span{Start: bounds[i], Stop: bounds[i+1]})
	}
	return spans
}

func TestDropBlank(t *testing.T) {
	text := "ab \n\t\u00a0\u3000cd  \u200b"
	spans := spansOf(0, 2, 2, 4, 4, 7, 4, 10, 3, 3, 7, 11, 12, 14, 14, 17, 2, 5, 0, 0)
	want := spansOf(0, 2, 7, 11, 14, 17)
	before := slices.Clone(spans)
	if got := DropBlank(text, spans); !slices.Equal(got, want) {
		t.Errorf("DropBlank = %v, want %v", got, want)
	}
	if !slices.Equal(spans, before) {
		t.Error("DropBlank changed its input")
	}
	if got := DropBlank("", nil); len(got) != 0 {
		t.Errorf("no spans: %v", got)
	}
}

func TestDropBlankMatchesTrim(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	for range 2000 {
		text, spans := randomSpans(rng)
		var want []Span
		for _, s := range spans {
			if strings.TrimSpace(s.Slice(text)) != "" {
				want = append(want, s)
			}
		}
		if got := DropBlank(text, spans); !slices.Equal(got, want) {
			t.Fatalf("DropBlank(%q, %v) = %v, want %v", text, spans, got, want)
		}
	}
}

// randomSpans returns a text and spans of it in no order, some empty.
func randomSpans(rng *rand.Rand) (string, []Span) {
	alphabet := []rune("ab  \n\n\r\u00a0日😀")
	var b strings.Builder
	bounds := []int{0}
	for range rng.IntN(30) {
		b.WriteRune(alphabet[rng.IntN(len(alphabet))])
		bounds = append(bounds, b.Len())
	}
	spans := make([]Span, rng.IntN(12))
	for i := range spans {
		x, y := bounds[rng.IntN(len(bounds))], bounds[rng.IntN(len(bounds))]
		spans[i] = Span{Start: min(x, y), Stop: max(x, y)}
	}
	if rng.IntN(2) == 0 {
		slices.SortFunc(spans, func(a, b Span) int { return a.Start - b.Start })
	}
	return b.String(), spans
}

func TestPositions(t *testing.T) {
	text := "añb\n日本\r\n\n😀x"
	spans := spansOf(0, 5, 5, 13, 13, 14, 14, 19, 0, len(text), 5, 5, 18, 19)
	want := []Position{
		{0, 4, 1, 1}, {4, 8, 2, 2}, {8, 9, 3, 3}, {9, 11, 4, 4}, {0, 11, 1, 4}, {4, 4, 2, 2}, {10, 11, 4, 4},
	}
	if got := Positions(text, spans); !slices.Equal(got, want) {
		t.Errorf("Positions = %v, want %v", got, want)
	}
}

func TestPositionsMatchPlainCounting(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	for range 2000 {
		text, spans := randomSpans(rng)
		for i, got := range Positions(text, spans) {
			s := spans[i]
			want := Position{
				StartChar: utf8.RuneCountInString(text[:s.Start]),
				StopChar:  utf8.RuneCountInString(text[:s.Stop]),
				StartLine: 1 + strings.Count(text[:s.Start], "\n"),
			}
			want.StopLine = want.StartLine
			if s.Stop > s.Start {
				_, last := utf8.DecodeLastRuneInString(text[:s.Stop])
				want.StopLine = 1 + strings.Count(text[:s.Stop-last], "\n")
			}
			if got != want {
				t.Fatalf("Positions(%q) of %v = %+v, want %+v", text, s, got, want)
			}
		}
	}
}
