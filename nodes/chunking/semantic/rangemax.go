package semantic

import "math"

// gapChooser finds the gap at which to cut a chunk that is too long.
type gapChooser struct {
	all, peaks  *maxTree
	minDistance int
}

func newGapChooser(strength []float64, peaks []int, minDistance int) *gapChooser {
	only := make([]float64, len(strength))
	for i := range only {
		only[i] = math.Inf(-1)
	}
	for _, p := range peaks {
		only[p] = strength[p]
	}
	return &gapChooser{all: newMaxTree(strength), peaks: newMaxTree(only), minDistance: minDistance}
}

// strongest returns the strongest of the gaps from first to last, of equals the
// one nearest to the middle. Peaks come before other gaps, and gaps that leave
// minDistance to both cuts of the chunk before those that are nearer: a curve is
// high beside its peaks too, and cuts there would only make slivers.
func (g *gapChooser) strongest(first, last int) int {
	from, to := first, last
	if from > 0 {
		from += max(g.minDistance, 1) - 1
	}
	if to < g.all.len-1 {
		to -= max(g.minDistance, 1) - 1
	}
	if from <= to {
		if g.peaks.max(from, to) > math.Inf(-1) {
			return g.peaks.nearestMax(from, to)
		}
		return g.all.nearestMax(from, to)
	}
	return g.all.nearestMax(first, last)
}

// maxTree answers where the largest value of a range lies, in logarithmic time:
// node k holds the largest of nodes 2k and 2k+1, the leaves are the values.
type maxTree struct {
	len, leaves int
	nodes       []float64
}

func newMaxTree(values []float64) *maxTree {
	leaves := 1
	for leaves < len(values) {
		leaves *= 2
	}
	t := &maxTree{len: len(values), leaves: leaves, nodes: make([]float64, 2*leaves)}
	for i := range t.nodes {
		t.nodes[i] = math.Inf(-1)
	}
	copy(t.nodes[leaves:], values)
	for k := leaves - 1; k >= 1; k-- {
		t.nodes[k] = max(t.nodes[2*k], t.nodes[2*k+1])
	}
	return t
}

// max returns the largest value from first to last.
func (t *maxTree) max(first, last int) float64 {
	largest := math.Inf(-1)
	for a, b := first+t.leaves, last+t.leaves+1; a < b; a, b = a/2, b/2 {
		if a%2 == 1 {
			largest = max(largest, t.nodes[a])
			a++
		}
		if b%2 == 1 {
			b--
			largest = max(largest, t.nodes[b])
		}
	}
	return largest
}

// nearestMax returns where the largest value from first to last lies, of equals
// the one nearest to the middle, of two as near the left one.
func (t *maxTree) nearestMax(first, last int) int {
	largest := t.max(first, last)
	middle := first + (last-first)/2
	left, right := t.atMost(middle, largest), t.atLeast(middle+1, largest)
	switch {
	case left < first:
		return right
	case right > last || middle-left <= right-middle:
		return left
	}
	return right
}

// atMost returns the last place up to i that holds at least value, -1 for none.
func (t *maxTree) atMost(i int, value float64) int {
	for k := i + t.leaves; ; k-- {
		if t.nodes[k] >= value {
			for k < t.leaves {
				k = 2*k + 1
				if t.nodes[k] < value {
					k--
				}
			}
			return k - t.leaves
		}
		for k%2 == 0 { // A left child: what comes before is beside an ancestor.
			k /= 2
		}
		if k == 1 {
			return -1
		}
	}
}

// atLeast returns the first place from i on that holds at least value, the number
// of leaves for none.
func (t *maxTree) atLeast(i int, value float64) int {
	if i >= t.leaves {
		return t.leaves
	}
	for k := i + t.leaves; ; k++ {
		if t.nodes[k] >= value {
			for k < t.leaves {
				k *= 2
				if t.nodes[k] < value {
					k++
				}
			}
			return k - t.leaves
		}
		for k%2 == 1 { // A right child: what comes next is beside an ancestor.
			k /= 2
		}
		if k == 0 {
			return t.leaves
		}
	}
}
