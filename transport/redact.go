package transport

import (
	"encoding/base64"
	"encoding/json"
	"net/url"
	"sort"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
)

// minSecretBytes is the length from which a secret is removed from text. Shorter
// values occur in ordinary words and numbers.
const minSecretBytes = 8

// Redactor removes secrets from text. The zero value is ready to use and removes
// nothing. It is safe for concurrent use.
type Redactor struct {
	mu    sync.Mutex // serialises Add
	forms atomic.Pointer[[]string]
}

// Add makes r remove s: as it is, and in its base64 (standard and URL alphabet,
// padded or not, also inside a longer encoded text), URL-escaped, JSON-escaped
// and Go-quoted forms. Secrets under 8 bytes are not removed.
func (r *Redactor) Add(s Secret) {
	if len(s.Reveal()) < minSecretBytes {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	seen := map[string]bool{}
	var next []string
	for _, f := range append(r.list(), formsOf(s.Reveal())...) {
		if len(f) >= minSecretBytes && !seen[f] {
			seen[f] = true
			next = append(next, f)
		}
	}
	r.forms.Store(&next)
}

func (r *Redactor) list() []string {
	if p := r.forms.Load(); p != nil {
		return (*p)[:len(*p):len(*p)]
	}
	return nil
}

// formsOf returns the texts in which s may show up.
func formsOf(s string) []string {
	out := []string{s}
	out = append(out, encodedForms(s)...)
	q, p := url.QueryEscape(s), url.PathEscape(s)
	out = append(out, q, p, strings.ReplaceAll(q, "+", "%20"), lowerHex(q), lowerHex(p))
	out = append(out, inner(strconv.Quote(s)), inner(strconv.QuoteToASCII(s)))
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) == nil {
		out = append(out, inner(strings.TrimSuffix(b.String(), "\n")))
	}
	if j, err := json.Marshal(s); err == nil {
		out = append(out, inner(string(j)), strings.ReplaceAll(inner(string(j)), "/", `\/`))
	}
	return out
}

func inner(quoted string) string { return quoted[1 : len(quoted)-1] }

// lowerHex writes the hexadecimal digits of percent escapes in lower case, as
// some servers and proxies do.
func lowerHex(s string) string {
	b := []byte(s)
	for i := 0; i+2 < len(b); i++ {
		if b[i] == '%' {
			copy(b[i+1:i+3], strings.ToLower(string(b[i+1:i+3])))
		}
	}
	return string(b)
}

// encodedForms returns s in base64 and, for each of the three positions that s
// can have in a longer encoded text ("user:secret" in Basic credentials), those
// characters that depend on s alone.
func encodedForms(s string) []string {
	var out []string
	for _, e := range []*base64.Encoding{base64.StdEncoding, base64.URLEncoding} {
		out = append(out, e.EncodeToString([]byte(s)))
		e = e.WithPadding(base64.NoPadding)
		for skip := range 3 {
			t := e.EncodeToString(append(make([]byte, skip), s...))
			if skip == 0 {
				out = append(out, t)
			}
			from := (8*skip + 5) / 6
			to := 8 * (skip + len(s)) / 6
			out = append(out, t[from:to])
		}
	}
	return out
}

type span struct{ from, to int }

// Redact returns text with every form of every added secret replaced by ***.
// Overlapping finds are removed as one, so that no rest of a secret stays.
func (r *Redactor) Redact(text string) string {
	if r == nil {
		return text
	}
	var found []span
	for _, f := range r.list() {
		for at := 0; ; {
			i := strings.Index(text[at:], f)
			if i < 0 {
				break
			}
			found = append(found, span{at + i, at + i + len(f)})
			at += i + 1 // not past it: a secret may overlap itself
		}
	}
	if len(found) == 0 {
		return text
	}
	sort.Slice(found, func(i, j int) bool { return found[i].from < found[j].from })
	var b strings.Builder
	done := 0
	for i := 0; i < len(found); {
		to := found[i].to
		j := i + 1
		for ; j < len(found) && found[j].from <= to; j++ {
			to = max(to, found[j].to)
		}
		b.WriteString(text[done:found[i].from])
		b.WriteString(masked)
		done, i = to, j
	}
	b.WriteString(text[done:])
	return b.String()
}

// Empty reports whether r removes nothing.
func (r *Redactor) Empty() bool { return r == nil || len(r.list()) == 0 }
