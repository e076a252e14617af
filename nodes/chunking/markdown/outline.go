package markdown

import (
	"sort"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	"github.com/ironflow/ironflow/nodes/chunking"
	"github.com/ironflow/ironflow/nodes/chunking/internal/window"
)

// Ranks of the marks, the bigger units first.
const (
	rankSection = 30 // less the level of the heading
	rankBlock   = 20 // less the depth of the block, at least rankDeep
	rankDeep    = 4
	rankStanza  = 3 // a line after a blank one
	rankLine    = 2
	rankGlued   = 0 // behind a heading
)

// block is how much of a document is parsed at a time, in bytes.
const block = 1 << 17

type heading struct {
	at, level int
	title     string
}

// table is a table that does not fit into a chunk.
type table struct {
	start, rows, stop int
	// header is the context of chunks that begin with a later row, "" if it would
	// leave too little; room is what it leaves.
	header string
	room   int
}

// outline is the structure of a document, read as far as it was asked for. It
// implements [window.Outline].
type outline struct {
	text   string
	o      Options
	parser parser.Parser
	titles titles

	next  int  // everything before it is read
	inner int  // how deep in containers the text at next is
	glued bool // the last block was a heading

	marks    []window.Mark
	wholes   []chunking.Span // units that must not be cut
	headings []heading
	tables   []table

	// blocks collects what [Blocks] returns; nil where nobody asked.
	blocks *[]Block
}

func newOutline(text string, o Options) *outline {
	d := &outline{text: text, o: o, parser: newParser()}
	if d.next = frontMatter(text); d.next > 0 {
		d.whole(0, d.next, func() { d.lines(0, d.next) })
	} else if strings.HasPrefix(text, byteOrderMark) {
		d.next = len(byteOrderMark)
	}
	return d
}

// Marks implements [window.Outline].
func (d *outline) Marks(base, i int) []window.Mark {
	d.upTo(i)
	// What is done with goes when it is most of the list, so that each mark moves
	// but a few times.
	if k := sort.Search(len(d.marks), func(k int) bool { return d.marks[k].At >= base }); k > 64 && k > len(d.marks)/2 {
		d.marks = d.marks[:copy(d.marks, d.marks[k:])]
	}
	if k := sort.Search(len(d.wholes), func(k int) bool { return d.wholes[k].Stop >= base }); k > 64 && k > len(d.wholes)/2 {
		d.wholes = d.wholes[:copy(d.wholes, d.wholes[k:])]
	}
	return d.marks
}

// Whole implements [window.Outline].
func (d *outline) Whole(i int) (start, stop int, ok bool) {
	k := sort.Search(len(d.wholes), func(k int) bool { return d.wholes[k].Stop > i })
	if k < len(d.wholes) && d.wholes[k].Start < i {
		return d.wholes[k].Start, d.wholes[k].Stop, true
	}
	return 0, 0, false
}

// upTo reads until the structure up to offset i is known.
func (d *outline) upTo(i int) {
	for size := block; d.next <= i && d.next < len(d.text); {
		if d.read(size) {
			size = block
		} else {
			size *= 4
		}
	}
}

// read parses at least size bytes from next on, takes what is certain to be
// complete and reports whether that was anything.
func (d *outline) read(size int) bool {
	stop := len(d.text)
	if stop-d.next > size {
		stop = lineStop(d.text, d.next+size)
	}
	source := []byte(d.text[d.next:stop])
	flatten(source)
	doc := d.parser.Parse(text.NewReader(source))
	if stop == len(d.text) {
		d.children(doc, 0, nil, len(d.text))
		d.next = stop
		return true
	}
	last := lastComplete(doc)
	if last == nil { // blank lines alone
		d.next = stop
		return true
	}
	again := lineStart(d.text, d.next+last.Pos())
	if again <= d.next {
		return false
	}
	d.children(doc, 0, last, again)
	d.next, d.inner = again, depthOf(last)
	return true
}

// lastComplete returns the node at whose line parsing may begin anew without
// knowing what comes before: the last block, the last item if that is a list, or
// the last block of a quote.
func lastComplete(doc ast.Node) ast.Node {
	last := doc.LastChild()
	if last == nil {
		return nil
	}
	switch last.Kind() {
	case ast.KindList, ast.KindBlockquote:
		if last.ChildCount() > 1 {
			return last.LastChild()
		}
	}
	return last
}

func depthOf(n ast.Node) int {
	depth := -1
	for p := n.Parent(); p != nil; p = p.Parent() {
		depth++
	}
	return depth
}

// children reads the blocks in parent, which lies depth containers deep, up to
// the block last (nil is all of them). They end at stop at the latest.
func (d *outline) children(parent ast.Node, depth int, last ast.Node, stop int) {
	base := d.next
	for n := parent.FirstChild(); n != nil && n != last; n = n.NextSibling() {
		end := stop
		if next := n.NextSibling(); next != nil {
			end = min(stop, lineStart(d.text, base+next.Pos()))
		}
		d.block(n, depth, last, end)
	}
}

// block reads one block that ends before stop.
func (d *outline) block(n ast.Node, depth int, last ast.Node, stop int) {
	start := lineStart(d.text, d.pos(n))
	rank := max(rankBlock-max(depth, d.inner), rankDeep)
	d.inner = 0
	switch n := n.(type) {
	case *ast.Heading:
		if depth == 0 {
			rank = rankSection - n.Level
			d.headings = append(d.headings, heading{at: start, level: n.Level, title: d.titles.of(d.source(n))})
		}
		d.mark(start, rank)
		d.glued = true
	case *ast.FencedCodeBlock:
		d.mark(start, rank)
		d.whole(start, d.note(Fence, start, d.fenceStop(n, start, stop)), func() { d.codeLines(n) })
	case *ast.CodeBlock:
		d.mark(start, rank)
		d.whole(start, d.linesStop(n, start), func() { d.codeLines(n) })
	case *ast.HTMLBlock:
		d.mark(start, rank)
		d.lines(start, stop)
	case *tableNode:
		start = lineStart(d.text, d.next+n.Lines().At(0).Start)
		d.mark(start, rank)
		d.whole(start, d.note(Table, start, d.linesStop(n, start)), func() { d.rows(n, start) })
	case *ast.List, *ast.ListItem, *ast.Blockquote:
		d.mark(start, rank)
		d.children(n, depth+1, last, stop)
	default:
		d.mark(start, rank)
	}
}

// pos returns where a block begins. Behind a tab that is partly indentation
// goldmark counts the columns that the tab stands for, which can lead past the
// end of the text.
func (d *outline) pos(n ast.Node) int { return min(d.next+n.Pos(), len(d.text)) }

// mark adds a break at the beginning of a line. Of blocks that begin in the same
// line the outermost counts.
func (d *outline) mark(at, rank int) {
	if n := len(d.marks); n > 0 && d.marks[n-1].At >= at {
		return
	}
	if d.glued {
		rank, d.glued = rankGlued, false
	}
	d.marks = append(d.marks, window.Mark{At: at, Rank: uint8(rank)})
}

// whole keeps text[start:stop], less white space at its end, from being cut if it
// fits into a chunk; else inner adds the breaks in it.
func (d *outline) whole(start, stop int, inner func()) {
	stop = start + len(strings.TrimRightFunc(d.text[start:stop], unicode.IsSpace))
	if d.o.Unit.Fit(d.text[start:stop], d.o.Size) == stop-start {
		d.wholes = append(d.wholes, chunking.Span{Start: start, Stop: stop})
		return
	}
	inner()
}

// lines adds a break before each line but the first.
func (d *outline) lines(start, stop int) {
	for at := lineStop(d.text[:stop], start); at < stop; at = lineStop(d.text[:stop], at) {
		d.line(at)
	}
}

func (d *outline) line(at int) {
	rank := rankLine
	if at > 1 && strings.TrimRight(d.text[lineStart(d.text, at-1):at], " \t\r\n") == "" {
		rank = rankStanza
	}
	d.mark(at, rank)
}

// codeLines adds a break before each line of code but the first.
func (d *outline) codeLines(n ast.Node) {
	for i := 1; i < n.Lines().Len(); i++ {
		d.line(lineStart(d.text, d.next+n.Lines().At(i).Start))
	}
}

// rows adds a break before each row but the first one.
func (d *outline) rows(n *tableNode, start int) {
	lines := n.Lines()
	for i := 3; i < lines.Len(); i++ {
		d.mark(lineStart(d.text, d.next+lines.At(i).Start), rankLine)
	}
	if lines.Len() > 2 {
		rows := lineStart(d.text, d.next+lines.At(2).Start)
		d.addTable(start, rows, d.linesStop(n, start))
	}
}

// linesStop returns where the last line of n ends, its line end left out.
func (d *outline) linesStop(n ast.Node, start int) int {
	if n.Lines().Len() == 0 {
		return lineEnd(d.text, start)
	}
	return lineEnd(d.text, d.next+n.Lines().At(n.Lines().Len()-1).Start)
}

// fenceStop returns where the closing fence of n ends, or its last line if it is
// not closed. The block ends before stop.
func (d *outline) fenceStop(n *ast.FencedCodeBlock, start, stop int) int {
	line := lineEnd(d.text, start)
	open := strings.TrimLeftFunc(d.text[min(d.pos(n), line):line], unicode.IsSpace)
	end := d.linesStop(n, start)
	next := lineStop(d.text, end)
	if next >= stop {
		return end
	}
	closing := strings.TrimLeft(d.text[next:lineEnd(d.text, next)], " \t>")
	if open != "" && run(closing, open[0]) >= run(open, open[0]) && strings.Trim(closing, open[:1]+" \t\r") == "" {
		return lineEnd(d.text, next)
	}
	return end
}

// run returns how often c stands at the beginning of s.
func run(s string, c byte) int {
	n := 0
	for n < len(s) && s[n] == c {
		n++
	}
	return n
}

// source returns the text of a heading without its markers.
func (d *outline) source(n *ast.Heading) string {
	lines := n.Lines()
	if lines.Len() == 0 {
		return ""
	}
	return d.text[d.next+lines.At(0).Start : d.next+lines.At(lines.Len()-1).Stop]
}

// ink returns the first character from i on that is not white space.
func (d *outline) ink(i int) int {
	for i < len(d.text) {
		r, size := utf8.DecodeRuneInString(d.text[i:])
		if !unicode.IsSpace(r) {
			break
		}
		i += size
	}
	return i
}

// lineStart returns where the line that holds the byte at i begins.
func lineStart(text string, i int) int { return strings.LastIndexByte(text[:i], '\n') + 1 }

// lineStop returns where the line after that of i begins.
func lineStop(text string, i int) int {
	if k := strings.IndexByte(text[i:], '\n'); k >= 0 {
		return i + k + 1
	}
	return len(text)
}

// lineEnd returns where the line of i ends, without "\n" or "\r\n".
func lineEnd(text string, i int) int {
	stop := len(text)
	if k := strings.IndexByte(text[i:], '\n'); k >= 0 {
		stop = i + k
	}
	if stop > i && text[stop-1] == '\r' {
		stop--
	}
	return stop
}
