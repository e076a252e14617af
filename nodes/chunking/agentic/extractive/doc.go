// Package extractive makes propositions without a model: a sentence, or its two
// halves where both are sentences of their own.
//
// A compound sentence is divided only where that is certainly right: at a
// semicolon or at a comma with a conjunction, when each side has a subject that
// is named and a verb, and nothing before or behind governs both. Everything else
// stays whole; a sentence that is too long costs a reader less than a wrong one.
package extractive
