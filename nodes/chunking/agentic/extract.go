package agentic

import (
	"context"
	"slices"

	"github.com/ironflow/ironflow/nodes/chunking/agentic/parse"
	"github.com/ironflow/ironflow/nodes/chunking/agentic/plan"
	"github.com/ironflow/ironflow/nodes/chunking/agentic/prompt"
	"github.com/ironflow/ironflow/nodes/chunking/agentic/report"
	"github.com/ironflow/ironflow/nodes/chunking/verify"
)

// batch is what is known of a batch while it is worked on. One goroutine at a
// time has it.
type batch struct {
	plan.Batch
	kept []candidate
	// refused are statements that were not accepted in the last round.
	refused []refused
	dropped report.Dropped
	// last and reply are those of the last answer.
	last  parse.State
	reply Reply
}

// candidate is a statement that was accepted.
type candidate struct {
	Proposition
	// loose is true for the last statement of an answer that was cut behind it:
	// what was to follow about its sentences is not known.
	loose bool
}

// refused is a statement that was not accepted.
type refused struct {
	text      string
	sentences []int
	why       string
}

// propositions asks for the propositions of every batch, again for what is
// missing, and settles what is kept.
func (r *run) propositions(ctx context.Context) ([]Proposition, error) {
	batches := make([]*batch, len(r.plan.Batches))
	for i, b := range r.plan.Batches {
		batches[i] = &batch{Batch: b}
	}
	grouping := r.groupingCalls()
	r.spare = r.opt.MaxCalls - len(batches) - grouping
	if r.spare < 0 {
		return nil, &CallsError{Batches: len(batches), Grouping: grouping, Max: r.opt.MaxCalls}
	}
	r.report.Batches = len(batches)
	if n := len(r.plan.Unasked); n > 0 {
		r.note("%d sentences were not sent, since each is longer than four batches: they stand in their own words", n)
	}
	r.total = len(batches) + grouping
	all := make([]int, len(batches))
	asks := make([][]int, len(batches))
	for i, b := range batches {
		all[i], asks[i] = i, b.Sentences
	}
	if err := r.round(ctx, batches, all, asks, false); err != nil {
		return nil, err
	}
	for range r.opt.Repairs {
		var again []int
		without := 0
		for i, b := range batches {
			switch asks[i] = r.open(b); {
			case len(asks[i]) == 0:
			case len(again) < r.spare:
				again = append(again, i)
			default:
				without++
			}
		}
		if without > 0 {
			r.note("%d batches with gaps were not asked again: max_calls=%d leaves no room", without, r.opt.MaxCalls)
		}
		if len(again) == 0 {
			break
		}
		r.spare -= len(again)
		r.total += len(again)
		r.report.Repairs += len(again)
		if err := r.round(ctx, batches, again, asks, true); err != nil {
			return nil, err
		}
	}
	if r.opt.NoFallback && !r.opt.ReportOnly {
		for i, b := range batches {
			if len(b.kept) == 0 {
				return nil, &BatchError{Batch: i + 1, First: b.Sentences[0] + 1, Last: b.Sentences[len(b.Sentences)-1] + 1, Why: b.why()}
			}
		}
	}
	return r.settle(batches), nil
}

// why says how the last answer of a batch without propositions ended.
func (b *batch) why() string {
	switch {
	case b.reply.Refused:
		return "the model refused to answer"
	case b.last == parse.Cut:
		return "the answer was cut before a statement was complete"
	case b.last == parse.Malformed:
		return "the answer holds no list of statements"
	case len(b.refused) > 0:
		return "none of its statements is supported by the text"
	}
	return "the answer is an empty list"
}

// round asks about sentences of some batches, and reads and checks the answers.
func (r *run) round(ctx context.Context, batches []*batch, which []int, asks [][]int, again bool) error {
	err := r.parallel(ctx, len(which), func(ctx context.Context, k int) error {
		b := batches[which[k]]
		q, labels := r.question(b, asks[which[k]], again)
		reply, err := r.ask(ctx, q)
		if err != nil {
			return err
		}
		b.reply, b.refused = reply, nil
		r.read(b, reply, labels, asks[which[k]])
		return nil
	})
	if err != nil {
		return err
	}
	for _, i := range which {
		b := batches[i]
		r.tally(b.reply)
		r.report.Dropped.Ungrounded += b.dropped.Ungrounded
		r.report.Dropped.Unresolved += b.dropped.Unresolved
		r.report.Dropped.UnknownLabel += b.dropped.UnknownLabel
		b.dropped = report.Dropped{}
		switch {
		case b.reply.Refused:
		case b.last == parse.Cut:
			r.report.Truncated++
		case b.last == parse.Malformed:
			r.report.Malformed++
		}
	}
	return nil
}

// question asks about sentences of a batch; the others of a batch that is asked
// again are context.
func (r *run) question(b *batch, sentences []int, again bool) (Question, plan.Labels) {
	texts := make([]string, len(sentences))
	for i, s := range sentences {
		texts[i] = r.doc.Text(s)
	}
	around := b.Context
	if again {
		around = slices.Clone(b.Context)
		for _, s := range b.Sentences {
			if _, asked := slices.BinarySearch(sentences, s); !asked {
				around = append(around, s)
			}
		}
	}
	before := make([]string, len(around))
	for i, s := range around {
		before[i] = r.doc.Text(s)
	}
	labels := plan.NewLabels("S", len(texts), append(slices.Clone(texts), before...)...)
	lines, items := make([]prompt.Line, len(texts)), make([]Item, len(texts))
	for i, t := range texts {
		lines[i] = prompt.Line{Label: labels.At(i), Text: t}
		items[i] = Item{Label: labels.At(i), Text: t, Number: sentences[i]}
	}
	q := Question{Purpose: PurposeExtract, MaxTokens: r.opt.ExtractMaxTokens, Items: items}
	m := prompt.Message{}
	if again {
		q.Purpose = PurposeRepair
		m = prompt.Repair(lines, before, b.faults(sentences))
	} else {
		m = prompt.Extract(lines, before)
	}
	q.System, q.User, q.SchemaName, q.Schema = m.System, m.User, m.SchemaName, m.Schema
	return q, labels
}

// mostFaults is the most refused statements that a repair shows.
const mostFaults = 12

// faults are the refused statements about sentences.
func (b *batch) faults(sentences []int) []prompt.Refused {
	var out []prompt.Refused
	for _, f := range b.refused {
		about := slices.ContainsFunc(f.sentences, func(s int) bool {
			_, ok := slices.BinarySearch(sentences, s)
			return ok
		})
		if about && len(out) < mostFaults {
			out = append(out, prompt.Refused{Text: f.text, Why: f.why})
		}
	}
	return out
}

// read takes the statements of an answer that pass.
func (r *run) read(b *batch, reply Reply, labels plan.Labels, sentences []int) {
	if reply.Refused {
		b.last = parse.Malformed
		return
	}
	answer := parse.Propositions(reply.Text, reply.Cut)
	b.last = answer.State
	for i, item := range answer.Items {
		at, unknown := labels.Read(item.Labels)
		b.dropped.UnknownLabel += unknown
		var on []int
		for _, k := range at {
			on = append(on, sentences[k])
		}
		c, ok := r.judge(b, item.Text, on)
		if !ok {
			continue
		}
		c.loose = answer.State == parse.Cut && !answer.Closed && i == len(answer.Items)-1
		b.kept = append(b.kept, c)
	}
}

// judge checks one statement that is to rest on sentences; nil lets the checker
// find them.
func (r *run) judge(b *batch, text string, on []int) (candidate, bool) {
	text, clean := tidy(text, r.joined(on...))
	v := verify.Verdict{Sentences: on, Reasons: []verify.Reason{{Rule: "length", Detail: "it is much longer than the sentences it rests on"}}}
	if len(text) <= r.longest(b, on) {
		v = r.check.Check(verify.Statement{Text: text, Sentences: on})
	}
	if v.OK() && !slices.Equal(v.Sentences, on) {
		// It has to hold with the sentences that are kept as its sources alone.
		v = r.check.Check(verify.Statement{Text: text, Sentences: v.Sentences})
	}
	reasons := v.Reasons
	if !clean {
		reasons = append(reasons, verify.Reason{Rule: "characters", Detail: "control characters inside of words: a backslash was not escaped"})
	}
	c := candidate{Proposition: Proposition{Text: text, Sentences: r.roots(v.Sentences), Support: v.Support}}
	if len(reasons) == 0 && len(c.Sentences) > 0 {
		return c, true
	}
	if len(reasons) == 0 {
		reasons = []verify.Reason{{Rule: "sources", Detail: "it rests on no sentence of the text"}}
	}
	if classOf(reasons) == classUnresolved {
		b.dropped.Unresolved++
	} else {
		b.dropped.Ungrounded++
	}
	if r.opt.ReportOnly && len(c.Sentences) > 0 {
		c.Reasons = reasons
		return c, true
	}
	why := ""
	for _, reason := range reasons {
		if why != "" {
			why += "; "
		}
		why += reason.Detail
	}
	b.refused = append(b.refused, refused{text: text, sentences: on, why: why})
	return c, false
}

// longest is the most bytes that a statement about sentences may have: rewriting
// makes text longer, but a loop of a model has no end. Without sentences it may be
// about the whole batch.
func (r *run) longest(b *batch, on []int) int {
	if len(on) == 0 {
		on = b.Sentences
	}
	n := 1000
	for _, s := range on {
		n += 4 * r.doc.Sentences[s].Span.Len()
	}
	return n
}

// roots returns the sentences that stand for sentences, each once, rising.
func (r *run) roots(sentences []int) []int {
	var out []int
	for _, s := range sentences {
		if root := r.plan.Root(s); root >= 0 {
			out = append(out, root)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// The classes of a verify.Reason.
const (
	classUngrounded = "ungrounded"
	classUnresolved = "unresolved"
)

// classOf is the class that a statement with several reasons is counted in: it is
// unresolved only when nothing worse is known.
func classOf(reasons []verify.Reason) string {
	for _, reason := range reasons {
		if reason.Class() != classUnresolved {
			return classUngrounded
		}
	}
	return classUnresolved
}

// open returns the sentences of a batch that no sure statement rests on, rising.
// One that stands in the text word for word like one that is covered, and needs
// nothing around it, is covered with it.
func (r *run) open(b *batch) []int {
	covered := map[int]bool{}
	for _, c := range b.kept {
		if !c.loose {
			for _, s := range c.Sentences {
				covered[s] = true
			}
		}
	}
	texts := map[string]bool{}
	for _, s := range b.Sentences {
		if covered[s] {
			texts[r.doc.Text(s)] = true
		}
	}
	var out []int
	for _, s := range b.Sentences {
		if covered[s] {
			continue
		}
		if texts[r.doc.Text(s)] {
			if from, resolved := r.check.Carry(s); from == s && resolved {
				continue
			}
		}
		out = append(out, s)
	}
	return out
}
