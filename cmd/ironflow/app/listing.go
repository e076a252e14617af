package app

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/ironflow/ironflow/nodes/value"
)

// listingCut is how many characters of a string the listing shows.
const listingCut = 200

// writeListing prints one line for each key: name, type, size, and for scalars
// the value. Lists and objects are never printed.
func writeListing(w io.Writer, context map[string]any) error {
	width := 0
	for k := range context {
		width = max(width, min(40, utf8.RuneCountInString(k)))
	}
	for _, k := range slices.Sorted(maps.Keys(context)) {
		pad := strings.Repeat(" ", max(0, width-utf8.RuneCountInString(k)))
		if _, err := fmt.Fprintf(w, "%s%s  %s\n", escapeLine(k), pad, summarize(context[k])); err != nil {
			return err
		}
	}
	return nil
}

// summarize describes a value in one line.
func summarize(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		cut := cutRunes(v, listingCut)
		text := strconv.Quote(cut)
		if len(cut) < len(v) {
			return fmt.Sprintf("string   %s...  %s", text, size(int64(len(v))))
		}
		return "string   " + text
	case bool:
		return "boolean  " + strconv.FormatBool(v)
	case int64:
		return "number   " + strconv.FormatInt(v, 10)
	case float64:
		return "number   " + strconv.FormatFloat(v, 'g', -1, 64)
	}
	if n, ok := value.Len(v); ok {
		if vec, ok := v.(*value.Vectors); ok {
			return fmt.Sprintf("array    %s of %d numbers, %s", count(n, "vector"), vec.Dim(), size(value.Size(v)))
		}
		return fmt.Sprintf("array    %s, %s", count(n, "element"), size(value.Size(v)))
	}
	if m, ok := v.(map[string]any); ok {
		return fmt.Sprintf("object   %s, %s", count(len(m), "member"), size(value.Size(v)))
	}
	return value.TypeName(v)
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// size gives a number of bytes in the unit that fits, to one decimal place.
func size(n int64) string {
	switch {
	case n < 1000:
		return fmt.Sprintf("%d B", n)
	case n < 1000*1000:
		return fmt.Sprintf("%.1f kB", float64(n)/1e3)
	case n < 1000*1000*1000:
		return fmt.Sprintf("%.1f MB", float64(n)/1e6)
	}
	return fmt.Sprintf("%.1f GB", float64(n)/1e9)
}

func cutRunes(s string, n int) string {
	for i := range s {
		if n == 0 {
			return s[:i]
		}
		n--
	}
	return s
}

// escapeLine is escapeControl for text that must stay on one line.
func escapeLine(s string) string {
	return strings.NewReplacer("\n", `\n`, "\t", `\t`).Replace(escapeControl(s))
}
