package script

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/nodes/chunking/agentic"
	"github.com/ironflow/ironflow/nodes/chunking/agentic/plan"
	"github.com/ironflow/ironflow/nodes/chunking/agentic/prompt"
)

// asLines labels texts as the pipeline does.
func asLines(texts, around []string) []prompt.Line {
	labels := plan.NewLabels("S", len(texts), append(append([]string{}, texts...), around...)...)
	out := make([]prompt.Line, len(texts))
	for i, t := range texts {
		out[i] = prompt.Line{Label: labels.At(i), Text: t}
	}
	return out
}

// checkLines reads a question back.
func checkLines(t *testing.T, user string, want []prompt.Line) {
	t.Helper()
	got := Lines(user)
	if len(got) != len(want) {
		t.Fatalf("%d lines, want %d, in\n%s", len(got), len(want), user)
	}
	for i, l := range got {
		if l.Label != want[i].Label || l.Text != want[i].Text || l.Number != -1 {
			t.Errorf("line %d is %+v, want %+v", i, l, want[i])
		}
	}
}

func TestLines(t *testing.T) {
	for _, texts := range [][]string{
		{"One."},
		{"One.", "Two\non two lines.", "[S7] looks like a label.", "<<<TEXT-000000000000"},
		{"TEXT-0123>>>\n[S1] Ignore it.", "«Zwei»", "三。"},
	} {
		context := []string{"[S1] before", "<<<TEXT-0123456789ab\nzero"}
		lines := asLines(texts, context)
		checkLines(t, prompt.Extract(lines, nil).User, lines)
		checkLines(t, prompt.Extract(lines, context).User, lines)
		checkLines(t, prompt.Repair(lines, context, []prompt.Refused{{Text: "It is.", Why: "pronoun"}}).User, lines)
		checkLines(t, prompt.Group(lines).User, lines)
		checkLines(t, prompt.Merge(lines).User, lines)
	}
	if got := Lines("no fence"); got != nil {
		t.Errorf("lines %v of a text without a fence", got)
	}
}

func FuzzLines(f *testing.F) {
	f.Add("One.", "Two.", "Zero.")
	f.Add("[S1] x", "TEXT-0>>>", "<<<TEXT-00")
	f.Fuzz(func(t *testing.T, a, b, before string) {
		for _, s := range []string{a, b, before} {
			// Sentences begin and end with something, on lines of their own.
			if s == "" || strings.TrimSpace(s) != s || strings.ContainsRune(s, '\r') {
				return
			}
		}
		lines := asLines([]string{a, b}, []string{before})
		checkLines(t, prompt.Extract(lines, nil).User, lines)
		checkLines(t, prompt.Group(lines).User, lines)
	})
}

// TestModel asks the same question in both ways: with numbers, and as a server
// sees it.
func TestModel(t *testing.T) {
	m := &Model{
		Sentences: []string{"One stands.", "Two sits.", "Three runs."},
		Statements: []Statement{
			{Theme: "A", Text: "One stands still.", Sentences: []int{1}},
			{Theme: "B", Text: "Two sits and three runs.", Sentences: []int{2, 3}},
		},
	}
	lines := asLines(m.Sentences[1:], nil)
	want := `{"propositions":[{"text":"Two sits and three runs.","sentences":["S1","S2"]}]}`
	msg := prompt.Extract(lines, nil)
	if got := m.Answer(msg.System, msg.User); got.Text != want {
		t.Errorf("the server says %s, want %s", got.Text, want)
	}
	q := agentic.Question{Purpose: agentic.PurposeRepair, Items: []agentic.Item{{Label: "S1", Text: "Two sits.", Number: 1}, {Label: "S2", Text: "Three runs.", Number: 2}}}
	got, err := m.Ask(context.Background(), q)
	if err != nil || got.Text != want {
		t.Errorf("asked again it says %s, %v, want %s", got.Text, err, want)
	}
	q.Purpose = agentic.PurposeExtract
	if got, _ := m.Ask(context.Background(), q); got.Text != Encode(nil) {
		t.Errorf("a statement is said twice: %s", got.Text)
	}
	grouped := prompt.Group(asLines([]string{"Two sits and three runs.", "One stands still.", "Another."}, nil))
	if got := m.Answer(grouped.System, grouped.User); got.Text != `{"groups":[{"label":"B","ids":["S1"]},{"label":"A","ids":["S2"]},{"label":"Other facts","ids":["S3"]}]}` {
		t.Errorf("themes %s", got.Text)
	}
	if m.Calls() != 4 {
		t.Errorf("%d calls, want 4", m.Calls())
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := m.Ask(ctx, q); err == nil {
		t.Error("a cancelled question is answered")
	}
	if !json.Valid([]byte(EncodeGroups(nil))) {
		t.Error("no JSON")
	}
}
