package prompt

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// Version is that of the texts in this package. Answers to another version must
// not be taken for answers to this one.
const Version = "agentic-1"

// Line is a labelled text of a question.
type Line struct{ Label, Text string }

// Refused is a statement of an earlier answer that was not accepted.
type Refused struct{ Text, Why string }

// Message is a question: its two texts, and the form of its answer.
type Message struct {
	System, User string
	// SchemaName and Schema are the JSON schema of the answer.
	SchemaName string
	Schema     []byte
}

// Extract asks for the propositions in lines; context are sentences before them.
func Extract(lines []Line, context []string) Message {
	return Message{System: extractSystem, User: sourceText(lines, context) + extractTask(lines), SchemaName: "propositions", Schema: []byte(propositionsSchema)}
}

// Repair asks for the propositions in those lines that an earlier answer left
// out, and says which statements about them were refused.
func Repair(lines []Line, context []string, refused []Refused) Message {
	m := Extract(lines, context)
	var b strings.Builder
	b.WriteString(sourceText(lines, context))
	if len(refused) > 0 {
		texts := make([]string, len(refused))
		for i, r := range refused {
			texts[i] = "- " + oneLine(r.Text) + "\n  refused: " + oneLine(r.Why)
		}
		b.WriteString("These statements were refused. Write them again without the fault, or leave them out:\n")
		fence(&b, "REFUSED", texts)
	}
	b.WriteString("An earlier answer left these sentences out. ")
	b.WriteString(extractTask(lines))
	m.User = b.String()
	return m
}

func extractTask(lines []Line) string {
	if len(lines) == 1 {
		return "Write the propositions of sentence " + lines[0].Label + " as JSON."
	}
	return "Write the propositions of sentences " + lines[0].Label + " to " + lines[len(lines)-1].Label + " as JSON. Leave no sentence out."
}

// sourceText is the context and the text, each in its fence.
func sourceText(lines []Line, context []string) string {
	var b strings.Builder
	if len(context) > 0 {
		b.WriteString("Context: the sentences before the text. Use them only to see what pronouns and descriptions stand for; extract nothing from them.\n")
		fence(&b, "CONTEXT", context)
	}
	b.WriteString("Text:\n")
	fence(&b, "TEXT", labelled(lines))
	return b.String()
}

// Group asks for themes of propositions.
func Group(lines []Line) Message {
	return grouping(groupSystem, "Propositions:\n", lines, "Group all of them by theme, as JSON.")
}

// Merge asks which of several lists of themes belong together.
func Merge(lines []Line) Message {
	return grouping(mergeSystem, "Themes:\n", lines, "Group all of them, as JSON.")
}

func grouping(system, head string, lines []Line, task string) Message {
	var b strings.Builder
	b.WriteString(head)
	fence(&b, "DATA", labelled(lines))
	b.WriteString(task)
	return Message{System: system, User: b.String(), SchemaName: "groups", Schema: []byte(groupsSchema)}
}

func labelled(lines []Line) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = "[" + l.Label + "] " + l.Text
	}
	return out
}

// fence writes texts between two marks that nothing between them contains.
func fence(b *strings.Builder, name string, texts []string) {
	body := strings.Join(texts, "\n")
	sum := sha256.Sum256([]byte(body))
	mark := name + "-" + hex.EncodeToString(sum[:6])
	for strings.Contains(body, mark) {
		sum = sha256.Sum256(sum[:])
		mark = name + "-" + hex.EncodeToString(sum[:6])
	}
	b.WriteString("<<<" + mark + "\n" + body + "\n" + mark + ">>>\n")
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
