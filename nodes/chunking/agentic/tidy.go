package agentic

import (
	"strings"
	"unicode"
)

// tidy puts a statement on one line. clean is false if it holds control
// characters that its sources cannot account for: an escape that was not meant as
// one, such as the \t of C:\temp. A line break or tab between words that stand in
// the sources like that is no more than white space.
func tidy(text, sources string) (line string, clean bool) {
	if !strings.ContainsFunc(text, unicode.IsControl) {
		return text, true
	}
	words := map[string]bool{}
	for _, w := range strings.Fields(sources) {
		words[bare(w)] = true
	}
	clean = true
	rest := text
	for rest != "" {
		at := strings.IndexFunc(rest, unicode.IsControl)
		if at < 0 {
			break
		}
		left, right := lastWord(rest[:at]), firstWord(rest[at+1:])
		if !unicode.IsSpace(rune(rest[at])) || left != "" && !words[bare(left)] || right != "" && !words[bare(right)] {
			clean = false
			break
		}
		rest = rest[at+1:]
	}
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " "), clean
}

func lastWord(s string) string {
	s = strings.TrimRight(s, " ")
	return s[strings.LastIndexFunc(s, unicode.IsSpace)+1:]
}

func firstWord(s string) string {
	s = strings.TrimLeft(s, " ")
	if at := strings.IndexFunc(s, unicode.IsSpace); at >= 0 {
		return s[:at]
	}
	return s
}

// bare is a word without the punctuation around it, in lower case.
func bare(w string) string {
	return strings.ToLower(strings.TrimFunc(w, func(r rune) bool { return unicode.IsPunct(r) || unicode.IsSymbol(r) }))
}
