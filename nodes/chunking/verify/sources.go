package verify

import (
	"slices"
	"sort"
	"strings"
)

// rests finds which of the sentences named really hold a part of the statement.
func (k *checking) rests() {
	if len(k.sentences) == 1 {
		k.Sentences = slices.Clone(k.sentences)
		return
	}
	type hit struct{ i, n int }
	var hits []hit
	for _, i := range k.sentences {
		n := 0
		for _, w := range k.content {
			if k.c.sentences[i].stems[w] {
				n += 2
			}
		}
		for _, t := range k.tokens {
			if t.kind == number && k.c.sentences[i].values[t.fold] {
				n += 3
			}
		}
		hits = append(hits, hit{i, n})
	}
	sort.SliceStable(hits, func(a, b int) bool { return hits[a].n > hits[b].n })
	covered := set{}
	for _, h := range hits {
		if h.n == 0 {
			continue
		}
		fresh := 0
		for _, w := range k.content {
			if k.c.sentences[h.i].stems[w] && !covered[w] {
				fresh++
			}
		}
		if 2*h.n >= hits[0].n || fresh > 0 {
			k.Sentences = append(k.Sentences, h.i)
			for _, w := range k.content {
				if k.c.sentences[h.i].stems[w] {
					covered[w] = true
				}
			}
		}
	}
	if k.Sentences == nil {
		k.Sentences = slices.Clone(k.sentences[:1])
	}
	sort.Ints(k.Sentences)
}

// mostWith bounds the sentences in which a word helps to find a statement; a word
// that is in more of them says too little about the place.
const mostWith = 300

// Locate finds the sentences that a statement without sources rests on: the one
// that holds most of its words, at least half, the first of several; and those that
// stand in it whole.
func (c *Checker) Locate(text string) []int {
	score := map[int]int{}
	n := 0
	for _, t := range c.lexis.scan(text) {
		if t.kind != word || c.function(t.fold) {
			continue
		}
		n++
		if at := c.where[stem(t.fold)]; len(at) <= mostWith {
			for _, i := range at {
				score[i]++
			}
		}
	}
	best := -1
	for i, s := range score {
		if best < 0 || s > score[best] || s == score[best] && i < best {
			best = i
		}
	}
	if best < 0 || 2*score[best] < n {
		return nil
	}
	out := []int{best}
	folded := foldQuotes(text)
	for i := range score {
		if i != best && len(c.sentences[i].folded) >= leastWhole && strings.Contains(folded, c.sentences[i].folded) {
			out = append(out, i)
		}
	}
	sort.Ints(out)
	return out
}

// leastWhole is the least length of a sentence that is found within a statement.
const leastWhole = 8
