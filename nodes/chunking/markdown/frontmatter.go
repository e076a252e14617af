package markdown

import "strings"

const byteOrderMark = "\ufeff"

// frontMatter returns where the front matter at the beginning of a document ends
// (its closing line included), 0 if there is none: a line "---" (YAML) or "+++"
// (TOML), a line that is not blank, and later the same line again ("..." also
// closes YAML).
func frontMatter(text string) int {
	start := len(text) - len(strings.TrimPrefix(text, byteOrderMark))
	at := lineStop(text, start)
	fence := line(text, start, at)
	if fence != "---" && fence != "+++" || line(text, at, lineStop(text, at)) == "" {
		return 0
	}
	for at < len(text) {
		stop := lineStop(text, at)
		if l := line(text, at, stop); l == fence || l == "..." && fence == "---" {
			return stop
		}
		at = stop
	}
	return 0
}

func line(text string, start, stop int) string {
	return strings.TrimRight(text[start:stop], " \t\r\n")
}
