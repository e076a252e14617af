package propsegment

import (
	"fmt"
	"slices"
	"strings"

	"github.com/ironflow/ironflow/nodes/chunking"
	"github.com/ironflow/ironflow/nodes/chunking/verify"
)

// wrongDocuments is how many other documents each statement is checked against.
const wrongDocuments = 10

// measuring is one call of Measure.
type measuring struct {
	*maker
	checkers []*verify.Checker
	rows     []*Row
	// good are the true statements that are accepted and hold no pronoun; the rest is
	// made from them, so that a refusal is due to what was changed.
	good []located
}

type located struct {
	statement
	index int // of its sentence
}

func (m *measuring) row(name, words string, least, most float64) *Row {
	r := &Row{Name: name, Words: words, Least: least, Most: most}
	m.rows = append(m.rows, r)
	return r
}

// Measure checks the propositions of a set, and what Kinds makes of them.
func Measure(set *Set, language Language) ([]*Row, error) {
	m := &measuring{maker: newMaker(set, language)}
	for i := range set.Documents {
		c, err := checker(&set.Documents[i])
		if err != nil {
			return nil, err
		}
		m.checkers = append(m.checkers, c)
	}
	m.truths()
	for _, k := range Kinds() {
		m.kind(k)
	}
	m.elsewhere()
	for _, r := range m.rows {
		r.close()
	}
	return m.rows, nil
}

// checker makes the checker of a document. Its text is the sentences of the corpus
// joined by spaces, and these are its sentences.
func checker(d *Document) (*verify.Checker, error) {
	var b strings.Builder
	var spans []chunking.Span
	for _, s := range d.Sentences {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		from := b.Len()
		b.WriteString(s.Text)
		spans = append(spans, chunking.Span{Start: from, Stop: b.Len()})
	}
	doc := verify.NewDocument([]verify.Input{{ID: d.ID, Text: b.String()}}, func(string) []chunking.Span { return spans })
	c, err := verify.NewChecker(doc, verify.Options{})
	if err != nil {
		return nil, fmt.Errorf("document %s: %w", d.ID, err)
	}
	return c, nil
}

// truthRows are the figures on propositions as they are.
type truthRows struct{ accepted, pronoun, unresolved, inside, ungrounded, leading, twice *Row }

// truths checks the propositions as they are, each sentence's as one list.
func (m *measuring) truths() {
	rows := truthRows{
		accepted:   m.row("accepted", "true propositions without a third-person pronoun or demonstrative that are accepted; one that is called a duplicate of an earlier one of its sentence counts as refused", .98, 1),
		pronoun:    m.row("with a pronoun", "propositions with a third-person pronoun or demonstrative", 0, 1),
		unresolved: m.row("refused as unresolved alone", "of those with a pronoun, refused as `unresolved` and as nothing else", 0, 1),
		inside:     m.row("referent inside", "of those with a pronoun, accepted: what stands before the pronoun in the proposition can be its referent", 0, 1),
		ungrounded: m.row("ungrounded too", "of those with a pronoun, refused as something else too", 0, .02),
		leading:    m.row("pronoun first", "propositions that begin with such a pronoun, refused as `unresolved`: nothing stands before it that it can mean", .98, 1),
		twice:      m.row("taken for duplicates", "distinct propositions of one sentence, by their words, that are called duplicates", 0, .01),
	}
	for d := range m.set.Documents {
		for i := range m.set.Documents[d].Sentences {
			m.sentence(d, i, rows)
		}
	}
}

func (m *measuring) sentence(d, i int, rows truthRows) {
	s := m.set.Documents[d].Sentences[i]
	ledger, all := m.checkers[d].NewLedger(), m.checkers[d].NewLedger()
	seen := map[string]bool{}
	for _, text := range s.Propositions {
		key := strings.Join(fold(text), " ")
		if key == "" || seen[key] {
			continue // repeated by the annotator
		}
		seen[key] = true
		st := statement{text: text, sentence: s.Text, document: d}
		v := m.checkers[d].Check(verify.Statement{Text: text, Sentences: []int{i}})
		_, earlier := all.Add(text)
		rows.twice.count(d, earlier >= 0)
		if earlier >= 0 {
			rows.twice.miss(st, text, nil)
		}
		hasPronoun := slices.ContainsFunc(fold(text), func(w string) bool { return m.language.pronouns[w] })
		rows.pronoun.count(d, hasPronoun)
		if hasPronoun {
			m.pronouns(st, v, rows)
			continue
		}
		ok := v.OK()
		if ok {
			m.good = append(m.good, located{st, i})
			_, earlier := ledger.Add(text)
			ok = earlier < 0
		}
		rows.accepted.count(d, ok)
		if !ok {
			rows.accepted.miss(st, text, v.Reasons)
		}
	}
}

// pronouns counts a proposition with a pronoun.
func (m *measuring) pronouns(s statement, v verify.Verdict, rows truthRows) {
	unresolved, ungrounded := false, false
	for _, r := range v.Reasons {
		unresolved = unresolved || r.Class() == "unresolved"
		ungrounded = ungrounded || r.Class() != "unresolved"
	}
	rows.unresolved.count(s.document, unresolved && !ungrounded)
	rows.inside.count(s.document, v.OK())
	if v.OK() {
		rows.inside.miss(s, s.text, nil)
	}
	rows.ungrounded.count(s.document, ungrounded)
	if ungrounded {
		rows.ungrounded.miss(s, s.text, v.Reasons)
	}
	if m.language.pronouns[fold(s.text)[0]] {
		rows.leading.count(s.document, unresolved)
		if !unresolved {
			rows.leading.miss(s, s.text, v.Reasons)
		}
	}
}

// kind makes wrong statements of each good one where that can be done.
func (m *measuring) kind(k Kind) {
	row := m.row(k.Name, k.Words, k.Least, 1)
	var pair *Row
	if k.Name == namesExchanged {
		pair = m.row("exchanged, called a duplicate", "such a pair, taken for the same statement", 0, 0)
	}
	for _, g := range m.good {
		seen := map[string]bool{}
		for draw := range max(1, k.draws) {
			text, made := k.make(m.maker, g.statement, seed(k.Name, draw, g.document, g.index, g.text))
			if !made || seen[text] || strings.EqualFold(text, g.text) && !k.repeats {
				continue
			}
			seen[text] = true
			m.judge(k, g, text, row, pair)
		}
	}
}

// judge counts what a checker says of a statement made of a good one.
func (m *measuring) judge(k Kind, g located, text string, row, pair *Row) {
	c := m.checkers[g.document]
	ledger := c.NewLedger()
	ledger.Add(g.text)
	_, earlier := ledger.Add(text)
	hit := earlier >= 0
	if !k.repeats {
		hit = !c.Check(verify.Statement{Text: text, Sentences: []int{g.index}}).OK()
	}
	row.count(g.document, hit)
	if !hit {
		row.miss(g.statement, text, nil)
	}
	if pair != nil {
		pair.count(g.document, earlier >= 0)
		if earlier >= 0 {
			pair.miss(g.statement, text, nil)
		}
	}
}

// elsewhere checks statements against documents of other clusters.
func (m *measuring) elsewhere() {
	const what = "a true statement against ten documents of other clusters, not where one of their sentences holds its words in the same order; its source is "
	rows := [3]*Row{
		m.row("other document, one sentence", what+"a sentence drawn there", .999, 1),
		m.row("other document, found", what+"left to the checker to find", .999, 1),
		m.row("other document, all sentences", what+"all sentences there", .999, 1),
	}
	folded := make([][][]string, len(m.set.Documents))
	for d, doc := range m.set.Documents {
		for _, s := range doc.Sentences {
			folded[d] = append(folded[d], fold(s.Text))
		}
	}
	for _, g := range m.good {
		r := seed("other document", g.document, g.index, g.text)
		mine := fold(g.text)
		for n, tries := 0, 0; n < wrongDocuments && tries < 1000; tries++ {
			d := r.IntN(len(m.set.Documents))
			if m.set.Documents[d].Cluster == m.set.Documents[g.document].Cluster {
				continue
			}
			n++
			if slices.ContainsFunc(folded[d], func(theirs []string) bool { return within(mine, theirs) }) {
				continue
			}
			all := make([]int, len(folded[d]))
			for i := range all {
				all[i] = i
			}
			for i, sources := range [3][]int{{r.IntN(len(all))}, nil, all} {
				m.foreignTo(d, g, sources, rows[i])
			}
		}
	}
}

// foreignTo checks a statement against a document that does not make it.
func (m *measuring) foreignTo(d int, g located, sources []int, row *Row) {
	v := m.checkers[d].Check(verify.Statement{Text: g.text, Sentences: sources})
	row.count(g.document, !v.OK())
	if !v.OK() {
		return
	}
	var theirs []string
	for _, i := range v.Sentences {
		theirs = append(theirs, m.set.Documents[d].Sentences[i].Text)
	}
	row.miss(statement{sentence: strings.Join(theirs, " ")}, g.text, nil)
}

// within reports whether a list holds another one in order, with gaps.
func within(short, long []string) bool {
	i := 0
	for _, w := range long {
		if i < len(short) && short[i] == w {
			i++
		}
	}
	return i == len(short)
}
