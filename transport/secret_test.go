package transport_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/ironflow/ironflow/transport"
)

// holder has a Secret where fmt cannot call its methods.
type holder struct {
	Open   transport.Secret
	hidden transport.Secret
	list   []transport.Secret
	ptr    *transport.Secret
}

func TestSecretPrints(t *testing.T) {
	const value = "sesame-opens-it"
	s := transport.NewSecret(value)
	h := holder{Open: s, hidden: s, list: []transport.Secret{s}, ptr: &s}
	for _, x := range []any{s, &s, h, &h, []transport.Secret{s}, map[string]transport.Secret{"k": s}, []any{s}, struct{ S any }{s}} {
		for _, f := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%t", "%10s", "%p", "%c", "%U", "%T"} {
			got := fmt.Sprintf(f, x)
			if strings.Contains(got, "sesame") || strings.Contains(strings.ToLower(got), "736573616d65") {
				t.Errorf("%s of %T shows the value: %s", f, x, got)
			}
		}
	}
	for _, f := range []string{"%v", "%+v", "%#v", "%s", "%d", "%q"} {
		if got := fmt.Sprintf(f, s); got != "***" {
			t.Errorf("%s gives %q, want ***", f, got)
		}
	}
	j, err := json.Marshal(map[string]any{"a": s, "b": &s, "c": h})
	if err != nil || strings.Contains(string(j), "sesame") || !strings.Contains(string(j), `"a":"***"`) {
		t.Errorf("JSON %s, %v", j, err)
	}
	x, err := xml.Marshal(s)
	if err != nil || !strings.Contains(string(x), "***") || strings.Contains(string(x), "sesame") {
		t.Errorf("XML %s, %v", x, err)
	}
	var b bytes.Buffer
	for _, lh := range []slog.Handler{slog.NewTextHandler(&b, nil), slog.NewJSONHandler(&b, nil)} {
		slog.New(lh).Info("m", "a", s, "b", &s, "c", h, slog.Group("g", "d", s))
	}
	if strings.Contains(b.String(), "sesame") || !strings.Contains(b.String(), "a=***") {
		t.Errorf("slog %s", b.String())
	}
	if s.Reveal() != value || s.IsZero() {
		t.Error("Reveal or IsZero is wrong")
	}
	var none transport.Secret
	if !none.IsZero() || none.Reveal() != "" || fmt.Sprint(none) != "" || !transport.NewSecret("").IsZero() {
		t.Error("the zero Secret is not absent")
	}
}

// secretForms writes s in the ways in which programs do. The encoders are those
// of the standard library, not those of the redactor.
func secretForms(s string) []string {
	j, _ := json.Marshal(s)
	var plain bytes.Buffer
	enc := json.NewEncoder(&plain)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s)
	return []string{
		s,
		base64.StdEncoding.EncodeToString([]byte(s)), base64.RawStdEncoding.EncodeToString([]byte(s)),
		base64.URLEncoding.EncodeToString([]byte(s)), base64.RawURLEncoding.EncodeToString([]byte(s)),
		url.QueryEscape(s), url.PathEscape(s), (&url.URL{Path: s}).EscapedPath(),
		strings.Trim(string(j), `"`), strings.Trim(strings.TrimSpace(plain.String()), `"`),
		strings.Trim(strconv.Quote(s), `"`),
	}
}

func TestRedactForms(t *testing.T) {
	for _, s := range []string{"12345678", "sk-proj-a/b+c==", "p@ss w%rd&<x>", "a\"quoted\\one", "line one\nline two", "schlüssel-für-alles", "~~~???>>>"} {
		var r transport.Redactor
		r.Add(transport.NewSecret(s))
		for _, f := range secretForms(s) {
			if f == (&url.URL{Path: s}).EscapedPath() && f != url.PathEscape(s) && f != s {
				continue // a whole path leaves '/' and others as they are: no form of one segment
			}
			if got := r.Redact("before " + f + " after"); got != "before *** after" {
				t.Errorf("%q as %q: %q", s, f, got)
			}
		}
	}
}

// TestRedactBasicCredentials: in "Basic base64(user:secret)" the secret starts at
// any of three positions.
func TestRedactBasicCredentials(t *testing.T) {
	const s = "sesame-opens-it"
	var r transport.Redactor
	r.Add(transport.NewSecret(s))
	for _, user := range []string{"a", "ab", "abc", "abcd"} {
		for _, e := range []*base64.Encoding{base64.StdEncoding, base64.RawURLEncoding} {
			text := e.EncodeToString([]byte(user + ":" + s + "tail"))
			got := r.Redact(text)
			rest, _ := base64.RawStdEncoding.DecodeString(strings.ReplaceAll(got, "***", "")[:len(strings.ReplaceAll(got, "***", ""))/4*4])
			if got == text || strings.Contains(string(rest), "sesame") || strings.Contains(string(rest), "opens") {
				t.Errorf("%s: %q becomes %q", user, text, got)
			}
		}
	}
}

func TestRedactOverlapAndLimits(t *testing.T) {
	var r transport.Redactor
	if !r.Empty() || r.Redact("text") != "text" {
		t.Error("an empty Redactor changes text")
	}
	var none *transport.Redactor
	if none.Redact("text") != "text" || !none.Empty() {
		t.Error("a nil Redactor changes text")
	}
	r.Add(transport.NewSecret("1234567"))
	r.Add(transport.Secret{})
	if !r.Empty() {
		t.Error("a secret of 7 bytes was added")
	}
	r.Add(transport.NewSecret("abcdefgh"))
	r.Add(transport.NewSecret("efghijkl"))
	r.Add(transport.NewSecret("abcabcabc"))
	for in, want := range map[string]string{
		"abcdefgh":              "***",
		"xabcdefghijklx":        "x***x", // overlapping
		"abcdefghabcdefgh":      "***",   // adjacent
		"abcabcabcabc":          "***",   // overlapping itself
		"abcdefg":               "abcdefg",
		"abcdefgh and efghijkl": "*** and ***",
	} {
		if got := r.Redact(in); got != want {
			t.Errorf("%q becomes %q, want %q", in, got, want)
		}
	}
}

func TestRedactorConcurrent(t *testing.T) {
	var r transport.Redactor
	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			s := fmt.Sprintf("secret-number-%02d", i)
			r.Add(transport.NewSecret(s))
			if got := r.Redact(s); got != "***" {
				t.Errorf("%s becomes %s", s, got)
			}
		})
	}
	wg.Wait()
}

// valuer resolves to another value when it is logged.
type valuer struct{ v any }

func (v valuer) LogValue() slog.Value { return slog.AnyValue(v.v) }

func TestRedactingHandler(t *testing.T) {
	const s = "sesame-opens-it"
	for name, build := range map[string]func(*bytes.Buffer) slog.Handler{
		"text": func(b *bytes.Buffer) slog.Handler { return slog.NewTextHandler(b, nil) },
		"json": func(b *bytes.Buffer) slog.Handler { return slog.NewJSONHandler(b, nil) },
	} {
		var b bytes.Buffer
		var r transport.Redactor
		base := slog.New(transport.NewRedactingHandler(build(&b), &r))
		// Derived before the secret is known.
		derived := base.With("early", s, "n", 1).WithGroup("g").With("inner", errors.New("bad "+s))
		derived.Info("before")
		if !strings.Contains(b.String(), s) || !strings.Contains(b.String(), "before") {
			t.Fatalf("%s: with no secret added the handler changes the record: %s", name, b.String())
		}
		b.Reset()
		r.Add(transport.NewSecret(s))
		attrs := []any{
			"a", s, "key-" + s, 1, "b", []byte(s), "c", []string{s}, "d", map[string]any{"k": s}, "e", fmt.Errorf("wrapped: %w", errors.New(s)),
			"f", struct{ X string }{s}, "g", &url.URL{Scheme: "http", Host: "h", Path: "/" + s}, "h", valuer{s}, "i", valuer{valuer{[]any{s}}},
			slog.Group("j", "k", s, slog.Group("l", "m", s)), "n", json.RawMessage(`"` + s + `"`), "kept", 42, "also", "plain",
		}
		derived.Info("message "+s, attrs...)
		base.Warn("m", attrs...)
		if got := b.String(); strings.Contains(got, "sesame") || strings.Contains(got, base64.StdEncoding.EncodeToString([]byte(s))) {
			t.Errorf("%s shows the secret: %s", name, got)
		}
		for _, want := range []string{"***", "42", "plain", "early", "inner", "message"} {
			if !strings.Contains(b.String(), want) {
				t.Errorf("%s lost %q: %s", name, want, b.String())
			}
		}
		if !base.Enabled(t.Context(), slog.LevelInfo) || base.Enabled(t.Context(), slog.LevelDebug) {
			t.Errorf("%s: Enabled differs from the wrapped handler", name)
		}
		if base.Handler().WithGroup("") != base.Handler() || base.Handler().WithAttrs(nil) != base.Handler() {
			t.Errorf("%s: an empty group or no attributes make a new handler", name)
		}
	}
}

// FuzzRedactor checks that no form of the secret survives, and that the text
// around it does.
func FuzzRedactor(f *testing.F) {
	f.Add("sk-12345678", "before ", " after")
	f.Add("aaaaaaaaa", "aaa", "aaaaaaaaaaaaa")
	f.Add("a\"b\\c\nd<e>", "{\"k\":\"", "\"}")
	f.Add("\xff\xfe12345678", "%", "=")
	f.Fuzz(func(t *testing.T, secret, before, after string) {
		var r transport.Redactor
		r.Add(transport.NewSecret(secret))
		if len(secret) < 8 {
			if got := r.Redact(before + secret + after); got != before+secret+after {
				t.Fatalf("a short secret was removed: %q", got)
			}
			return
		}
		for _, form := range secretForms(secret)[:7] {
			text := before + form + after
			got := r.Redact(text)
			// A *** next to the rest may spell a secret made of asterisks again.
			if strings.Contains(got, form) && !strings.Contains(secret, "*") {
				t.Fatalf("%q still holds %q", got, form)
			}
			if !strings.Contains(got, "***") {
				t.Fatalf("%q has no ***", got)
			}
			if r.Redact(before) == before && r.Redact(after) == after && r.Redact(before+"|") == before+"|" &&
				strings.Count(got, "***") == 1 && !strings.Contains(before+after, "*") && len(got) < len(before)+len(after)+3-2*len(form) {
				t.Fatalf("too much was removed: %q becomes %q", text, got)
			}
		}
	})
}

func BenchmarkRedactEmpty(b *testing.B) {
	var r transport.Redactor
	text := strings.Repeat("an ordinary log line ", 5)
	for b.Loop() {
		_ = r.Redact(text)
	}
}

func BenchmarkRedactTenSecrets(b *testing.B) {
	var r transport.Redactor
	for i := range 10 {
		r.Add(transport.NewSecret(fmt.Sprintf("sk-proj-0123456789-%d", i)))
	}
	text := strings.Repeat("an ordinary log line ", 5)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		_ = r.Redact(text)
	}
}
