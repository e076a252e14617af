package markdown

import (
	"bytes"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// newParser returns a parser of blocks alone. Inline markup does not matter to
// where a document may be cut, and link reference definitions are paragraphs here.
func newParser() parser.Parser {
	return parser.NewParser(
		parser.WithBlockParsers(parser.DefaultBlockParsers()...),
		parser.WithParagraphTransformers(
			util.Prioritized(tableTransformer{}, 200), util.Prioritized(rawTransformer{}, 1000)),
	)
}

var kindTable = ast.NewNodeKind("TableLines")

// tableNode is a table: its lines are the header row, the delimiter row and the
// other rows.
type tableNode struct{ ast.BaseBlock }

// Kind implements [ast.Node].
func (*tableNode) Kind() ast.NodeKind { return kindTable }

// IsRaw keeps goldmark from looking for inline markup in the rows.
func (*tableNode) IsRaw() bool { return true }

// Dump implements [ast.Node].
func (n *tableNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// tableTransformer makes a table of the lines of a paragraph that are one by the
// rules of GitHub Flavored Markdown; like goldmark's own extension it takes a header
// with fewer cells than the delimiter row. It makes no nodes for cells: a header of many
// cells over many short rows would need their product of them.
type tableTransformer struct{}

// Transform implements [parser.ParagraphTransformer].
func (tableTransformer) Transform(node *ast.Paragraph, reader text.Reader, _ parser.Context) {
	lines := node.Lines()
	source := reader.Source()
	for i := 1; i < lines.Len(); i++ {
		segment := lines.At(i)
		columns := delimiterColumns(segment.Value(source))
		if columns == 0 {
			continue
		}
		above := lines.At(i - 1)
		if headerColumns(above.Value(source)) > columns {
			return
		}
		table := &tableNode{}
		table.SetPos(above.Start)
		table.Lines().AppendAll(lines.Sliced(i-1, lines.Len()))
		parent := node.Parent()
		parent.InsertAfter(parent, node, table)
		if i == 1 {
			parent.RemoveChild(parent, node)
		} else {
			lines.SetSliced(0, i-1)
		}
		return
	}
}

// rawParagraph is a paragraph in which goldmark looks for no inline markup, which
// would take half of the time and is not needed here.
type rawParagraph struct{ ast.BaseBlock }

// Kind implements [ast.Node].
func (*rawParagraph) Kind() ast.NodeKind { return ast.KindParagraph }

// IsRaw implements [ast.Node].
func (*rawParagraph) IsRaw() bool { return true }

// Dump implements [ast.Node].
func (n *rawParagraph) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// rawTransformer puts a rawParagraph in the place of each paragraph.
type rawTransformer struct{}

// Transform implements [parser.ParagraphTransformer]. A paragraph that a setext
// underline is about to make a heading of has to stay one.
func (rawTransformer) Transform(node *ast.Paragraph, reader text.Reader, _ parser.Context) {
	parent := node.Parent()
	if parent == nil {
		return
	}
	line, _ := reader.PeekLine()
	line = bytes.TrimSpace(line)
	if len(line) > 0 && (len(bytes.Trim(line, "=")) == 0 || len(bytes.Trim(line, "-")) == 0) {
		return
	}
	raw := &rawParagraph{}
	raw.SetPos(node.Pos())
	raw.SetLines(node.Lines())
	raw.SetBlankPreviousLines(node.HasBlankPreviousLines())
	parent.ReplaceChild(parent, node, raw)
}

// delimiterColumns returns the number of cells of a delimiter row, 0 if the line
// is none.
func delimiterColumns(line []byte) int {
	if w, _ := util.IndentWidth(line, 0); w > 3 {
		return 0
	}
	row := bytes.TrimSpace(line)
	if len(bytes.Trim(row, "-")) == 0 {
		return 0
	}
	row = bytes.TrimPrefix(row, []byte{'|'})
	row = bytes.TrimSuffix(row, []byte{'|'})
	columns := 0
	for cell := range bytes.SplitSeq(row, []byte{'|'}) {
		cell = bytes.TrimSpace(cell)
		cell = bytes.TrimPrefix(cell, []byte{':'})
		cell = bytes.TrimSuffix(cell, []byte{':'})
		if len(cell) == 0 || len(bytes.Trim(cell, "-")) > 0 {
			return 0
		}
		columns++
	}
	return columns
}

// headerColumns returns the number of cells of a header row.
func headerColumns(line []byte) int {
	row := bytes.TrimSpace(line)
	row = bytes.TrimPrefix(row, []byte{'|'})
	row = bytes.TrimSuffix(row, []byte{'|'})
	if len(row) == 0 {
		return 0
	}
	columns := 1
	for i, c := range row {
		if c == '|' && (i == 0 || row[i-1] != '\\') {
			columns++
		}
	}
	return columns
}
