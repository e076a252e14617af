package script

import (
	"context"
	"strings"
	"sync"

	"github.com/ironflow/ironflow/nodes/chunking/agentic"
	"github.com/ironflow/ironflow/nodes/chunking/agentic/prompt"
)

// Statement is what an honest editor makes of sentences.
type Statement struct {
	Theme, Text string
	// Sentences are numbered from 1 through all inputs.
	Sentences []int
}

// Asked is one extraction or repair as a model sees it.
type Asked struct {
	// System and User are the texts of the prompt.
	System, User string
	// Repair says that sentences were left out before.
	Repair bool
	// Items are what an honest editor answers.
	Items []Item
	// Lines are the sentences to be extracted.
	Lines []Line
}

// Said is a raw answer.
type Said struct {
	Text         string
	Cut, Refused bool
}

// Model answers the questions of one run from a script, and counts them. It may
// be asked by several goroutines.
type Model struct {
	// Sentences are those of all inputs, in order.
	Sentences []string
	// Statements are what an honest editor makes of them.
	Statements []Statement
	// Extract answers extractions and repairs, Group groupings and merges, where
	// they are not nil; else the answer is the honest one.
	Extract func(Asked) Said
	Group   func(lines []Line, honest string) Said

	mu    sync.Mutex
	calls int
	said  map[int]bool
}

// Calls returns how many questions were asked.
func (m *Model) Calls() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.calls
}

// Ask answers one question.
func (m *Model) Ask(ctx context.Context, q agentic.Question) (agentic.Reply, error) {
	if err := ctx.Err(); err != nil {
		return agentic.Reply{}, err
	}
	m.mu.Lock()
	m.calls++
	m.mu.Unlock()
	lines := make([]Line, len(q.Items))
	for i, it := range q.Items {
		lines[i] = Line(it)
	}
	said := m.answer(q.Purpose, q.System, q.User, lines)
	return agentic.Reply{
		Text: said.Text, Cut: said.Cut, Refused: said.Refused,
		InputTokens: int64(len(q.System)+len(q.User)) / 4, OutputTokens: int64(len(said.Text)) / 4,
	}, nil
}

// answer makes the answer to a question of a purpose.
func (m *Model) answer(purpose, system, user string, lines []Line) Said {
	switch purpose {
	case agentic.PurposeGroup, agentic.PurposeMerge:
		honest := m.themes(lines, purpose == agentic.PurposeMerge)
		if m.Group != nil {
			return m.Group(lines, honest)
		}
		return Said{Text: honest}
	}
	a := Asked{System: system, User: user, Repair: purpose == agentic.PurposeRepair, Lines: lines}
	a.Items = m.items(a)
	if m.Extract != nil {
		return m.Extract(a)
	}
	return Said{Text: Encode(a.Items)}
}

// items are the statements that rest on sentences which are asked for, each said
// once, unless it is asked for again.
func (m *Model) items(a Asked) []Item {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.said == nil {
		m.said = map[int]bool{}
	}
	byNumber, byText := map[int]string{}, map[string][]string{}
	for _, l := range a.Lines {
		if l.Number >= 0 {
			byNumber[l.Number] = l.Label
		} else {
			byText[folded(l.Text)] = append(byText[folded(l.Text)], l.Label)
		}
	}
	var out []Item
	for i, s := range m.Statements {
		if m.said[i] && !a.Repair {
			continue
		}
		item := Item{Text: s.Text}
		named := map[string]bool{}
		for _, n := range s.Sentences {
			labels := byText[folded(m.Sentences[n-1])]
			if l, ok := byNumber[n-1]; ok {
				labels = []string{l}
			}
			for _, l := range labels {
				if !named[l] {
					item.Labels = append(item.Labels, l)
				}
				named[l] = true
			}
		}
		if len(item.Labels) > 0 {
			m.said[i] = true
			out = append(out, item)
		}
	}
	return out
}

// themes groups what is asked about by the themes of the script. What the script
// does not know is a theme of its own.
func (m *Model) themes(lines []Line, merge bool) string {
	theme := map[string]string{}
	for _, s := range m.Statements {
		theme[folded(s.Text)] = s.Theme
	}
	var out []Theme
	at := map[string]int{}
	for _, l := range lines {
		t, ok := theme[folded(l.Text)]
		switch {
		case merge:
			t, _, _ = strings.Cut(l.Text, "\n")
		case !ok || t == "":
			t = "Other facts"
		}
		i, known := at[t]
		if !known {
			i = len(out)
			at[t] = i
			out = append(out, Theme{Label: t})
		}
		out[i].IDs = append(out[i].IDs, l.Label)
	}
	return EncodeGroups(out)
}

func folded(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// Answer answers the two texts of a question, for servers that see nothing else.
func (m *Model) Answer(system, user string) Said {
	m.mu.Lock()
	m.calls++
	m.mu.Unlock()
	purpose := agentic.PurposeExtract
	switch {
	case system == prompt.Group(nil).System:
		purpose = agentic.PurposeGroup
	case system == prompt.Merge(nil).System:
		purpose = agentic.PurposeMerge
	case strings.Contains(user, "An earlier answer left these sentences out."):
		purpose = agentic.PurposeRepair
	}
	return m.answer(purpose, system, user, Lines(user))
}
