package template

import (
	"strings"
	"testing"

	"github.com/ironflow/ironflow/nodes/value"
)

// FuzzTemplate renders a text with a value that looks like a template: text
// without "${ctx" stays as it is, escaping keeps any text, and what is
// filled in is never scanned.
func FuzzTemplate(f *testing.F) {
	for _, s := range []string{
		"", "plain", "${ctx.a}", `\${ctx.a}`, `\\${ctx.a}`, "${ctx.a or 1}", "${HOME} ${ctx.b[0].c}", `${ctx["}"]}`, "${ctx", "${ctx.a", `${ctx["a\"]}"]}x`,
	} {
		f.Add(s, "${ctx.a}")
	}
	f.Fuzz(func(t *testing.T, text, inserted string) {
		if escaped, ok := escape(text); ok {
			tpl, err := Parse(escaped)
			if err != nil {
				t.Fatalf("%q, escaped as %q: %v", text, escaped, err)
			}
			if !tpl.IsLiteral() || tpl.Literal() != text {
				t.Fatalf("%q, escaped as %q, gives %q", text, escaped, tpl.Literal())
			}
		}
		view := everything{inserted}
		tpl, err := Parse(text)
		if err != nil {
			if e, ok := err.(*Error); !ok || !strings.HasPrefix(text[e.Offset:], opening) {
				t.Fatalf("%q: %v", text, err)
			}
			return
		}
		got, err := tpl.Render(view)
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		if !strings.Contains(text, opening) && got != text {
			t.Fatalf("%q became %q", text, got)
		}
		var want strings.Builder
		for _, p := range tpl.parts {
			want.WriteString(p.literal)
			if len(p.path.Selectors) == 1 {
				want.WriteString(inserted)
			}
		}
		if got != want.String() {
			t.Fatalf("%q with %q gives %q, want %q", text, inserted, got, want.String())
		}
		if err := CheckTree([]any{text}); err != nil {
			t.Fatal(err)
		}
		if tree, err := RenderTree([]any{text}, view); err != nil {
			t.Fatal(err)
		} else if leaf := tree.([]any)[0]; leaf != nil && leaf != got {
			t.Fatalf("as a leaf %q gives %q instead of %q", text, leaf, got)
		}
	})
}

// everything is a view with one text under every key.
type everything struct{ text string }

func (e everything) Get(string) (any, bool) { return e.text, true }
func (e everything) Keys() []string         { return nil }

var _ value.View = everything{}

// escape puts a backslash in front of every reserved opening, which makes it
// ordinary text. It is false for a text with an odd number of backslashes in
// front of one: since one of an odd number is dropped, no template renders to
// that.
func escape(s string) (string, bool) {
	var b strings.Builder
	for {
		i := strings.Index(s, opening)
		if i < 0 {
			b.WriteString(s)
			return b.String(), true
		}
		b.WriteString(s[:i])
		if reserved(s[i+len(opening):]) {
			if backslashes(s[:i])%2 == 1 {
				return "", false
			}
			b.WriteByte('\\')
		}
		b.WriteString(opening)
		s = s[i+len(opening):]
	}
}
