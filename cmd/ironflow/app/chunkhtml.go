package app

import (
	"bytes"
	"fmt"
	"html/template"
	"os"
	"path/filepath"
	"unicode/utf8"
)

const chunkPage = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>{{.Name}}: {{.Count}}</title>
<style>
body { font: 16px/1.5 sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; color: #222; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: 15px/1.6 serif; }
pre span { border-radius: 3px; }
pre span:hover { outline: 2px solid #333; }
.c0 { background: #fde9c9; } .c1 { background: #d6ecd2; } .c2 { background: #d3e5f7; } .c3 { background: #eedcf2; }
.gap { color: #999; }
table { border-collapse: collapse; font-size: 13px; }
td, th { padding: 2px 10px; text-align: right; border-bottom: 1px solid #ddd; }
svg { max-width: 100%; }
</style>
<h1>{{.Name}}</h1>
<p>{{.Count}}</p>
{{.Curve}}
<pre>{{range .Pieces}}{{if .Title}}<span class="c{{.Colour}}" title="{{.Title}}">{{.Text}}</span>{{else}}<span class="gap">{{.Text}}</span>{{end}}{{end}}</pre>
<table><tr><th>chunk<th>bytes<th>characters<th>from<th>to<th>lines</tr>
{{range .Rows}}<tr><td>{{.Index}}<td>{{.Bytes}}<td>{{.Chars}}<td>{{.Start}}<td>{{.Stop}}<td>{{.StartLine}} to {{.StopLine}}</tr>
{{end}}</table>
</html>
`

type htmlPiece struct {
	Text, Title string
	Colour      int
}

// html makes one page that needs nothing else: the text with its chunks in
// colours, offsets on hover, the curve where there is one, and a table. Where
// chunks overlap, the text shows each byte once, in the chunk that has it
// first.
func (s *chunkSet) html() ([]byte, error) {
	page := struct {
		Name, Count string
		Curve       template.HTML
		Pieces      []htmlPiece
		Rows        []row
	}{Name: s.name, Count: count(len(s.chunks), "chunk")}
	if s.explain != nil {
		picture, err := s.svg()
		if err != nil {
			return nil, err
		}
		page.Curve = template.HTML(picture) // made above, every text in it escaped
	}
	at := 0
	for i, span := range s.spans {
		if span.Start > at {
			page.Pieces = append(page.Pieces, htmlPiece{Text: s.text[at:span.Start]})
		}
		from := max(at, span.Start)
		if span.Stop > from {
			page.Pieces = append(page.Pieces, htmlPiece{
				Text: s.text[from:span.Stop], Colour: i % 4,
				Title: fmt.Sprintf("chunk %d: bytes %d to %d, %d characters", i+1, span.Start, span.Stop, utf8.RuneCountInString(s.chunks[i])),
			})
			at = span.Stop
		}
		page.Rows = append(page.Rows, s.row(i))
	}
	if at < len(s.text) {
		page.Pieces = append(page.Pieces, htmlPiece{Text: s.text[at:]})
	}
	t, err := template.New("chunks").Parse(chunkPage)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := t.Execute(&b, page); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}

// writeWhole writes a file so that nobody ever sees half of it.
func writeWhole(path string, data []byte) error {
	tmp, err := os.CreateTemp(filepath.Dir(path), ".ironflow-*")
	if err != nil {
		return err
	}
	defer os.Remove(tmp.Name())
	if _, err = tmp.Write(data); err == nil {
		err = tmp.Chmod(0o644)
	}
	if closeErr := tmp.Close(); err == nil {
		err = closeErr
	}
	if err != nil {
		return err
	}
	return os.Rename(tmp.Name(), path)
}
