package nodes

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// ReferencePage gives the reference page of a node in Markdown.
func ReferencePage(spec *Spec) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n\n%s.\n", spec.Name, spec.Summary)
	if spec.Doc != "" {
		fmt.Fprintf(&b, "\n%s\n", strings.TrimSpace(spec.Doc))
	}
	b.WriteString("\n## Parameters\n")
	if len(spec.Params) == 0 {
		b.WriteString("\nNone.\n")
	}
	for _, g := range groups(spec) {
		if g.when != nil {
			fmt.Fprintf(&b, "\n### Only with %s\n", markdownWhen(g.when))
		}
		b.WriteString("\n| parameter | type | default | meaning |\n|---|---|---|---|\n")
		for _, p := range g.params {
			paramRows(&b, "", p)
		}
	}
	for _, line := range choiceLines(spec) {
		fmt.Fprintf(&b, "\n%s\n", line)
	}
	b.WriteString("\n## Outputs\n\n")
	writeOutputs(&b, spec)
	if len(spec.Examples) > 0 {
		b.WriteString("\n## Examples\n")
	}
	for _, e := range spec.Examples {
		fmt.Fprintf(&b, "\n%s:\n\n```lua\n%s\n```\n", e.Title, strings.TrimSpace(e.Lua))
		if e.Context != "" && e.Context != "{}" {
			fmt.Fprintf(&b, "\nwith the context\n\n```json\n%s\n```\n", e.Context)
		}
		if note := needsNote(e.Needs); note != "" {
			fmt.Fprintf(&b, "\n%s\n", note)
		}
	}
	return b.String()
}

func needsNote(needs string) string {
	switch needs {
	case "provider":
		return "It needs a server to answer."
	case "files":
		return "It writes a file."
	case "exec":
		return "It needs a grant: `--allow-exec`."
	}
	return ""
}

// ReferenceIndex gives the page that lists all nodes; each links to its page
// in the same folder.
func ReferenceIndex(list []*Node) string {
	return "# Nodes\n\nEach node has a page with its parameters, outputs and examples; `ironflow nodes NAME` shows the same on a terminal.\n\n" +
		NodeTable(list, "")
}

// NodeTable lists nodes as a Markdown table whose links start with prefix
// ("docs/reference/nodes/").
func NodeTable(list []*Node, prefix string) string {
	var b strings.Builder
	b.WriteString("| node | what it does | publishes |\n|---|---|---|\n")
	for _, n := range list {
		var keys []string
		for _, o := range n.Spec.AllOutputs() {
			if o.OnFailure || o.Twin {
				continue
			}
			if k := "`" + cell(o.shortKey()) + "`"; !slices.Contains(keys, k) {
				keys = append(keys, k)
			}
		}
		fmt.Fprintf(&b, "| [%s](%s%s.md) | %s | %s |\n", n.Spec.Name, prefix, n.Spec.Name, cell(n.Spec.Summary), strings.Join(keys, " "))
	}
	return b.String()
}

// shortKey is shownKey with k for output_key, for tables.
func (o OutputSpec) shortKey() string {
	if o.Name != "" {
		return o.Name
	}
	return "{k}" + o.Suffix
}

// group is the parameters that share a condition, in declaration order.
type group struct {
	when   *When
	params []*Param
}

func groups(spec *Spec) []group {
	var out []group
	for i := range spec.Params {
		p := &spec.Params[i]
		at := slices.IndexFunc(out, func(g group) bool { return whenText(g.when) == whenText(p.When) })
		if at < 0 {
			out = append(out, group{when: p.When})
			at = len(out) - 1
		}
		out[at].params = append(out[at].params, p)
	}
	slices.SortStableFunc(out, func(a, b group) int { return boolOrder(a.when != nil) - boolOrder(b.when != nil) })
	return out
}

func boolOrder(b bool) int {
	if b {
		return 1
	}
	return 0
}

// whenText is a condition in words: `mode = "fixed" or "split"`.
func whenText(w *When) string {
	if w == nil {
		return ""
	}
	return w.Param + " = " + QuoteList(w.In, "or")
}

func markdownWhen(w *When) string {
	parts := make([]string, len(w.In))
	for i, v := range w.In {
		parts[i] = fmt.Sprintf("`%s = %q`", w.Param, v)
	}
	return strings.Join(parts, " or ")
}

// paramRows writes the row of a parameter and those of its members.
func paramRows(b *strings.Builder, parent string, p *Param) {
	name := parent + p.Name
	def := ""
	switch {
	case p.Required:
		def = "required"
	case p.Default != nil:
		def = "`" + luaLiteral(p.Default) + "`"
	}
	meaning := p.Help
	if facts := p.facts(); len(facts) > 0 {
		meaning += "; " + strings.Join(facts, "; ")
	}
	fmt.Fprintf(b, "| `%s` | %s | %s | %s |\n", name, cell(p.typeText()), cell(def), cell(meaning))
	for i := range p.Fields {
		paramRows(b, name+".", &p.Fields[i])
	}
}

func cell(s string) string {
	return strings.ReplaceAll(strings.ReplaceAll(s, "|", `\|`), "\n", " ")
}

// typeText names the accepted values: `string`, `integer 1..2048 bytes`,
// `"text", "json" or "jsonl"`, `array of strings`.
func (p *Param) typeText() string {
	var words []string
	for _, t := range append([]Type{p.Type}, p.Or...) {
		word := string(t)
		switch {
		case t == String && len(p.Enum) > 0:
			word = QuoteList(p.Enum, "or")
		case t == Array && p.Elem != nil && p.Elem.Type != Any:
			word += " of " + string(p.Elem.Type) + "s"
		case t == Object && p.Elem != nil && p.Elem.Type != Any, t == Object && p.Secret && len(p.Fields) == 0:
			word += " of strings"
		}
		words = append(words, word)
	}
	text := strings.Join(words, " or ")
	if p.Range != nil {
		text += " " + p.Range.String()
	}
	if p.Unit != "" {
		text += " " + p.Unit
	}
	return text
}

// facts are the rules about a parameter that neither its type nor its help
// says.
func (p *Param) facts() []string {
	var out []string
	if p.Role == Source {
		out = append(out, "a key or a path such as `a.b[0]`")
	}
	if p.Interpolate {
		out = append(out, "may hold `${ctx...}`")
	}
	if p.Secret {
		out = append(out, "secret")
	}
	if p.Env != "" {
		out = append(out, "else `"+p.Env+"`")
	}
	if len(p.Needs) > 0 {
		out = append(out, "needs `"+strings.Join(p.Needs, "`, `")+"`")
	}
	if p.NoRetries {
		out = append(out, "not on a step with retries")
	}
	if p.Alias != "" {
		out = append(out, "earlier name `"+p.Alias+"`")
	}
	return out
}

func choiceLines(spec *Spec) []string {
	var out []string
	for _, c := range spec.Choices {
		list := "`" + strings.Join(c.Params, "`, `") + "`"
		if c.Required {
			out = append(out, "Exactly one of "+list+" is given.")
		} else {
			out = append(out, "At most one of "+list+" is given.")
		}
	}
	for i := range spec.Params {
		if p := &spec.Params[i]; p.Lenient {
			out = append(out, fmt.Sprintf("A parameter that belongs to another `%s` is a warning and has no effect.", p.Name))
		}
	}
	return out
}

func writeOutputs(b *strings.Builder, spec *Spec) {
	all := spec.AllOutputs()
	if len(all) == 0 {
		b.WriteString("None that is known before it runs.\n")
		return
	}
	b.WriteString("| key | type | meaning |\n|---|---|---|\n")
	for _, o := range all {
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", cell(o.shownKey()), o.Type, cell(o.meaning()))
	}
	if spec.OpenOutputs {
		b.WriteString("\nFurther keys are known only when it runs.\n")
	}
}

// meaning is the help of an output with the conditions under which it is there.
func (o OutputSpec) meaning() string {
	text := o.Help
	if o.When != nil {
		text += "; only with " + whenText(o.When)
	}
	if o.OnFailure {
		text += "; only in the `_error_output` of a failed step"
	}
	if o.Twin {
		text += "; the main value under an earlier name"
	}
	return text
}

// luaLiteral writes a default as a flow would.
func luaLiteral(v any) string {
	switch v := v.(type) {
	case string:
		return strconv.Quote(v)
	case []any:
		parts := make([]string, len(v))
		for i, e := range v {
			parts[i] = luaLiteral(e)
		}
		return "{" + strings.Join(parts, ", ") + "}"
	case []string:
		return luaLiteral(anyStrings(v))
	case map[string]any:
		if len(v) == 0 {
			return "{}"
		}
	}
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}
