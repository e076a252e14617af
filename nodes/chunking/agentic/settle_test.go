package agentic

import (
	"reflect"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/nodes/chunking/verify"
)

// answering is a model with one answer for extractions, one for repairs, and an
// honest grouping.
func answering(extract, repair string) *echo {
	return &echo{change: func(q Question, r Reply) (Reply, error) {
		switch q.Purpose {
		case PurposeExtract:
			r.Text = extract
		case PurposeRepair:
			r.Text = repair
		}
		return r, nil
	}}
}

// all returns the propositions of all chunks in the order of the source.
func all(r *Result) []Proposition {
	var out []Proposition
	for _, c := range r.Chunks {
		out = append(out, c.Propositions...)
	}
	for i := range out {
		for j := i; j > 0 && out[j].first() < out[j-1].first(); j-- {
			out[j], out[j-1] = out[j-1], out[j]
		}
	}
	return out
}

func texts(list []Proposition) []string {
	out := make([]string, len(list))
	for i, p := range list {
		out[i] = p.Text
	}
	return out
}

const nothing = `{"propositions":[]}`

// TestOwnWords leaves everything out: sentences stand for themselves, with what
// their pronouns stand for, or flagged.
func TestOwnWords(t *testing.T) {
	r := mustRun(t, DefaultOptions(), one("They came late. The dam at Holm leaks. It was\nbuilt in 1921.\n\n***\n\nNobody minds."), answering(nothing, nothing))
	want := []Proposition{
		{Text: "They came late.", Sentences: []int{0}, Support: 1, Verbatim: true, Unresolved: true},
		{Text: "The dam at Holm leaks.", Sentences: []int{1}, Support: 1, Verbatim: true},
		{Text: "The dam at Holm leaks. It was built in 1921.", Sentences: []int{1, 2}, Support: 1, Verbatim: true, Carried: 1},
		{Text: "Nobody minds.", Sentences: []int{4}, Support: 1, Verbatim: true},
	}
	if got := all(r); !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v", got)
	}
	rep := r.Report
	if rep.Verbatim != 4 || rep.Carried != 1 || rep.Unresolved != 1 || rep.Sentences != 4 || rep.Covered != 4 || rep.Repairs != 1 || rep.Dropped.Unresolved != 0 {
		t.Errorf("report %+v", rep)
	}
	if notes := strings.Join(rep.Notes, ";"); !strings.Contains(notes, "100 % of the propositions") || !strings.Contains(notes, "1 propositions keep a pronoun") {
		t.Errorf("notes %q", notes)
	}
}

// TestOverlapOnce: what a chunker repeated is asked for once, said once, and rests
// on both places.
func TestOverlapOnce(t *testing.T) {
	inputs := []verify.Input{{ID: "a", Text: "The dam leaks. The office at Holm replaced the lamp."}, {ID: "b", Text: "The office at Holm replaced the lamp. Anglers wait."}}
	m := &echo{}
	r := mustRun(t, DefaultOptions(), inputs, m)
	got := all(r)
	if len(got) != 3 || !reflect.DeepEqual(got[1].Sentences, []int{1, 2}) {
		t.Fatalf("got %+v", got)
	}
	if rep := r.Report; rep.Overlap != 1 || rep.Sentences != 4 || rep.Covered != 4 || rep.Dropped.Duplicate != 0 {
		t.Errorf("report %+v", rep)
	}
}

func TestDuplicatesHandOver(t *testing.T) {
	m := answering(`{"propositions":[
		{"text":"The north shed holds 37 crates.","sentences":["S1"]},
		{"text":"37 crates the north shed holds.","sentences":["S3"]},
		{"text":"The south shed holds 15 crates.","sentences":["S2"]}]}`, nothing)
	r := mustRun(t, DefaultOptions(), one("The north shed holds 37 crates. The south shed holds 15 crates. The north shed still holds 37 crates."), m)
	got := all(r)
	if len(got) != 2 || !reflect.DeepEqual(got[0].Sentences, []int{0, 2}) || r.Report.Dropped.Duplicate != 1 || m.purposes[PurposeRepair] != 0 {
		t.Errorf("got %+v, %+v", got, r.Report.Dropped)
	}
}

// TestSameSentence: a sentence that stands in a batch twice, word for word, is not
// asked for again when the model says it once.
func TestSameSentence(t *testing.T) {
	m := answering(`{"propositions":[{"text":"The north shed holds 37 crates.","sentences":["S1"]},{"text":"The south shed holds 15 crates.","sentences":["S2"]}]}`, "")
	r := mustRun(t, DefaultOptions(), one("The north shed holds 37 crates. The south shed holds 15 crates. The north shed holds 37 crates."), m)
	if got := all(r); len(got) != 2 || m.calls != 2 || r.Report.Verbatim != 0 || r.Report.Covered != 3 {
		t.Errorf("%d calls, got %+v", m.calls, got)
	}
}

// TestCutBehindAStatement: what was to follow the last statement of a cut answer is
// unknown, so its sentence is asked for again, and else stands for itself.
func TestCutBehindAStatement(t *testing.T) {
	const text = "The kiln at Ask is hot. The barn at Vik is red, and the gate at Vik is blue."
	const cut = `{"propositions":[{"text":"The kiln at Ask is hot.","sentences":["S1"]},{"text":"The barn at Vik is red.","sentences":["S2"]},{"text":"The ga`
	repaired := mustRun(t, DefaultOptions(), one(text), answering(cut, `{"propositions":[{"text":"The barn at Vik is red.","sentences":["S1"]},{"text":"The gate at Vik is blue.","sentences":["S1"]}]}`))
	if got := texts(all(repaired)); !reflect.DeepEqual(got, []string{"The kiln at Ask is hot.", "The barn at Vik is red.", "The gate at Vik is blue."}) {
		t.Errorf("repaired: %q", got)
	}
	left := mustRun(t, DefaultOptions(), one(text), answering(cut, ""))
	if got := texts(all(left)); !reflect.DeepEqual(got, []string{"The kiln at Ask is hot.", "The barn at Vik is red, and the gate at Vik is blue."}) {
		t.Errorf("not repaired: %q", got)
	}
	if left.Report.Truncated != 1 || left.Report.Malformed != 1 {
		t.Errorf("report %+v", left.Report)
	}
}

// TestCutAtEveryByte cuts an honest answer everywhere: nothing is lost, shortened or
// invented.
func TestCutAtEveryByte(t *testing.T) {
	const text = "The kiln at Ask is \"hot\". The barn at Vik has 12 doors. Café Norrby opens at 9."
	var whole string
	mustRun(t, DefaultOptions(), one(text), &echo{change: func(q Question, r Reply) (Reply, error) {
		if q.Purpose == PurposeExtract {
			whole = r.Text
		}
		return r, nil
	}})
	for stop := range len(whole) {
		m := &echo{change: func(q Question, r Reply) (Reply, error) {
			if q.Purpose == PurposeExtract {
				return Reply{Text: whole[:stop], Cut: true}, nil
			}
			return r, nil
		}}
		if got := strings.Join(texts(all(mustRun(t, DefaultOptions(), one(text), m))), " "); got != text {
			t.Fatalf("cut at %d: %q", stop, got)
		}
	}
}

func TestEscapesThatWereNone(t *testing.T) {
	const text = `The log of the barn lies in C:\temp\new.log. The barn at Vik is red.`
	m := answering(`{"propositions":[{"text":"The log of the barn lies in C:\temp\new.log.","sentences":["S1"]},{"text":"The barn\nat Vik is red.","sentences":["S2"]}]}`, "")
	r := mustRun(t, DefaultOptions(), one(text), m)
	if got := texts(all(r)); !reflect.DeepEqual(got, []string{`The log of the barn lies in C:\temp\new.log.`, "The barn at Vik is red."}) {
		t.Errorf("got %q", got)
	}
	if r.Report.Dropped.Ungrounded != 1 || r.Report.Verbatim != 1 {
		t.Errorf("report %+v", r.Report)
	}
}

func TestReportOnlyKeeps(t *testing.T) {
	opt := DefaultOptions()
	opt.ReportOnly = true
	m := answering(`{"propositions":[{"text":"The barn at Vik has 13 doors.","sentences":["S1","S9"]},{"text":"The barn at Vik has 13 doors!","sentences":["S1"]}]}`, nothing)
	r := mustRun(t, opt, one("The barn at Vik has 12 doors. The kiln at Ask is hot."), m)
	got := all(r)
	if len(got) != 3 || len(got[0].Reasons) == 0 || got[1].Reasons[len(got[1].Reasons)-1].Rule != "duplicate" || !got[2].Verbatim {
		t.Errorf("got %+v", got)
	}
	if d := r.Report.Dropped; d.Ungrounded != 2 || d.Duplicate != 1 || d.UnknownLabel != 1 {
		t.Errorf("report %+v", d)
	}
}

// TestHugeSentence: what is too long to be a sentence is not sent.
func TestHugeSentence(t *testing.T) {
	blob := strings.Repeat("QUJD", 5000)
	m := &echo{change: func(q Question, r Reply) (Reply, error) {
		if q.Purpose == PurposeExtract && strings.Contains(q.User, blob) {
			t.Error("the blob was sent")
		}
		return r, nil
	}}
	r := mustRun(t, DefaultOptions(), []verify.Input{{Text: "The kiln at Ask is hot."}, {Text: blob}, {Text: "The barn at Vik is red."}}, m)
	if got := all(r); len(got) != 3 || got[1].Text != blob || !got[1].Verbatim || r.Report.Covered != 3 || !strings.Contains(strings.Join(r.Report.Notes, ";"), "1 sentences were not sent") {
		t.Errorf("%d propositions, report %+v", len(got), r.Report)
	}
}

func TestWithoutAModel(t *testing.T) {
	r := mustRun(t, DefaultOptions(), one("The barrage at Kvalsund is old, and the turbines were replaced in 2011. They turn both ways. The kiln at Ask is hot, and its door was renewed."), nil)
	want := []string{
		"The barrage at Kvalsund is old.", "The turbines were replaced in 2011.",
		"The barrage at Kvalsund is old, and the turbines were replaced in 2011. They turn both ways.",
		"The kiln at Ask is hot, and its door was renewed.",
	}
	if got := texts(all(r)); !reflect.DeepEqual(got, want) {
		t.Errorf("got %q", got)
	}
	if rep := r.Report; rep.Calls+rep.Batches+rep.Windows != 0 || rep.Covered != 3 || !strings.Contains(strings.Join(rep.Notes, ""), "no model was used") {
		t.Errorf("report %+v", rep)
	}
}

func TestTidy(t *testing.T) {
	for _, c := range []struct {
		text, sources, line string
		clean               bool
	}{
		{"plain", "", "plain", true},
		{"the kiln\nis hot", "The kiln is hot.", "the kiln is hot", true},
		{"the kiln \t is hot", "The kiln is hot.", "the kiln is hot", true},
		{"C:\temp", `C:\temp`, "C: emp", false},
		{"a\x07b", "a b", "a b", false},
		{"kiln\n", "The kiln.", "kiln", true},
	} {
		if line, clean := tidy(c.text, c.sources); line != c.line || clean != c.clean {
			t.Errorf("%q: %q, %v", c.text, line, clean)
		}
	}
}
