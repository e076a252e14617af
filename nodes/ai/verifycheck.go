package ai

import (
	"fmt"
	"maps"
	"slices"
	"sort"
	"strings"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/chunking"
	"github.com/ironflow/ironflow/nodes/chunking/agentic"
	"github.com/ironflow/ironflow/nodes/chunking/agentic/plan"
	"github.com/ironflow/ironflow/nodes/chunking/sentence"
	"github.com/ironflow/ironflow/nodes/chunking/verify"
)

// verification is one call of ai_verify.
type verification struct {
	doc     *verify.Document
	checker *verify.Checker
	ledger  *verify.Ledger
	// numbers are those of the statements in the ledger, from 0.
	numbers []int
	// first are the numbers of the inputs' first sentences, and one behind the last.
	first []int
	ids   map[string]int
	// lines are the sentences with white space folded, same the first sentence
	// with a line, covered what accepted statements rest on.
	lines   []string
	same    map[string]int
	covered map[string]bool
	// accepted counts statements, classes and rules those refused.
	accepted       int
	classes, rules map[string]int
}

func newVerification(call *nodes.Call, inputs []verify.Input) (*verification, error) {
	split := sentence.Unicode
	if call.String("sentence_mode") == "ascii" {
		split = sentence.ASCII
	}
	v := &verification{
		doc: verify.NewDocument(inputs, split), ids: map[string]int{}, same: map[string]int{}, covered: map[string]bool{},
		classes: map[string]int{}, rules: map[string]int{},
	}
	blank := true
	for i := range v.doc.Sentences {
		for len(v.first) <= v.doc.Sentences[i].Input {
			v.first = append(v.first, i)
		}
		line := oneLine(v.doc.Text(i))
		if _, known := v.same[line]; !known {
			v.same[line] = i
		}
		v.lines = append(v.lines, line)
		blank = blank && !plan.Says(line)
	}
	for len(v.first) <= len(inputs) {
		v.first = append(v.first, len(v.doc.Sentences))
	}
	if blank {
		return nil, call.Errorf("source_key", "%q has no sentence that a statement could rest on: it is blank, or has no letter and no digit", call.String("source_key"))
	}
	for i, in := range inputs {
		v.ids[in.ID] = i
	}
	var err error
	if v.checker, err = verify.NewChecker(v.doc, verify.Options{Language: call.String("language")}); err != nil {
		return nil, optionError(call, err)
	}
	v.ledger = v.checker.NewLedger()
	return v, nil
}

// The classes of reasons that are not of the checker.
const (
	duplicate     = "duplicate"
	unknownSource = "unknown_source"
)

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// check judges statement i.
func (v *verification) check(i int, c claim) map[string]any {
	var reasons []verify.Reason
	classes := map[string]bool{}
	add := func(class string, r verify.Reason) {
		reasons, classes[class] = append(reasons, r), true
	}
	sentences, unknown := v.sentencesOf(c)
	for _, detail := range unknown {
		add(unknownSource, verify.Reason{Rule: unknownSource, Detail: detail})
	}
	if at, known := v.same[oneLine(c.text)]; known && len(c.sources) == 0 {
		sentences = []int{at}
	}
	verdict := v.checker.Check(verify.Statement{Text: c.text, Sentences: sentences})
	if v.verbatim(c.text, sentences) {
		verdict.Sentences, verdict.Support = sentences, 1
		verdict.Reasons = onlyUnresolved(verdict.Reasons)
	}
	for _, r := range verdict.Reasons {
		add(r.Class(), r)
	}
	grounded := len(reasons) == 0
	if plan.Says(c.text) {
		if _, of := v.ledger.Add(c.text); of >= 0 {
			add(duplicate, verify.Reason{Rule: duplicate, Detail: fmt.Sprintf("it repeats statement %d", v.numbers[of]+1)})
		} else {
			v.numbers = append(v.numbers, i)
		}
	}
	if grounded {
		for _, n := range verdict.Sentences {
			v.covered[v.lines[n]] = true
		}
	}
	v.count(reasons, classes)
	list := make([]any, len(reasons))
	for k, r := range reasons {
		list[k] = map[string]any{"rule": r.Rule, "detail": r.Detail}
	}
	return map[string]any{
		"text": c.text, "ok": len(reasons) == 0, "reasons": list,
		"support": verdict.Support, "sources": sentenceSources(v.doc, verdict.Sentences),
	}
}

// verbatim reports whether a text consists of sentences in their very words.
func (v *verification) verbatim(text string, sentences []int) bool {
	parts := make([]string, len(sentences))
	for i, n := range sentences {
		parts[i] = v.lines[n]
	}
	return len(parts) > 0 && plan.Says(text) && oneLine(text) == strings.Join(parts, " ")
}

func onlyUnresolved(reasons []verify.Reason) []verify.Reason {
	var out []verify.Reason
	for _, r := range reasons {
		if r.Class() == "unresolved" {
			out = append(out, r)
		}
	}
	return out
}

// count enters a verdict into the counters: each rule and class once.
func (v *verification) count(reasons []verify.Reason, classes map[string]bool) {
	if len(reasons) == 0 {
		v.accepted++
	}
	for class := range classes {
		v.classes[class]++
	}
	seen := map[string]bool{}
	for _, r := range reasons {
		if !seen[r.Rule] {
			seen[r.Rule] = true
			v.rules[r.Rule]++
		}
	}
}

func (v *verification) report(statements int) map[string]any {
	var sentences, covered int64
	uncovered := []any{}
	for i, s := range v.doc.Sentences {
		if !plan.Says(v.lines[i]) {
			continue
		}
		sentences++
		if v.covered[v.lines[i]] {
			covered++
			continue
		}
		uncovered = append(uncovered, map[string]any{
			"text": v.doc.Text(i), "chunk_id": v.doc.Inputs[s.Input].ID, "start": int64(s.Span.Start), "stop": int64(s.Span.Stop),
		})
	}
	byRule := map[string]any{}
	for rule, n := range v.rules {
		byRule[rule] = int64(n)
	}
	return map[string]any{
		"statements": int64(statements), "accepted": int64(v.accepted), "refused": int64(statements - v.accepted),
		"ungrounded": int64(v.classes["ungrounded"]), "unresolved": int64(v.classes["unresolved"]),
		duplicate: int64(v.classes[duplicate]), unknownSource: int64(v.classes[unknownSource]),
		"reasons": byRule, "rules": anyTexts(v.checker.Rules()), "languages": anyTexts(v.checker.Languages()),
		"sentences": sentences, "covered": covered, "uncovered": uncovered, "limits": anyTexts(agentic.Limits()),
	}
}

func anyTexts(list []string) []any {
	out := make([]any, len(list))
	for i, s := range list {
		out[i] = s
	}
	return out
}

// sentencesOf returns the sentences that the sources of a statement lie in, nil
// when it names none, and what is wrong with sources that lead nowhere.
func (v *verification) sentencesOf(c claim) (sentences []int, unknown []string) {
	chosen := map[int]bool{}
	for i, s := range c.sources {
		at, known := v.ids[s.id]
		if s.id == "" && len(v.doc.Inputs) == 1 {
			at, known = 0, true
		}
		switch {
		case !known && s.id == "":
			unknown = append(unknown, fmt.Sprintf("source %d has no chunk_id, and there are %d inputs", i+1, len(v.doc.Inputs)))
			continue
		case !known:
			unknown = append(unknown, fmt.Sprintf("source %d names the input %q, which is not there", i+1, s.id))
			continue
		}
		in := v.doc.Inputs[at]
		span := s.span
		if s.whole {
			span = chunking.Span{Stop: len(in.Text)}
		} else if span.Start < 0 || span.Stop > len(in.Text) || span.Start >= span.Stop {
			unknown = append(unknown, fmt.Sprintf("source %d names the bytes %d to %d of %q, which has the bytes 0 to %d", i+1, span.Start, span.Stop, in.ID, len(in.Text)))
			continue
		}
		if !v.choose(at, span, chosen) {
			unknown = append(unknown, fmt.Sprintf("source %d names a place of %q without a sentence", i+1, in.ID))
		}
	}
	return sortedSet(chosen), unknown
}

// choose adds the sentences of an input that a span lies in, even in part, and
// reports whether there are any.
func (v *verification) choose(input int, span chunking.Span, chosen map[int]bool) bool {
	first, stop := v.first[input], v.first[input+1]
	i := first + sort.Search(stop-first, func(k int) bool { return v.doc.Sentences[first+k].Span.Stop > span.Start })
	found := false
	for ; i < stop && v.doc.Sentences[i].Span.Start < span.Stop; i++ {
		chosen[i], found = true, true
	}
	return found
}

// sortedSet returns the members, rising; nil when there are none.
func sortedSet(set map[int]bool) []int { return slices.Sorted(maps.Keys(set)) }
