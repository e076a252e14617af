package app

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/ironflow/ironflow/nodes/chunking"
	"github.com/ironflow/ironflow/nodes/chunking/unit"
	"github.com/ironflow/ironflow/nodes/value"
)

// chunkSet is what a chunker made of a document, ready to be shown.
type chunkSet struct {
	name, text string
	chunks     []string
	spans      []value.Span
	positions  []chunking.Position
	headings   []any
	explain    map[string]any
	limit      int
	counter    unit.Counter
	took       time.Duration
}

func newChunkSet(name, text string, out map[string]any, took time.Duration) (*chunkSet, error) {
	chunks, err := value.AsStrings(out["chunks"])
	if err != nil {
		return nil, err
	}
	s := &chunkSet{name: name, text: text, chunks: chunks, took: took}
	n, _ := value.Len(out["chunks_spans"])
	s.spans = make([]value.Span, n)
	for i := range s.spans {
		e, _ := value.Index(out["chunks_spans"], i)
		m, _ := e.(map[string]any)
		start, _ := m["start"].(int64)
		stop, _ := m["stop"].(int64)
		s.spans[i] = value.Span{Start: int(start), Stop: int(stop)}
	}
	s.positions = chunking.Positions(text, s.spans)
	if list, ok := out["chunks_headings"]; ok {
		for i := range chunks {
			h, _ := value.Index(list, i)
			s.headings = append(s.headings, h)
		}
	}
	s.explain, _ = out["chunks_explain"].(map[string]any)
	return s, nil
}

// write shows the set as the flags ask for.
func (s *chunkSet) write(cmd *cobra.Command, g *globals, f *chunkFlags) error {
	for _, page := range []struct {
		path string
		make func() ([]byte, error)
	}{{f.svg, s.svg}, {f.html, s.html}} {
		if page.path == "" {
			continue
		}
		data, err := page.make()
		if err == nil {
			err = writeWhole(g.path(page.path), data)
		}
		if err != nil {
			return exitWith(ExitRun, fmt.Errorf("writing %s: %w", page.path, err))
		}
	}
	w := bufio.NewWriterSize(cmd.OutOrStdout(), 1<<16)
	var err error
	switch {
	case f.json:
		err = s.writeJSON(w, "[", ",", "]\n")
	case f.jsonl:
		err = s.writeJSON(w, "", "\n", "\n")
	case f.stats:
		s.writeStats(w)
	case f.explain:
		s.drawCurve(w, terminalWidth(cmd.OutOrStdout()))
	case f.svg == "" && f.html == "":
		s.writeText(w, g.coloured(cmd.OutOrStdout()))
	}
	if flush := w.Flush(); err == nil {
		err = flush
	}
	if err != nil {
		return exitWith(ExitRun, err)
	}
	return nil
}

// row is one chunk as JSON.
type row struct {
	Index     int    `json:"index"` // from 1
	Start     int    `json:"start"`
	Stop      int    `json:"stop"`
	StartChar int    `json:"start_char"`
	StopChar  int    `json:"stop_char"`
	StartLine int    `json:"start_line"`
	StopLine  int    `json:"stop_line"`
	Bytes     int    `json:"bytes"`
	Chars     int    `json:"chars"`
	Headings  any    `json:"headings,omitempty"`
	Text      string `json:"text"`
}

func (s *chunkSet) row(i int) row {
	p := s.positions[i]
	r := row{
		Index: i + 1, Start: s.spans[i].Start, Stop: s.spans[i].Stop,
		StartChar: p.StartChar, StopChar: p.StopChar, StartLine: p.StartLine, StopLine: p.StopLine,
		Bytes: len(s.chunks[i]), Chars: utf8.RuneCountInString(s.chunks[i]), Text: s.chunks[i],
	}
	if s.headings != nil {
		r.Headings = s.headings[i]
	}
	return r
}

func (s *chunkSet) writeJSON(w io.Writer, open, between, end string) error {
	if _, err := io.WriteString(w, open); err != nil {
		return err
	}
	for i := range s.chunks {
		if i > 0 {
			if _, err := io.WriteString(w, between); err != nil {
				return err
			}
		}
		var b strings.Builder
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(s.row(i)); err != nil {
			return err
		}
		if _, err := io.WriteString(w, strings.TrimSuffix(b.String(), "\n")); err != nil {
			return err
		}
	}
	if len(s.chunks) == 0 && open == "" {
		return nil
	}
	_, err := io.WriteString(w, end)
	return err
}

// writeText shows each chunk under a line that tells where it is.
func (s *chunkSet) writeText(w io.Writer, coloured bool) {
	rule, plain := "", ""
	if coloured {
		rule, plain = "\x1b[36m", "\x1b[0m"
	}
	for i, c := range s.chunks {
		p := s.positions[i]
		fmt.Fprintf(w, "%s── %d of %d ── bytes %d..%d ── %d characters ── lines %d..%d ──%s\n",
			rule, i+1, len(s.chunks), s.spans[i].Start, s.spans[i].Stop, utf8.RuneCountInString(c), p.StartLine, p.StopLine, plain)
		io.WriteString(w, escapeControl(c))
		if !strings.HasSuffix(c, "\n") {
			io.WriteString(w, "\n")
		}
	}
}

// writeStats prints how many chunks there are, their sizes, how many are over
// the limit, and how much of the text they cover.
func (s *chunkSet) writeStats(w io.Writer) {
	name := s.counter.Unit()
	sizes := make([]int, len(s.chunks))
	over := 0
	for i, c := range s.chunks {
		sizes[i] = s.counter.Count(c)
		if s.limit > 0 && sizes[i] > s.limit {
			over++
		}
	}
	slices.Sort(sizes)
	fmt.Fprintf(w, "chunks    %d\n", len(sizes))
	if len(sizes) > 0 {
		at := func(q float64) int { return sizes[int(q*float64(len(sizes)-1)+0.5)] }
		fmt.Fprintf(w, "size      min %d, median %d, p95 %d, max %d %s\n", sizes[0], at(0.5), at(0.95), sizes[len(sizes)-1], name)
	}
	if s.limit > 0 {
		fmt.Fprintf(w, "limit     %d %s, over it %d\n", s.limit, name, over)
	}
	covered, ink := s.coverage()
	share := 100.0
	if ink > 0 {
		share = 100 * float64(covered) / float64(ink)
	}
	fmt.Fprintf(w, "coverage  %.3f %% of %d bytes that are not white space\n", share, ink)
	fmt.Fprintf(w, "time      %s\n", round(s.took))
}

// coverage counts the bytes of the text that are not white space, and those of
// them that lie in a chunk.
func (s *chunkSet) coverage() (covered, ink int) {
	next, until := 0, 0 // spans are in order of their starts
	for i, r := range s.text {
		for next < len(s.spans) && s.spans[next].Start <= i {
			until = max(until, s.spans[next].Stop)
			next++
		}
		if unicode.IsSpace(r) {
			continue
		}
		n := utf8.RuneLen(r)
		ink += n
		if i < until {
			covered += n
		}
	}
	return covered, ink
}
