package app

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/ironflow/ironflow/nodes/value"
)

// curve is the distance curve of a semantic chunking with its candidates.
type curve struct {
	distance, smoothed []float64
	peaks              []peak
}

// peak is a candidate for a boundary, after sentence Gap (from 0).
type peak struct {
	gap      int
	strength float64
	kept     bool
	reason   string
}

// curve reads what the node explained; empty when it took a shortcut.
func (s *chunkSet) curve() curve {
	var c curve
	c.distance, _ = value.AsFloats(s.explain["distance"])
	c.smoothed, _ = value.AsFloats(s.explain["smoothed"])
	if len(c.smoothed) == 0 {
		c.smoothed, _ = value.AsFloats(s.explain["curve"])
	}
	if len(c.smoothed) == 0 {
		c.smoothed = c.distance
	}
	n, _ := value.Len(s.explain["candidates"])
	for i := range n {
		e, _ := value.Index(s.explain["candidates"], i)
		m, _ := e.(map[string]any)
		gap, _ := m["gap"].(int64)
		p := peak{gap: int(gap)}
		p.strength, _ = m["strength"].(float64)
		p.kept, _ = m["kept"].(bool)
		p.reason, _ = m["reason"].(string)
		c.peaks = append(c.peaks, p)
	}
	return c
}

// curveHeight is the number of lines of the drawing.
const curveHeight = 12

// drawCurve draws the smoothed curve with dots, kept peaks as ▲ and dropped
// ones as △, and lists the candidates below.
func (s *chunkSet) drawCurve(w io.Writer, width int) {
	c := s.curve()
	if len(c.smoothed) == 0 {
		fmt.Fprintln(w, "no curve: the text has fewer than two sentences")
		return
	}
	columns := max(10, min(width-10, len(c.smoothed)))
	low, high := bounds(c.smoothed)
	grid := make([][]rune, curveHeight)
	for i := range grid {
		grid[i] = []rune(strings.Repeat(" ", columns))
	}
	column := func(gap int) int {
		if len(c.smoothed) == 1 {
			return 0
		}
		return gap * (columns - 1) / (len(c.smoothed) - 1)
	}
	line := func(v float64) int {
		return curveHeight - 1 - int(math.Round((v-low)/(high-low)*(curveHeight-1)))
	}
	for gap, v := range c.smoothed {
		grid[line(v)][column(gap)] = '·'
	}
	for _, p := range c.peaks {
		if p.gap < len(c.smoothed) {
			grid[line(c.smoothed[p.gap])][column(p.gap)] = mark(p.kept)
		}
	}
	for i, row := range grid {
		v := high - (high-low)*float64(i)/(curveHeight-1)
		fmt.Fprintf(w, "%8.4f %s\n", v, strings.TrimRight(string(row), " "))
	}
	fmt.Fprintf(w, "%8s 1%s%d\n", "gap", strings.Repeat(" ", max(1, columns-1-len(fmt.Sprint(len(c.smoothed))))), len(c.smoothed))
	for _, p := range c.peaks {
		fmt.Fprintf(w, "%c after sentence %d, strength %.4f: %s\n", mark(p.kept), p.gap+1, p.strength, escapeLine(p.reason))
	}
	fmt.Fprintf(w, "%s\n", count(len(s.chunks), "chunk"))
}

func mark(kept bool) rune {
	if kept {
		return '▲'
	}
	return '△'
}

// bounds returns the least and the greatest value, never equal.
func bounds(list []float64) (low, high float64) {
	low, high = list[0], list[0]
	for _, v := range list {
		low, high = min(low, v), max(high, v)
	}
	if low == high {
		high = low + 1
	}
	return low, high
}

// svg draws the curve as a picture that needs nothing else.
func (s *chunkSet) svg() ([]byte, error) {
	const width, height, margin = 960.0, 300.0, 40.0
	c := s.curve()
	var b bytes.Buffer
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" font-family="sans-serif" font-size="12">`+"\n", width, height)
	b.WriteString(`<rect width="100%" height="100%" fill="white"/>` + "\n")
	if len(c.smoothed) == 0 {
		fmt.Fprintf(&b, `<text x="%g" y="%g">no curve: the text has fewer than two sentences</text></svg>`+"\n", margin, height/2)
		return b.Bytes(), nil
	}
	low, high := bounds(append(append([]float64(nil), c.smoothed...), c.distance...))
	x := func(gap int) float64 {
		return margin + (width-2*margin)*float64(gap)/math.Max(1, float64(len(c.smoothed)-1))
	}
	y := func(v float64) float64 { return height - margin - (height-2*margin)*(v-low)/(high-low) }
	line := func(values []float64, style string) {
		b.WriteString(`<polyline fill="none" ` + style + ` points="`)
		for i, v := range values {
			fmt.Fprintf(&b, "%.2f,%.2f ", x(i), y(v))
		}
		b.WriteString(`"/>` + "\n")
	}
	for _, v := range []float64{low, (low + high) / 2, high} {
		fmt.Fprintf(&b, `<line x1="%g" y1="%.2f" x2="%g" y2="%.2f" stroke="#ddd"/><text x="4" y="%.2f" fill="#666">%.3f</text>`+"\n", margin, y(v), width-margin, y(v), y(v)+4, v)
	}
	line(c.distance, `stroke="#bbb" stroke-width="1"`)
	line(c.smoothed, `stroke="#06c" stroke-width="2"`)
	for _, p := range c.peaks {
		if p.gap >= len(c.smoothed) {
			continue
		}
		fill := "white"
		if p.kept {
			fill = "#c30"
			fmt.Fprintf(&b, `<line x1="%.2f" y1="%g" x2="%.2f" y2="%g" stroke="#c30" stroke-dasharray="4 3"/>`+"\n", x(p.gap), margin, x(p.gap), height-margin)
		}
		fmt.Fprintf(&b, `<circle cx="%.2f" cy="%.2f" r="4" fill="%s" stroke="#c30"><title>after sentence %d: %s</title></circle>`+"\n",
			x(p.gap), y(c.smoothed[p.gap]), fill, p.gap+1, xmlText(p.reason))
	}
	fmt.Fprintf(&b, `<text x="%g" y="%g" fill="#666">%s, %s; grey: distance, blue: smoothed, dashed: boundaries</text></svg>`+"\n",
		margin, height-10, count(len(c.smoothed), "gap"), count(len(s.chunks), "chunk"))
	return b.Bytes(), nil
}

func xmlText(s string) string {
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(escapeLine(s))
}
