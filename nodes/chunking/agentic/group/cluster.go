package group

import (
	"container/heap"

	"gonum.org/v1/gonum/floats"
)

const (
	// mostLeaves bounds the runs between which all likenesses are looked at, so
	// that the time is linear in the number of things beyond it.
	mostLeaves = 400
	// MostPerTheme bounds a theme that is made without a model.
	MostPerTheme = 24
)

// The mean cosines of two themes from which on they are one, for vectors whose
// mean was taken away, for others, and for words. They were chosen on interleaved
// documents of known topics.
const (
	leastCentred = 0.06
	leastPlain   = 0.2
	leastWords   = 0.04
)

// Cluster makes themes without a model: neighbours that are most alike join until
// few enough runs are left, then whatever is most alike joins (average linkage),
// wherever it stands. Themes are numbered by their first thing, and hold at most
// MostPerTheme. The same space gives the same themes.
func Cluster(s *Space) Themes {
	leaves := runs(s)
	tops := link(leaves, s.least)
	t := Themes{Of: make([]int, len(s.rows))}
	theme := make([]int, len(leaves))
	for k, members := range tops {
		for _, leaf := range members {
			theme[leaf] = k
		}
	}
	number := make([]int, len(tops))
	for k := range number {
		number[k] = None
	}
	i := 0
	for leaf, l := range leaves {
		k := theme[leaf]
		if number[k] == None {
			number[k] = len(t.Labels)
			t.Labels = append(t.Labels, "")
		}
		for range l.size {
			t.Of[i] = number[k]
			i++
		}
	}
	return t
}

// cluster is a set of things with the sum of their directions.
type cluster struct {
	sum  []float64
	size int
}

// likeness is the mean cosine between the things of two clusters.
func likeness(a, b *cluster) float64 {
	return floats.Dot(a.sum, b.sum) / float64(a.size*b.size)
}

// join is a possible union of two neighbouring runs.
type join struct {
	like        float64
	left, right int // runs, by their first thing
	version     int // of both when it was made
}

type joins []join

func (h joins) Len() int { return len(h) }
func (h joins) Less(i, j int) bool {
	if h[i].like != h[j].like {
		return h[i].like > h[j].like
	}
	return h[i].left < h[j].left
}
func (h joins) Swap(i, j int) { h[i], h[j] = h[j], h[i] }
func (h *joins) Push(x any)   { *h = append(*h, x.(join)) }
func (h *joins) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// runs joins neighbours, the most alike first, until mostLeaves runs are left or
// all are full. Few things stay single.
func runs(s *Space) []*cluster {
	n := len(s.rows)
	all := make([]*cluster, n)
	next, prev, version := make([]int, n), make([]int, n), make([]int, n)
	for i := range all {
		all[i] = &cluster{sum: append([]float64(nil), s.rows[i]...), size: 1}
		next[i], prev[i] = i+1, i-1
	}
	var h joins
	offer := func(l, r int) {
		if l >= 0 && r < n && all[l].size+all[r].size <= MostPerTheme {
			heap.Push(&h, join{likeness(all[l], all[r]), l, r, version[l] + version[r]})
		}
	}
	left := n
	if left > mostLeaves {
		for i := 0; i+1 < n; i++ {
			offer(i, i+1)
		}
	}
	for left > mostLeaves && len(h) > 0 {
		j := heap.Pop(&h).(join)
		if all[j.left] == nil || all[j.right] == nil || version[j.left]+version[j.right] != j.version || next[j.left] != j.right {
			continue
		}
		floats.Add(all[j.left].sum, all[j.right].sum)
		all[j.left].size += all[j.right].size
		all[j.right] = nil
		next[j.left] = next[j.right]
		if next[j.left] < n {
			prev[next[j.left]] = j.left
		}
		version[j.left]++
		left--
		offer(prev[j.left], j.left)
		offer(j.left, next[j.left])
	}
	var out []*cluster
	for i := 0; i < n; i = next[i] {
		out = append(out, all[i])
	}
	return out
}

// link joins the two most alike clusters again and again, as long as they are
// alike and not too large, and returns the members of each, rising. Each cluster
// remembers its best partner, so that a step looks again only at those whose
// partner is gone.
func link(leaves []*cluster, least float64) [][]int {
	n := len(leaves)
	sets := make([]*cluster, n)
	members := make([][]int, n)
	for i, l := range leaves {
		sets[i] = &cluster{sum: append([]float64(nil), l.sum...), size: l.size}
		members[i] = []int{i}
	}
	best, like := make([]int, n), make([]float64, n)
	find := func(i int) {
		best[i] = None
		for j := i + 1; j < n; j++ {
			if sets[j] == nil || sets[i].size+sets[j].size > MostPerTheme {
				continue
			}
			if l := likeness(sets[i], sets[j]); best[i] == None || l > like[i] {
				best[i], like[i] = j, l
			}
		}
	}
	for i := range n {
		find(i)
	}
	for {
		at := None
		for i := range n {
			if sets[i] != nil && best[i] != None && like[i] >= least && (at == None || like[i] > like[at]) {
				at = i
			}
		}
		if at == None {
			break
		}
		gone := best[at]
		floats.Add(sets[at].sum, sets[gone].sum)
		sets[at].size += sets[gone].size
		members[at] = append(members[at], members[gone]...)
		sets[gone], members[gone] = nil, nil
		for i := range n {
			switch {
			case sets[i] == nil:
			case i == at || best[i] == gone || best[i] == at:
				find(i)
			case i < at && sets[i].size+sets[at].size <= MostPerTheme:
				if l := likeness(sets[i], sets[at]); best[i] == None || l > like[i] {
					best[i], like[i] = at, l
				}
			}
		}
	}
	var out [][]int
	for _, m := range members {
		if m != nil {
			out = append(out, m)
		}
	}
	return out
}
