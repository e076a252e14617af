package stand

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/nodes/chunking/agentic/rules"
	"github.com/ironflow/ironflow/nodes/chunking/agentic/suite"
	"github.com/ironflow/ironflow/nodes/chunking/sentence"
	"github.com/ironflow/ironflow/nodes/chunking/verify"
)

// Agentic reads what ai_chunk_agentic published under key in the final context of
// a run over these texts, and fails for every rule that is broken.
func Agentic(t testing.TB, got Result, key string, texts []string) *suite.Published {
	t.Helper()
	out := got.Context(t)
	var inputs []verify.Input
	for i, text := range texts {
		inputs = append(inputs, verify.Input{ID: fmt.Sprintf("in-%04d", i+1), Text: text})
	}
	doc := verify.NewDocument(inputs, sentence.Unicode)
	p, err := suite.ReadPublished(out, key, doc)
	if err != nil {
		t.Fatal(err)
	}
	broken, err := rules.Check(doc, p.Chunks, verify.Options{Language: "auto"})
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range broken {
		t.Errorf("a rule is broken: %s", v)
	}
	if p.Counts["sentences"] != len(doc.Sentences) || p.Counts["covered"] != len(doc.Sentences) {
		t.Errorf("%d sentences, the report counts %d, of which %d covered", len(doc.Sentences), p.Counts["sentences"], p.Counts["covered"])
	}
	if t.Failed() {
		text, _ := json.MarshalIndent(out[key], "", " ")
		t.Logf("published:\n%s", text)
	}
	return p
}

// Dropped counts the statements that were not kept.
func Dropped(p *suite.Published) int {
	n := 0
	for name, c := range p.Counts {
		if strings.HasPrefix(name, "dropped.") {
			n += c
		}
	}
	return n
}
