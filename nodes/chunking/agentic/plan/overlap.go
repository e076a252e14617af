package plan

import (
	"sort"
	"strings"

	"github.com/ironflow/ironflow/nodes/chunking"
)

const (
	// longestOverlap is the most bytes in which an overlap is looked for.
	longestOverlap = 1 << 20
	// leastPiece is the least length of an overlap that does not consist of whole
	// sentences; a shorter one may be chance.
	leastPiece = 24
)

// findRepeats compares the end of each input with the start of the next one that
// holds sentences.
func (p *Plan) findRepeats() {
	same := make([]int, len(p.root))
	for i := range same {
		same[i] = i
	}
	all := p.doc.Sentences
	prevFirst, first := 0, 0
	for first < len(all) {
		stop := first
		for stop < len(all) && all[stop].Input == all[first].Input {
			stop++
		}
		if first > 0 {
			p.overlap(same, prevFirst, first, stop)
		}
		prevFirst, first = first, stop
	}
	for i := range same {
		r := i
		for same[r] != r {
			r = same[r]
		}
		for k := i; same[k] != r; { // shorten the way for those that come later
			k, same[k] = same[k], r
		}
		if p.root[i] >= 0 && p.root[r] >= 0 {
			p.root[i] = r
		}
	}
	for i, r := range p.root {
		if r >= 0 && r != i {
			p.repeats[r] = append(p.repeats[r], i)
		}
	}
}

// overlap finds what the sentences first..stop of an input repeat of those of the
// input before, prev..first.
func (p *Plan) overlap(same []int, prev, first, stop int) {
	before, places := p.collapse(prev, first)
	after, placesAfter := p.collapse(first, stop)
	n := p.border(before, places, after, placesAfter)
	if n == 0 {
		return
	}
	shift := len(before) - n
	for k, s := range placesAfter {
		if s.Stop > n {
			break
		}
		if t := holder(places, s.Start+shift, s.Stop+shift); t >= 0 {
			same[first+k] = prev + t
		}
	}
	// A piece at the end of the input before may be the start of a sentence that
	// only the next input has whole.
	for k := len(places) - 1; k >= 0 && places[k].Start >= shift; k-- {
		s := holder(placesAfter, places[k].Start-shift, places[k].Stop-shift)
		if s >= 0 && placesAfter[s].Len() > places[k].Len() {
			same[prev+k] = first + s
		}
	}
}

// collapse joins sentences with single spaces for all white space, and returns
// where each lies then.
func (p *Plan) collapse(first, stop int) (string, []chunking.Span) {
	var b strings.Builder
	places := make([]chunking.Span, 0, stop-first)
	for i := first; i < stop; i++ {
		if i > first {
			b.WriteByte(' ')
		}
		start := b.Len()
		for k, word := range strings.Fields(p.doc.Text(i)) {
			if k > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(word)
		}
		places = append(places, chunking.Span{Start: start, Stop: b.Len()})
	}
	return b.String(), places
}

// border returns the length of the longest end of before that is a start of
// after, and that is either made of whole sentences or too long for chance.
func (p *Plan) border(before string, places []chunking.Span, after string, placesAfter []chunking.Span) int {
	n := min(len(before), len(after), longestOverlap)
	pattern, text := after[:n], before[len(before)-n:]
	fail := failures(pattern)
	k := int32(0)
	for i := range len(text) {
		for k > 0 && (int(k) == n || pattern[k] != text[i]) {
			k = fail[k-1]
		}
		if int(k) < n && pattern[k] == text[i] {
			k++
		}
	}
	for ; k > 0; k = fail[k-1] {
		length := int(k)
		if length >= leastPiece || starts(places, len(before)-length) && stops(placesAfter, length) {
			return length
		}
	}
	return 0
}

// failures is the table of Knuth, Morris and Pratt: for each prefix the length of
// its longest proper border.
func failures(pattern string) []int32 {
	fail := make([]int32, len(pattern))
	k := int32(0)
	for i := 1; i < len(pattern); i++ {
		for k > 0 && pattern[k] != pattern[i] {
			k = fail[k-1]
		}
		if pattern[k] == pattern[i] {
			k++
		}
		fail[i] = k
	}
	return fail
}

func starts(places []chunking.Span, at int) bool {
	i := sort.Search(len(places), func(i int) bool { return places[i].Start >= at })
	return i < len(places) && places[i].Start == at
}

func stops(places []chunking.Span, at int) bool {
	i := sort.Search(len(places), func(i int) bool { return places[i].Stop >= at })
	return i < len(places) && places[i].Stop == at
}

// holder returns the place that holds start..stop, or -1.
func holder(places []chunking.Span, start, stop int) int {
	i := sort.Search(len(places), func(i int) bool { return places[i].Stop >= stop })
	if i < len(places) && places[i].Start <= start {
		return i
	}
	return -1
}
