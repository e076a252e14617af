package agentic

import (
	"slices"
	"sort"

	"github.com/ironflow/ironflow/nodes/chunking/agentic/extractive"
	"github.com/ironflow/ironflow/nodes/chunking/verify"
)

// settled collects propositions in the order of the source, each fact once.
type settled struct {
	r      *run
	ledger *verify.Ledger
	// at is the position in all of each entry of the ledger.
	at      []int
	all     []Proposition
	covered map[int]bool
	texts   map[string]bool
}

func (r *run) newSettled() *settled {
	return &settled{r: r, ledger: r.check.NewLedger(), covered: map[int]bool{}, texts: map[string]bool{}}
}

// add takes a proposition in, or hands its sentences to the one it repeats. said
// is what is compared.
func (s *settled) add(p Proposition, said string) {
	for _, n := range p.Sentences[p.Carried:] {
		s.covered[n] = true
	}
	index, of := s.ledger.Add(said)
	if of >= 0 {
		s.r.report.Dropped.Duplicate++
		if s.r.opt.ReportOnly {
			p.Reasons = append(p.Reasons, verify.Reason{Rule: "duplicate", Detail: "it repeats another statement"})
			s.all = append(s.all, p)
			return
		}
		s.handOver(of, p.Sentences[p.Carried:])
		return
	}
	s.append(p, index)
}

// append adds a proposition that has an entry in the ledger.
func (s *settled) append(p Proposition, entry int) {
	for len(s.at) <= entry {
		s.at = append(s.at, len(s.all))
	}
	s.texts[p.Text] = true
	s.all = append(s.all, p)
}

// handOver gives the proposition of a ledger entry more sentences.
func (s *settled) handOver(entry int, sentences []int) {
	p := &s.all[s.at[entry]]
	own := append(slices.Clone(p.Sentences[p.Carried:]), sentences...)
	sort.Ints(own)
	p.Sentences = append(p.Sentences[:p.Carried:p.Carried], slices.Compact(own)...)
}

// verbatim adds a sentence in its own words, with the sentences before it that
// hold what its pronouns stand for.
func (s *settled) verbatim(n int) {
	p := s.r.inOwnWords(n)
	s.covered[n] = true
	// It is compared with the sentences it carries, since what it says depends on
	// them.
	index, of := s.ledger.Add(p.Text)
	if of >= 0 {
		s.handOver(of, p.Sentences[p.Carried:])
		return
	}
	s.append(p, index)
}

// inOwnWords makes a proposition of a sentence.
func (r *run) inOwnWords(n int) Proposition {
	from, resolved := r.check.Carry(n)
	sentences := []int{}
	for i := from; i < n; i++ {
		if root := r.plan.Root(i); root >= 0 && root < n && !slices.Contains(sentences, root) {
			sentences = append(sentences, root)
		}
	}
	carried := len(sentences)
	sentences = append(sentences, n)
	p := Proposition{Text: r.joined(sentences...), Sentences: sentences, Support: 1, Verbatim: true, Carried: carried, Unresolved: !resolved}
	if !p.Unresolved {
		v := r.check.Check(verify.Statement{Text: p.Text, Sentences: sentences})
		p.Unresolved = slices.ContainsFunc(v.Reasons, func(reason verify.Reason) bool { return reason.Class() == classUnresolved })
	}
	return p
}

// settle decides what is kept of all batches, in the order of the source: what
// was accepted, each fact once, and then the sentences that nothing rests on.
func (r *run) settle(batches []*batch) []Proposition {
	s := r.newSettled()
	unasked := r.plan.Unasked
	for _, b := range batches {
		for len(unasked) > 0 && unasked[0] < b.Sentences[0] {
			s.verbatim(unasked[0])
			unasked = unasked[1:]
		}
		r.settleBatch(s, b)
	}
	for _, n := range unasked {
		s.verbatim(n)
	}
	return s.finish()
}

func (r *run) settleBatch(s *settled, b *batch) {
	if len(b.kept) > 0 {
		open := r.open(b)
		// What stood before a cut goes when its sentences stay open: their own words
		// say it all.
		b.kept = slices.DeleteFunc(b.kept, func(c candidate) bool {
			return c.loose && !r.opt.NoFallback && slices.ContainsFunc(c.Sentences, func(n int) bool {
				_, is := slices.BinarySearch(open, n)
				return is
			})
		})
	}
	sort.SliceStable(b.kept, func(i, j int) bool { return b.kept[i].Sentences[0] < b.kept[j].Sentences[0] })
	for _, c := range b.kept {
		s.add(c.Proposition, c.Text)
	}
	for _, n := range b.Sentences {
		if s.covered[n] {
			continue
		}
		if r.opt.NoFallback && !s.texts[r.joined(n)] {
			continue
		}
		s.verbatim(n)
	}
}

// finish adds the sentences that repeat others, and sorts by what is rested on.
func (s *settled) finish() []Proposition {
	for i := range s.all {
		p := &s.all[i]
		own := slices.Clone(p.Sentences[p.Carried:])
		for _, n := range p.Sentences[p.Carried:] {
			own = append(own, s.r.plan.Repeats(n)...)
		}
		sort.Ints(own)
		p.Sentences = append(p.Sentences[:p.Carried:p.Carried], slices.Compact(own)...)
	}
	sort.SliceStable(s.all, func(i, j int) bool { return s.all[i].first() < s.all[j].first() })
	return s.all
}

// first is the first sentence that a proposition rests on, context aside.
func (p *Proposition) first() int { return p.Sentences[p.Carried] }

// ownSentences makes propositions of the source's sentences, and of their halves
// where both are sentences of their own.
func (r *run) ownSentences() []Proposition {
	s := r.newSettled()
	splitter := extractive.New(r.check.Languages())
	for _, n := range r.plan.Roots() {
		halves := splitter.Split(r.joined(n))
		sound := len(halves) > 1
		for _, h := range halves {
			sound = sound && r.check.Check(verify.Statement{Text: h, Sentences: []int{n}}).OK()
		}
		if !sound {
			s.verbatim(n)
			continue
		}
		for _, h := range halves {
			s.add(Proposition{Text: h, Sentences: []int{n}, Support: 1, Verbatim: true}, h)
		}
	}
	return s.finish()
}
