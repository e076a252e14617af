package agentic

// Limits says what the checks of a run cannot see.
func Limits() []string {
	return []string{
		"two names or roles exchanged inside of a statement whose words all stand in its sentences",
		"a statement said of another thing that its sentences name too, or credited to the wrong speaker",
		"a fact of a sentence that no statement holds, where another statement rests on that sentence",
		"words other than numbers, names, units, dates, quotations, negations, quantifiers and comparisons, as long as most of a statement's words stand in its sentences",
	}
}
