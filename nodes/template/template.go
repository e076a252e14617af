// Package template fills ${ctx...} placeholders in texts from a view of the
// context.
//
//	placeholder := "${ctx" selector { selector } "}"
//	selector    := "." name | "[" index "]" | "[" json-string "]"
//
// The first selector is a key; indexes are zero-based. A path that leads
// nowhere, or to null, gives an empty text; a string goes in raw and every
// other value as compact JSON. It is done in one pass: text that was filled in
// is never scanned.
//
// Only "${ctx" followed by a dot, a bracket, a closing brace or the end of
// the text is reserved; there, anything but a well-formed placeholder is an
// error. Every other "${", such as ${HOME}, is ordinary text. An odd number of
// backslashes in front of a reserved "${ctx" makes it ordinary text too, and
// one backslash is dropped; an even number stays as it is, and the placeholder
// counts.
package template

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/ironflow/ironflow/nodes/value"
)

const opening = "${ctx"

// Error is a reserved placeholder that is not well formed.
type Error struct {
	// Offset is where the placeholder starts, in bytes from 0.
	Offset int
	// Character is the same place in characters from 1.
	Character int
	// Text is the placeholder, cut when it is long.
	Text string
	// Msg says what was expected and where inside the placeholder.
	Msg string
}

func (e *Error) Error() string {
	return fmt.Sprintf("malformed placeholder %s at character %d: %s; write ${ctx.name}, ${ctx.list[0]} or ${ctx[\"any key\"]}, or put a backslash in front to keep it as text",
		e.Text, e.Character, e.Msg)
}

// part is a literal text, or a placeholder when its path has selectors.
type part struct {
	literal string
	path    value.Path
}

func (p part) isLiteral() bool { return len(p.path.Selectors) == 0 }

// Template is a parsed text. It does not change and may be shared.
type Template struct {
	parts []part
}

// Parse reads a text. The error is an [*Error].
func Parse(s string) (*Template, error) {
	t := &Template{}
	text := 0 // start of the literal that is being gathered
	at := 0
	for {
		next := strings.Index(s[at:], opening)
		if next < 0 {
			break
		}
		start := at + next
		at = start + len(opening)
		if !reserved(s[at:]) {
			continue
		}
		if slashes := backslashes(s[text:start]); slashes%2 == 1 {
			t.addLiteral(s[text : start-1])
			text = start
			continue
		}
		path, n, err := value.ScanSelectors(s[at:])
		if err == nil && (at+n == len(s) || s[at+n] != '}') {
			err = unexpected(s[at+n:])
		}
		if err != nil {
			return nil, malformed(s, start, at+n, err)
		}
		t.addLiteral(s[text:start])
		t.parts = append(t.parts, part{path: path})
		at += n + 1
		text = at
	}
	t.addLiteral(s[text:])
	return t, nil
}

// reserved reports whether what follows "${ctx" makes it ours.
func reserved(rest string) bool {
	return rest == "" || rest[0] == '.' || rest[0] == '[' || rest[0] == '}'
}

// backslashes counts the ones that s ends with.
func backslashes(s string) int {
	return len(s) - len(strings.TrimRight(s, `\`))
}

func (t *Template) addLiteral(s string) {
	if s == "" {
		return
	}
	if n := len(t.parts); n > 0 && t.parts[n-1].isLiteral() {
		t.parts[n-1].literal += s
		return
	}
	t.parts = append(t.parts, part{literal: s})
}

func unexpected(rest string) error {
	if rest == "" {
		return fmt.Errorf("the closing } is missing")
	}
	r, _ := utf8.DecodeRuneInString(rest)
	return fmt.Errorf("unexpected %q; a placeholder holds a path and nothing else (no operators, defaults or blanks)", r)
}

// shownBytes bounds how much of a malformed placeholder an error shows.
const shownBytes = 60

func malformed(s string, start, at int, err error) *Error {
	shown := s[start:]
	if end := strings.IndexByte(shown, '}'); end >= 0 {
		shown = shown[:end+1]
	}
	if len(shown) > shownBytes {
		cut := shownBytes
		for cut > 0 && !utf8.RuneStart(shown[cut]) {
			cut--
		}
		shown = shown[:cut] + "..."
	}
	return &Error{
		Offset:    start,
		Character: 1 + utf8.RuneCountInString(s[:start]),
		Text:      shown,
		Msg:       fmt.Sprintf("at character %d of it: %s", 1+utf8.RuneCountInString(s[start:at]), err),
	}
}

// IsLiteral reports whether the template has no placeholder, so that it always
// renders to [Template.Literal].
func (t *Template) IsLiteral() bool {
	return len(t.parts) == 0 || len(t.parts) == 1 && t.parts[0].isLiteral()
}

// Literal returns the text of a template without placeholders, with dropped
// backslashes, and "" for every other template.
func (t *Template) Literal() string {
	if !t.IsLiteral() || len(t.parts) == 0 {
		return ""
	}
	return t.parts[0].literal
}

// Keys returns the top-level keys that the template reads, sorted, each once.
func (t *Template) Keys() []string {
	var keys []string
	for _, p := range t.parts {
		if !p.isLiteral() {
			keys = append(keys, p.path.Root())
		}
	}
	return sortedSet(keys)
}

func sortedSet(keys []string) []string {
	slices.Sort(keys)
	return slices.Compact(keys)
}

// Single returns the path of a template that is exactly one placeholder.
func (t *Template) Single() (value.Path, bool) {
	if len(t.parts) == 1 && !t.parts[0].isLiteral() {
		return t.parts[0].path, true
	}
	return value.Path{}, false
}

// Render fills the placeholders. It fails only when the view holds a value
// that JSON cannot write; the error names the placeholder.
func (t *Template) Render(view value.View) (string, error) {
	if t.IsLiteral() {
		return t.Literal(), nil
	}
	if path, ok := t.Single(); ok {
		if s, ok := lookupText(view, path); ok {
			return s, nil
		}
	}
	var out []byte
	for _, p := range t.parts {
		if p.isLiteral() {
			out = append(out, p.literal...)
			continue
		}
		v, _ := value.Lookup(view, p.path)
		switch x := v.(type) {
		case nil:
		case string:
			out = append(out, x...)
		default:
			var err error
			if out, err = value.AppendJSON(out, x); err != nil {
				return "", fmt.Errorf("placeholder ${%s}: %w", p.path.InContext(), err)
			}
		}
	}
	return string(out), nil
}

// lookupText finds a string, which needs no copy when it is all there is.
func lookupText(view value.View, path value.Path) (string, bool) {
	v, _ := value.Lookup(view, path)
	s, ok := v.(string)
	return s, ok
}
