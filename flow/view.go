package flow

import (
	"maps"
	"math/bits"
	"slices"
	"sync"
)

// What a recovery step sees besides the context. They are never published.
const (
	// KeyErrorMessage is the failed step's error text.
	KeyErrorMessage = "_error_message"
	// KeyErrorStep is the name of the failed step.
	KeyErrorStep = "_error_step"
	// KeyErrorNodeType is the type of its node, or "function".
	KeyErrorNodeType = "_error_node_type"
	// KeyErrorOutput is the output of a structured failure; absent otherwise.
	KeyErrorOutput = "_error_output"
)

// board holds all that the steps of a run published. Views read it while other
// steps go on publishing; that changes nothing for them, since a view only
// takes what the ancestors of its step published, and those have all ended.
type board struct {
	mu   sync.RWMutex
	keys map[string]*published
	own  [][]string // the keys of each step, sorted
}

// published are the values that steps gave one key.
type published struct {
	few  []publication // while there are few, ascending by step
	many map[int32]any // afterwards
	set  []uint64      // the steps in many
}

type publication struct {
	step  int32
	value any
}

const fewPublications = 8

func newBoard(steps int) *board {
	return &board{keys: map[string]*published{}, own: make([][]string, steps)}
}

// publish adds the outputs of a step, which has none there yet.
func (b *board) publish(step int32, outputs map[string]any) {
	if len(outputs) == 0 {
		return
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	keys := make([]string, 0, len(outputs))
	for k, v := range outputs {
		keys = append(keys, k)
		p := b.keys[k]
		if p == nil {
			p = &published{}
			b.keys[k] = p
		}
		p.add(step, v, len(b.own))
	}
	slices.Sort(keys)
	b.own[step] = keys
}

func (p *published) add(step int32, v any, steps int) {
	if p.many == nil && len(p.few) < fewPublications {
		i, _ := slices.BinarySearchFunc(p.few, step, func(q publication, s int32) int { return int(q.step - s) })
		p.few = slices.Insert(p.few, i, publication{step, v})
		return
	}
	if p.many == nil {
		p.many, p.set = map[int32]any{}, make([]uint64, (steps+63)/64)
		for _, q := range p.few {
			p.many[q.step] = q.value
			p.set[q.step/64] |= 1 << (q.step % 64)
		}
		p.few = nil
	}
	p.many[step] = v
	p.set[step/64] |= 1 << (step % 64)
}

// last returns what the last of the given steps, in plan order, published.
func (p *published) last(steps set) (any, bool) {
	for i := len(p.few) - 1; i >= 0; i-- {
		if steps.has(int(p.few[i].step)) {
			return p.few[i].value, true
		}
	}
	if i := lastIn(steps, p.set); i >= 0 {
		return p.many[int32(i)], true
	}
	return nil, false
}

// of returns what one step published.
func (p *published) of(step int32) (any, bool) {
	for _, q := range p.few {
		if q.step == step {
			return q.value, true
		}
	}
	v, ok := p.many[step]
	return v, ok
}

// newest returns what the last step of all published, and its number.
func (p *published) newest() (any, int32) {
	if n := len(p.few); n > 0 {
		return p.few[n-1].value, p.few[n-1].step
	}
	for w := len(p.set) - 1; w >= 0; w-- {
		if p.set[w] != 0 {
			step := int32(w*64 + bits.Len64(p.set[w]) - 1)
			return p.many[step], step
		}
	}
	return nil, -1
}

// of returns what a step published under a key.
func (b *board) of(step int32, key string) (any, bool) {
	b.mu.RLock()
	defer b.mu.RUnlock()
	p := b.keys[key]
	if p == nil {
		return nil, false
	}
	return p.of(step)
}

// View is what one step sees: the initial context and what its ancestors
// published, later ones in plan order winning, and for a recovery step the
// description of the failure. It is safe for concurrent use, and a lookup does
// not depend on the number of steps before.
type View struct {
	initial map[string]any
	board   *board
	before  set
	extra   map[string]any
}

// Get returns the value under a top-level key.
func (v *View) Get(key string) (any, bool) {
	if x, ok := v.extra[key]; ok {
		return x, true
	}
	v.board.mu.RLock()
	if p := v.board.keys[key]; p != nil {
		if x, ok := p.last(v.before); ok {
			v.board.mu.RUnlock()
			return x, true
		}
	}
	v.board.mu.RUnlock()
	x, ok := v.initial[key]
	return x, ok
}

// Keys returns every top-level key in byte order.
func (v *View) Keys() []string {
	keys := slices.AppendSeq(make([]string, 0, len(v.initial)+len(v.extra)), maps.Keys(v.initial))
	keys = slices.AppendSeq(keys, maps.Keys(v.extra))
	v.board.mu.RLock()
	v.before.each(func(i int) { keys = append(keys, v.board.own[i]...) })
	v.board.mu.RUnlock()
	slices.Sort(keys)
	return slices.Compact(keys)
}

// final merges everything published over the initial context.
func (b *board) final(initial map[string]any) map[string]any {
	b.mu.RLock()
	defer b.mu.RUnlock()
	out := make(map[string]any, len(initial)+len(b.keys))
	maps.Copy(out, initial)
	for k, p := range b.keys {
		out[k], _ = p.newest()
	}
	return out
}
