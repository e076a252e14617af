// Package verify checks statements against the text they are to rest on, without a
// model.
//
//	doc := verify.NewDocument(inputs, sentence.Unicode)
//	checker, err := verify.NewChecker(doc, verify.Options{})
//	verdict := checker.Check(verify.Statement{Text: "The weir was built in 1921.", Sentences: []int{0}})
//
// A statement is grounded when its numbers, units, names and quotations stand in
// its sentences, when its negations, quantifiers and comparisons are theirs, and
// when at least 60 % of its other content words stand there or right beside. A name
// may come from an earlier sentence where its own ones hold a pronoun or description
// that it can stand for. It is self-contained when no pronoun in it lacks a
// referent. [Ledger] finds statements that repeat others.
//
// Words are compared with words, inflection and case folded. So a check cannot see
// two names exchanged inside of a true statement, a statement credited to the wrong
// speaker, or a condition that was left out.
//
// The rules for words know English and German. For other languages numbers, names,
// quotations and coverage still hold; [Checker.Rules] says what is active. A checker
// is read-only, so any number of goroutines may use it. Building one takes time
// linear in the text, a check time linear in the statement and its sentences.
package verify
