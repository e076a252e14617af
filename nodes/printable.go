package nodes

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Printable escapes what a terminal would act on: control characters except
// newline and tab, and bytes that are not UTF-8. Text from documents, servers
// and programs goes through it on its way to a log or a screen. Applying it
// twice changes nothing more.
func Printable(s string) string {
	clean := true
	for _, r := range s {
		if steers(r) {
			clean = false
			break
		}
	}
	if clean && utf8.ValidString(s) {
		return s
	}
	var b strings.Builder
	for i, r := range s {
		switch {
		case r == utf8.RuneError && !strings.HasPrefix(s[i:], "\uFFFD"):
			fmt.Fprintf(&b, `\x%02x`, s[i])
		case !steers(r):
			b.WriteRune(r)
		case r < utf8.RuneSelf:
			fmt.Fprintf(&b, `\x%02x`, r)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
	}
	return b.String()
}

// steers reports whether a terminal may take r as a command.
func steers(r rune) bool { return unicode.IsControl(r) && r != '\n' && r != '\t' }

// SecretName reports whether a header or variable with this name usually holds
// a credential (X-Api-Key, GITHUB_TOKEN): its value is then kept out of logs,
// errors and records.
func SecretName(name string) bool {
	n := strings.ToLower(name)
	if n == "idempotency-key" {
		return false
	}
	for _, word := range strings.FieldsFunc(n, func(r rune) bool { return r == '-' || r == '_' || r == '.' }) {
		switch word {
		case "auth", "authorization", "authentication", "bearer", "cookie", "credential", "credentials", "jwt", "passwd", "pwd", "session", "signature":
			return true
		}
		for _, end := range []string{"key", "password", "secret", "token"} {
			if strings.HasSuffix(word, end) {
				return true
			}
		}
	}
	return false
}
