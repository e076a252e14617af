package sentence

import (
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ironflow/ironflow/nodes/chunking"
)

func TestASCII(t *testing.T) {
	for text, want := range map[string][]string{
		"":                              nil,
		" \t\n\u00a0":                   nil,
		"no terminator":                 {"no terminator"},
		"One. Two! Three?":              {"One.", "Two!", "Three?"},
		"  One.\r\n\f\tTwo  ":           {"  One.", "Two  "},
		"v1.2.3 is out. See a.b?c=d":    {"v1.2.3 is out.", "See a.b?c=d"},
		"Wait... what?! Yes.":           {"Wait...", "what?!", "Yes."},
		"He said \"why?\" twice. Then.": {"He said \"why?\" twice.", "Then."},
		"e.g. this splits.":             {"e.g.", "this splits."},
		"End.\u00a0 Not here. \u00a0":   {"End.\u00a0 Not here."},
		"日本。語. 次":                       {"日本。語.", "次"},
		". . .":                         {".", ".", "."},
		"A.\vB. C":                      {"A.\vB.", "C"},
		"Lone dot at end .":             {"Lone dot at end ."},
	} {
		if got := chunking.Slices(text, ASCII(text)); !slices.Equal(got, want) {
			t.Errorf("ASCII(%q) = %q, want %q", text, got, want)
		}
	}
}

func FuzzSentence(f *testing.F) {
	f.Add("One. Two! Three?")
	f.Add("  a.\n\n\u00a0b.c ")
	f.Add("日本。語. 😀! \u2003")
	sentenceOrTail := regexp.MustCompile(`(?s).*?[.!?](?:[ \t\n\r\f]+|$)|.+$`)
	f.Fuzz(func(t *testing.T, text string) {
		spans := ASCII(text)
		last := 0
		for _, s := range spans {
			if s.Start < last || s.Stop <= s.Start || s.Stop > len(text) {
				t.Fatalf("ASCII(%q): span %v after %d", text, s, last)
			}
			if strings.TrimSpace(text[last:s.Start]) != "" {
				t.Fatalf("ASCII(%q) loses %q", text, text[last:s.Start])
			}
			if strings.TrimSpace(s.Slice(text)) == "" || utf8.ValidString(text) && !utf8.ValidString(s.Slice(text)) {
				t.Fatalf("ASCII(%q): sentence %q", text, s.Slice(text))
			}
			last = s.Stop
		}
		if strings.TrimSpace(text[last:]) != "" {
			t.Fatalf("ASCII(%q) loses the tail %q", text, text[last:])
		}
		if !utf8.ValidString(text) {
			return
		}
		var want []string
		for _, piece := range sentenceOrTail.FindAllString(text, -1) {
			if trimmed := strings.TrimRight(piece, " \t\n\r\f"); trimmed != piece && strings.ContainsAny(trimmed[max(0, len(trimmed)-1):], ".!?") {
				piece = trimmed
			}
			if strings.TrimSpace(piece) != "" {
				want = append(want, piece)
			}
		}
		if got := chunking.Slices(text, spans); !slices.Equal(got, want) {
			t.Fatalf("ASCII(%q) = %q, want %q", text, got, want)
		}
	})
}

func BenchmarkASCII(b *testing.B) {
	text := strings.Repeat("The keeper lit the lantern before the storm came in. Nobody asked why! ", 20000)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		ASCII(text)
	}
}
