package markdown

import (
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/ironflow/ironflow/nodes/chunking"
	"github.com/ironflow/ironflow/nodes/chunking/internal/window"
	"github.com/ironflow/ironflow/nodes/chunking/sentence"
)

// Chunk is a piece of a document.
type Chunk struct {
	chunking.Span
	// Headings are the titles of the headings in force where the chunk begins,
	// the highest first, without their markup; a heading that the chunk begins
	// with is the last of them. Chunks share the slice: it must not be changed.
	Headings []string
	// Context is the header and delimiter row of the table that the chunk
	// continues, as they stand in the source, without the last line end; "" for
	// all other chunks.
	Context string
}

// Split cuts a document into chunks that measure at most o.Size. See the package
// comment for the rules. Blank text has no chunks.
//
// Errors are a [*chunking.OptionError] or a [*chunking.InvalidUTF8Error].
func Split(text string, o Options) ([]Chunk, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	if err := chunking.CheckUTF8(text); err != nil {
		return nil, err
	}
	if o.Sentences == nil {
		o.Sentences = sentence.Unicode
	}
	clusters := window.NewClusters(text)
	out := newOutline(text, o)
	breaks := &window.Structure{
		Text: window.Text{
			Source: text, Clusters: clusters,
			Separators: []window.Separator{window.Sentence{Split: o.Sentences}, window.Line{}, window.Clause{}, window.Word{}},
		},
		Outline: out,
	}
	spans := window.Run(text, clusters, breaks, window.Options{Measure: o.Unit, Size: o.Size, Overlap: o.Overlap})
	return out.describe(spans), nil
}

// describe adds headings and context to the chunks.
func (d *outline) describe(spans []chunking.Span) []Chunk {
	chunks := make([]Chunk, len(spans))
	var p path
	next := 0
	for i, s := range spans {
		ink := d.ink(s.Start)
		for ; next < len(d.headings) && d.headings[next].at <= ink; next++ {
			p.enter(d.headings[next])
		}
		chunks[i] = Chunk{Span: s, Headings: p.list()}
		if header, _ := d.header(ink); header != "" && d.o.Unit.Count(header)+d.o.Unit.Count(s.Slice(d.text)) <= d.o.Size &&
			d.o.Unit.Count(header+"\n"+s.Slice(d.text)) <= d.o.Size {
			chunks[i].Context = header
		}
	}
	return chunks
}

// path is the headings in force.
type path struct {
	open  []heading
	names []string // nil if it has to be made anew
}

func (p *path) enter(h heading) {
	for len(p.open) > 0 && p.open[len(p.open)-1].level >= h.level {
		p.open = p.open[:len(p.open)-1]
	}
	p.open = append(p.open, h)
	p.names = nil
}

func (p *path) list() []string {
	if p.names == nil {
		p.names = make([]string, len(p.open))
		for i, h := range p.open {
			p.names[i] = h.title
		}
	}
	return p.names
}

// header returns the header of the table of which offset i is a later row, and
// how much it leaves for rows; "" if there is none or it leaves less than half.
func (d *outline) header(i int) (header string, room int) {
	k := sort.Search(len(d.tables), func(k int) bool { return d.tables[k].stop > i })
	if k == len(d.tables) || i < d.tables[k].rows {
		return "", d.o.Size
	}
	return d.tables[k].header, d.tables[k].room
}

// addTable notes a table that has to be cut. Its header is measured here once and
// only as far as it may be long, since every chunk of the table asks for it.
func (d *outline) addTable(start, rows, stop int) {
	t := table{start: start, rows: rows, stop: stop, room: d.o.Size}
	source := d.text[start:rows]
	header := strings.TrimRight(source, "\r\n")
	if d.o.Unit.Fit(source, d.o.Size) == len(source) {
		if room := d.o.Size - d.o.Unit.Count(header+"\n"); 2*room >= d.o.Size {
			t.header, t.room = header, room
		}
	}
	d.tables = append(d.tables, t)
}

// Room implements [window.Outline].
func (d *outline) Room(ink int) int {
	d.upTo(ink)
	_, room := d.header(ink)
	return room
}

// maxPath is the most characters of a heading path in [Texts].
const maxPath = 200

// Texts returns, for each chunk, what to embed: its heading path ("Guide > Setup",
// at most 200 characters), its context and its text, each on its own line, those
// that are empty left out. A path that is longer loses its first headings; a last
// heading that is longer alone is cut between words.
func Texts(text string, chunks []Chunk) []string {
	out := make([]string, len(chunks))
	for i, c := range chunks {
		parts := make([]string, 0, 3)
		for _, part := range []string{pathLine(c.Headings), c.Context, c.Slice(text)} {
			if part != "" {
				parts = append(parts, part)
			}
		}
		out[i] = strings.Join(parts, "\n")
	}
	return out
}

func pathLine(headings []string) string {
	for len(headings) > 0 {
		line := strings.Join(headings, " > ")
		if utf8.RuneCountInString(line) <= maxPath {
			return line
		}
		if len(headings) == 1 {
			return cutTitle(line)
		}
		headings = headings[1:]
	}
	return ""
}

// cutTitle cuts a title of more than maxPath characters behind a word, or between
// grapheme clusters if it has none.
func cutTitle(title string) string {
	n := 0
	for i := range title {
		if n == maxPath {
			title = title[:window.NewClusters(title).Floor(i)]
			break
		}
		n++
	}
	if i := strings.LastIndexByte(title, ' '); i > 0 {
		title = title[:i]
	}
	return title
}
