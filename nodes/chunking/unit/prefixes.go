package unit

import "unicode/utf8"

// prefixes follows the byte-pair encoding of all prefixes of a word from its
// start on. The encoding of a prefix is the only sequence of tokens in which each
// token and the next one are what merging makes of the two alone; so its last
// token is the one that ends there and stands well behind the last token of the
// prefix before it, and one more token than that prefix is its count. This takes
// time linear in the word, however long it is.
type prefixes struct {
	v    *vocabulary
	text string
	// start is the offset of the word, next that of the first byte not yet read.
	start, next int
	// counts[i] and last[i] are the number of tokens and the length of the last
	// token of the prefix of i bytes.
	counts []int32
	last   []uint8
	// stand remembers which pairs of tokens stand side by side.
	stand map[[2]uint32]bool
}

// maxPairs bounds what prefixes remembers from word to word.
const maxPairs = 1 << 16

// begin starts anew at an offset of a text.
func (p *prefixes) begin(text string, start int) {
	p.text, p.start, p.next = text, start, start
	p.counts = append(p.counts[:0], 0)
	p.last = append(p.last[:0], 0)
	if len(p.stand) > maxPairs {
		clear(p.stand)
	}
}

// borrow takes a follower of prefixes from the pool, giveBack puts it there.
func (v *vocabulary) borrow(text string, start int) *prefixes {
	p, ok := v.pool.Get().(*prefixes)
	if !ok {
		p = &prefixes{v: v, stand: make(map[[2]uint32]bool)}
	}
	p.begin(text, start)
	return p
}

func (v *vocabulary) giveBack(p *prefixes) {
	p.text = ""
	if cap(p.counts) > maxPairs {
		p.counts, p.last = nil, nil
	}
	v.pool.Put(p)
}

// count returns the number of tokens of text[start:stop] as one word.
func (p *prefixes) count(stop int) int {
	for p.next < stop {
		p.next++
		p.read()
	}
	if p.v.whole(p.text[p.start:stop]) {
		return 1
	}
	return int(p.counts[stop-p.start])
}

// read finds the last token of the prefix that ends at next. Only one will do, so
// the order of trying is free: the last token with one byte more comes first,
// which is it in most runs of one character.
func (p *prefixes) read() {
	length := p.next - p.start
	guess := int(p.last[length-1]) + 1
	if p.try(guess) {
		return
	}
	longest := 1
	if length > 1 {
		longest = min(length, int(p.v.longest[pair(p.text, p.next-2)]))
	}
	for n := 1; n <= longest; n++ {
		if n != guess && p.try(n) {
			return
		}
	}
	// Not reached: merging ends with some token, and each byte is one.
	p.counts = append(p.counts, p.counts[length-1]+1)
	p.last = append(p.last, 1)
}

// try takes the n bytes before next for the last token if they are.
func (p *prefixes) try(n int) bool {
	before := p.next - p.start - n
	if before < 0 || n > p.v.maxLen {
		return false
	}
	rank, ok := p.v.ranks[p.text[p.next-n:p.next]]
	if !ok || !p.stands(int(p.last[before]), rank, n) {
		return false
	}
	p.counts = append(p.counts, p.counts[before]+1)
	p.last = append(p.last, uint8(n))
	return true
}

// stands reports whether merging leaves the token of n bytes that ends at next and
// the token of m bytes before it (none if m is 0) as they are.
func (p *prefixes) stands(m int, rank uint32, n int) bool {
	middle := p.next - n
	key := [2]uint32{noRank, rank}
	if m > 0 {
		key[0] = p.v.ranks[p.text[middle-m:middle]]
	}
	ok, known := p.stand[key]
	if known {
		return ok
	}
	tokens, edge := 0, m == 0
	p.v.mergeLong(p.text[middle-m:p.next], func(stop int) {
		tokens++
		edge = edge || stop == m
	})
	ok = edge && (tokens == 2 && m > 0 || tokens == 1 && m == 0)
	p.stand[key] = ok
	return ok
}

// fitLong returns the last offset behind sure and within the long word w at which
// a prefix of at most size tokens ends, or sure. The tokens of all prefixes are
// found in one pass, which ends (full) where every token that could follow has to
// begin behind a prefix that has size tokens already.
func (v *vocabulary) fitLong(text string, w word, sure, size int) (last int, full bool) {
	last = sure
	room := w.start // the last offset where a token might begin and still fit
	first := v.borrow(text, w.start)
	defer v.giveBack(first)
	var second *prefixes
	head := newHead(text, w)
	for i := w.start; i < w.stop; {
		_, n := utf8.DecodeRuneInString(text[i:w.stop])
		i += n
		split := head.upTo(i)
		first.count(i)
		count := first.count(split)
		if first.least(n) < size {
			room = i
		}
		if split < i {
			if second == nil {
				second = v.borrow(text, split)
				defer v.giveBack(second)
			} else if second.start != split {
				second.begin(text, split)
			}
			second.count(i)
			if count+second.least(n) < size {
				room = i
			}
			count += second.count(i)
		}
		if count <= size {
			last = max(last, i)
		}
		if i-room > 2*v.maxLen {
			return last, true
		}
	}
	return last, false
}

// least returns the smallest number of tokens of the last n prefixes read.
func (p *prefixes) least(n int) int {
	low := p.counts[len(p.counts)-1]
	for _, c := range p.counts[max(0, len(p.counts)-n):] {
		low = min(low, c)
	}
	return int(low)
}

// head tells, for the prefixes of a word, where the regular expression would end
// the first match: mostly at their end, but runs of blanks end behind the last
// line break and words of o200k_base behind the last letter that may be lower
// case, so that a second match follows.
type head struct {
	text string
	w    word
	// edge is the last such place found up to read, -1 if none.
	edge, read int
	capitals   bool
}

func newHead(text string, w word) *head {
	h := &head{text: text, w: w, edge: -1, read: w.start, capitals: true}
	if w.kind == mixed {
		if w.start < w.body && caseOf(firstRune(text[w.start:])) != 0 {
			h.edge = w.body
		}
		h.read = w.body
	}
	return h
}

// upTo returns where the first match within text[w.start:stop] ends.
func (h *head) upTo(stop int) int {
	if h.w.kind != blanks && h.w.kind != mixed {
		return stop
	}
	limit := stop
	if h.w.kind == mixed {
		limit = min(stop, h.w.tail)
	}
	for h.read < limit {
		r, size := utf8.DecodeRuneInString(h.text[h.read:limit])
		h.read += size
		if h.w.kind == blanks {
			if r == '\r' || r == '\n' {
				h.edge = h.read
			}
			continue
		}
		c := caseOf(r)
		if c&upperLike == 0 {
			h.capitals = false // from here on everything is one word
		}
		if c&lowerLike != 0 {
			h.edge = h.read
		}
	}
	switch {
	case h.w.kind == mixed && stop > h.w.tail && stop < h.w.stop:
		return h.w.tail // a contraction is cut
	case h.edge < 0, h.w.kind == mixed && !h.capitals, h.w.kind == mixed && stop > h.w.tail:
		return stop
	}
	return h.edge
}
