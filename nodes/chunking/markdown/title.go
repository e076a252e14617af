package markdown

import (
	"strings"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// maxTitle is how much of a heading becomes its title, in bytes of the source.
const maxTitle = 1000

// titles turns the source of headings into plain text.
type titles struct{ inline parser.Parser }

// of returns a title: markup is taken away, the text of links and code stays,
// white space is one space.
func (t *titles) of(source string) string {
	if len(source) > maxTitle {
		i := maxTitle
		for !utf8.RuneStart(source[i]) {
			i--
		}
		source = source[:i]
	}
	if strings.ContainsAny(source, "*_`[]<>&\\!\n\t") || strings.Contains(source, "  ") {
		source = t.plain(source)
	}
	return strings.TrimSpace(source)
}

func (t *titles) plain(source string) string {
	if t.inline == nil {
		t.inline = parser.NewParser(
			parser.WithBlockParsers(util.Prioritized(parser.NewParagraphParser(), 1000)),
			parser.WithInlineParsers(parser.DefaultInlineParsers()...),
		)
	}
	bytes := []byte(source)
	var b strings.Builder
	_ = ast.Walk(t.inline.Parse(text.NewReader(bytes)), func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Text:
			value := n.Segment.Value(bytes)
			if n.Parent().Kind() != ast.KindCodeSpan {
				value = util.ResolveEntityNames(util.ResolveNumericReferences(util.UnescapePunctuations(value)))
			}
			b.Write(value)
			if n.SoftLineBreak() || n.HardLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.String:
			b.Write(n.Value)
		case *ast.AutoLink:
			b.Write(n.Label(bytes))
		}
		return ast.WalkContinue, nil
	})
	return strings.Join(strings.Fields(b.String()), " ")
}
