package markdown

import (
	"strings"
	"testing"
)

func TestFlatten(t *testing.T) {
	for _, c := range []struct{ name, in, want string }{
		{"text", "a\n\nb\n", "a\n\nb\n"},
		{"a hundred quotes", strings.Repeat(">", 100) + "x\n", strings.Repeat(">", 100) + "x\n"},
		{"one more", strings.Repeat(">", 101) + "y\n> z", strings.Repeat(">", 100) + "xy\n> z"},
		{"list markers", strings.Repeat("1. ", 101) + "y", strings.Repeat("1. ", 100) + "1x y"},
		{"a marker far to the right", strings.Repeat(" ", 200) + "- a", strings.Repeat(" ", 200) + "x a"},
		{"a rule is no list", strings.Repeat("-", 300), strings.Repeat("-", 300)},
		{"two blank lines", "a\n\n\nb", "a\n\n\nb"},
		{"five blank lines", "a\n\n\n\n\n\n  b", "a\n\n   \n  b"},
		{"blank lines of blanks", "a\n \n\t\n \r\n\nb", "a\n \n\t  \r \nb"},
		{"two runs", "\n\n\na\n\n\n\n", "\n \na\n\n \n"},
	} {
		got := []byte(c.in)
		if flatten(got); string(got) != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestBlankLinesKeepTheStructure(t *testing.T) {
	gap := strings.Repeat("\n", 40)
	text := "- item" + gap + "  ```" + gap + "  code" + gap + "  ```" + gap + "# Head" + gap + "text"
	chunks := mustSplit(t, text, Options{Size: 150, Unit: bytesUnit})
	if got := strings.Join(texts(text, chunks), ""); got != text {
		t.Errorf("joined %q", got)
	}
	last := chunks[len(chunks)-1]
	if len(last.Headings) != 1 || last.Headings[0] != "Head" || !strings.HasPrefix(strings.TrimSpace(last.Slice(text)), "# Head") {
		t.Errorf("last chunk %q under %q", last.Slice(text), last.Headings)
	}
	for _, c := range chunks {
		if s := c.Slice(text); strings.Count(s, "```")%2 != 0 {
			t.Errorf("fence cut: %q", s)
		}
	}
}

func TestHeaderAsContext(t *testing.T) {
	table := func(header string) string {
		return "| " + header + " |\n| - |\n" + strings.Repeat("| row |\n", 40)
	}
	for _, c := range []struct {
		header string
		want   bool
	}{
		{"name", true},
		{strings.Repeat("h", 39), true},  // 50 of 100 bytes with both line ends
		{strings.Repeat("h", 40), false}, // would leave 49
		{strings.Repeat("h", 300), false},
	} {
		text := table(c.header)
		chunks := mustSplit(t, text, Options{Size: 100, Unit: bytesUnit})
		checkSizes(t, text, chunks, bytesUnit, 100)
		last := chunks[len(chunks)-1]
		want := ""
		if c.want {
			want = "| " + c.header + " |\n| - |"
		}
		if last.Context != want {
			t.Errorf("header of %d bytes: context %q, want %q", len(c.header), last.Context, want)
		}
	}
}
