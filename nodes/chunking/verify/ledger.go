package verify

import (
	"slices"
	"strings"
)

// Ledger knows the statements so far.
type Ledger struct {
	c    *Checker
	keys map[string]int
}

// NewLedger returns an empty ledger.
func (c *Checker) NewLedger() *Ledger { return &Ledger{c: c, keys: map[string]int{}} }

// Add enters a statement, unless it repeats one.
func (l *Ledger) Add(text string) (index, duplicateOf int) {
	var list []string
	for _, t := range l.c.lexis.scan(text) {
		if t.fold == "a" || t.fold == "an" || t.fold == "the" {
			continue
		}
		if t.kind == number {
			list = append(list, "#"+t.fold)
			continue
		}
		if m := l.c.lexis.months[t.fold]; m != "" {
			list = append(list, m) // in any case, and wherever the day went
			continue
		}
		if l.c.preposition(t.fold) {
			list = append(list, t.fold) // unstemmed, to be known again below
			continue
		}
		list = append(list, stem(t.fold))
	}
	key := strings.Join(l.turned(list), " ")
	if key == "" {
		key = text
	}
	if i, known := l.keys[key]; known {
		return -1, i
	}
	n := len(l.keys)
	l.keys[key] = n
	return n, -1
}

// longestTurned is how many words a statement may have whose adverbials may stand
// at either end; a longer one is compared as it stands.
const longestTurned = 64

// turned gives statements that differ in where an adverbial stands, at the end or
// at the front, one form: of all turns of the list that begin with a preposition or
// a number the one that sorts first. Without either nothing is turned, so that two
// names that change places stay two statements.
func (l *Ledger) turned(list []string) []string {
	if len(list) > longestTurned {
		return list
	}
	best := list
	found := false
	for i, w := range list {
		if !l.c.preposition(w) && !strings.HasPrefix(w, "#") {
			continue
		}
		turn := append(slices.Clone(list[i:]), list[:i]...)
		if !found || slices.Compare(turn, best) < 0 {
			best, found = turn, true
		}
	}
	return best
}

// preposition reports whether a word begins an adverbial in a language that the
// checker knows.
func (c *Checker) preposition(w string) bool {
	return slices.ContainsFunc(c.known, func(l *lexicon) bool { return l.prepositions[w] })
}
