package plan

import (
	"unicode"

	"github.com/ironflow/ironflow/nodes/chunking/verify"
)

// ContextSentences is the most sentences before a batch that go with it.
const ContextSentences = 8

// longSentence times the size of a batch is the most that a sentence may have to
// be asked for; a longer one is no prose.
const longSentence = 4

// Batch is what one call asks for, in numbers of sentences of the document.
type Batch struct {
	// Sentences are those to extract, rising.
	Sentences []int
	// Context are sentences before them, rising.
	Context []int
}

// Plan is the division of a document. It is read-only.
type Plan struct {
	Batches []Batch
	// Unasked are the sentences too long to be asked for, rising.
	Unasked []int

	doc *verify.Document
	// root is the sentence that stands for a sentence: itself, or the one it
	// repeats; -1 for a sentence that says nothing.
	root []int
	// repeats are the sentences that repeat one, rising.
	repeats map[int][]int
}

// New divides a document into batches of at most maxBytes of source text each; a
// longer sentence has a batch of its own. The time is linear in the text.
func New(doc *verify.Document, maxBytes int) *Plan {
	p := &Plan{doc: doc, root: make([]int, len(doc.Sentences)), repeats: map[int][]int{}}
	for i := range p.root {
		p.root[i] = i
		if !Says(doc.Text(i)) {
			p.root[i] = -1
		}
	}
	p.findRepeats()
	p.divide(maxBytes)
	return p
}

// Says reports whether a text holds a letter, a digit, a currency sign or a
// picture, and so has to be covered.
func Says(s string) bool {
	for _, r := range s {
		if unicode.In(r, unicode.L, unicode.N, unicode.So, unicode.Sc) {
			return true
		}
	}
	return false
}

// Root returns the sentence that stands for sentence i: i itself, the sentence
// that i repeats, or -1 when i says nothing and need not be covered.
func (p *Plan) Root(i int) int { return p.root[i] }

// Repeats returns the sentences that repeat a root, rising.
func (p *Plan) Repeats(root int) []int { return p.repeats[root] }

// Roots returns the sentences that have to be covered, rising.
func (p *Plan) Roots() []int {
	var out []int
	for i, r := range p.root {
		if r == i {
			out = append(out, i)
		}
	}
	return out
}

// Count returns how many sentences say something, repeats included.
func (p *Plan) Count() int {
	n := 0
	for _, r := range p.root {
		if r >= 0 {
			n++
		}
	}
	return n
}

// divide makes the batches.
func (p *Plan) divide(maxBytes int) {
	var open Batch
	size := 0
	shut := func() {
		if len(open.Sentences) > 0 {
			open.Context = p.context(open.Sentences[0], maxBytes)
			p.Batches = append(p.Batches, open)
		}
		open, size = Batch{}, 0
	}
	all := p.doc.Sentences
	for first := 0; first < len(all); {
		stop, bytes := first, 0
		for ; stop < len(all) && all[stop].Input == all[first].Input; stop++ {
			if n := all[stop].Span.Len(); p.root[stop] == stop && n <= longSentence*maxBytes {
				bytes += n
			}
		}
		if size > 0 && size+bytes > maxBytes {
			shut()
		}
		for i := first; i < stop; i++ {
			n := all[i].Span.Len()
			switch {
			case p.root[i] != i:
				continue
			case n > longSentence*maxBytes:
				p.Unasked = append(p.Unasked, i)
				continue
			case size > 0 && size+n > maxBytes:
				shut()
			}
			open.Sentences, size = append(open.Sentences, i), size+n
		}
		if 2*size >= maxBytes {
			shut()
		}
		first = stop
	}
	shut()
}

// context returns the sentences before a sentence, at most ContextSentences and
// maxBytes.
func (p *Plan) context(before, maxBytes int) []int {
	var back []int
	size := 0
	for i := before - 1; i >= 0 && len(back) < ContextSentences; i-- {
		if p.root[i] != i {
			continue
		}
		if size += p.doc.Sentences[i].Span.Len(); size > maxBytes {
			break
		}
		back = append(back, i)
	}
	for a, b := 0, len(back)-1; a < b; a, b = a+1, b-1 {
		back[a], back[b] = back[b], back[a]
	}
	return back
}
