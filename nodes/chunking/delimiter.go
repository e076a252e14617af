package chunking

import "unicode/utf8"

// What a byte can mean for a search that looks at one byte at a time.
const (
	ordinary   = iota // ends no delimiter
	delimiter         // is an ASCII delimiter
	mayEndWide        // is the last byte of some delimiter of several bytes
)

// delimiterSet is a set of characters that can be found from either side with
// one table look-up per byte. A wide character is recognised by its last byte
// and only then decoded, so text in another script costs little more than ASCII.
type delimiterSet struct {
	class [256]uint8
	// wide has one bit for each code point, up to the largest one in the set.
	wide  []uint64
	empty bool
}

func newDelimiterSet(chars string) (*delimiterSet, error) {
	if !utf8.ValidString(chars) {
		return nil, &OptionError{Param: "delimiters", Value: chars, Allowed: "a string of characters in valid UTF-8"}
	}
	d := &delimiterSet{empty: chars == ""}
	for i, r := range chars {
		if r < utf8.RuneSelf {
			d.class[r] = delimiter
			continue
		}
		d.class[chars[i+utf8.RuneLen(r)-1]] = mayEndWide
		if need := int(r)/64 + 1; need > len(d.wide) {
			d.wide = append(d.wide, make([]uint64, need-len(d.wide))...)
		}
		d.wide[r/64] |= 1 << (r % 64)
	}
	return d, nil
}

// endsWide reports the width of the delimiter of several bytes that ends at
// text[i], or 0.
func (d *delimiterSet) endsWide(text string, i int) int {
	r, size := utf8.DecodeLastRuneInString(text[:i+1])
	if int(r)/64 < len(d.wide) && d.wide[r/64]&(1<<(r%64)) != 0 {
		return size
	}
	return 0
}

// last finds the last delimiter that lies in text[lo:hi], both bounds between
// characters. It returns its first byte and its width, or -1.
func (d *delimiterSet) last(text string, lo, hi int) (at, width int) {
	part := text[lo:hi]
	i := len(part) - 1
	for {
		// Four bytes at a time while none of them can end a delimiter.
		for i >= 3 && d.class[part[i]]|d.class[part[i-1]]|d.class[part[i-2]]|d.class[part[i-3]] == ordinary {
			i -= 4
		}
		if i < 0 {
			return -1, 0
		}
		switch d.class[part[i]] {
		case delimiter:
			return lo + i, 1
		case mayEndWide:
			if width := d.endsWide(part, i); width > 0 {
				return lo + i + 1 - width, width
			}
		}
		i--
	}
}

// stop finds the first delimiter in text[from:] and returns the offset after
// it, or -1.
func (d *delimiterSet) stop(text string, from int) int {
	part := text[from:]
	i := 0
	for {
		for i+3 < len(part) && d.class[part[i]]|d.class[part[i+1]]|d.class[part[i+2]]|d.class[part[i+3]] == ordinary {
			i += 4
		}
		if i >= len(part) {
			return -1
		}
		switch d.class[part[i]] {
		case delimiter:
			return from + i + 1
		case mayEndWide:
			if d.endsWide(part, i) > 0 {
				return from + i + 1
			}
		}
		i++
	}
}
