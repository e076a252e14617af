package ai

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/ironflow/ironflow/nodes/nodetest"
	vendors "github.com/ironflow/ironflow/providers/builtin"
)

const weirText = "The weir at Holm was built in 1921. Its crest was replaced in 1958. Trout spawn below the weir in autumn."

// runVerifyOn runs ai_verify on a source and statements.
func runVerifyOn(t *testing.T, source, statements any, params map[string]any) (map[string]any, error) {
	t.Helper()
	all := map[string]any{"source_key": "text", "propositions_key": "facts"}
	for k, v := range params {
		all[k] = v
	}
	return nodetest.Run(t, verifyNode(), all, map[string]any{"text": source, "facts": statements})
}

// verdictLines writes a line for each verdict: its rules, and its sources.
func verdictLines(t *testing.T, v any) []string {
	t.Helper()
	var out []string
	for _, e := range plain(t, v).([]any) {
		m := e.(map[string]any)
		if len(m) != 5 {
			t.Errorf("members of a verdict: %v", m)
		}
		var words []string
		for _, r := range m["reasons"].([]any) {
			words = append(words, r.(map[string]any)["rule"].(string))
			if r.(map[string]any)["detail"] == "" {
				t.Errorf("%v: a reason without a detail", m["text"])
			}
		}
		if m["ok"] != (len(words) == 0) {
			t.Errorf("%v: ok is %v with %v", m["text"], m["ok"], words)
		}
		if s := m["support"].(float64); s < 0 || s > 1 {
			t.Errorf("%v: support %v", m["text"], s)
		}
		for _, s := range m["sources"].([]any) {
			s := s.(map[string]any)
			words = append(words, fmt.Sprintf("%v:%v-%v", s["chunk_id"], s["start"], s["stop"]))
		}
		out = append(out, strings.Join(words, " "))
	}
	return out
}

func TestVerifyStatements(t *testing.T) {
	source := func(id string, start, stop int) map[string]any {
		return map[string]any{"chunk_id": id, "start": start, "stop": stop}
	}
	from := func(text string, sources ...any) map[string]any {
		return map[string]any{"text": text, "sources": sources, "note": "left alone"}
	}
	two := []any{
		map[string]any{"chunk_id": "a", "text": "The weir was built in 1921. The kiln burned lime."},
		map[string]any{"chunk_id": "b", "text": "Trout spawn in autumn."},
	}
	for _, c := range []struct {
		name       string
		text       any
		statements any
		want       []string
	}{
		{"strings", weirText, []any{"The weir at Holm was built in 1921.", "The weir at Holm was built in 1931.", "Trout never spawn below the weir."},
			[]string{"in-0001:0-35", "number in-0001:0-35", "polarity in-0001:68-105"}},
		{"a pronoun", weirText, []any{"Its crest was replaced in 1958."}, []string{"pronoun in-0001:36-67"}},
		{"nowhere", weirText, []any{"Buyers pay with credit cards."}, []string{"sources"}},
		{"duplicates name the one before", weirText, []any{"The weir at Holm was built in 1921.", "Trout spawn below the weir in autumn.", "the weir at Holm was built in 1921"},
			[]string{"in-0001:0-35", "in-0001:68-105", "duplicate in-0001:0-35"}},
		{"blank statements are no duplicates", weirText, []any{"", " "}, []string{"sources", "sources"}},
		{"sources", two, []any{from("The weir was built in 1921.", source("a", 0, 27)), from("Trout spawn in autumn.", source("b", 3, 5))},
			[]string{"a:0-27", "b:0-22"}},
		{"the wrong sentence", two, []any{from("The kiln burned lime.", source("a", 0, 27))}, []string{"support support a:0-27"}},
		{"a whole input", two, []any{from("The kiln burned lime.", "a"), from("Trout spawn in autumn.", map[string]any{"chunk_id": "b"})},
			[]string{"a:28-49", "b:0-22"}},
		{"a single input needs no id", "The kiln burned lime.", []any{from("The kiln burned lime.", map[string]any{"start": 0.0, "stop": 21.0})},
			[]string{"in-0001:0-21"}},
		{"no sources are none", two, []any{from("The kiln burned lime."), map[string]any{"text": "Trout spawn in autumn.", "sources": map[string]any{}}},
			[]string{"a:28-49", "b:0-22"}},
		{"sources that are not there", two, []any{from("The kiln burned lime.", source("c", 0, 3)), from("Trout spawn in autumn.", source("b", 0, 99), source("b", 0, 22)),
			from("The weir was built in 1921.", map[string]any{"start": 0, "stop": 5}), from("The weir was built in the year 1921.", source("a", 5, 5))},
			[]string{"unknown_source a:28-49", "unknown_source b:0-22", "unknown_source a:0-27", "unknown_source a:0-27"}},
		{"a place without a sentence", "One weir is old.\n\n\n\nOne kiln is new.", []any{from("One weir is old.", source("in-0001", 17, 19))},
			[]string{"unknown_source in-0001:0-16"}},
		{"chunks", two, []any{
			map[string]any{"chunk_id": "x-0001", "propositions": []any{from("The weir was built in 1921.", source("a", 0, 27)), "The kiln burned lime."}},
			map[string]any{"chunk_id": "x-0002", "propositions": []any{}},
			"Trout spawn in autumn.",
			map[string]any{"propositions": []any{"The kiln burned lime."}},
		}, []string{"a:0-27", "a:28-49", "b:0-22", "duplicate a:28-49"}},
		{"several sentences in their very words", "Agreed. The kiln burned lime in 1950.", []any{from("Agreed. The kiln burned lime in 1950.", source("in-0001", 0, 37))},
			[]string{"in-0001:0-7 in-0001:8-37"}},
		{"no statements", weirText, []any{}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, err := runVerifyOn(t, c.text, c.statements, nil)
			if err != nil {
				t.Fatal(err)
			}
			got := verdictLines(t, out["verified"])
			if strings.Join(got, "\n") != strings.Join(c.want, "\n") {
				t.Errorf("verdicts\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
			want(t, out, "verified_success", "true")
			want(t, out, "verified_count", fmt.Sprint(len(c.want)))
		})
	}
}

func TestVerifyReport(t *testing.T) {
	text := []any{
		map[string]any{"chunk_id": "a", "text": "The weir was built in 1921. ---\n\nThe kiln burned lime."},
		map[string]any{"chunk_id": "b", "text": "The kiln burned lime. Trout spawn in autumn."},
	}
	statements := []any{
		"The kiln burned lime.",
		"The kiln burned lime!",
		"The weir was built in 1922 for 30 farms.",
		map[string]any{"text": "It was built in 1921.", "sources": []any{"a", "z"}},
	}
	out, err := runVerifyOn(t, text, statements, map[string]any{"output_key": "seen"})
	if err != nil {
		t.Fatal(err)
	}
	report := plain(t, out["seen_report"]).(map[string]any)
	for key, n := range map[string]int{
		"statements": 4, "accepted": 1, "refused": 3, "duplicate": 1, "unresolved": 1, "unknown_source": 1,
		"sentences": 4, "covered": 2,
	} {
		if got := report[key]; fmt.Sprint(got) != fmt.Sprint(n) {
			t.Errorf("%s is %v, want %d", key, got, n)
		}
	}
	rules := report["reasons"].(map[string]any)
	for rule, n := range map[string]int{"number": 1, "duplicate": 1, "pronoun": 1, "unknown_source": 1} {
		if fmt.Sprint(rules[rule]) != fmt.Sprint(n) {
			t.Errorf("rule %s counts %v, want %d", rule, rules[rule], n)
		}
	}
	var left []string
	for _, u := range report["uncovered"].([]any) {
		u := u.(map[string]any)
		left = append(left, fmt.Sprintf("%v:%v-%v %v", u["chunk_id"], u["start"], u["stop"], u["text"]))
	}
	if got := strings.Join(left, "; "); got != "a:0-31 The weir was built in 1921. ---; b:22-44 Trout spawn in autumn." {
		t.Errorf("uncovered: %s", got)
	}
	for _, key := range []string{"rules", "limits"} {
		if len(report[key].([]any)) == 0 {
			t.Errorf("no %s", key)
		}
	}
	if got := fmt.Sprint(report["languages"]); got != "[en]" {
		t.Errorf("languages %s", got)
	}
}

// TestVerifyLanguages shows which rules hold without rules for words.
func TestVerifyLanguages(t *testing.T) {
	for language, want := range map[string]string{"auto": "pronoun in-0001:36-67", "en": "pronoun in-0001:36-67", "none": "in-0001:36-67"} {
		out, err := runVerifyOn(t, weirText, []any{"Its crest was replaced in 1958."}, map[string]any{"language": language})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(verdictLines(t, out["verified"]), "; "); got != want {
			t.Errorf("%s: %s, want %s", language, got, want)
		}
	}
	const abbreviated = "The weir of Dr. Holm is old."
	for mode, sentences := range map[string]string{"unicode": "1", "ascii": "2"} {
		out, err := runVerifyOn(t, abbreviated, []any{}, map[string]any{"sentence_mode": mode})
		if err != nil {
			t.Fatal(err)
		}
		if got := plain(t, out["verified_report"]).(map[string]any)["sentences"]; fmt.Sprint(got) != sentences {
			t.Errorf("%s: %v sentences, want %s", mode, got, sentences)
		}
	}
}

// TestVerifyAgentic holds the output of ai_chunk_agentic against its source, as it
// is published, with and without an overlap between the inputs.
func TestVerifyAgentic(t *testing.T) {
	for _, source := range []any{
		twoThemes,
		[]any{"The barrage at Kvalsund has eight turbines. It supplies 21,000 homes.", "It supplies 21,000 homes. Bees like heather."},
		[]any{map[string]any{"chunk_id": "one", "text": weirText}},
	} {
		bench := nodetest.New(t)
		bench.UseVendors(vendors.Vendors()...)
		out, err := bench.Run(agenticNode(vendors.Vendors()), map[string]any{"source_key": "text", "provider": "local"}, map[string]any{"text": source})
		if err != nil {
			t.Fatal(err)
		}
		checked, err := runVerifyOn(t, source, out["agentic"], nil)
		if err != nil {
			t.Fatal(err)
		}
		report := plain(t, checked["verified_report"]).(map[string]any)
		if fmt.Sprint(report["refused"]) != "0" || fmt.Sprint(report["covered"]) != fmt.Sprint(report["sentences"]) || fmt.Sprint(report["accepted"]) == "0" {
			t.Errorf("%v: %v\n%v", source, report, plain(t, checked["verified"]))
		}
	}
}

func TestVerifyErrors(t *testing.T) {
	list := func(v ...any) []any { return v }
	object := func(v ...any) map[string]any {
		m := map[string]any{}
		for i := 0; i < len(v); i += 2 {
			m[v[i].(string)] = v[i+1]
		}
		return m
	}
	sources := func(v ...any) []any { return list(object("text", "One.", "sources", v)) }
	for _, c := range []struct {
		text, statements any
		says             string
	}{
		{weirText, "One.", `propositions_key: "facts" holds "One.", want an array`},
		{weirText, nil, `propositions_key: "facts" holds null, want an array`},
		{weirText, object("propositions", list("One.")), `propositions_key: "facts" holds an object`},
		{weirText, list("One.", int64(3)), `propositions_key: "facts": element 2 is 3, want a string or an object {text, sources}`},
		{weirText, list(object("content", "One.")), `element 1 has no string in its member "text"`},
		{weirText, list(object("propositions", "One.")), `element 1 has "One." as its propositions, want an array`},
		{weirText, list("One.", object("propositions", list("Two.", nil))), `element 2, proposition 2 is null`},
		{weirText, list(object("text", "One.", "sources", "a")), `element 1 has "a" as its sources, want an array`},
		{weirText, sources("a", int64(1)), `element 1 has a source 2 that is 1, want`},
		{weirText, sources(""), `element 1 has a source 1 that is "", want`},
		{weirText, sources(object("chunk_id", int64(1))), `source 1 that has 1 as its chunk_id`},
		{weirText, sources(object("chunk_id", "a", "start", int64(1))), `source 1 that has 1 as its start and null as its stop`},
		{weirText, sources(object("start", 0.5, "stop", 1.0)), `want two whole numbers, or neither for the whole input`},
		{"", list("One."), `source_key: "text" has no sentence that a statement could rest on`},
		{list(" ", "\n--"), list("One."), `source_key: "text" has no sentence`},
		{list(), list("One."), `source_key: "text" has no sentence`},
		{int64(4), list("One."), `source_key: "text" holds 4, want`},
		{list("One.", true), list("One."), `source_key: "text": element 2 is true, want`},
		{list(object("chunk_id", "a", "text", "One."), object("chunk_id", "a", "text", "Two.")), list("One."), `input 2: its id "a" is also that of input 1`},
	} {
		out, err := runVerifyOn(t, c.text, c.statements, nil)
		if err == nil || !strings.Contains(err.Error(), c.says) || len(out) != 0 {
			t.Errorf("%v, %v: error %v, want %q in it", c.text, c.statements, err, c.says)
		}
	}
	for says, params := range map[string]map[string]any{
		`language: `:                      {"language": "fr"},
		`sentence_mode: `:                 {"sentence_mode": "words"},
		`"nowhere" is not in the context`: {"propositions_key": "nowhere"},
		`"nothing" is not in the context`: {"source_key": "nothing"},
	} {
		if _, err := runVerifyOn(t, weirText, list("One."), params); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v: error %v, want %q in it", params, err, says)
		}
	}
}

func TestVerifyStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	out, err := nodetest.New(t).RunContext(ctx, verifyNode(), map[string]any{"source_key": "text", "propositions_key": "facts"},
		map[string]any{"text": weirText, "facts": []any{"One."}})
	if !errors.Is(err, context.Canceled) || len(out) != 0 {
		t.Errorf("%v, %v", out, err)
	}
}

// TestVerifyManyStatements wants that statements of a large document take a time
// that grows with their number, not with its square.
func TestVerifyManyStatements(t *testing.T) {
	var text strings.Builder
	var statements []any
	for i := range 10_000 {
		line := fmt.Sprintf("Gauge %d of the fjord reads %d mm.", i, 7*i)
		statements = append(statements, map[string]any{"text": line, "sources": []any{map[string]any{"start": text.Len(), "stop": text.Len() + len(line)}}})
		text.WriteString(line + " ")
	}
	bench := nodetest.New(t)
	start := time.Now()
	out, err := bench.Run(verifyNode(), map[string]any{"source_key": "text", "propositions_key": "facts"},
		map[string]any{"text": text.String(), "facts": statements})
	if err != nil {
		t.Fatal(err)
	}
	t.Log(time.Since(start))
	report := plain(t, out["verified_report"]).(map[string]any)
	if fmt.Sprint(report["accepted"]) != "10000" || fmt.Sprint(report["covered"]) != "10000" {
		t.Errorf("%v of %v accepted, %v covered", report["accepted"], report["statements"], report["covered"])
	}
	if got := bench.Reports(); len(got) != 10 || got[9].Done != 10_000 || got[9].Unit != "statement" {
		t.Errorf("progress %v", got)
	}
}

// TestVerifyNumbersDuplicates wants the number in the whole list, which is not that
// among the statements kept.
func TestVerifyNumbersDuplicates(t *testing.T) {
	out, err := runVerifyOn(t, weirText, []any{
		"The weir at Holm was built in 1921.", "The weir at Holm was built in 1921!",
		"Trout spawn below the weir in autumn.", "trout spawn below the weir in autumn",
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	last := plain(t, out["verified"]).([]any)[3].(map[string]any)
	if got := fmt.Sprint(last["reasons"]); !strings.Contains(got, "it repeats statement 3") {
		t.Errorf("reasons %s", got)
	}
}
