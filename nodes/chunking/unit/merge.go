package unit

import (
	"math"
	"slices"
	"sync"

	"github.com/tiktoken-go/tokenizer/codec"
)

// vocabulary holds the tokens of an encoding with their ranks; the rank is also
// the token's id.
type vocabulary struct {
	ranks map[string]uint32
	// pairs has the ranks of the tokens of two bytes, noRank for other pairs.
	pairs []uint32
	// longest has, for each pair of bytes, the length of the longest token that
	// ends with it, at least 2.
	longest []uint8
	// maxLen is the length of the longest token in bytes.
	maxLen int
	// pool keeps followers of prefixes with what they have learned.
	pool sync.Pool
}

const noRank = math.MaxUint32

// loadVocabulary takes the tokens out of the library, one id after the other. A
// token is no longer than 255 bytes (lengths are kept in one).
func loadVocabulary(lib *codec.Codec) *vocabulary {
	v := &vocabulary{
		ranks:   make(map[string]uint32, 1<<17),
		pairs:   make([]uint32, 1<<16),
		longest: make([]uint8, 1<<16),
	}
	for i := range v.pairs {
		v.pairs[i] = noRank
		v.longest[i] = 2
	}
	for id := uint(0); ; id++ {
		token, err := lib.Decode([]uint{id})
		if err != nil {
			break // ids are dense, so this is the end
		}
		v.ranks[token] = uint32(id)
		v.maxLen = max(v.maxLen, len(token))
		if len(token) == 2 {
			v.pairs[pair(token, 0)] = uint32(id)
		}
		if len(token) > 1 {
			end := pair(token, len(token)-2)
			v.longest[end] = max(v.longest[end], uint8(min(len(token), math.MaxUint8)))
		}
	}
	return v
}

func pair(s string, i int) int { return int(s[i])<<8 | int(s[i+1]) }

// count returns the number of tokens of one word.
func (v *vocabulary) count(word string) int {
	if v.whole(word) {
		return 1
	}
	return v.merged(word)
}

// whole reports whether the word is one token. Words are looked up before they
// are merged, and some tokens no merging leads to.
func (v *vocabulary) whole(word string) bool {
	if len(word) < 2 {
		return true
	}
	if len(word) > v.maxLen {
		return false
	}
	_, ok := v.ranks[word]
	return ok
}

// merged returns the number of tokens that byte-pair encoding makes of s.
func (v *vocabulary) merged(s string) int {
	if len(s) <= shortWord {
		var parts shortParts
		return parts.merge(v, s)
	}
	if len(s) <= mediumWord {
		n := 0
		v.mergeLong(s, func(int) { n++ })
		return n
	}
	p := v.borrow(s, 0)
	defer v.giveBack(p)
	p.counts = slices.Grow(p.counts, len(s))
	p.last = slices.Grow(p.last, len(s))
	return p.count(len(s))
}

const (
	// shortWord is the length up to which looking for the lowest rank again and
	// again is faster than a heap, mediumWord that up to which a heap is faster
	// than following the prefixes.
	shortWord  = 96
	mediumWord = 2048
)

// shortParts has the parts of a short word: where each begins, with the end of
// the word behind them, and the rank of the token that it makes with the next.
type shortParts struct {
	start [shortWord + 1]uint8
	rank  [shortWord + 1]uint32
}

// merge replaces, until there is none, the leftmost pair of neighbors with the
// lowest rank by its token, and returns the number of parts left.
func (p *shortParts) merge(v *vocabulary, s string) int {
	n := len(s)
	for i := range n {
		p.start[i] = uint8(i)
		p.rank[i] = noRank
		if i+1 < n {
			p.rank[i] = v.pairs[pair(s, i)]
		}
	}
	p.start[n] = uint8(n)
	for n > 1 {
		best, low := 0, uint32(noRank)
		for i, r := range p.rank[:n-1] {
			if r < low {
				best, low = i, r
			}
		}
		if low == noRank {
			break
		}
		copy(p.start[best+1:n], p.start[best+2:n+1])
		copy(p.rank[best+1:n-1], p.rank[best+2:n])
		n--
		p.rank[best] = p.rankAt(v, s, best, n)
		if best > 0 {
			p.rank[best-1] = p.rankAt(v, s, best-1, n)
		}
	}
	return n
}

// rankAt returns the rank of the token that part i of n makes with the next one.
func (p *shortParts) rankAt(v *vocabulary, s string, i, n int) uint32 {
	if i+2 > n {
		return noRank
	}
	return v.rank(s[p.start[i]:p.start[i+2]])
}

func (v *vocabulary) rank(s string) uint32 {
	if len(s) <= v.maxLen {
		if r, ok := v.ranks[s]; ok {
			return r
		}
	}
	return noRank
}

// part is a part of a long word in a doubly linked list; it is known by the
// offset at which it begins.
type part struct {
	previous, next int32
	// rank is that of the token made with the next part; the heap holds older
	// ranks too, which are passed over.
	rank uint32
}

// mergeLong does for a word of any length what shortParts.merge does, in
// O(n log n), and yields the offset at which each token ends.
func (v *vocabulary) mergeLong(s string, yield func(stop int)) {
	n := int32(len(s))
	parts := make([]part, n)
	queue := make(minHeap, 0, n)
	for i := range n {
		parts[i] = part{previous: i - 1, next: i + 1, rank: noRank}
		if i+1 < n {
			if parts[i].rank = v.pairs[pair(s, int(i))]; parts[i].rank != noRank {
				queue = append(queue, entry(parts[i].rank, i))
			}
		}
	}
	queue.order()
	rerank := func(i int32) {
		parts[i].rank = noRank
		next := parts[i].next
		if next == n {
			return
		}
		if parts[i].rank = v.rank(s[i:parts[next].next]); parts[i].rank != noRank {
			queue.push(entry(parts[i].rank, i))
		}
	}
	for len(queue) > 0 {
		top := queue.pop()
		i := int32(uint32(top))
		if parts[i].rank != uint32(top>>32) {
			continue
		}
		gone := parts[i].next
		parts[i].next = parts[gone].next
		parts[gone].rank = noRank
		if parts[i].next < n {
			parts[parts[i].next].previous = i
		}
		rerank(i)
		if parts[i].previous >= 0 {
			rerank(parts[i].previous)
		}
	}
	for i := int32(0); i < n; i = parts[i].next {
		yield(int(parts[i].next))
	}
}

// minHeap is a binary heap of ranks (upper half) with offsets (lower half), so
// that of equal ranks the leftmost comes first.
type minHeap []uint64

func entry(rank uint32, offset int32) uint64 { return uint64(rank)<<32 | uint64(uint32(offset)) }

func (h minHeap) order() {
	for i := len(h)/2 - 1; i >= 0; i-- {
		h.sink(i)
	}
}

func (h *minHeap) push(e uint64) {
	*h = append(*h, e)
	s := *h
	for i := len(s) - 1; i > 0; {
		up := (i - 1) / 2
		if s[up] <= s[i] {
			break
		}
		s[up], s[i] = s[i], s[up]
		i = up
	}
}

func (h *minHeap) pop() uint64 {
	s := *h
	top := s[0]
	s[0] = s[len(s)-1]
	*h = s[:len(s)-1]
	(*h).sink(0)
	return top
}

func (h minHeap) sink(i int) {
	for {
		low := 2*i + 1
		if low >= len(h) {
			return
		}
		if low+1 < len(h) && h[low+1] < h[low] {
			low++
		}
		if h[i] <= h[low] {
			return
		}
		h[i], h[low] = h[low], h[i]
		i = low
	}
}
