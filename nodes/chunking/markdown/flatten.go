package markdown

import "bytes"

// maxNesting is how many containers (quotes, lists) may lie in one another.
const maxNesting = 100

// flatten puts a letter in the place of the first marker of each line that would
// open a container deeper than maxNesting, so that the rest of the line is text.
// Offsets do not change. How deep a marker is, is estimated from its line alone,
// upwards: each quote and list marker before it is a level, and so are any two
// columns of indentation, which is the least that a nested list needs.
//
// It also makes one line of the blank lines in the middle of a run of more than
// two: a parser asks each open container about every line, which for a blank one is
// all cost and no text.
func flatten(source []byte) {
	blank, last := 0, -1 // blank lines in a row, and where the last of them ends
	for i := 0; i < len(source); {
		start := i
		i = flattenLine(source, i)
		for i < len(source) && source[i] != '\n' {
			i++
		}
		if len(bytes.TrimSpace(source[start:min(i, start+maxBlank)])) > 0 || i-start > maxBlank {
			blank, last = 0, -1
		} else {
			if blank++; blank > 2 && last >= 0 {
				source[last] = ' '
			}
			if blank >= 2 {
				last = i
			}
		}
		i++
	}
}

// maxBlank is how long a line may be to count as blank, in bytes.
const maxBlank = 64

// flattenLine returns how far it read the line at i.
func flattenLine(source []byte, i int) int {
	levels, columns := 0, 0
	blankAt := func(k int) bool {
		return k >= len(source) || source[k] == ' ' || source[k] == '\t' || source[k] == '\n' || source[k] == '\r'
	}
	for ; i < len(source); i++ {
		marker := false
		switch c := source[i]; {
		case c == ' ':
			columns++
			continue
		case c == '\t':
			columns += 4
			continue
		case c == '>':
			marker = true
		case c == '-' || c == '+' || c == '*':
			marker = blankAt(i + 1)
		case '0' <= c && c <= '9':
			for i+1 < len(source) && '0' <= source[i+1] && source[i+1] <= '9' {
				i++
			}
			if i+2 < len(source) && (source[i+1] == '.' || source[i+1] == ')') {
				marker = blankAt(i + 2)
				i++
			}
		}
		if !marker {
			return i
		}
		levels += 1 + columns/2
		columns = 0
		if levels > maxNesting {
			source[i] = 'x'
			return i
		}
	}
	return i
}
