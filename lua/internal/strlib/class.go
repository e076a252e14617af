package strlib

import "strings"

// class decodes the single-character item at byte p of the pattern; nil after
// an error.
func (m *matcher) class(p int) *class {
	if m.cache != nil {
		c := &m.cache[p]
		if c.end == 0 && !m.decode(c, p) {
			return nil
		}
		return c
	}
	m.scratch = class{}
	if !m.decode(&m.scratch, p) {
		return nil
	}
	return &m.scratch
}

func (m *matcher) decode(c *class, p int) bool {
	switch ch := m.pat[p]; ch {
	case '%':
		if p+1 >= len(m.pat) {
			m.fail(errEndsInPercent)
			return false
		}
		addEscape(c, m.pat[p+1])
		c.multi, c.end = true, p+2
	case '.':
		c.set = [4]uint64{^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)}
		c.multi, c.end = true, p+1
	case '[':
		return m.decodeSet(c, p)
	default:
		c.lit, c.end = ch, p+1
	}
	return true
}

// decodeSet reads [set]. As in reference Lua a ']' directly after the opening
// bracket or '^' is a member, '-' is a range only between two characters, and
// the end of the set is found before its members are read.
func (m *matcher) decodeSet(c *class, p int) bool {
	i := p + 1
	negate := i < len(m.pat) && m.pat[i] == '^'
	if negate {
		i++
	}
	end := m.setEnd(i)
	if end < 0 {
		m.fail(errMissingSquare)
		return false
	}
	for ; i < end; i++ {
		ch := m.pat[i]
		switch {
		case ch == '%':
			i++
			addEscape(c, m.pat[i])
		case m.pat[i+1] == '-' && i+2 < end:
			for b := int(ch); b <= int(m.pat[i+2]); b++ {
				c.add(byte(b))
			}
			i += 2
		default:
			c.add(ch)
		}
	}
	if negate {
		for w := range c.set {
			c.set[w] = ^c.set[w]
		}
	}
	c.multi, c.end = true, end+1
	return true
}

// setEnd returns the index of the ']' that closes the set whose first member
// is at byte i, -1 when there is none.
func (m *matcher) setEnd(i int) int {
	for first := true; i < len(m.pat); first = false {
		switch m.pat[i] {
		case ']':
			if !first {
				return i
			}
			i++
		case '%':
			i += 2
		default:
			i++
		}
	}
	return -1
}

// addEscape adds what %ch stands for: a class for the letters below, otherwise
// the character itself.
func addEscape(c *class, ch byte) {
	lower := ch | 0x20
	if ch < 'A' || ch > 'z' || !strings.ContainsRune("acdlpsuwxz", rune(lower)) {
		c.add(ch)
		return
	}
	negate := ch != lower
	for b := 0; b < 256; b++ {
		if inClass(byte(b), lower) != negate {
			c.add(byte(b))
		}
	}
}

func inClass(b, class byte) bool {
	digit := b >= '0' && b <= '9'
	lower := b >= 'a' && b <= 'z'
	upper := b >= 'A' && b <= 'Z'
	switch class {
	case 'a':
		return lower || upper
	case 'c':
		return b < 32 || b == 127
	case 'd':
		return digit
	case 'l':
		return lower
	case 'p':
		return b > 32 && b < 127 && !digit && !lower && !upper
	case 's':
		return b == ' ' || b >= '\t' && b <= '\r'
	case 'u':
		return upper
	case 'w':
		return digit || lower || upper
	case 'x':
		return digit || b >= 'a' && b <= 'f' || b >= 'A' && b <= 'F'
	case 'z':
		return b == 0
	}
	return false
}
