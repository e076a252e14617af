package live

import (
	"bytes"
	"slices"
	"strings"
)

// screen knows what stands on the terminal above the cursor.
type screen struct {
	lines []string
	width int
}

// frame returns the bytes that print log above the lines and change the lines
// on the terminal into these; nothing when that changes nothing. Lines that
// stay the same are not written again. log is empty or ends with a newline.
func (s *screen) frame(log []byte, lines []string, width int) []byte {
	resized := len(s.lines) > 0 && s.width != width
	if len(log) == 0 && !resized && slices.Equal(lines, s.lines) {
		return nil
	}
	var b bytes.Buffer
	b.WriteString(beginUpdate)
	b.WriteByte('\r')
	up := s.rows(width)
	b.WriteString(cursorUp(up))
	old := s.lines
	if len(log) > 0 || resized {
		// Row by row: some terminals keep a copy of the lines in their history
		// when the screen is erased from its first row on.
		b.WriteString(strings.Repeat(eraseRight+cursorDown, up))
		b.WriteString(cursorUp(up))
		old = nil
	}
	b.Write(bytes.ReplaceAll(log, []byte("\n"), []byte("\r\n")))
	for i, line := range lines {
		if i >= len(old) || old[i] != line {
			b.WriteString(line)
			b.WriteString(eraseRight)
		}
		b.WriteString("\r\n")
	}
	// Also what the terminal has echoed below, such as ^C.
	b.WriteString(eraseBelow)
	b.WriteString(endUpdate)
	s.lines, s.width = slices.Clone(lines), width
	return b.Bytes()
}

// rows is how many rows the lines take on a terminal of this width: terminals
// break lines anew when they become narrower.
func (s *screen) rows(width int) int {
	n := len(s.lines)
	if width <= 0 || width >= s.width {
		return n
	}
	for _, line := range s.lines {
		n += max(0, textWidth(line)-1) / width
	}
	return n
}

// forget leaves what stands on the terminal where it is.
func (s *screen) forget() { s.lines = nil }
