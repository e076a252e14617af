package flow

import (
	"container/heap"
	"slices"
)

// graph is a flow's dependencies by number of declaration, without those that
// are mistakes.
type graph struct {
	steps []*Step
	named [][]int32
	// recovers is the step that a recovery step stands in for, recovery the
	// step that stands in for this one; -1 = none.
	recovers, recovery []int32
	// open marks steps whose dependencies or outputs are not fully known
	// because of a mistake, so that nothing is concluded from them.
	open []bool
}

// extra returns the dependencies of step d that recovery adds: the recovery
// step of each step it depends on, and the step that it recovers.
func (g *graph) extra(d int32) []int32 {
	var out []int32
	if g.recovers[d] >= 0 {
		out = append(out, g.recovers[d])
	}
	for _, e := range g.named[d] {
		if h := g.recovery[e]; h >= 0 && h != d {
			out = append(out, h)
		}
	}
	return out
}

// edges returns what each step waits for.
func (g *graph) edges(withRecovery bool) [][]int32 {
	if !withRecovery {
		return g.named
	}
	out := slices.Clone(g.named)
	for d := range out {
		if extra := g.extra(int32(d)); len(extra) > 0 {
			out[d] = append(extra, out[d]...)
		}
	}
	return out
}

// order is the topological order that always takes the earliest-declared step
// whose dependencies are already placed. Steps that never become ready are
// missing in it.
func (g *graph) order() []int32 { return topological(g.edges(true)) }

func topological(edges [][]int32) []int32 {
	waiting := make([]int32, len(edges))
	next := inverse(edges)
	ready := &minHeap{}
	for i, list := range edges {
		waiting[i] = int32(len(list))
		if len(list) == 0 {
			*ready = append(*ready, int32(i)) // ascending, so already a heap
		}
	}
	order := make([]int32, 0, len(edges))
	for ready.Len() > 0 {
		d := heap.Pop(ready).(int32)
		order = append(order, d)
		for _, t := range next[d] {
			if waiting[t]--; waiting[t] == 0 {
				heap.Push(ready, t)
			}
		}
	}
	return order
}

// minHeap gives the smallest number first.
type minHeap []int32

func (h minHeap) Len() int           { return len(h) }
func (h minHeap) Less(i, j int) bool { return h[i] < h[j] }
func (h minHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *minHeap) Push(x any)        { *h = append(*h, x.(int32)) }
func (h *minHeap) Pop() any {
	last := len(*h) - 1
	x := (*h)[last]
	*h = (*h)[:last]
	return x
}

// knots returns the groups of steps that wait for one another in a circle:
// the strongly connected components with more than one step, each in the order
// of declaration, by Tarjan's algorithm without recursion.
func knots(edges [][]int32) [][]int32 {
	n := len(edges)
	var (
		index, low = make([]int32, n), make([]int32, n) // from 1; 0 = not seen
		onStack    = make([]bool, n)
		at         = make([]int, n) // next edge to follow
		stack      []int32
		path       []int32
		count      int32
		out        [][]int32
	)
	for root := range edges {
		if index[root] != 0 {
			continue
		}
		path = append(path[:0], int32(root))
		for len(path) > 0 {
			v := path[len(path)-1]
			if index[v] == 0 {
				count++
				index[v], low[v] = count, count
				stack, onStack[v] = append(stack, v), true
			}
			if at[v] < len(edges[v]) {
				w := edges[v][at[v]]
				at[v]++
				if index[w] == 0 {
					path = append(path, w)
				} else if onStack[w] {
					low[v] = min(low[v], index[w])
				}
				continue
			}
			path = path[:len(path)-1]
			if len(path) > 0 {
				up := path[len(path)-1]
				low[up] = min(low[up], low[v])
			}
			if low[v] != index[v] {
				continue
			}
			i := len(stack) - 1
			for stack[i] != v {
				i--
			}
			group := slices.Clone(stack[i:])
			for _, w := range group {
				onStack[w] = false
			}
			if stack = stack[:i]; len(group) > 1 {
				slices.Sort(group)
				out = append(out, group)
			}
		}
	}
	slices.SortFunc(out, func(a, b []int32) int { return int(a[0] - b[0]) })
	return out
}

// circle returns a shortest way from the first step of a knot back to it,
// along what each step waits for: a, b, c for a -> b -> c -> a.
func circle(edges [][]int32, knot []int32) []int32 {
	inside := make(map[int32]int32, len(knot)) // step -> the one before it on the way; -1 = not reached
	for _, v := range knot {
		inside[v] = -1
	}
	start := knot[0]
	queue := []int32{start}
	for len(queue) > 0 {
		v := queue[0]
		queue = queue[1:]
		for _, w := range edges[v] {
			if w == start {
				way := []int32{v}
				for v != start {
					v = inside[v]
					way = append(way, v)
				}
				slices.Reverse(way)
				return way
			}
			if from, ok := inside[w]; ok && from < 0 {
				inside[w] = v
				queue = append(queue, w)
			}
		}
	}
	return nil
}
