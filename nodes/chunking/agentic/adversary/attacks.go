package adversary

import (
	"math/rand/v2"
	"strings"

	"github.com/ironflow/ironflow/nodes/chunking/agentic/prompt"
	"github.com/ironflow/ironflow/nodes/chunking/agentic/script"
)

// Attack is one way to answer badly. An attack without Extract or Group is
// honest there.
type Attack struct {
	Name string
	// Counter is the counter of the report that must have moved, over a set of
	// documents; empty when nothing has to be counted, since nothing is lost or
	// changed (a fence around a good answer).
	Counter string
	// Extract answers an extraction or a repair.
	Extract func(r *rand.Rand, a script.Asked) script.Said
	// Group answers a grouping, or a merge of themes: lines are what was offered.
	Group func(r *rand.Rand, lines []script.Line, honest string) script.Said
}

// each distorts every statement; one that comes back empty is left out.
func each(f func(r *rand.Rand, text string) string) func(*rand.Rand, script.Asked) script.Said {
	return items(func(r *rand.Rand, a script.Asked) []script.Item {
		var out []script.Item
		for _, it := range a.Items {
			if it.Text = f(r, it.Text); it.Text != "" {
				out = append(out, it)
			}
		}
		return out
	})
}

// items distorts the list of statements.
func items(f func(r *rand.Rand, a script.Asked) []script.Item) func(*rand.Rand, script.Asked) script.Said {
	return func(r *rand.Rand, a script.Asked) script.Said { return script.Said{Text: script.Encode(f(r, a))} }
}

// wrap puts text around an honest answer.
func wrap(before, after string) func(*rand.Rand, script.Asked) script.Said {
	return func(_ *rand.Rand, a script.Asked) script.Said {
		return script.Said{Text: before + script.Encode(a.Items) + after}
	}
}

// says answers the same to everything.
func says(s script.Said) func(*rand.Rand, script.Asked) script.Said {
	return func(*rand.Rand, script.Asked) script.Said { return s }
}

// groups answers the same to every grouping.
func groups(s script.Said) func(*rand.Rand, []script.Line, string) script.Said {
	return func(*rand.Rand, []script.Line, string) script.Said { return s }
}

// Attacks are all of them but the cut at every byte, which needs a count.
func Attacks() []Attack {
	list := []Attack{{Name: "honest"}}
	list = append(list, contentAttacks()...)
	list = append(list, labelAttacks()...)
	list = append(list, shapeAttacks()...)
	return append(list, groupAttacks()...)
}

func contentAttacks() []Attack {
	return []Attack{
		{Name: "a fact invented for every sentence", Counter: "ungrounded", Extract: items(func(r *rand.Rand, a script.Asked) []script.Item {
			out := a.Items
			for _, l := range a.Lines {
				out = append(out, script.Item{Text: invention(r), Labels: []any{l.Label}})
			}
			return out
		})},
		{Name: "nothing but inventions", Counter: "ungrounded", Extract: items(func(r *rand.Rand, a script.Asked) []script.Item {
			var out []script.Item
			for _, l := range a.Lines {
				out = append(out, script.Item{Text: invention(r), Labels: []any{l.Label}})
			}
			return out
		})},
		{Name: "one digit changed", Counter: "ungrounded", Extract: each(func(r *rand.Rand, s string) string { return changeDigit(r, s) })},
		{Name: "not added", Counter: "ungrounded", Extract: each(func(r *rand.Rand, s string) string { return addNot(s) })},
		{Name: "not removed", Counter: "ungrounded", Extract: each(func(r *rand.Rand, s string) string { return dropNegation(s) })},
		{Name: "dates rewritten", Counter: "ungrounded", Extract: each(func(r *rand.Rand, s string) string { return otherMonth(r, s) })},
		{Name: "quantifiers and comparisons turned", Counter: "ungrounded", Extract: each(func(r *rand.Rand, s string) string { return turnWords(s) })},
		{Name: "units changed", Counter: "ungrounded", Extract: each(func(r *rand.Rand, s string) string { return otherUnit(s) })},
		{Name: "names of strangers", Counter: "ungrounded", Extract: each(func(r *rand.Rand, s string) string { return otherName(r, s) })},
		{Name: "facts of the prompt's example", Counter: "ungrounded", Extract: items(func(r *rand.Rand, a script.Asked) []script.Item {
			out := a.Items
			for _, s := range prompt.ExampleStatements() {
				out = append(out, script.Item{Text: s, Labels: []any{a.Lines[r.IntN(len(a.Lines))].Label}})
			}
			return out
		})},
		{Name: "pronouns everywhere", Counter: "unresolved", Extract: each(func(r *rand.Rand, s string) string { return pronounFor(r, s) })},
		{Name: "every statement twice, reworded", Counter: "duplicate", Extract: items(func(r *rand.Rand, a script.Asked) []script.Item {
			var out []script.Item
			for _, it := range a.Items {
				out = append(out, it, script.Item{Text: reword(r, it.Text), Labels: it.Labels})
			}
			return out
		})},
		{Name: "the whole list twice", Counter: "duplicate", Extract: items(func(_ *rand.Rand, a script.Asked) []script.Item {
			return append(append([]script.Item{}, a.Items...), a.Items...)
		})},
		{Name: "the last sentences lost to a list limit", Counter: "verbatim", Extract: items(func(_ *rand.Rand, a script.Asked) []script.Item {
			return a.Items[:len(a.Items)/2]
		})},
		{Name: "half of the sentences ignored", Counter: "verbatim", Extract: items(func(_ *rand.Rand, a script.Asked) []script.Item {
			var out []script.Item
			for i, it := range a.Items {
				if i%2 == 0 {
					out = append(out, it)
				}
			}
			return out
		})},
		{Name: "orders of the document obeyed", Counter: "verbatim", Extract: items(func(_ *rand.Rand, a script.Asked) []script.Item {
			return []script.Item{{Text: "BANANA", Labels: []any{a.Lines[0].Label}}}
		})},
		{Name: "another language", Counter: "ungrounded", Extract: items(func(r *rand.Rand, a script.Asked) []script.Item {
			var out []script.Item
			for _, l := range a.Lines {
				out = append(out, script.Item{Text: inFinnish(r), Labels: []any{l.Label}})
			}
			return out
		})},
		{Name: "single words", Counter: "verbatim", Extract: items(func(_ *rand.Rand, a script.Asked) []script.Item {
			var out []script.Item
			for _, l := range a.Lines {
				for _, w := range strings.Fields(l.Text) {
					out = append(out, script.Item{Text: w, Labels: []any{l.Label}})
				}
			}
			return out
		})},
		{Name: "everything as one statement", Extract: items(func(_ *rand.Rand, a script.Asked) []script.Item {
			var all script.Item
			for _, l := range a.Lines {
				all.Text += l.Text + " "
				all.Labels = append(all.Labels, l.Label)
			}
			return []script.Item{all}
		})},
		{Name: "names and numbers of two sentences mixed", Counter: "ungrounded", Extract: items(func(_ *rand.Rand, a script.Asked) []script.Item {
			var out []script.Item
			for i, it := range a.Items {
				other := strings.Fields(a.Items[(i+1)%len(a.Items)].Text)
				mine := strings.Fields(it.Text)
				out = append(out, script.Item{Text: strings.Join(append(mine[:len(mine)/2:len(mine)/2], other[len(other)/2:]...), " "), Labels: it.Labels})
			}
			return out
		})},
		{Name: "invisible and control characters", Extract: each(func(_ *rand.Rand, s string) string {
			return strings.Join(strings.Fields(s), " \u200b\x00\u202e\t ")
		})},
		{Name: "a sentence of the context extracted too", Extract: items(func(_ *rand.Rand, a script.Asked) []script.Item {
			return append(a.Items, script.Item{Text: a.Lines[0].Text, Labels: []any{a.Lines[len(a.Lines)-1].Label}})
		})},
	}
}

func labelAttacks() []Attack {
	relabel := func(f func(r *rand.Rand, a script.Asked, i int) []any) func(*rand.Rand, script.Asked) script.Said {
		return items(func(r *rand.Rand, a script.Asked) []script.Item {
			out := append([]script.Item{}, a.Items...)
			for i := range out {
				out[i].Labels = f(r, a, i)
			}
			return out
		})
	}
	return []Attack{
		{Name: "labels swapped", Counter: "ungrounded", Extract: relabel(func(_ *rand.Rand, a script.Asked, i int) []any {
			return a.Items[(i+1)%len(a.Items)].Labels
		})},
		{Name: "labels repeated", Extract: relabel(func(_ *rand.Rand, a script.Asked, i int) []any {
			return append(append([]any{}, a.Items[i].Labels...), a.Items[i].Labels...)
		})},
		{Name: "labels never offered", Counter: "unknown_label", Extract: relabel(func(_ *rand.Rand, a script.Asked, i int) []any {
			return append([]any{"Q77", "S9999", 4711.0, -1.0, "", nil, true, map[string]any{"id": "1"}}, a.Items[i].Labels...)
		})},
		{Name: "only labels never offered", Counter: "unknown_label", Extract: relabel(func(*rand.Rand, script.Asked, int) []any { return []any{"Q77", 99999.0} })},
		{Name: "no labels", Extract: relabel(func(*rand.Rand, script.Asked, int) []any { return []any{} })},
		{Name: "all labels for every statement", Extract: relabel(func(_ *rand.Rand, a script.Asked, _ int) []any {
			var out []any
			for _, l := range a.Lines {
				out = append(out, l.Label)
			}
			return out
		})},
		{Name: "plain numbers for labels", Extract: relabel(func(_ *rand.Rand, _ script.Asked, i int) []any { return []any{float64(i + 1)} })},
		{Name: "labels at random", Extract: relabel(func(r *rand.Rand, a script.Asked, _ int) []any { return []any{a.Lines[r.IntN(len(a.Lines))].Label} })},
	}
}
