// Package condition evaluates the one-line tests of conditional steps against
// a view of the context.
//
//	condition := P | P "exists" | P OP literal
//	P         := "ctx" selector { selector }
//	OP        := "==" | "!=" | ">=" | "<=" | ">" | "<"
//	literal   := number | true | false | null | quoted string | bare text
//
// Selectors are those of package template. A number is a JSON number. A quoted
// string is a JSON string in double quotes, or a text in single quotes, where
// only \' and \\ are escapes. Bare text reaches to the end, without blanks
// around it, and is a string. Blanks around the parts do not count.
//
// P alone is false for missing, null and false, and true for everything else.
// "P exists" holds when the path resolves, even to null. In comparisons:
//
//   - Missing or null equals the literal null, and nothing else.
//   - Number with number compares by exact value. A string that is a JSON
//     number compares as that number with an unquoted number.
//   - String with string has all six operators, by bytes.
//   - Boolean with boolean has == and !=.
//   - For any other pairing, and every operator not named here, only != holds.
package condition

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/ironflow/ironflow/nodes/value"
)

// operators are tried in this order, so that >= is not read as >.
var operators = [...]string{"==", "!=", ">=", "<=", ">", "<"}

const exists = "exists"

// Condition is a parsed condition. It does not change and may be shared.
type Condition struct {
	path value.Path
	op   string // one of operators, exists, or "" for the path alone
	want any    // the literal: nil, bool, int64, float64 or string
}

// Parse reads a condition. The error shows the text, where it goes wrong and
// what is allowed there.
func Parse(s string) (*Condition, error) {
	text := strings.TrimSpace(s)
	rest, ok := strings.CutPrefix(text, "ctx")
	if !ok || rest != "" && (isNameByte(rest[0]) || rest[0] == '$') {
		return nil, malformed(text, "it must start with a path such as ctx.name"+hint(text))
	}
	path, n, err := value.ScanSelectors(rest)
	if err != nil {
		return nil, malformed(text, fmt.Sprintf("at byte %d: %v", len("ctx")+n+1, err))
	}
	c := &Condition{path: path}
	after := rest[n:]
	rest = strings.TrimSpace(after)
	if rest == "" {
		return c, nil
	}
	if rest == exists && after != rest {
		c.op = exists
		return c, nil
	}
	for _, op := range operators {
		literal, ok := strings.CutPrefix(rest, op)
		if !ok {
			continue
		}
		if literal != "" && strings.IndexByte("=<>!", literal[0]) >= 0 {
			break // === and <> are no operators; a blank makes them text
		}
		c.op = op
		if c.want, err = parseLiteral(strings.TrimSpace(literal)); err != nil {
			return nil, malformed(text, err.Error())
		}
		return c, nil
	}
	return nil, malformed(text, fmt.Sprintf("after %s, expected the end, exists, or one of == != >= <= > < and a literal", text[:len(text)-len(after)]))
}

func isNameByte(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// hint names the likely mistake of a text that does not start with ctx.
func hint(text string) string {
	switch {
	case strings.HasPrefix(text, "${"):
		return ", without ${ and }"
	case text != "" && isNameByte(text[0]):
		return "; did you mean ctx." + firstWord(text) + "?"
	}
	return ""
}

func firstWord(s string) string {
	for i := 0; i < len(s); i++ {
		if !isNameByte(s[i]) {
			return s[:i]
		}
	}
	return s
}

func malformed(text, msg string) error {
	return fmt.Errorf("malformed condition %q: %s; for anything more use a function: function(ctx) return ... end", text, msg)
}

// parseLiteral reads the right side; s has no blanks around it.
func parseLiteral(s string) (any, error) {
	switch {
	case s == "":
		return nil, fmt.Errorf(`the literal is missing; write "" for an empty string`)
	case s == "true":
		return true, nil
	case s == "false":
		return false, nil
	case s == "null":
		return nil, nil
	case s[0] == '"':
		text, n, err := value.ScanString(s)
		if err == nil && n < len(s) {
			err = fmt.Errorf("there is text after the closing quote")
		}
		if err != nil {
			return nil, fmt.Errorf("the literal %s is no JSON string: %w", s, err)
		}
		return text, nil
	case s[0] == '\'':
		return singleQuoted(s)
	}
	if n, ok := value.ParseNumber(s); ok {
		return n, nil
	}
	if _, err := strconv.ParseFloat(s, 64); errors.Is(err, strconv.ErrRange) {
		return nil, fmt.Errorf("the number %s is beyond the range of a 64-bit float; put it in quotes if it is a text", s)
	}
	return s, nil
}

func singleQuoted(s string) (any, error) {
	var b strings.Builder
	for i := 1; i < len(s); i++ {
		switch {
		case s[i] == '\\' && i+1 < len(s) && (s[i+1] == '\'' || s[i+1] == '\\'):
			i++
			b.WriteByte(s[i])
		case s[i] == '\'' && i+1 < len(s):
			return nil, fmt.Errorf("the literal %s has text after its closing quote", s)
		case s[i] == '\'':
			return b.String(), nil
		default:
			b.WriteByte(s[i])
		}
	}
	return nil, fmt.Errorf("the literal %s has no closing quote", s)
}

// Keys returns the one top-level key that the condition reads.
func (c *Condition) Keys() []string { return []string{c.path.Root()} }

// Eval tests the condition. It fails only when the view holds something that
// is no context value.
func (c *Condition) Eval(view value.View) (bool, error) {
	v, found := value.Lookup(view, c.path)
	if c.op == exists {
		return found, nil
	}
	switch v.(type) {
	case string, []any, map[string]any, value.List: // nothing to convert at the top
	default:
		var err error
		if v, err = value.Normalize(v); err != nil {
			return false, fmt.Errorf("condition on %s: %w", c.path.InContext(), err)
		}
	}
	if c.op == "" {
		return v != nil && v != false, nil
	}
	return compare(v, c.op, c.want), nil
}

// compare applies one of the six operators; a missing value is nil.
func compare(got any, op string, want any) bool {
	order, ordered, same := relate(got, want)
	switch op {
	case "==":
		return same
	case "!=":
		return !same
	}
	if !ordered {
		return false
	}
	switch op {
	case ">=":
		return order >= 0
	case "<=":
		return order <= 0
	case ">":
		return order > 0
	default:
		return order < 0
	}
}

// relate says how two values compare: their order where they have one, and
// whether they are the same.
func relate(got, want any) (order int, ordered, same bool) {
	switch w := want.(type) {
	case nil:
		return 0, false, got == nil
	case bool:
		b, ok := got.(bool)
		return 0, false, ok && b == w
	case string:
		s, ok := got.(string)
		order = strings.Compare(s, w)
		return order, ok, ok && order == 0
	}
	if s, ok := got.(string); ok {
		n, ok := value.ParseNumber(s)
		if !ok {
			return 0, false, false
		}
		got = n
	}
	order, ordered = value.CompareNumbers(got, want)
	return order, ordered, ordered && order == 0
}
