package strlib

import (
	"context"
	"errors"
	"strings"
)

const (
	maxCaptures = 32   // captures in one pattern, as in reference Lua
	maxDepth    = 1000 // nested matcher calls
	// ticksPerCheck is how many matcher steps pass between two looks at the
	// context: a few microseconds of work.
	ticksPerCheck = 1 << 12
	// maxCachedPattern bounds the memory for decoded character classes.
	maxCachedPattern = 4096
)

const (
	capUnfinished = -1
	capPosition   = -2
)

// Errors in a pattern, with the texts of reference Lua.
var (
	errTooDeep       = errors.New("pattern too complex")
	errManyCaptures  = errors.New("too many captures")
	errBadCapture    = errors.New("invalid pattern capture")
	errUnfinished    = errors.New("unfinished capture")
	errCaptureIndex  = errors.New("invalid capture index")
	errEndsInPercent = errors.New("malformed pattern (ends with '%')")
	errMissingSquare = errors.New("malformed pattern (missing ']')")
	errUnbalanced    = errors.New("unbalanced pattern")
	errFrontier      = errors.New("missing '[' after '%f' in pattern")
)

type capture struct {
	start int
	size  int // or capUnfinished, capPosition
}

// class is one decoded single-character item of a pattern: the bytes that it
// accepts and where it ends.
type class struct {
	end   int // 0: not decoded yet
	multi bool
	lit   byte
	set   [4]uint64
}

func (c *class) has(b byte) bool {
	if !c.multi {
		return c.lit == b
	}
	return c.set[b>>6]&(1<<(b&63)) != 0
}

func (c *class) add(b byte) { c.set[b>>6] |= 1 << (b & 63) }

// matcher matches one pattern at positions of one subject. A failed match
// gives -1; err says whether it failed for good (a malformed pattern, a spent
// deadline) and then stays set.
type matcher struct {
	src, pat string
	level    int
	caps     [maxCaptures]capture
	depth    int
	ticks    int
	done     <-chan struct{}
	ctx      context.Context
	err      error
	cache    []class
	scratch  class
}

func newMatcher(ctx context.Context, src, pat string) *matcher {
	m := &matcher{src: src, pat: pat, ctx: ctx}
	if ctx != nil {
		m.done = ctx.Done()
	}
	if len(pat) <= maxCachedPattern {
		m.cache = make([]class, len(pat))
	}
	return m
}

func (m *matcher) fail(err error) int {
	if m.err == nil {
		m.err = err
	}
	return -1
}

// tick counts n steps of work and reports whether the matcher may go on.
func (m *matcher) tick(n int) bool {
	m.ticks += n
	if m.ticks >= ticksPerCheck {
		m.ticks = 0
		select {
		case <-m.done:
			m.fail(m.ctx.Err())
		default:
		}
	}
	return m.err == nil
}

// try matches the pattern from byte p at byte s of the subject and returns the
// end of the match.
func (m *matcher) try(s, p int) int {
	m.level = 0
	m.depth = 0
	if !m.tick(1) {
		return -1
	}
	return m.match(s, p)
}

func (m *matcher) match(s, p int) int {
	if m.depth++; m.depth > maxDepth {
		return m.fail(errTooDeep)
	}
	defer func() { m.depth-- }()
	for {
		if p == len(m.pat) {
			return s
		}
		if !m.tick(1) {
			return -1
		}
		switch m.pat[p] {
		case '(':
			if p+1 < len(m.pat) && m.pat[p+1] == ')' {
				return m.open(s, p+2, capPosition)
			}
			return m.open(s, p+1, capUnfinished)
		case ')':
			return m.close(s, p+1)
		case '$':
			if p+1 == len(m.pat) {
				if s == len(m.src) {
					return s
				}
				return -1
			}
		case '%':
			next, np, handled := m.special(s, p)
			if handled {
				if next < 0 {
					return -1
				}
				s, p = next, np
				continue
			}
		}
		c := m.class(p)
		if c == nil {
			return -1
		}
		hit := s < len(m.src) && c.has(m.src[s])
		var suffix byte
		if c.end < len(m.pat) {
			suffix = m.pat[c.end]
		}
		switch suffix {
		case '?':
			end := c.end
			if hit {
				if r := m.match(s+1, end+1); r >= 0 || m.err != nil {
					return r
				}
			}
			p = end + 1
		case '*':
			return m.maxExpand(s, s, c)
		case '+':
			if !hit {
				return -1
			}
			return m.maxExpand(s, s+1, c)
		case '-':
			return m.minExpand(s, c)
		default:
			if !hit {
				return -1
			}
			s++
			p = c.end
		}
	}
}

// special handles %b, %f and back references; handled is false for an
// ordinary class such as %a.
func (m *matcher) special(s, p int) (next, np int, handled bool) {
	if p+1 >= len(m.pat) {
		return 0, 0, false
	}
	switch d := m.pat[p+1]; {
	case d == 'b':
		return m.balance(s, p+2), p + 4, true
	case d == 'f':
		if p+2 >= len(m.pat) || m.pat[p+2] != '[' {
			return m.fail(errFrontier), 0, true
		}
		c := m.class(p + 2)
		if c == nil {
			return -1, 0, true
		}
		var before, after byte
		if s > 0 {
			before = m.src[s-1]
		}
		if s < len(m.src) {
			after = m.src[s]
		}
		if c.has(before) || !c.has(after) {
			return -1, 0, true
		}
		return s, c.end, true
	case d >= '0' && d <= '9':
		i := int(d) - '1'
		if i < 0 || i >= m.level || m.caps[i].size == capUnfinished {
			return m.fail(errCaptureIndex), 0, true
		}
		if m.caps[i].size == capPosition {
			return -1, 0, true
		}
		text := m.src[m.caps[i].start : m.caps[i].start+m.caps[i].size]
		if !m.tick(len(text)/16) || !strings.HasPrefix(m.src[s:], text) {
			return -1, 0, true
		}
		return s + len(text), p + 2, true
	}
	return 0, 0, false
}

func (m *matcher) balance(s, p int) int {
	if p+1 >= len(m.pat) {
		return m.fail(errUnbalanced)
	}
	if s >= len(m.src) || m.src[s] != m.pat[p] {
		return -1
	}
	open, shut := m.pat[p], m.pat[p+1]
	for depth, i := 1, s+1; i < len(m.src); i++ {
		if !m.tick(1) {
			return -1
		}
		switch m.src[i] {
		case shut:
			if depth--; depth == 0 {
				return i + 1
			}
		case open:
			depth++
		}
	}
	return -1
}

// maxExpand matches as many characters of c as possible, then the rest,
// giving characters back one by one until first.
func (m *matcher) maxExpand(start, s int, c *class) int {
	first, end := s, c.end
	for s < len(m.src) && c.has(m.src[s]) {
		s++
	}
	if !m.tick((s - start) / 8) {
		return -1
	}
	for ; s >= first; s-- {
		if r := m.match(s, end+1); r >= 0 || m.err != nil {
			return r
		}
	}
	return -1
}

func (m *matcher) minExpand(s int, c *class) int {
	// The scratch class of a long pattern is overwritten by the rest.
	cl := *c
	for {
		if r := m.match(s, cl.end+1); r >= 0 || m.err != nil {
			return r
		}
		if s >= len(m.src) || !cl.has(m.src[s]) {
			return -1
		}
		s++
	}
}

func (m *matcher) open(s, p, kind int) int {
	if m.level >= maxCaptures {
		return m.fail(errManyCaptures)
	}
	m.caps[m.level] = capture{start: s, size: kind}
	m.level++
	r := m.match(s, p)
	if r < 0 {
		m.level--
	}
	return r
}

func (m *matcher) close(s, p int) int {
	i := m.level - 1
	for ; i >= 0; i-- {
		if m.caps[i].size == capUnfinished {
			break
		}
	}
	if i < 0 {
		return m.fail(errBadCapture)
	}
	m.caps[i].size = s - m.caps[i].start
	r := m.match(s, p)
	if r < 0 {
		m.caps[i].size = capUnfinished
	}
	return r
}
