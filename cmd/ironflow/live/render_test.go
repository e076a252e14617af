package live

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/charmbracelet/x/ansi"
	"github.com/rivo/uniseg"

	"github.com/ironflow/ironflow/flow"
)

var begin = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func at(seconds float64) time.Time { return begin.Add(time.Duration(seconds * float64(time.Second))) }

// feed numbers and dates events: one a second unless they have a time.
func feed(m *Model, events ...flow.Event) *Model {
	for i, e := range events {
		if e.Time.IsZero() {
			e.Time = at(float64(i))
		}
		m.Event(e)
	}
	return m
}

// midway is a run that has seen every kind of event.
func midway() *Model {
	return feed(NewModel([]string{"fetch", "chunk", "_if_embed", "embed", "flaky", "bad", "later", "last", "off"}, nil),
		flow.Event{Type: flow.RunStarted},
		flow.Event{Type: flow.StepStarted, Step: "fetch", Attempt: 1},
		flow.Event{Type: flow.StepSucceeded, Step: "fetch", Attempt: 1, Duration: 12 * time.Millisecond},
		flow.Event{Type: flow.StepStarted, Step: "chunk", Attempt: 1},
		flow.Event{Type: flow.StepProgress, Step: "chunk", Attempt: 1, Done: 3, Total: 12, Unit: "batch"},
		flow.Event{Type: flow.StepStarted, Step: "_if_embed", Attempt: 1},
		flow.Event{Type: flow.StepStarted, Step: "embed", Attempt: 1},
		flow.Event{Type: flow.StepRetrying, Step: "embed", Attempt: 2, Reason: "attempt 2 of 3 follows in 1s", Error: &flow.ErrorInfo{Message: "status 429"}},
		flow.Event{Type: flow.StepStarted, Step: "flaky", Attempt: 1},
		flow.Event{Type: flow.StepStarted, Step: "flaky", Attempt: 2},
		flow.Event{Type: flow.StepProgress, Step: "flaky", Attempt: 2, Done: 7, Unit: "page"},
		flow.Event{Type: flow.StepStarted, Step: "bad", Attempt: 1},
		flow.Event{Type: flow.StepFailed, Step: "bad", Attempt: 1, Duration: 1234 * time.Millisecond, Error: &flow.ErrorInfo{Message: "told at the end"}},
		flow.Event{Type: flow.StepSkipped, Step: "later", Reason: `step "bad" failed`},
		flow.Event{Type: flow.StepCancelled, Step: "off", Reason: "told to stop"},
	)
}

func TestLines(t *testing.T) {
	for _, tt := range []struct {
		name          string
		width, height int
		style         Style
		want          string
	}{
		{"wide", 100, 24, Style{Unicode: true}, `
✓ fetch    12ms  done
▸ chunk   17.0s  batch 3/12
↻ embed   14.0s  waiting: attempt 2 of 3 follows in 1s: status 429
▸ flaky   12.0s  page 7, attempt 2
✗ bad      1.2s  failed
- later          skipped: step "bad" failed
. last           pending
! off            cancelled: told to stop
20.0s: 1 of 8 done, 2 running, 1 waiting, 1 failed, 1 cancelled, 1 skipped, 1 pending`},
		{"40 columns", 40, 24, Style{Unicode: true}, `
✓ fetch    12ms  done
▸ chunk   17.0s  batch 3/12
↻ embed   14.0s  waiting: attempt 2 of…
▸ flaky   12.0s  page 7, attempt 2
✗ bad      1.2s  failed
- later          skipped: step "bad" f…
. last           pending
! off            cancelled: told to st…
20.0s: 1 of 8 done, 2 running, 1 waiti…`},
		{"ASCII", 30, 24, Style{}, `
+ fetch    12ms  done
> chunk   17.0s  batch 3/12
~ embed   14.0s  waiting: ...
> flaky   12.0s  page 7, a...
x bad      1.2s  failed
- later          skipped: ...
. last           pending
! off            cancelled...
20.0s: 1 of 8 done, 2 runn...`},
		{"too many steps: what runs, what failed, what ended last", 60, 8, Style{}, `
> chunk   17.0s  batch 3/12
~ embed   14.0s  waiting: attempt 2 of 3 follows in 1s: ...
> flaky   12.0s  page 7, attempt 2
x bad      1.2s  failed
- later          skipped: step "bad" failed
! off            cancelled: told to stop
20.0s: 1 of 8 done, 2 not shown, 2 running, 1 waiting, 1...`},
		{"fewer rows than running steps", 60, 4, Style{}, `
> chunk   17.0s  batch 3/12
~ embed   14.0s  waiting: attempt 2 of 3 follows in 1s: ...
20.0s: 1 of 8 done, 6 not shown, 2 running, 1 waiting, 1...`},
		{"two rows", 60, 2, Style{}, `
20.0s: 1 of 8 done, 8 not shown, 2 running, 1 waiting, 1...`},
		{"one row has no place", 60, 1, Style{}, ""},
		{"no size", 0, 0, Style{}, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got := midway().Lines(at(20), tt.width, tt.height, tt.style)
			if text := strings.Join(got, "\n"); text != strings.TrimPrefix(tt.want, "\n") {
				t.Errorf("got\n%s\nwant%s", text, tt.want)
			}
		})
	}
}

func TestLinesColor(t *testing.T) {
	lines := midway().Lines(at(20), 40, 24, Style{Color: true, Unicode: true})
	plain := midway().Lines(at(20), 40, 24, Style{Unicode: true})
	for i, line := range lines {
		if ansi.Strip(line) != plain[i] {
			t.Errorf("colour changes the text: %q, want %q", ansi.Strip(line), plain[i])
		}
	}
	if want := "\x1b[31m✗\x1b[m bad"; !strings.HasPrefix(lines[4], want) {
		t.Errorf("got %q, want the prefix %q", lines[4], want)
	}
	if strings.Contains(strings.Join(plain, ""), "\x1b") {
		t.Error("escape sequences without colour")
	}
}

// TestLinesFit draws the same run at every size that a terminal may have: no
// line is as wide as the terminal, by another library's measure, and the line
// of the cursor always fits.
func TestLinesFit(t *testing.T) {
	m := midway()
	for _, name := range []string{"日本語の文書を読む", "e\u0301te\u0301", "👩‍👩‍👧‍👦-family", "🇫🇷", strings.Repeat("x", 128)} {
		m.Event(flow.Event{Type: flow.StepStarted, Step: name, Attempt: 1, Time: at(1)})
		m.Event(flow.Event{Type: flow.StepProgress, Step: name, Done: 1, Total: 1000, Unit: "文書"})
	}
	for width := 2; width < 210; width++ {
		for _, height := range []int{2, 3, 10, 50} {
			for _, style := range []Style{{}, {Color: true, Unicode: true}} {
				lines := m.Lines(at(20), width, height, style)
				if len(lines) == 0 || len(lines) >= height {
					t.Fatalf("%d lines for %d rows", len(lines), height)
				}
				for _, line := range lines {
					if w := uniseg.StringWidth(ansi.Strip(line)); w >= width {
						t.Fatalf("%d columns of %d: %q", w, width, line)
					}
				}
			}
		}
	}
}

func TestWideNamesAlign(t *testing.T) {
	m := feed(NewModel([]string{"読む", "chunk"}, nil), flow.Event{Type: flow.RunStarted})
	got := m.Lines(at(0), 40, 9, Style{})
	want := []string{". 読む           pending", ". chunk          pending", "0.0s: 0 of 2 done, 2 pending"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestEnds(t *testing.T) {
	for _, tt := range []struct {
		status flow.Status
		want   string
	}{
		{flow.Success, "success in 2m05s: 1 of 1 done"},
		{flow.Failed, "failed after 2m05s: 1 of 1 done"},
		{flow.Cancelled, "cancelled after 2m05s: 1 of 1 done"},
	} {
		m := feed(NewModel([]string{"a"}, nil),
			flow.Event{Type: flow.RunStarted},
			flow.Event{Type: flow.StepStarted, Step: "a", Attempt: 1},
			flow.Event{Type: flow.StepProgress, Step: "a", Attempt: 1, Done: 1, Total: 2},
			flow.Event{Type: flow.StepStarted, Step: "a", Attempt: 3},
			flow.Event{Type: flow.StepSucceeded, Step: "a", Attempt: 3, Duration: 125 * time.Second},
			flow.Event{Type: flow.RunFinished, Status: tt.status, Duration: 125900 * time.Millisecond},
		)
		got := m.Lines(at(999), 60, 24, Style{})
		if want := []string{"+ a   2m05s  done after 3 attempts", tt.want}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

// TestFailedGuard: a step of the runner's own is shown only when it failed.
func TestFailedGuard(t *testing.T) {
	m := NewModel([]string{"_if_a", "a"}, nil)
	if got := m.Lines(at(0), 60, 24, Style{}); len(got) != 2 || got[1] != "0 of 1 done, 1 pending" {
		t.Errorf("got %q", got)
	}
	m.Event(flow.Event{Type: flow.StepFailed, Step: "_if_a"})
	got := m.Lines(at(0), 60, 24, Style{})
	if len(got) != 3 || !strings.HasPrefix(got[0], "x _if_a  ") || got[2] != "0 of 2 done, 1 failed, 1 pending" {
		t.Errorf("got %q", got)
	}
}

func TestTextsAreCleaned(t *testing.T) {
	clean := func(s string) string { return strings.NewReplacer("\x1b", "?", "\n", "|").Replace(s) }
	m := feed(NewModel([]string{"a\x1b"}, clean),
		flow.Event{Type: flow.StepStarted, Step: "a\x1b", Attempt: 1},
		flow.Event{Type: flow.StepRetrying, Step: "a\x1b", Attempt: 2, Reason: "r\n", Error: &flow.ErrorInfo{Message: "\x1b[2J"}},
		flow.Event{Type: flow.StepStarted, Step: "b", Attempt: 1},
		flow.Event{Type: flow.StepProgress, Step: "b", Done: 1, Unit: "u\n"},
		flow.Event{Type: flow.StepSkipped, Step: "c", Reason: "\x1b"},
	)
	text := strings.Join(m.Lines(at(9), 100, 24, Style{}), "")
	if strings.ContainsAny(text, "\x1b\n") || !strings.Contains(text, "r|: ?[2J") || !strings.Contains(text, "u| 1") {
		t.Errorf("got %q", text)
	}
}

func TestElapsed(t *testing.T) {
	for d, want := range map[time.Duration]string{
		-time.Second: "0.0s", 0: "0.0s", 199 * time.Millisecond: "0.1s", 59999 * time.Millisecond: "59.9s",
		time.Minute: "1m00s", 59*time.Minute + 59*time.Second: "59m59s", time.Hour: "1h00m", 99*time.Hour + 59*time.Minute: "99h59m",
	} {
		if got := elapsed(d); got != want {
			t.Errorf("elapsed(%v) = %q, want %q", d, got, want)
		}
	}
}

// BenchmarkLines draws a run of 10,000 steps.
func BenchmarkLines(b *testing.B) {
	var names []string
	for i := range 10000 {
		names = append(names, fmt.Sprint("step", i))
	}
	m := NewModel(names, nil)
	for i := range 5000 {
		m.Event(flow.Event{Type: flow.StepSucceeded, Step: names[i], Attempt: 1})
	}
	for b.Loop() {
		m.Lines(begin, 80, 24, Style{Color: true, Unicode: true})
	}
}
