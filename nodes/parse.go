package nodes

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/ironflow/ironflow/nodes/value"
	"github.com/ironflow/ironflow/transport"
)

// parse turns a context value into the parameter's typed value: string, int64,
// float64, bool, []any or value.List, map[string]any, Func, and Secret for a
// secret. Numbers and booleans may also come as text. The error says what was
// given and what is allowed, and never shows a secret.
func (p *Param) parse(v any) (any, error) {
	if s, ok := v.(transport.Secret); ok && p.Secret {
		return s, nil
	}
	var err error
	for _, t := range append([]Type{p.Type}, p.Or...) {
		var out any
		if out, err = p.parseAs(t, v); err == nil {
			return out, nil
		}
		var mismatch *typeError
		if !errors.As(err, &mismatch) {
			return nil, err
		}
	}
	return nil, err
}

// typeError is a value of the wrong type, as opposed to one out of range.
type typeError struct{ text string }

func (e *typeError) Error() string { return e.text }

func (p *Param) mismatch(v any) error {
	return &typeError{fmt.Sprintf("got %s, want %s", p.describe(v), p.wants())}
}

// wants names the accepted types in words, with an article.
func (p *Param) wants() string {
	var words []string
	for _, t := range append([]Type{p.Type}, p.Or...) {
		words = append(words, withArticle(string(t)))
	}
	text := strings.Join(words, " or ")
	if p.Type == Array && p.Elem != nil && p.Elem.Type != Any {
		text += " of " + string(p.Elem.Type) + "s"
	}
	if len(p.Enum) > 0 {
		text = "one of " + QuoteList(p.Enum, "or")
	}
	return text
}

func withArticle(word string) string {
	if word == string(Any) {
		return "any value"
	}
	if strings.ContainsRune("aeiou", rune(word[0])) {
		return "an " + word
	}
	return "a " + word
}

// describe shows a value in an error: its type, and its content unless secret.
func (p *Param) describe(v any) string {
	if p.Secret {
		return withArticle(value.TypeName(v))
	}
	if _, isText := v.(string); isText && p.Type == Object {
		// A text where an object is wanted may be a whole header line.
		return "a string"
	}
	return Describe(v)
}

// Describe shows a value in an error text: short, and on one line.
func Describe(v any) string {
	switch v := v.(type) {
	case nil:
		return "null"
	case string:
		if len(v) > 60 {
			cut := 57
			for cut > 0 && v[cut]&0xC0 == 0x80 {
				cut--
			}
			return fmt.Sprintf("%q... (%d bytes)", v[:cut], len(v))
		}
		return strconv.Quote(v)
	case bool, int64, int:
		return fmt.Sprint(v)
	case float64:
		return strconv.FormatFloat(v, 'g', -1, 64)
	case Func:
		return "a function"
	case transport.Secret:
		return "a secret"
	}
	if n, ok := value.Len(v); ok {
		return fmt.Sprintf("an array of %d", n)
	}
	return withArticle(value.TypeName(v))
}

func (p *Param) parseAs(t Type, v any) (any, error) {
	switch t {
	case String:
		return p.parseString(v)
	case Number, Integer:
		return p.parseNumber(t, v)
	case Boolean:
		return p.parseBool(v)
	case Array:
		return p.parseArray(v)
	case Object:
		return p.parseObject(v)
	case Function:
		if f, ok := v.(Func); ok {
			return f, nil
		}
		return nil, p.mismatch(v)
	case Any:
	}
	if _, ok := v.(Func); ok {
		return nil, p.mismatch(v)
	}
	return v, nil
}

func (p *Param) parseString(v any) (any, error) {
	s, ok := v.(string)
	if !ok {
		return nil, p.mismatch(v)
	}
	if p.Secret {
		return transport.NewSecret(s), nil
	}
	if (p.NonEmpty || p.Role == OutputKey) && strings.TrimSpace(s) == "" {
		return nil, errors.New("is empty")
	}
	if len(p.Enum) > 0 && !slices.Contains(p.Enum, s) {
		near := ""
		if n := Nearest(s, p.Enum); len(n) > 0 {
			near = "; did you mean " + QuoteList(n, "or") + "?"
		}
		return nil, fmt.Errorf("got %s, want one of %s%s", Describe(s), QuoteList(p.Enum, "or"), near)
	}
	return s, nil
}

func (p *Param) parseNumber(t Type, v any) (any, error) {
	var f float64
	var i int64
	exact := false
	switch v := v.(type) {
	case int64:
		f, i, exact = float64(v), v, true
	case int:
		f, i, exact = float64(v), int64(v), true
	case float64:
		f = v
	case string:
		s := strings.TrimSpace(v)
		if n, err := strconv.ParseInt(s, 10, 64); err == nil {
			f, i, exact = float64(n), n, true
		} else if n, err := strconv.ParseFloat(s, 64); err == nil && decimalText(s) {
			f = n
		} else {
			return nil, p.mismatch(v)
		}
	default:
		return nil, p.mismatch(v)
	}
	if math.IsNaN(f) || math.IsInf(f, 0) {
		return nil, fmt.Errorf("got %v, want a finite number", f)
	}
	if p.Range != nil && !p.Range.Contains(f) {
		return nil, fmt.Errorf("got %s, allowed: %s%s", Describe(v), p.Range, unit(p.Unit))
	}
	if t == Number {
		return f, nil
	}
	if !exact {
		if f != math.Trunc(f) || math.Abs(f) > 1<<53 {
			return nil, fmt.Errorf("got %s, want a whole number", Describe(v))
		}
		i = int64(f)
	}
	return i, nil
}

// decimalText refuses the spellings that only programmers mean ("0x1p4",
// "1_000", "Inf"), which ParseFloat would take.
func decimalText(s string) bool {
	return s != "" && strings.Trim(s, "0123456789+-.eE") == ""
}

func unit(u string) string {
	if u == "" {
		return ""
	}
	return " (" + u + ")"
}

func (p *Param) parseBool(v any) (any, error) {
	switch v {
	case true, "true":
		return true, nil
	case false, "false":
		return false, nil
	}
	return nil, p.mismatch(v)
}

// parseArray accepts an empty object too: Lua cannot tell {} from {}.
func (p *Param) parseArray(v any) (any, error) {
	if m, ok := v.(map[string]any); ok && len(m) == 0 {
		v = []any{}
	}
	n, ok := value.Len(v)
	if !ok {
		return nil, p.mismatch(v)
	}
	if p.NonEmpty && n == 0 {
		return nil, errors.New("is empty")
	}
	if p.Elem == nil {
		return v, nil
	}
	out := make([]any, n)
	for i := range out {
		e, _ := value.Index(v, i)
		parsed, err := p.Elem.parse(e)
		if err != nil {
			return nil, fmt.Errorf("element %d: %w", i+1, err)
		}
		out[i] = parsed
	}
	return out, nil
}

func (p *Param) parseObject(v any) (any, error) {
	if n, ok := value.Len(v); ok && n == 0 {
		v = map[string]any{}
	}
	m, ok := v.(map[string]any)
	if !ok {
		return nil, p.mismatch(v)
	}
	if p.NonEmpty && len(m) == 0 {
		return nil, errors.New("is empty")
	}
	switch {
	case len(p.Fields) > 0:
		return p.parseFields(m)
	case p.Secret:
		return parseMembers(m, &Param{Type: String, Secret: true})
	case p.Elem != nil:
		return parseMembers(m, p.Elem)
	}
	return m, nil
}

func parseMembers(m map[string]any, member *Param) (any, error) {
	out := make(map[string]any, len(m))
	for _, k := range slices.Sorted(maps.Keys(m)) {
		parsed, err := member.parse(m[k])
		if err != nil {
			return nil, fmt.Errorf("member %q: %w", k, err)
		}
		out[k] = parsed
	}
	return out, nil
}

func (p *Param) parseFields(m map[string]any) (any, error) {
	names := make([]string, len(p.Fields))
	out := make(map[string]any, len(m))
	for i := range p.Fields {
		f := &p.Fields[i]
		names[i] = f.Name
		v, ok := m[f.Name]
		if !ok {
			if f.Required {
				return nil, fmt.Errorf("member %q is missing: %s", f.Name, f.Help)
			}
			if f.Default == nil {
				continue
			}
			v = f.Default
		}
		parsed, err := f.parse(v)
		if err != nil {
			return nil, fmt.Errorf("member %q: %w", f.Name, err)
		}
		out[f.Name] = parsed
	}
	for _, k := range slices.Sorted(maps.Keys(m)) {
		if !slices.Contains(names, k) {
			return nil, fmt.Errorf("unknown member %q%s", k, DidYouMean(k, names))
		}
	}
	return out, nil
}
