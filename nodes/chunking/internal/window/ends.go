package window

import "github.com/ironflow/ironflow/nodes/chunking"

// fill returns where a chunk stops that would stop at cut: further on, inside
// the next cluster, if the chunk is too small and that cluster is cut anyway
// because it is wider than a chunk.
func (r *runner) fill(start, cut int) int {
	m := r.o.Measure
	if r.o.MinSize == 0 || cut == len(r.text) || m.Count(r.text[start:cut]) >= r.o.MinSize {
		return cut
	}
	if whole := floorRune(r.text, cut+m.Fit(r.text[cut:], r.o.Size)); r.clusters.Floor(whole) > cut {
		return cut
	}
	room := r.room(start)
	limit := floorRune(r.text, start+m.Fit(r.text[start:], room))
	if limit <= cut || r.inkFrom(limit) == len(r.text) || m.Count(r.text[start:limit]) > room {
		return cut
	}
	return limit
}

// take adds the white space in front of next to the last chunk if it fits, which
// only white space that begins the cluster around next can do: any other is in
// the chunk already.
func (r *runner) take(next int) bool {
	if len(r.spans) == 0 || r.clusters.Boundary(next) {
		return false
	}
	last := &r.spans[len(r.spans)-1]
	if r.o.Measure.Count(r.text[last.Start:next]) > r.room(last.Start) {
		return false
	}
	last.Stop = next
	return true
}

// trim takes the white space at the end of the last chunk away when what follows
// it up to the next chunk is left out: a run is left out whole.
func (r *runner) trim(next int) {
	if len(r.spans) == 0 {
		return
	}
	last := &r.spans[len(r.spans)-1]
	if last.Stop == next {
		return
	}
	stop := trimRight(r.text, last.Start, last.Stop)
	shorter := chunking.Span{Start: last.Start, Stop: stop}
	if stop > last.Start && r.clusters.Floor(stop) == stop &&
		r.o.Measure.Count(shorter.Slice(r.text)) <= r.o.Size {
		*last = shorter
	}
}

// raiseLast sees to it that the last chunk has the least size, if it can: by
// joining it to the one before, else by cutting the two anew.
func (r *runner) raiseLast() {
	n := len(r.spans)
	if n < 2 {
		return
	}
	one, two := r.spans[n-2], r.spans[n-1]
	count := func(start, stop int) int { return r.o.Measure.Count(r.text[start:stop]) }
	if count(two.Start, two.Stop) >= r.o.MinSize || one.Stop != two.Start {
		return
	}
	if count(one.Start, two.Stop) <= r.room(one.Start) {
		r.spans[n-2].Stop = two.Stop
		r.spans = r.spans[:n-1]
		return
	}
	low, high := one.Start, one.Stop // the second chunk is large enough from low on
	for low < high {
		mid := low + (high-low+1)/2
		if count(floorRune(r.text, mid), two.Stop) >= r.o.MinSize {
			low = mid
		} else {
			high = mid - 1
		}
	}
	r.clusters.forget(one.Start)
	limit := r.clusters.Floor(floorRune(r.text, low))
	after := max(ink{text: r.text, at: -1}.first(one.Start), one.Start+r.o.Measure.Fit(r.text[one.Start:one.Stop], r.o.MinSize-1))
	if n > 2 {
		// With an overlap the chunk before may reach into this one, which has to
		// go on behind it.
		after = max(after, ink{text: r.text, at: -1}.first(r.spans[n-3].Stop))
	}
	if limit <= after {
		return
	}
	cut := limit
	if b := r.breaks.Best(Window{Start: one.Start, After: after, Limit: limit, Reach: limit}); b > 0 {
		cut = b
	}
	if count(one.Start, cut) <= r.o.Size && count(cut, two.Stop) <= r.o.Size && trimRight(r.text, one.Start, cut) > one.Start {
		r.spans[n-2].Stop, r.spans[n-1].Start = cut, cut
	}
}
