package window

import (
	"unicode/utf8"

	"github.com/ironflow/ironflow/nodes/chunking"
)

// Options says how [Run] cuts.
type Options struct {
	Measure Measure
	// Size is the most that a chunk may measure, at least 1.
	Size int
	// MinSize is the least that a chunk should measure, 0 to Size. A break that
	// leaves less is passed over as long as another cut is possible.
	MinSize int
	// Overlap is how much of a chunk the next one may repeat, measured in the
	// unit; negative leaves the decision to Breaks.
	Overlap int
}

// Run cuts text, which has to be valid UTF-8.
func Run(text string, c *Clusters, b Breaks, o Options) []chunking.Span {
	r := runner{text: text, clusters: c, breaks: b, o: o, ink: ink{text: text, at: -1}}
	r.run()
	if o.MinSize > 0 {
		r.raiseLast()
	}
	return r.spans
}

type runner struct {
	text     string
	clusters *Clusters
	breaks   Breaks
	o        Options
	ink      ink
	spans    []chunking.Span
}

func (r *runner) run() {
	stop := 0
	for {
		at := r.inkFrom(stop)
		if at == len(r.text) {
			r.trim(at)
			return
		}
		start, cut := r.next(stop, at)
		if start > stop && !r.take(start) {
			r.trim(start)
		}
		r.spans = append(r.spans, chunking.Span{Start: start, Stop: cut})
		r.clusters.forget(cut)
		stop = cut
	}
}

// inkFrom returns the first cluster from i on that is not white space. A space
// that carries a combining mark can be seen.
func (r *runner) inkFrom(i int) int {
	at := r.ink.from(i)
	if at == i || at == len(r.text) || r.clusters.sure(at) {
		return at
	}
	return max(i, r.clusters.Floor(at))
}

// next returns the chunk that goes on at stop with the first character at ink.
// It begins with an overlap if it gets past ink then, else at stop, else (the
// white space does not fit) at the beginning of ink's line, else at ink.
func (r *runner) next(stop, at int) (start, cut int) {
	if o := r.rewind(stop, at); o < stop {
		if cut := r.cut(o, at); cut > at {
			return o, r.fill(o, cut)
		}
	}
	for _, start := range [...]int{stop, max(stop, r.indent(at)), at} {
		if cut := r.cut(start, at); cut > at {
			return start, r.fill(start, cut)
		}
	}
	// The cluster is wider than a chunk. White space before it goes along as far
	// as that leaves room for a code point.
	visible := r.ink.from(at)
	for _, start := range [...]int{stop, at, visible} {
		limit := floorRune(r.text, start+r.o.Measure.Fit(r.text[start:], r.room(start)))
		if limit > visible {
			return start, limit
		}
	}
	_, width := utf8.DecodeRuneInString(r.text[visible:])
	return visible, visible + width
}

// cut returns where the chunk from start on stops, or 0 if no whole cluster with
// ink fits.
func (r *runner) cut(start, at int) int {
	room := r.room(start)
	if cut := r.cutWithin(start, at, room); cut > at || room == r.o.Size {
		return cut
	}
	return r.cutWithin(start, at, r.o.Size)
}

func (r *runner) cutWithin(start, at, room int) int {
	limit := start + r.o.Measure.Fit(r.text[start:], room)
	if limit == len(r.text) {
		return limit
	}
	limit = r.clusters.Floor(floorRune(r.text, limit))
	for limit > at {
		stop := r.best(start, at, limit)
		if stop == MoreRoom {
			if start < at || len(r.spans) > 0 && start < r.spans[len(r.spans)-1].Stop {
				return 0
			}
			stop = limit
		}
		if r.o.Measure.Count(r.text[start:stop]) <= room {
			return stop
		}
		// Only where a prefix of a fitting text may measure more than the text.
		limit = r.clusters.Floor(floorRune(r.text, stop-1))
	}
	return 0
}

func (r *runner) best(start, at, limit int) int {
	reach := r.inkFrom(limit)
	if reach == len(r.text) {
		return limit
	}
	after := at
	if r.o.MinSize > 0 {
		after = max(after, start+r.o.Measure.Fit(r.text[start:limit], r.o.MinSize-1))
	}
	if after >= limit {
		return limit
	}
	b := r.breaks.Best(Window{Start: start, After: after, Limit: limit, Reach: reach})
	if b == None {
		return limit
	}
	return min(b, limit)
}

// rewind returns where the overlap with the last chunk begins, stop if there is
// none.
func (r *runner) rewind(stop, at int) int {
	if r.o.Overlap == 0 || len(r.spans) == 0 {
		return stop
	}
	last := r.spans[len(r.spans)-1]
	if last.Stop != stop {
		return stop
	}
	from := last.Start + 1
	if r.o.Overlap > 0 {
		from = max(from, stop-r.suffix(last.Slice(r.text), r.o.Overlap))
	}
	from = r.clusters.ceil(ceilRune(r.text, from))
	if from >= stop {
		return stop
	}
	return r.breaks.Rewind(Overlap{Start: last.Start, Stop: stop, From: from, Ink: at, Fits: r.fits})
}

// room returns how much a chunk from start on may measure.
func (r *runner) room(start int) int { return r.breaks.Room(r.inkFrom(start), r.o.Size) }

// indent returns where the blanks in front of ink begin in its line, ink itself
// if there is something else in front of it.
func (r *runner) indent(at int) int {
	i := at
	for i > 0 && (r.text[i-1] == ' ' || r.text[i-1] == '\t') {
		i--
	}
	if i > 0 && r.text[i-1] != '\n' {
		return at
	}
	return i
}

func (r *runner) fits(start, stop int) bool {
	return r.o.Measure.Count(r.text[start:stop]) <= r.room(start)
}

// suffix returns the length in bytes of a suffix of text that measures at most
// limit: the longest if a shorter one never measures more.
func (r *runner) suffix(text string, limit int) int {
	low, high := 0, len(text)
	for low < high {
		mid := low + (high-low+1)/2
		at := ceilRune(text, len(text)-mid)
		if r.o.Measure.Count(text[at:]) <= limit {
			low = mid
		} else {
			high = mid - 1
		}
	}
	return len(text) - ceilRune(text, len(text)-low)
}
