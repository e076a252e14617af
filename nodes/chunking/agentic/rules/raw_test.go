package rules_test

import (
	"context"
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/nodes/chunking/agentic"
	"github.com/ironflow/ironflow/nodes/chunking/agentic/rules"
	"github.com/ironflow/ironflow/nodes/chunking/verify"
)

// rawCase is a real answer of a small model, with what is wrong in it. The file
// names the models and where the answers come from.
type rawCase struct {
	ID           string `json:"id"`
	Paragraph    string `json:"paragraph"`
	RawOutput    string `json:"raw_output"`
	FinishReason string `json:"finish_reason"`
	Expected     string `json:"expected"`
}

func rawCases(t *testing.T) []rawCase {
	t.Helper()
	data, err := os.ReadFile("../../../../testdata/llm-outputs.json")
	if err != nil {
		t.Fatal(err)
	}
	var file struct{ Cases []rawCase }
	if err := json.Unmarshal(data, &file); err != nil {
		t.Fatal(err)
	}
	if len(file.Cases) != 31 {
		t.Fatalf("%d cases", len(file.Cases))
	}
	return file.Cases
}

// fixed gives one answer to every question.
type fixed agentic.Reply

func (f fixed) Ask(context.Context, agentic.Question) (agentic.Reply, error) {
	return agentic.Reply(f), nil
}

// TestRawAnswers sends every raw answer through the whole run, as the answer to
// the extraction, to the repair and to the grouping. Whatever it holds, the rules
// hold, and what the models invented is nowhere.
func TestRawAnswers(t *testing.T) {
	invented := strings.Fields("Essex BANANA Banana Leo oboe barley Eddie placebo décès 12345 1908 1912 image")
	kept := map[string]int{ // statements of the model that survive; those not listed: none
		"quotes-changed-it-kept": 3, "escape-and-requote": 1, "wrong-shape-objects": 2,
		"lost-half": 1, "example-leaks": 2, "maxitems-loses-last": 6, "one-of-four-claims": 1, "cut-in-string": 1,
		"nothing-wrong-verbatim": 3, "nothing-wrong-rephrased": 6, "nothing-wrong-neg": 3,
	}
	for _, c := range rawCases(t) {
		t.Run(c.ID, func(t *testing.T) {
			model := fixed{Text: c.RawOutput, Cut: c.FinishReason == "length"}
			r, err := agentic.Run(context.Background(), agentic.DefaultOptions(), []verify.Input{{Text: c.Paragraph}}, model)
			if err != nil {
				t.Fatal(err)
			}
			found, err := rules.Check(r.Document, r.Chunks, verify.Options{Language: "auto"})
			if err != nil {
				t.Fatal(err)
			}
			for _, v := range found {
				t.Error(v)
			}
			own := 0
			for _, ch := range r.Chunks {
				for _, p := range ch.Propositions {
					if !p.Verbatim {
						own++
						t.Logf("kept: %q on %v", p.Text, p.Sentences)
					}
					for _, word := range invented {
						if strings.Contains(p.Text, word) && !strings.Contains(c.Paragraph, word) {
							t.Errorf("invented: %q", p.Text)
						}
					}
				}
			}
			if own != kept[c.ID] {
				t.Errorf("%d statements of the model are kept, want %d (%s)", own, kept[c.ID], c.Expected)
			}
			if r.Report.Covered != r.Report.Sentences {
				t.Errorf("%d of %d sentences covered", r.Report.Covered, r.Report.Sentences)
			}
		})
	}
}
