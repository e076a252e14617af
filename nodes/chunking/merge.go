package chunking

import (
	"sort"
	"strings"
	"unicode/utf8"
)

// groupJoiner is the blank line between two chunks of one group.
const groupJoiner = "\n\n"

// MergeUnit measures text for [Merge]. Use [Words], [Chars] or [CountedBy].
type MergeUnit struct {
	count func(string) int
	// additive says that the size of a group is the sum of its chunks' sizes
	// plus joiner for each blank line, so the group need not be measured.
	additive bool
	joiner   int
}

// Words counts words, that is runs of anything but Unicode white space.
func Words() MergeUnit {
	return MergeUnit{count: countWords, additive: true}
}

// Chars counts code points. The blank lines of a group count too.
func Chars() MergeUnit {
	return MergeUnit{count: utf8.RuneCountInString, additive: true, joiner: len(groupJoiner)}
}

// CountedBy measures with count, for instance a tokenizer. A group is measured
// as the text that is emitted, since tokens of parts do not add up to tokens of
// the whole. Count must not shrink noticeably when text is appended; it is
// called about log2(k) times for a group of k chunks.
func CountedBy(count func(string) int) MergeUnit {
	return MergeUnit{count: count}
}

// countWords is len(strings.Fields(s)) without the slice.
func countWords(s string) int {
	n := 0
	for range strings.FieldsSeq(s) {
		n++
	}
	return n
}

// Merge packs chunks, in order, into groups whose text measures at most budget,
// and joins each group with blank lines. A group is closed when the next chunk
// would pass the budget; a chunk that is larger by itself stands alone. With a
// budget below 1 only chunks of size zero share a group.
func Merge(chunks []string, budget int, unit MergeUnit) []string {
	var out []string
	for first := 0; first < len(chunks); {
		var stop int
		if unit.additive {
			stop = unit.sumWithin(chunks, first, budget)
		} else {
			stop = unit.measureWithin(chunks, first, budget)
		}
		out = append(out, strings.Join(chunks[first:stop], groupJoiner))
		first = stop
	}
	return out
}

// sumWithin returns where the group that starts at first ends.
func (u MergeUnit) sumWithin(chunks []string, first, budget int) int {
	size := u.count(chunks[first])
	stop := first + 1
	for ; stop < len(chunks) && size <= budget; stop++ {
		more := u.joiner + u.count(chunks[stop])
		if more > budget-size {
			break
		}
		size += more
	}
	return stop
}

// measureWithin does the same by measuring joined text. It doubles the number
// of chunks until they no longer fit and bisects, so a chunk is measured a
// logarithmic number of times however many the group has.
func (u MergeUnit) measureWithin(chunks []string, first, budget int) int {
	fits := func(k int) bool {
		return u.count(strings.Join(chunks[first:first+k], groupJoiner)) <= budget
	}
	left := len(chunks) - first
	good, bad := 1, left+1
	for k := 2; k < bad; k = min(2*k, left) {
		if !fits(k) {
			bad = k
			break
		}
		good = k
		if k == left {
			break
		}
	}
	good += sort.Search(bad-good-1, func(i int) bool { return !fits(good + 1 + i) })
	return first + good
}
