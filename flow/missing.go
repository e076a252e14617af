package flow

import (
	"fmt"
	"slices"

	"github.com/ironflow/ironflow/nodes"
)

// missingRead is a read of a key that only steps publish on which the reader
// does not depend.
type missingRead struct {
	step      int32
	param     string
	keys      []string // the initial context may hold any of them
	publisher int32
}

// publishers are the steps that publish one key.
type publishers struct {
	list []int32 // ascending
	set  set
}

// findMissing compares what literal parameters read with what other steps
// publish. It is silent about a step with an ancestor whose outputs are not
// all declared; open marks steps about which a mistake leaves something open.
func findMissing(p *Plan, open []bool) []missingRead {
	readers := make([][]nodes.Read, len(p.steps))
	read := map[string]*publishers{}
	unclear := make([]bool, len(p.steps)) // what the step sees
	opens := make([]bool, len(p.steps))   // what those after it see
	outputs := make([][]string, len(p.steps))
	for i, s := range p.steps {
		unclear[i] = open[i] || slices.ContainsFunc(p.deps[i], func(d int32) bool { return opens[d] })
		if s.Broken || s.Node == nil {
			opens[i] = true
			continue
		}
		keys, complete := nodes.PublishedKeys(&s.Node.Spec, s.Params, s.Name)
		outputs[i], opens[i] = keys, unclear[i] || !complete
		if unclear[i] {
			continue
		}
		readers[i] = nodes.Reads(&s.Node.Spec, s.Params)
		for _, r := range readers[i] {
			read[r.Exact], read[r.Root] = &publishers{}, &publishers{}
		}
	}
	if len(read) == 0 {
		return nil
	}
	for i, keys := range outputs {
		for _, k := range keys {
			if of := read[k]; of != nil {
				of.list = append(of.list, int32(i))
			}
		}
	}
	for _, of := range read {
		of.set = setOf(of.list)
	}
	var out []missingRead
	for i, reads := range readers {
		for _, r := range reads {
			if m, ok := p.missingRead(int32(i), r, read); ok {
				out = append(out, m)
			}
		}
	}
	return out
}

func (p *Plan) missingRead(i int32, r nodes.Read, read map[string]*publishers) (missingRead, bool) {
	keys := slices.Compact([]string{r.Exact, r.Root})
	var others []int32
	for _, k := range keys {
		if lastCommon(p.before[i], read[k].set) >= 0 {
			return missingRead{}, false
		}
		others = append(others, read[k].list...)
	}
	if p.recovers[i] >= 0 && slices.Contains(errorKeys(), r.Root) {
		return missingRead{}, false
	}
	best, ok := p.publisherFor(i, others)
	return missingRead{step: i, param: r.Param, keys: keys, publisher: best}, ok
}

// publisherFor picks the step that the reader most likely meant: the last one
// before it, or else the first one after it that does not depend on it.
func (p *Plan) publisherFor(i int32, others []int32) (int32, bool) {
	best := int32(-1)
	for _, d := range others {
		switch {
		case d == i:
		case d < i:
			best = max(best, d)
		case best < 0 || best > i && d < best:
			if !p.before[d].has(int(i)) {
				best = d
			}
		}
	}
	return best, best >= 0
}

// MissingDependencies returns, as errors, the reads of keys that are not in
// the initial context and that only a step publishes on which the reader does
// not depend. Each names the depends_on to add.
func (p *Plan) MissingDependencies(initial map[string]any) []nodes.Problem {
	var out []nodes.Problem
	for _, m := range p.missing {
		if !slices.ContainsFunc(m.keys, func(k string) bool { _, ok := initial[k]; return ok }) {
			out = append(out, p.missingProblem(m, nodes.Error))
		}
	}
	return sortProblems(out)
}

func (p *Plan) missingProblem(m missingRead, severity nodes.Severity) nodes.Problem {
	s, from := p.steps[m.step], shown(p.steps[m.publisher])
	key := m.keys[len(m.keys)-1]
	publisher := p.steps[m.publisher]
	if keys, _ := nodes.PublishedKeys(&publisher.Node.Spec, publisher.Params, publisher.Name); slices.Contains(keys, m.keys[0]) {
		key = m.keys[0]
	}
	q := problemAt(s, severity, fmt.Sprintf("reads %q, which step %q publishes, but does not depend on that step; add :depends_on(%q)", key, from, from))
	if severity == nodes.Warning {
		q.Message += ", unless the initial context has the key"
	}
	q.Node, q.Param = s.NodeName(), m.param
	return q
}

// errorKeys are what a recovery step sees besides the context.
func errorKeys() []string {
	return []string{KeyErrorMessage, KeyErrorStep, KeyErrorNodeType, KeyErrorOutput}
}
