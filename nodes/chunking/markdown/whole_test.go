package markdown

import (
	"strings"
	"testing"
	"unicode"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	extast "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/text"

	"github.com/ironflow/ironflow/nodes/chunking"
)

// units returns the lines of fenced code blocks and tables of a document as
// goldmark finds them with its own extension for tables, in one piece.
func units(source string) (fences, tables []chunking.Span) {
	offset := frontMatter(source)
	if offset == 0 && strings.HasPrefix(source, byteOrderMark) {
		offset = len(byteOrderMark)
	}
	body := source[offset:]
	doc := goldmark.New(goldmark.WithExtensions(extension.Table)).Parser().Parse(text.NewReader([]byte(body)))
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.FencedCodeBlock:
			s := chunking.Span{Start: lineStart(body, n.Pos()), Stop: lineEnd(body, n.Pos())}
			if k := n.Lines().Len(); k > 0 {
				s.Stop = lineEnd(body, n.Lines().At(k-1).Start)
			}
			fences = append(fences, chunking.Span{Start: offset + s.Start, Stop: offset + s.Stop})
		case *extast.Table:
			// The position of a row is missing in the header; its cells have one.
			first, last := n.FirstChild().FirstChild(), n.LastChild()
			if first.Pos() < 0 { // a header without cells
				return ast.WalkContinue, nil
			}
			// Dashes alone, without a bar or colon, are no delimiter row: they
			// underline a heading (CommonMark 4.3), and in a lazy continuation line
			// ("> a" and then "--"), where no heading can be, they are text of the
			// paragraph (5.1). Only there goldmark's extension, which looks at the
			// paragraph when it is complete, takes them for a table.
			if row := lineStop(body, first.Pos()); strings.Trim(body[row:lineEnd(body, row)], "> \t-") == "" {
				return ast.WalkContinue, nil
			}
			at := last.Pos()
			if last.Kind() == extast.KindTableHeader {
				at = lineStop(body, first.Pos()) // the delimiter row
			}
			tables = append(tables, chunking.Span{Start: offset + lineStart(body, first.Pos()), Stop: offset + lineEnd(body, at)})
		}
		return ast.WalkContinue, nil
	})
	// goldmark does not tell the closing line: it is what looks like one and opens
	// no fence.
	opens := map[int]bool{}
	for _, s := range fences {
		opens[s.Start] = true
	}
	for i, s := range fences {
		next := lineStop(source, s.Stop)
		if next == len(source) || opens[next] {
			continue
		}
		stop := lineEnd(source, next)
		if mark := strings.Trim(source[next:stop], "> \t"); len(mark) >= 3 && !strings.HasPrefix(source[next:stop], "    ") && (strings.Trim(mark, "`") == "" || strings.Trim(mark, "~") == "") {
			fences[i].Stop = stop
		}
	}
	return fences, tables
}

// cutUnits returns those of the spans that fit into a chunk and lie in more than
// one (or, with overlap, are in no chunk whole).
func cutUnits(source string, spans []chunking.Span, chunks []Chunk, o Options) (fit int, cut []chunking.Span) {
	for _, s := range spans {
		s.Stop = s.Start + len(strings.TrimRightFunc(s.Slice(source), unicode.IsSpace))
		if o.Unit.Count(s.Slice(source)) > o.Size {
			continue
		}
		fit++
		found := false
		for _, c := range chunks {
			if c.Start <= s.Start && s.Stop <= c.Stop {
				found = true
			} else if s.Start < c.Start && c.Start < s.Stop || s.Start < c.Stop && c.Stop < s.Stop {
				found = false
				break
			}
		}
		if !found {
			cut = append(cut, s)
		}
	}
	return fit, cut
}

// checkWhole fails if a fence or table that fits is cut.
func checkWhole(t *testing.T, source string, chunks []Chunk, o Options) {
	t.Helper()
	fences, tables := units(source)
	for _, list := range [][]chunking.Span{fences, tables} {
		if _, cut := cutUnits(source, list, chunks, o); len(cut) > 0 {
			t.Fatalf("%q is cut in %q", cut[0].Slice(source), texts(source, chunks))
		}
	}
}
