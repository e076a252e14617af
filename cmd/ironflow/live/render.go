package live

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ironflow/ironflow/flow"
)

// Style is what the terminal can show.
type Style struct {
	// Color allows colours.
	Color bool
	// Unicode allows characters beyond ASCII.
	Unicode bool
}

const (
	timeWidth = 6 // "12.3s", "59m59s"
	// nameShare is the part of the width, in percent, that names may take.
	nameShare = 40
	leastName = 8
)

// Lines are the lines that show the run at a point in time on a terminal of
// width columns and height rows: at most height-1 of them, so that the line
// with the cursor fits below, and none as wide as the terminal. When there are
// more steps than rows, those that run, failed or ended last are shown; the
// last line counts all.
func (m *Model) Lines(now time.Time, width, height int, style Style) []string {
	rows := height - 2
	if rows < 0 || width < 2 {
		return nil
	}
	shown, hidden := m.selection(rows)
	name := min(m.longest, max(leastName, width*nameShare/100))
	out := make([]string, 0, len(shown)+1)
	for _, i := range shown {
		out = append(out, m.steps[i].line(now, name, width-1, style))
	}
	return append(out, style.cut(m.summary(now, hidden), width-1))
}

// selection returns the steps that have a line, in plan order, and how many
// have none.
func (m *Model) selection(rows int) (shown []int, hidden int) {
	var active, pending []int
	for i := range m.steps {
		s := &m.steps[i]
		switch {
		case !s.visible():
		case m.total <= rows:
			shown = append(shown, i)
		case s.active():
			active = append(active, i)
		case s.status == flow.Pending && len(pending) < rows:
			pending = append(pending, i)
		}
	}
	if m.total <= rows {
		return shown, 0
	}
	take := func(list []int) { shown = append(shown, list[:min(len(list), rows-len(shown))]...) }
	newest := func(want func(*step) bool) (list []int) {
		for k := len(m.ended) - 1; k >= 0 && len(list) < rows; k-- {
			if s := &m.steps[m.ended[k]]; s.visible() && want(s) {
				list = append(list, m.ended[k])
			}
		}
		return list
	}
	bad := func(s *step) bool { return s.status == flow.Failed }
	take(active)
	take(newest(bad))
	take(newest(func(s *step) bool { return !bad(s) }))
	take(pending)
	slices.Sort(shown)
	return shown, m.total - len(shown)
}

// look is how a state is shown: its mark with and without Unicode, its word
// and its colour.
type look struct {
	mark, ascii, word string
	color             color
}

func (s *step) look() look {
	switch s.status {
	case flow.Running:
		return look{"▸", ">", "running", cyan}
	case waiting:
		return look{"↻", "~", "waiting", yellow}
	case flow.Success:
		return look{"✓", "+", "done", green}
	case flow.Failed:
		return look{"✗", "x", "failed", red}
	case flow.Skipped:
		return look{"-", "-", "skipped", grey}
	case flow.Cancelled:
		return look{"!", "!", "cancelled", yellow}
	}
	return look{".", ".", "pending", grey}
}

// line is `mark name time text`, cut to a display width.
func (s *step) line(now time.Time, nameWidth, width int, style Style) string {
	l := s.look()
	mark := l.ascii
	if style.Unicode {
		mark = l.mark
	}
	name := style.cut(s.name, nameWidth)
	text := s.text(l)
	plain := fmt.Sprintf("%s %s  %*s  %s", style.paint(mark, l.color),
		name+strings.Repeat(" ", max(0, nameWidth-textWidth(name))), timeWidth, s.time(now), text)
	return style.cut(strings.TrimRight(plain, " "), width)
}

// text says what a step is doing, or how it ended.
func (s *step) text(l look) string {
	switch {
	case s.status == flow.Running && s.detail != "" && s.attempt > 1:
		return fmt.Sprintf("%s, attempt %d", s.detail, s.attempt)
	case s.status == flow.Running && s.attempt > 1:
		return fmt.Sprintf("%s, attempt %d", l.word, s.attempt)
	case s.status == flow.Running && s.detail != "":
		return s.detail
	case s.detail != "":
		return l.word + ": " + s.detail
	case s.attempt > 1:
		return fmt.Sprintf("%s after %d attempts", l.word, s.attempt)
	}
	return l.word
}

// time is how long a step has taken so far, or took.
func (s *step) time(now time.Time) string {
	switch {
	case s.started.IsZero():
		return ""
	case s.active():
		return elapsed(now.Sub(s.started))
	case s.took < time.Millisecond:
		return "<1ms"
	case s.took < time.Second:
		return fmt.Sprintf("%dms", s.took.Milliseconds())
	}
	return elapsed(s.took)
}

// elapsed is a time in at most six characters, up to 99 hours.
func elapsed(d time.Duration) string {
	d = max(d, 0)
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%.1fs", d.Truncate(100*time.Millisecond).Seconds())
	case d < time.Hour:
		return fmt.Sprintf("%dm%02ds", d/time.Minute, d%time.Minute/time.Second)
	}
	return fmt.Sprintf("%dh%02dm", d/time.Hour, d%time.Hour/time.Minute)
}

// summary is the last line: how the whole run stands.
func (m *Model) summary(now time.Time, hidden int) string {
	var b strings.Builder
	switch {
	case m.status.Ended():
		word := "after"
		if m.status == flow.Success {
			word = "in"
		}
		fmt.Fprintf(&b, "%s %s %s: ", m.status, word, elapsed(m.took))
	case m.started.IsZero():
	default:
		b.WriteString(elapsed(now.Sub(m.started)) + ": ")
	}
	fmt.Fprintf(&b, "%d of %d done", m.counts[flow.Success], m.total)
	if hidden > 0 {
		fmt.Fprintf(&b, ", %d not shown", hidden)
	}
	for _, s := range []flow.Status{flow.Running, waiting, flow.Failed, flow.Cancelled, flow.Skipped, flow.Pending} {
		if n := m.counts[s]; n > 0 {
			fmt.Fprintf(&b, ", %d %s", n, s)
		}
	}
	return b.String()
}

// cut shortens a text to a display width; escape sequences have none.
func (s Style) cut(text string, width int) string {
	end := "..."
	if s.Unicode {
		end = "…"
	}
	if textWidth(end) > width {
		end = ""
	}
	return truncate(text, width, end)
}

func (s Style) paint(text string, c color) string {
	if !s.Color {
		return text
	}
	return c.paint(text)
}
