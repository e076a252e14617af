package live

import (
	"fmt"
	"strings"

	"github.com/rivo/uniseg"
)

// The few control sequences that the view needs (ECMA-48, and DEC private mode
// 2026 for updates that appear at once).
const (
	beginUpdate = "\x1b[?2026h"
	endUpdate   = "\x1b[?2026l"
	eraseRight  = "\x1b[K"
	eraseBelow  = "\x1b[J"
	cursorDown  = "\x1b[B" // never scrolls
)

func cursorUp(n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return "\x1b[A"
	}
	return fmt.Sprintf("\x1b[%dA", n)
}

// color is the number of a foreground colour (SGR).
type color int

const (
	red    color = 31
	green  color = 32
	yellow color = 33
	cyan   color = 36
	grey   color = 90
)

func (c color) paint(text string) string { return fmt.Sprintf("\x1b[%dm%s\x1b[m", int(c), text) }

// sequence returns the length of the control sequence that s begins with, or 0.
func sequence(s string) int {
	if !strings.HasPrefix(s, "\x1b[") {
		return 0
	}
	for i := 2; i < len(s); i++ {
		if s[i] >= 0x40 && s[i] <= 0x7e {
			return i + 1
		}
	}
	return len(s)
}

// textWidth returns the columns that s takes; control sequences take none.
func textWidth(s string) int {
	n := 0
	for s != "" {
		if k := sequence(s); k > 0 {
			s = s[k:]
			continue
		}
		stop := strings.Index(s, "\x1b[")
		if stop < 0 {
			stop = len(s)
		}
		n += uniseg.StringWidth(s[:stop])
		s = s[stop:]
	}
	return n
}

// truncate cuts s to width columns, the last of them end when something was cut
// off. Control sequences are all kept, so that a colour ends.
func truncate(s string, width int, end string) string {
	if textWidth(s) <= width {
		return s
	}
	var b strings.Builder
	left, state, full := width-textWidth(end), -1, false
	for s != "" {
		if k := sequence(s); k > 0 {
			b.WriteString(s[:k])
			s, state = s[k:], -1
			continue
		}
		var cluster string
		var w int
		cluster, s, w, state = uniseg.FirstGraphemeClusterInString(s, state)
		if !full && w <= left {
			b.WriteString(cluster)
			left -= w
		} else if !full {
			full = true
			b.WriteString(end)
		}
	}
	return b.String()
}
