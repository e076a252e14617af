package providers

import (
	"strings"
	"testing"
)

func TestInputCut(t *testing.T) {
	text := strings.Repeat("many words ", 150)
	for _, c := range []struct {
		name  string
		texts []string
		usage *Usage
		cut   bool
	}{
		{"read to the end", []string{text}, &Usage{InputTokens: 302}, false},
		{"exactly a token for each word", []string{text}, &Usage{InputTokens: 300}, false},
		{"one token fewer", []string{text}, &Usage{InputTokens: 299}, true},
		{"far fewer", []string{text, text}, &Usage{InputTokens: 512}, true},
		{"the server says nothing", []string{text}, nil, false},
		{"a made-up count", []string{text}, &Usage{InputTokens: 1}, false},
		{"the server says 0", []string{text}, &Usage{}, false},
		{"signs may be dropped", []string{strings.Repeat("- ", 200) + "a"}, &Usage{InputTokens: 40}, false},
		{"no white space", []string{strings.Repeat("日本語", 200)}, &Usage{InputTokens: 128}, false},
	} {
		notes := embedCut(c.texts, c.usage)
		if wasCut(notes) != c.cut {
			t.Errorf("%s: %v", c.name, notes)
		}
		if got := chatCut([]Message{{Role: RoleUser, Content: strings.Join(c.texts, " ")}}, c.usage); wasCut(got) != c.cut {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	note := embedCut([]string{text}, &Usage{InputTokens: 128})[0].String()
	if !strings.Contains(note, "read 128 tokens of texts with 300 words") || !strings.Contains(note, "make the chunks smaller") {
		t.Errorf("the note is %q", note)
	}
}
