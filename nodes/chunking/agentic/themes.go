package agentic

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/ironflow/ironflow/nodes/chunking/agentic/group"
	"github.com/ironflow/ironflow/nodes/chunking/agentic/parse"
	"github.com/ironflow/ironflow/nodes/chunking/agentic/plan"
	"github.com/ironflow/ironflow/nodes/chunking/agentic/prompt"
)

const (
	// tokensPerID times the things that a grouping call is about is the least room
	// for its answer: an id takes about five tokens, and labels come on top.
	tokensPerID = 8
	// bytesPerToken times the room for the answer bounds the text of a grouping
	// call.
	bytesPerToken = 6
	// What is expected of a model before it is asked, in hundredths: propositions
	// for each sentence, and their text beside that of the source.
	expectedCount = 160
	expectedBytes = 140
)

// themed is a theme with its propositions.
type themed struct {
	label        string
	propositions []Proposition
}

// windowLimits are the most propositions, and bytes of them, of a grouping call.
func (r *run) windowLimits() (items, bytes int) {
	return max(2, r.opt.GroupMaxTokens/tokensPerID), max(1000, r.opt.GroupMaxTokens*bytesPerToken)
}

// groupingCalls estimates the calls that grouping takes.
func (r *run) groupingCalls() int {
	items, bytes := r.windowLimits()
	count, size := 0, 0
	for _, b := range r.plan.Batches {
		count += len(b.Sentences)
		for _, s := range b.Sentences {
			size += r.doc.Sentences[s].Span.Len()
		}
	}
	n := max(1, ceil(count*expectedCount, 100*items), ceil(size*expectedBytes, 100*bytes))
	if n > 1 {
		n++
	}
	return n
}

func ceil(a, b int) int { return (a + b - 1) / b }

// themes puts every proposition into one theme.
func (r *run) themes(ctx context.Context, all []Proposition) ([]themed, error) {
	if len(all) == 0 {
		return nil, nil
	}
	texts := make([]string, len(all))
	for i, p := range all {
		texts[i] = p.Text
	}
	space := &lazySpace{r: r, texts: texts}
	var t group.Themes
	var err error
	if r.model == nil {
		t, err = space.cluster(ctx, 0, len(texts))
	} else {
		t, err = r.asked(ctx, texts, space)
	}
	if err != nil {
		return nil, err
	}
	t.Ground(texts)
	t.Tell(texts)
	return gather(t, all), nil
}

// gather sorts propositions into their themes, and themes by their first one.
func gather(t group.Themes, all []Proposition) []themed {
	at := make([]int, len(t.Labels))
	var out []themed
	for i, p := range all {
		k := t.Of[i]
		if at[k] == 0 {
			out = append(out, themed{label: t.Labels[k]})
			at[k] = len(out)
		}
		out[at[k]-1].propositions = append(out[at[k]-1].propositions, p)
	}
	return out
}

// lazySpace makes the space of the propositions when it is first needed.
type lazySpace struct {
	r     *run
	texts []string
	made  *group.Space
}

func (l *lazySpace) part(ctx context.Context, first, stop int) (*group.Space, error) {
	if l.made == nil {
		if l.r.opt.Vectors == nil {
			l.made = group.NewWordSpace(l.texts)
		} else {
			m, err := l.r.opt.Vectors(ctx, l.texts)
			if err != nil {
				return nil, fmt.Errorf("vectors of the propositions: %w", err)
			}
			if m.Rows() != len(l.texts) {
				return nil, fmt.Errorf("vectors of the propositions: %d vectors for %d texts", m.Rows(), len(l.texts))
			}
			l.made = group.NewSpace(m)
		}
	}
	return l.made.Part(first, stop), nil
}

func (l *lazySpace) cluster(ctx context.Context, first, stop int) (group.Themes, error) {
	part, err := l.part(ctx, first, stop)
	if err != nil {
		return group.Themes{}, err
	}
	return group.Cluster(part), nil
}

// window is a run of propositions that one call groups.
type window struct {
	first, stop int
	labels      plan.Labels
	question    Question
	reply       Reply
	answer      parse.Grouping
}

// asked groups by the model's answers.
func (r *run) asked(ctx context.Context, texts []string, space *lazySpace) (group.Themes, error) {
	windows := r.windows(texts)
	r.report.Windows = len(windows)
	// Windows that were not planned for take what is left; what is beyond the limit
	// of calls is grouped here.
	allowed := r.groupingCalls() + r.spare
	most, merging := min(len(windows), allowed), len(windows) > 1
	if merging {
		most = min(len(windows), max(1, allowed-1))
		merging = allowed > most
	}
	r.total = r.done + most
	if merging {
		r.total++
	}
	err := r.parallel(ctx, most, func(ctx context.Context, i int) (err error) {
		w := &windows[i]
		if w.reply, err = r.ask(ctx, w.question); err == nil && !w.reply.Refused {
			w.answer = parse.Groups(w.reply.Text, w.reply.Cut)
		}
		return err
	})
	if err != nil {
		return group.Themes{}, err
	}
	all := group.Themes{Of: make([]int, 0, len(texts))}
	own := 0
	for i := range windows {
		w := &windows[i]
		if i < most {
			r.tally(w.reply)
			r.noteGrouping(w.reply, w.answer)
		}
		t, counts := group.Read(w.answer, w.labels)
		r.report.UnknownIDs += counts.Unknown
		r.report.RepeatedIDs += counts.Repeated
		part, err := r.complete(ctx, t, w, space, &own)
		if err != nil {
			return group.Themes{}, err
		}
		all.Append(part)
	}
	if own > 0 {
		r.note("%d of %d grouping calls gave no themes: these propositions were grouped without the model", own, len(windows))
	}
	if merging && len(all.Labels) > 1 {
		return r.merged(ctx, all, texts)
	}
	return all, nil
}

// noteGrouping counts an answer that is not whole.
func (r *run) noteGrouping(reply Reply, answer parse.Grouping) {
	switch {
	case reply.Refused:
	case answer.State == parse.Cut:
		r.report.Truncated++
	case answer.State == parse.Malformed:
		r.report.Malformed++
	}
}

// complete finds the theme of what the answer for a window left out; an answer
// without themes leaves out all, which is counted in own.
func (r *run) complete(ctx context.Context, t group.Themes, w *window, space *lazySpace, own *int) (group.Themes, error) {
	if len(t.Labels) == 0 {
		*own++
		r.report.Regrouped += w.stop - w.first
		return space.cluster(ctx, w.first, w.stop)
	}
	if !t.Missing() {
		return t, nil
	}
	part, err := space.part(ctx, w.first, w.stop)
	if err != nil {
		return t, err
	}
	r.report.Regrouped += t.Complete(part)
	return t, nil
}

// windows divides the propositions and writes the questions.
func (r *run) windows(texts []string) []window {
	sizes := make([]int, len(texts))
	for i, t := range texts {
		sizes[i] = len(t)
	}
	items, bytes := r.windowLimits()
	var out []window
	first := 0
	for _, stop := range group.Windows(sizes, items, bytes) {
		w := window{first: first, stop: stop}
		w.question, w.labels = r.groupQuestion(PurposeGroup, "P", texts[first:stop], first)
		out = append(out, w)
		first = stop
	}
	return out
}

// groupQuestion asks about things; base is the number of the first.
func (r *run) groupQuestion(purpose, prefix string, texts []string, base int) (Question, plan.Labels) {
	labels := plan.NewLabels(prefix, len(texts), texts...)
	lines, items := make([]prompt.Line, len(texts)), make([]Item, len(texts))
	for i, t := range texts {
		lines[i] = prompt.Line{Label: labels.At(i), Text: t}
		items[i] = Item{Label: labels.At(i), Text: t, Number: base + i}
	}
	m := prompt.Group(lines)
	if purpose == PurposeMerge {
		m = prompt.Merge(lines)
	}
	return Question{
		Purpose: purpose, System: m.System, User: m.User, SchemaName: m.SchemaName, Schema: m.Schema,
		MaxTokens: r.opt.GroupMaxTokens, Items: items,
	}, labels
}

// merged asks which themes of different windows are one. Themes that the answer
// leaves out stay as they are.
func (r *run) merged(ctx context.Context, all group.Themes, texts []string) (group.Themes, error) {
	all.Tell(texts)
	all.Unite()
	items, _ := r.windowLimits()
	n := min(len(all.Labels), items)
	if n < 2 {
		return all, nil
	}
	q, labels := r.groupQuestion(PurposeMerge, "T", all.Labels[:n], 0)
	reply, err := r.ask(ctx, q)
	if err != nil {
		return all, err
	}
	r.tally(reply)
	var answer parse.Grouping
	if !reply.Refused {
		answer = parse.Groups(reply.Text, reply.Cut)
		r.noteGrouping(reply, answer)
	}
	of, counts := group.Read(answer, labels)
	r.report.UnknownIDs += counts.Unknown
	r.report.RepeatedIDs += counts.Repeated
	all.Merge(of)
	return all, nil
}

// chunks writes the themes as chunks.
func (r *run) chunks(themes []themed) []Chunk {
	out := make([]Chunk, len(themes))
	for i, t := range themes {
		texts := make([]string, len(t.propositions))
		for k, p := range t.propositions {
			texts[k] = p.Text
		}
		content := strings.Join(texts, " ")
		sum := sha256.Sum256([]byte(content))
		c := Chunk{
			ID: fmt.Sprintf("%s-%04d", r.opt.DocumentID, i+1), DocumentID: r.opt.DocumentID, Theme: t.label,
			Content: content, Propositions: t.propositions,
			Characters: utf8.RuneCountInString(content), Hash: hex.EncodeToString(sum[:]),
		}
		if c.Tokens = ceil(c.Characters, 4); r.opt.CountTokens != nil {
			c.Tokens = r.opt.CountTokens(content)
		}
		out[i] = c
	}
	return out
}
