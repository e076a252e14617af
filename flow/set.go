package flow

import (
	"math/bits"
	"slices"
)

// A set holds step positions (places in plan order) and never changes once it
// is built, so sets share the parts that they have in common: a leaf covers 512
// positions, a branch 16 leaves. The ancestors of a step are those of the step
// before it and one more, which costs one new leaf and one new branch however
// long the chain is; a set that shares nothing costs a bit per step.
type set struct {
	branches []*branch
}

const (
	leafWords  = 8
	leafBits   = leafWords * 64
	branchBits = 16 * leafBits
)

type (
	leaf   [leafWords]uint64
	branch [16]*leaf
)

func (s set) leaf(i int) *leaf {
	b := i / branchBits
	if b >= len(s.branches) || s.branches[b] == nil {
		return nil
	}
	return s.branches[b][i%branchBits/leafBits]
}

// has reports whether position i is in the set.
func (s set) has(i int) bool {
	l := s.leaf(i)
	return l != nil && l[i%leafBits/64]&(1<<(i%64)) != 0
}

// setOf builds a set of ascending positions.
func setOf(list []int32) set {
	if len(list) == 0 {
		return set{}
	}
	s := set{branches: make([]*branch, int(list[len(list)-1])/branchBits+1)}
	for _, p := range list {
		i := int(p)
		b := &s.branches[i/branchBits]
		if *b == nil {
			*b = &branch{}
		}
		l := &(*b)[i%branchBits/leafBits]
		if *l == nil {
			*l = &leaf{}
		}
		(*l)[i%leafBits/64] |= 1 << (i % 64)
	}
	return s
}

// with returns the set and position i.
func (s set) with(i int) set {
	if s.has(i) {
		return s
	}
	n := i/branchBits + 1
	out := set{branches: make([]*branch, max(n, len(s.branches)))}
	copy(out.branches, s.branches)
	b, l := &branch{}, &leaf{}
	if old := out.branches[n-1]; old != nil {
		*b = *old
	}
	if old := s.leaf(i); old != nil {
		*l = *old
	}
	l[i%leafBits/64] |= 1 << (i % 64)
	b[i%branchBits/leafBits] = l
	out.branches[n-1] = b
	return out
}

// union returns what is in a or in b. Where one of them already holds the
// result, its parts are used again.
func union(a, b set) set {
	if len(a.branches) < len(b.branches) {
		a, b = b, a
	}
	var out []*branch // nil while the result is a itself
	isB := len(a.branches) == len(b.branches)
	for i, y := range b.branches {
		x := a.branches[i]
		z := unionBranch(x, y)
		isB = isB && z == y
		if z == x {
			continue
		}
		if out == nil {
			out = slices.Clone(a.branches)
		}
		out[i] = z
	}
	switch {
	case out == nil:
		return a
	case isB:
		return b
	}
	return set{branches: out}
}

func unionBranch(x, y *branch) *branch {
	if x == y || y == nil {
		return x
	}
	if x == nil {
		return y
	}
	var out branch
	isX, isY := true, true
	for i := range out {
		out[i] = unionLeaf(x[i], y[i])
		isX, isY = isX && out[i] == x[i], isY && out[i] == y[i]
	}
	switch {
	case isX:
		return x
	case isY:
		return y
	}
	return &out
}

func unionLeaf(x, y *leaf) *leaf {
	if x == y || y == nil {
		return x
	}
	if x == nil {
		return y
	}
	var out leaf
	for i := range out {
		out[i] = x[i] | y[i]
	}
	switch out {
	case *x:
		return x
	case *y:
		return y
	}
	return &out
}

// lastCommon returns the greatest position that is in both sets, or -1.
func lastCommon(a, b set) int {
	for i := min(len(a.branches), len(b.branches)) - 1; i >= 0; i-- {
		x, y := a.branches[i], b.branches[i]
		if x == nil || y == nil {
			continue
		}
		for j := len(x) - 1; j >= 0; j-- {
			if x[j] == nil || y[j] == nil {
				continue
			}
			for w := leafWords - 1; w >= 0; w-- {
				if common := x[j][w] & y[j][w]; common != 0 {
					return i*branchBits + j*leafBits + w*64 + bits.Len64(common) - 1
				}
			}
		}
	}
	return -1
}

// each calls f with every position, ascending.
func (s set) each(f func(i int)) {
	for i, b := range s.branches {
		if b == nil {
			continue
		}
		for j, l := range b {
			if l == nil {
				continue
			}
			for w, word := range l {
				for ; word != 0; word &= word - 1 {
					f(i*branchBits + j*leafBits + w*64 + bits.TrailingZeros64(word))
				}
			}
		}
	}
}

// lastIn returns the greatest position of the set that is also in a flat set
// of 64 positions a word, or -1.
func lastIn(s set, words []uint64) int {
	for i := min(len(s.branches), (len(words)*64+branchBits-1)/branchBits) - 1; i >= 0; i-- {
		b := s.branches[i]
		if b == nil {
			continue
		}
		for j := len(b) - 1; j >= 0; j-- {
			first := i*branchBits/64 + j*leafWords
			if b[j] == nil || first >= len(words) {
				continue
			}
			for w := min(leafWords, len(words)-first) - 1; w >= 0; w-- {
				if common := b[j][w] & words[first+w]; common != 0 {
					return (first+w)*64 + bits.Len64(common) - 1
				}
			}
		}
	}
	return -1
}
