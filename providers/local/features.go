package local

import (
	"unicode"
	"unicode/utf8"
)

// Weights of features, out of 255, and bounds on words.
const (
	fullWeight      = 255
	particleBigram  = 60
	singleWeight    = 80
	trigramWeight   = 120
	shortestTrigram = 3
	longestTrigram  = 62
	// longestGreedy is the number of bytes up to which a word is cut into
	// pieces; a longer one counts by its spelling.
	longestGreedy = 64
	// semanticUnit brings a weight to the scale of a piece of length 1.
	semanticUnit = (1 << 20) / fullWeight
)

// latinWord counts a word by its pieces and its spelling. A word that has no
// pieces counts by its spelling in both parts.
func (e *encoder) latinWord(word []byte) {
	h := fnv(kindWord, word)
	known := e.known(h, word)
	if e.skip(known) {
		return
	}
	idf, hashed := int64(fullWeight), false
	if known&hasRow != 0 {
		row := int(known & rowBits)
		idf = int64(e.table.idf[row])
		e.addRow(row)
	} else {
		hashed = !e.addPieces(word)
	}
	e.spelling(h, word, idf, hashed)
}

// otherWord counts a word of another script by its spelling and, because such
// languages bend their words, by its trigrams.
func (e *encoder) otherWord(word []byte) {
	h := fnv(kindWord, word)
	if e.skip(e.known(h, word)) {
		return
	}
	e.spelling(h, word, fullWeight, true)
	n := utf8.RuneCount(word)
	if n < shortestTrigram || n > longestTrigram {
		return
	}
	e.framed = append(append(append(e.framed[:0], '^'), word...), '$')
	e.trigrams(kindTrigram, e.framed, trigramWeight)
}

// known is what the table knows of a word. It holds no long ones.
func (e *encoder) known(h uint64, word []byte) uint32 {
	if len(word) > longestGreedy {
		return 0
	}
	return e.table.lookup(h, word)
}

// skip reports whether a word is left out because it is a function word.
func (e *encoder) skip(known uint32) bool {
	if known&functionWord == 0 || e.keepAll {
		return false
	}
	e.skipped = true
	return true
}

// spelling counts a word, its first 5 and its first 8 characters. h is the
// hash of the whole word.
func (e *encoder) spelling(h uint64, word []byte, idf int64, hashed bool) {
	e.feature(h, idf, hashed)
	if n := prefix(word, 5); n < len(word) {
		e.feature(fnv(kindPrefix5, word[:n]), idf*7/10, hashed)
	}
	if n := prefix(word, 8); n < len(word) {
		e.feature(fnv(kindPrefix8, word[:n]), idf*7/10, hashed)
	}
}

// prefix returns the length in bytes of the first n characters.
func prefix(word []byte, n int) int {
	at := 0
	for ; n > 0 && at < len(word); n-- {
		_, size := utf8.DecodeRune(word[at:])
		at += size
	}
	return at
}

// ideograph counts a character and its pair with the one before it in the same
// unit; before is 0 when there is none.
func (e *encoder) ideograph(before, r rune) {
	particle := e.isParticle(r)
	if particle {
		e.skipped = true
	}
	var buf [2 * utf8.UTFMax]byte
	text := buf[:0]
	if before != 0 {
		weight := int64(fullWeight)
		if particle || e.isParticle(before) {
			weight = particleBigram
		}
		text = utf8.AppendRune(utf8.AppendRune(text, before), r)
		e.feature(fnv(kindWord, text), weight, true)
	}
	if !particle {
		text = utf8.AppendRune(buf[:0], r)
		e.feature(fnv(kindWord, text), singleWeight, true)
	}
}

// isParticle tells characters that serve grammar: Hiragana, and those that are
// function words by themselves.
func (e *encoder) isParticle(r rune) bool {
	if e.keepAll {
		return false
	}
	if unicode.Is(unicode.Hiragana, r) {
		return true
	}
	var buf [utf8.UTFMax]byte
	text := utf8.AppendRune(buf[:0], r)
	return e.table.lookup(fnv(kindWord, text), text)&functionWord != 0
}

// syllables counts the trigrams of a unit, or all of a shorter one.
func (e *encoder) syllables(unit []byte) {
	if prefix(unit, 3) == len(unit) {
		e.feature(fnv(kindWord, unit), fullWeight, true)
		return
	}
	e.trigrams(kindWord, unit, fullWeight)
}

// trigrams counts every three characters in a row.
func (e *encoder) trigrams(kind byte, text []byte, weight int64) {
	var starts [3]int // where the last three characters start
	n := 0
	for at := 0; at < len(text); {
		starts[n%3] = at
		_, size := utf8.DecodeRune(text[at:])
		at += size
		n++
		if n >= 3 {
			e.feature(fnv(kind, text[starts[n%3]:at]), weight, true)
		}
	}
}

// feature counts a feature by its hash, once in each text: in the lexical
// part, and if semantic is set in the other one too.
func (e *encoder) feature(h uint64, weight int64, semantic bool) {
	h = mix(h)
	if !e.seen.add(h) {
		return
	}
	if h>>63 != 0 {
		weight = -weight
	}
	e.tail[h%dim] += weight
	if semantic {
		e.sum[(h>>20)%dim] += weight * semanticUnit
	}
}

// addPieces adds the longest pieces that a word starts with, one after the
// other. When a part has none, nothing is added and the result is false.
func (e *encoder) addPieces(word []byte) bool {
	if len(word) > longestGreedy {
		return false
	}
	var rows [longestGreedy]int
	var hashes [longestGreedy + 1]uint64
	n := 0
	for at, kind := 0, kindWord; at < len(word); kind = kindContinued {
		rest := word[at:min(len(word), at+e.table.longest)]
		hashes[0] = fnv(kind, rest[:0])
		for i, c := range rest {
			hashes[i+1] = (hashes[i] ^ uint64(c)) * fnvPrime
		}
		size := len(rest)
		for ; size > 0; size-- {
			if known := e.table.lookup(hashes[size], rest[:size]); known&hasRow != 0 {
				rows[n] = int(known & rowBits)
				n++
				break
			}
		}
		if size == 0 {
			return false
		}
		at += size
	}
	for _, row := range rows[:n] {
		e.addRow(row)
	}
	return true
}
