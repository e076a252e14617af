package semantic

import (
	"math"

	"github.com/ironflow/ironflow/nodes/chunking"
)

const (
	// scatterWeight weighs the scatter of the vectors against one term.
	scatterWeight = 0.75
	// spreadPenalty is the price of a segment for vectors that point everywhere.
	spreadPenalty = 0.45
	// longestSegment is the most sentences in a segment; it bounds time.
	longestSegment = 400
)

// TopicOptions steers [Topic].
type TopicOptions struct {
	// Spans place each sentence in the unit of Max; needed with Max only.
	Spans []chunking.Span
	// Max is the most that a segment of several sentences may be long, from the
	// first one's start to the last one's stop; 0 is no such limit.
	Max int
}

// TopicResult is what [Topic] found.
type TopicResult struct {
	// Cost is the cost of the whole division.
	Cost float64
	// Cuts are the gaps chosen, rising.
	Cuts []int
}

// Topic divides the text where its words and the directions of its vectors
// change. It minimises, over all divisions into segments of at most 400
// sentences, the sum of
//
//	L ln(L+V) - sum_k f_k ln(f_k+1)
//	  + 0.75 (T/n) (m - |sum u|^2/m)
//	  + 2 ln(max(T,2)) + 0.45 (T/n) (1-rho)
//
// with L terms and m sentences in the segment, f_k the count of term k there, T
// and V all terms and distinct terms of the text, n its sentences, u unit vectors
// and rho the mean cosine of all pairs of different sentences. The first line and
// the logarithm of the third are the model of Utiyama and Isahara (2001), "A
// statistical model for domain-independent text segmentation"; the second is the
// scatter of the vectors about their mean. Of equal divisions the one with the
// shorter last segment wins.
//
// Terms holds the terms of each sentence in any order, as numbers from
// [TermIndex]; a text without terms is one segment. Time is O(n x 400 x
// dimensions), memory O(n + terms).
//
// Errors are a [*chunking.OptionError], a [*VectorError], or a number of terms or
// spans other than that of the vectors.
func Topic(m Matrix, terms [][]int32, o TopicOptions) (TopicResult, error) {
	if err := sameCount(len(terms), "lists of terms", m); err != nil {
		return TopicResult{}, err
	}
	if o.Max < 0 {
		return TopicResult{}, &chunking.OptionError{Param: "max_size", Value: o.Max, Allowed: "a number from 1 on"}
	}
	if o.Max > 0 {
		if err := sameCount(len(o.Spans), "spans", m); err != nil {
			return TopicResult{}, err
		}
	}
	u, err := newUnitRows(m)
	if err != nil {
		return TopicResult{}, err
	}
	r, _ := topicOf(u, terms, o)
	return r, nil
}

func topicOf(u *unitRows, terms [][]int32, o TopicOptions) (TopicResult, *topicCost) {
	c := newTopicCost(u, terms)
	n := u.len()
	if n == 0 {
		return TopicResult{}, c
	}
	best := make([]float64, n)
	from := make([]int, n)
	lowest := lowestFirst(n, o)
	w := newTopicWindow(c, lowest)
	for last := range n {
		best[last] = math.Inf(1)
		w.extend(last)
		for first := last; first >= lowest[last]; first-- {
			cost := c.segment(first, last, w.fit[first%longestSegment], w.square[first%longestSegment])
			if first > 0 {
				cost += best[first-1]
			}
			if cost < best[last] {
				best[last], from[last] = cost, first
			}
		}
	}
	return TopicResult{Cost: best[n-1], Cuts: traceCuts(from)}, c
}

// lowestFirst returns, for each sentence, where a segment that ends there may
// begin at the earliest.
func lowestFirst(n int, o TopicOptions) []int {
	lowest := make([]int, n)
	first := 0
	for last := range lowest {
		first = max(first, last-longestSegment+1)
		for o.Max > 0 && first < last && o.Spans[last].Stop-o.Spans[first].Start > o.Max {
			first++
		}
		lowest[last] = first
	}
	return lowest
}

// topicCost prices segments.
type topicCost struct {
	u       *unitRows
	entries []termEntry
	// firstEntry is where each sentence's entries begin, with the end at last.
	firstEntry []int
	// before counts the terms before each sentence, with the total at last.
	before   []int
	distinct float64
	// scatter and penalty are the factors of the scatter and the price of a
	// segment.
	scatter, penalty float64
	// words and fits are L ln(L+V) and f ln(f+1) for the numbers that came up.
	words, fits memo
}

// memo keeps the values of a function of small whole numbers: most of those that
// come up are few, and a logarithm takes longer than a look into a list.
type memo struct{ known []float64 }

// memoMost bounds the memory of a memo.
const memoMost = 1 << 16

// of returns f(n), and 0 for 0. f of other numbers is never 0.
func (m *memo) of(n int, f func(n int) float64) float64 {
	switch {
	case n == 0:
		return 0
	case n >= memoMost:
		return f(n)
	}
	if n >= len(m.known) {
		m.known = append(m.known, make([]float64, max(n+1, 2*len(m.known))-len(m.known))...)
	}
	if m.known[n] == 0 {
		m.known[n] = f(n)
	}
	return m.known[n]
}

// termEntry is one distinct term of a sentence.
type termEntry struct {
	term, count int32
	// sentence is where the entry stands, previous the entry of the same term in
	// an earlier sentence, or -1.
	sentence, previous int32
}

func newTopicCost(u *unitRows, terms [][]int32) *topicCost {
	n := len(terms)
	c := &topicCost{u: u, firstEntry: make([]int, n+1), before: make([]int, n+1)}
	latest := map[int32]int32{} // term to its latest entry
	for i, list := range terms {
		c.firstEntry[i] = len(c.entries)
		c.before[i+1] = c.before[i] + len(list)
		for _, term := range list {
			k, seen := latest[term]
			if seen && int(c.entries[k].sentence) == i {
				c.entries[k].count++
				continue
			}
			if !seen {
				k = -1
			}
			latest[term] = int32(len(c.entries))
			c.entries = append(c.entries, termEntry{term: term, count: 1, sentence: int32(i), previous: k})
		}
	}
	c.firstEntry[n] = len(c.entries)
	c.distinct = float64(len(latest))
	if n > 0 {
		all := float64(c.before[n])
		perSentence := all / float64(n)
		c.scatter = scatterWeight * perSentence
		c.penalty = 2*math.Log(max(all, 2)) + spreadPenalty*perSentence*(1-u.meanCosine())
	}
	return c
}

// segment is the cost of sentences first to last, given the sum of f ln(f+1) over
// its terms and the square of the sum of its unit vectors.
func (c *topicCost) segment(first, last int, fit, square float64) float64 {
	words := c.words.of(c.before[last+1]-c.before[first], func(n int) float64 {
		return float64(n) * math.Log(float64(n)+c.distinct)
	})
	m := float64(last - first + 1)
	return words - fit + c.scatter*(m-square/m) + c.penalty
}

// termFit is f ln(f+1).
func (c *topicCost) termFit(count int32) float64 {
	return c.fits.of(int(count), func(n int) float64 { return float64(n) * math.Log(float64(n)+1) })
}

// topicWindow holds, for the segments that start at each of the latest sentences
// and end at the same one, the two sums that a cost needs. It grows by one
// sentence at a time, so that no segment is ever added up afresh.
type topicWindow struct {
	c *topicCost
	// lowest says where a segment that ends at a sentence may begin.
	lowest []int
	// By first sentence modulo the longest segment.
	fit, square, change [longestSegment]float64
	// cosines are those of the sentences of a block, from blockStart on, with each
	// sentence before them, by its number modulo the length of a line.
	cosines    [cosineBlock][longestSegment + cosineBlock]float64
	blockStart int
}

// cosineBlock is how many sentences meet the ones before them at a time, so that
// a vector that was fetched from memory is used that often.
const cosineBlock = 8

func newTopicWindow(c *topicCost, lowest []int) *topicWindow {
	return &topicWindow{c: c, lowest: lowest, blockStart: -cosineBlock}
}

// extend makes the window end at sentence last, one after that of the call before.
func (w *topicWindow) extend(last int) {
	slot, lowest := last%longestSegment, w.lowest[last]
	w.fit[slot], w.square[slot] = 0, 0
	w.addTerms(last, lowest)
	if last >= w.blockStart+cosineBlock {
		w.nextBlock(last)
	}
	line := &w.cosines[last-w.blockStart]
	own := 1.0
	if w.c.u.isZero(last) {
		own = 0
	}
	cosines, change := 0.0, 0.0
	for first := last; first >= lowest; first-- {
		slot := first % longestSegment
		change += w.change[slot]
		w.change[slot] = 0
		w.fit[slot] += change
		if first < last {
			cosines += line[first%len(line)]
		}
		w.square[slot] += own + 2*cosines
	}
}

// nextBlock computes the cosines of the sentences from start on.
func (w *topicWindow) nextBlock(start int) {
	w.blockStart = start
	stop := min(start+cosineBlock, w.c.u.len())
	for first := w.lowest[start]; first < stop-1; first++ {
		for last := max(start, first+1); last < stop && first >= w.lowest[last]; last++ {
			line := &w.cosines[last-start]
			line[first%len(line)] = w.c.u.dot(first, last)
		}
	}
}

// addTerms notes what the terms of sentence last add to f ln(f+1). For one term
// that is a step function of the segment's start: it changes only where the term
// stands.
func (w *topicWindow) addTerms(last, lowest int) {
	c := w.c
	for _, e := range c.entries[c.firstEntry[last]:c.firstEntry[last+1]] {
		count := int32(0)
		gain := c.termFit(e.count)
		w.change[last%longestSegment] += gain
		for k := e.previous; k >= 0; k = c.entries[k].previous {
			at := int(c.entries[k].sentence)
			if at < lowest {
				break
			}
			count += c.entries[k].count
			now := c.termFit(count+e.count) - c.termFit(count)
			w.change[at%longestSegment] += now - gain
			gain = now
		}
	}
}
