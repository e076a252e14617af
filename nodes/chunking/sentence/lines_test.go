package sentence

import (
	"slices"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/nodes/chunking"
)

func TestLines(t *testing.T) {
	for text, want := range map[string][]string{
		"":                            nil,
		" \n\t\n\u00a0\n":             nil,
		"One. Two.\nThree":            {"One. Two.", "Three"},
		"\n  a \r\n\r\n\u3000b\u3000": {"a", "b"},
		"a\n\n\na\n":                  {"a", "a"},
	} {
		spans := Lines(text)
		if got := chunking.Slices(text, spans); !slices.Equal(got, want) {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func FuzzLines(f *testing.F) {
	f.Add("a\n b \r\n\n\u3000c")
	f.Fuzz(func(t *testing.T, text string) {
		stop := 0
		var ink strings.Builder
		for _, s := range Lines(text) {
			if s.Start < stop || s.Stop <= s.Start || s.Stop > len(text) {
				t.Fatalf("%q: span %+v after %d", text, s, stop)
			}
			if line := s.Slice(text); strings.TrimSpace(line) != line || strings.Contains(line, "\n") {
				t.Fatalf("%q: sentence %q", text, line)
			}
			ink.WriteString(s.Slice(text))
			stop = s.Stop
		}
		want := strings.Join(strings.FieldsFunc(text, func(r rune) bool { return r == '\n' }), "")
		if strings.Join(strings.Fields(want), "") != strings.Join(strings.Fields(ink.String()), "") {
			t.Fatalf("%q: lost something: %q", text, ink.String())
		}
	})
}
