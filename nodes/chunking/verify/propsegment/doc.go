// Package propsegment measures [verify] on propositions that people made.
//
// PropSegmEnt (Chen et al. 2023, CC BY-SA 3.0 for the Wikipedia part) holds sentences
// of related documents, and for each sentence the propositions that people found in
// it, as lists of its tokens. [Read] reads a part of it, [Measure] asks how many of
// the propositions a checker accepts and how many it refuses once they are made
// wrong in ways that [Kinds] describes. All choices start from a seed, so that the
// same checker gives the same figures.
//
// The corpus is not in this repository. Small sets of the same form, written for
// the tests, are.
package propsegment
