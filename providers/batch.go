package providers

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// span is a half-open range of inputs, 0-based.
type span struct{ lo, hi int }

// checkTexts checks every input before the first request: none blank, none
// broken, none too long for a batch of its own. Positions in errors are
// 1-based.
func checkTexts(texts []string, prefix string, maxBytes int) error {
	if !utf8.ValidString(prefix) {
		return inputError("prefix is not valid UTF-8")
	}
	for i, t := range texts {
		switch {
		case strings.TrimSpace(t) == "":
			return inputError("input %d of %d is empty or white space alone: leave such texts out", i+1, len(texts))
		case !utf8.ValidString(t):
			return inputError("input %d of %d is not valid UTF-8: convert the text first", i+1, len(texts))
		case len(t)+len(prefix) > maxBytes:
			return inputError("input %d of %d has %d bytes%s, but batch_max_bytes is %d: split the text into smaller chunks, or raise batch_max_bytes",
				i+1, len(texts), len(t)+len(prefix), withPrefix(prefix), maxBytes)
		}
	}
	return nil
}

func withPrefix(prefix string) string {
	if prefix == "" {
		return ""
	}
	return " with its prefix"
}

func inputError(format string, args ...any) error {
	return &Error{Kind: KindInput, Detail: fmt.Sprintf(format, args...)}
}

// planBatches cuts the inputs into batches, greedily and in order: a batch
// closes when the next text would take it over size texts or over maxBytes
// bytes of text. Each text fits alone; checkTexts has seen to that.
func planBatches(texts []string, prefix string, size, maxBytes int) []span {
	var plan []span
	lo, bytes := 0, 0
	for i, t := range texts {
		n := len(t) + len(prefix)
		if i > lo && (i-lo == size || bytes+n > maxBytes) {
			plan = append(plan, span{lo, i})
			lo, bytes = i, 0
		}
		bytes += n
	}
	if lo < len(texts) {
		plan = append(plan, span{lo, len(texts)})
	}
	return plan
}
