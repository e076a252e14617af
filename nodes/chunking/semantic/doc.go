// Package semantic finds where the topic of a text changes, from one embedding
// vector for each sentence, and groups the sentences between.
//
// The steps can be used one by one or together:
//
//	texts, spans, done := semantic.Shortcut(text, sentences) // nothing to embed?
//	m, err := semantic.FromRows(vectors)                     // one row per sentence
//	result, err := semantic.Detect(m, semantic.DefaultOptions())
//	texts, spans = semantic.Group(text, sentences, result.Cuts, true)
//
// With n sentences there are n-1 gaps; gap i lies after sentence i, from zero.
// A detector turns vectors into cuts, which are gap numbers in rising order, so
// [Group] serves any detector. [Detect] is the Savitzky-Golay one: it smooths the
// curve of distances and cuts at its peaks. Each detector lives in a file of its
// own and shares [Matrix], [Result] and the cosines of neighbouring rows.
//
// Time and memory are linear in the number of sentences; no matrix of all pairs
// is ever made. Sums are taken in a fixed order and mirror-symmetrically, so
// equal windows give equal numbers wherever they stand in the text, a text read
// backwards gives the same curve backwards, and no rounding decides between
// peaks that are equal.
package semantic
