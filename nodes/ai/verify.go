package ai

import (
	"context"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/chunking/agentic"
)

const verifyDoc = `Checks a list of statements against the text they are to rest on, whoever wrote them: a model, another tool, or people. No model
is asked. A statement is accepted when

* its numbers, dates, units, names and quotations stand in its sentences, its negations, quantifiers and comparisons are theirs,
  and most of its other words stand there or right beside (class ` + "`ungrounded`" + ` when not);
* no pronoun or "this process" in it lacks what it stands for (class ` + "`unresolved`" + `);
* it does not repeat an earlier one (` + "`duplicate`" + `, with the number of that one).

A statement in the very words of its sentences is grounded; pronouns and repetition are checked in it as well.

**Statements** are strings or ` + "`{text, sources}`" + `; other members are left alone. An element with ` + "`propositions`" + `, such as a chunk of
` + "`ai_chunk_agentic`" + `, stands for each of these. Statements are numbered from 1 through the whole list.

**Sources** are ` + "`{chunk_id, start, stop}`" + `: bytes from 0 of that input, ` + "`stop`" + ` excluded. Each sentence that lies in it, even in part, is
one the statement may rest on. Without ` + "`start`" + ` and ` + "`stop`" + ` it is the whole input, and so is a string with the id alone; with a single
input ` + "`chunk_id`" + ` may be left out. Inputs without an id are called ` + "`in-0001`" + `, ` + "`in-0002`" + ` and so on. An id that no input has, or offsets outside
of it, are a reason ` + "`unknown_source`" + ` of that statement and no error, as they are faults of the list under test. A statement without sources
is checked against the sentence that shares most of its words, and those that stand in it whole.

**Reasons** are ` + "`{rule, detail}`" + `, as ` + "`ai_chunk_agentic`" + ` writes them with ` + "`verify = \"report\"`" + `. A statement that breaks a rule does not fail the
step: ` + "`{k}_success`" + ` says that the check ran, ` + "`{k}_report.refused`" + ` what it found. ` + "`sources`" + ` of a verdict are the sentences that it really rests on.

A sentence is covered when an accepted statement rests on it, or one refused only as a duplicate, or on a sentence with the same
words. ` + "`{k}_report.uncovered`" + ` lists the others, but for those without a letter or digit.

Such checks compare words: they cannot see two names exchanged inside a true statement, or a statement credited to the wrong
speaker; ` + "`{k}_report.limits`" + ` lists these. Errors publish nothing: values of a wrong type (with the element), text that is not UTF-8, a
blank source.`

func verifyNode() nodes.Node {
	return nodes.Node{
		Spec: nodes.Spec{
			Name:    "ai_verify",
			Summary: "Check statements against the text they are to rest on, without a model",
			Doc:     verifyDoc,
			Params: []nodes.Param{
				{Name: "source_key", Type: nodes.String, Role: nodes.Source, Interpolate: true, Required: true,
					Help: "the text, an array of texts, or an array of `{chunk_id, text}`"},
				{Name: "propositions_key", Type: nodes.String, Role: nodes.Source, Interpolate: true, Required: true,
					Help: "the statements: an array of strings, of `{text, sources}`, or of chunks with `propositions`"},
				{Name: "output_key", Type: nodes.String, Role: nodes.OutputKey, NonEmpty: true, Default: "verified",
					Help: "start of the published keys"},
				{Name: "language", Type: nodes.String, Enum: []string{"auto", "en", "de", "none"}, Default: "auto",
					Help: "which rules for words (pronouns, negations, quantifiers) are active; numbers, names, quotations and coverage are checked in every language"},
				{Name: "sentence_mode", Type: nodes.String, Enum: []string{"ascii", "unicode"}, Default: "unicode",
					Help: "how sentences end: at . ! ? before white space, or by Unicode's rules with abbreviations and scripts"},
			},
			Outputs: []nodes.OutputSpec{
				{Type: nodes.Array, Help: "a verdict for each statement, in order: `{text, ok, reasons, support, sources}`; reasons are `{rule, detail}`, support is 0 to 1, sources are `{chunk_id, start, stop}` in bytes of that input"},
				{Suffix: "_report", Type: nodes.Object, Help: "statements, accepted, refused, statements by class (ungrounded, unresolved, duplicate, unknown_source) and by rule (reasons), rules, languages, sentences, covered, uncovered (`{text, chunk_id, start, stop}`), limits"},
			},
			Examples: []nodes.Example{
				{
					Title:   "Two statements, one with a wrong year",
					Lua:     `nodes.ai_verify{ source_key = "document", propositions_key = "facts" }`,
					Context: `{"document":"The weir at Holm was built in 1921. Trout spawn below it.","facts":["The weir at Holm was built in 1921.","The weir at Holm was built in 1931."]}`,
				},
				{
					Title: "With the places they are said to rest on",
					Lua: `nodes.ai_verify{
  source_key = "parts",
  propositions_key = "facts",
  output_key = "checked",
}`,
					Context: `{"parts":[{"chunk_id":"a","text":"The weir was built in 1921."},{"chunk_id":"b","text":"The kiln burned lime."}],"facts":[{"text":"The weir was built in 1921.","sources":[{"chunk_id":"a","start":0,"stop":27}]},{"text":"The kiln burned lime.","sources":["b"]}]}`,
				},
			},
		},
		Run: runVerify,
	}
}

func runVerify(ctx context.Context, call *nodes.Call) (nodes.Output, error) {
	inputs, err := agenticInputs(call)
	if err != nil {
		return nil, err
	}
	if inputs, err = agentic.Named(inputs); err != nil {
		return nil, agenticError(call, err)
	}
	statements, err := readClaims(call)
	if err != nil {
		return nil, err
	}
	v, err := newVerification(call, inputs)
	if err != nil {
		return nil, err
	}
	verdicts := make([]any, len(statements))
	for i, s := range statements {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		verdicts[i] = v.check(i, s)
		if done := i + 1; done%1000 == 0 || done == len(statements) {
			call.Progress(done, len(statements), "statement")
		}
	}
	return nodes.Output{"": verdicts, "_report": v.report(len(statements))}, nil
}
