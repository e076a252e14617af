package window

import (
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Clusters finds the grapheme clusters of a text (Unicode Standard Annex #29,
// by the library uniseg) around given places. Where two neighbouring characters
// alone decide, which is nearly everywhere, nothing else is read; elsewhere the
// text is read from the nearest such place on. The last cluster read is kept, so
// that a cluster of a million marks is read once.
type Clusters struct {
	text string
	// start and stop are the last cluster read by the library.
	start, stop int
	// base is a boundary that everything asked lies behind.
	base int
}

// NewClusters prepares for text, which has to be valid UTF-8.
func NewClusters(text string) *Clusters { return &Clusters{text: text} }

// forget tells that nothing before i will be asked again.
func (c *Clusters) forget(i int) {
	if i < c.base {
		c.base, c.start, c.stop = 0, 0, 0
	}
	c.base = c.Floor(i)
}

// Floor returns the last boundary that is not after i, which has to be a code
// point boundary.
func (c *Clusters) Floor(i int) int {
	switch {
	case i <= 0 || i >= len(c.text) || c.sure(i):
		return i
	case c.start <= i && i < c.stop:
		return c.start
	case i == c.stop:
		return i
	}
	base := min(c.base, i)
	if c.stop < i {
		base = max(base, c.stop)
	}
	at := i
	for at > base && !c.sure(at) {
		_, size := utf8.DecodeLastRuneInString(c.text[:at])
		at -= size
	}
	state := -1
	for at < len(c.text) {
		var cluster string
		cluster, _, _, state = uniseg.FirstGraphemeClusterInString(c.text[at:], state)
		next := at + len(cluster)
		if next > i {
			c.start, c.stop = at, next
			return at
		}
		if next == i {
			c.start, c.stop = at, next
			return i
		}
		at = next
	}
	return i
}

// Boundary reports whether i lies between two clusters.
func (c *Clusters) Boundary(i int) bool { return c.Floor(i) == i }

func (c *Clusters) ceil(i int) int {
	if c.Floor(i) == i {
		return i
	}
	return c.stop
}

// sure reports whether the characters around i alone tell that a cluster begins
// there. False means that more has to be read.
func (c *Clusters) sure(i int) bool {
	if i <= 0 || i >= len(c.text) {
		return true
	}
	before, after := c.text[i-1], c.text[i]
	if before < utf8.RuneSelf && after < utf8.RuneSelf {
		return before != '\r' || after != '\n'
	}
	r := rune(before)
	if before >= utf8.RuneSelf {
		r, _ = utf8.DecodeLastRuneInString(c.text[:i])
	}
	if after < utf8.RuneSelf {
		return !isPrepend(r)
	}
	if before >= utf8.RuneSelf && !standsAlone(r) {
		return false
	}
	r, _ = utf8.DecodeRuneInString(c.text[i:])
	return standsAlone(r)
}

// standsAlone reports for a character from U+0080 on whether it is of a block
// whose members never join a neighbour of the same kind or an ASCII character.
// It is false for many that do not join either: the library decides then.
func standsAlone(r rune) bool {
	switch {
	case r < 0x0300:
		return true
	case r < 0x0600:
		return 0x0370 <= r && r <= 0x0482 || 0x048A <= r && r <= 0x058F || 0x05D0 <= r && r <= 0x05EA
	case r < 0x0900:
		return 0x0620 <= r && r <= 0x064A || 0x0660 <= r && r <= 0x066F || 0x0671 <= r && r <= 0x06D3
	case r < 0x1E00:
		return 0x0904 <= r && r <= 0x0939 || 0x0964 <= r && r <= 0x096F ||
			0x0E01 <= r && r <= 0x0E30 || r == 0x0E32 || 0x0E3F <= r && r <= 0x0E46
	case r < 0x3000:
		return r <= 0x200A || 0x2010 <= r && r <= 0x205F || 0x20A0 <= r && r <= 0x20C0 || 0x2100 <= r && r <= 0x2BFF
	case r < 0xAC00:
		return r <= 0x3029 || 0x3030 <= r && r <= 0x3098 || 0x309B <= r && r <= 0xA48F
	case r < 0x10000:
		return r <= 0xD7A3 || 0xF900 <= r && r <= 0xFAFF || 0xFF01 <= r && r <= 0xFF9D || 0xFFE0 <= r && r <= 0xFFE6 || r == 0xFFFD
	case r < 0x20000:
		return 0x1F000 <= r && r <= 0x1F1E5 || 0x1F200 <= r && r <= 0x1F3FA || 0x1F400 <= r && r <= 0x1FAFF
	}
	return r <= 0x3FFFF
}

// isPrepend reports whether r joins the character after it (the property Prepend
// of the annex).
func isPrepend(r rune) bool {
	switch {
	case r < 0x0600:
		return false
	case r < 0x0E00:
		return r <= 0x0605 || r == 0x06DD || r == 0x070F || r == 0x0890 || r == 0x0891 || r == 0x08E2 || r == 0x0D4E
	case r < 0x11000:
		return false
	}
	switch r {
	case 0x110BD, 0x110CD, 0x111C2, 0x111C3, 0x1193F, 0x11941, 0x11A3A, 0x11D46, 0x11F02:
		return true
	}
	return 0x11A84 <= r && r <= 0x11A89
}
