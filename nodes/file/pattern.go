package file

import (
	"errors"
	"fmt"
	"path"
	"strings"
)

const (
	// maxPattern bounds the length of a pattern in bytes.
	maxPattern = 1024
	// maxAlternatives bounds how many patterns braces may multiply into.
	maxAlternatives = 256
	// anyDirs is the segment that stands for any number of folders.
	anyDirs = "**"
)

// pattern is a parsed glob: the alternatives that its braces stand for, each
// split at the slashes. Matching takes time in proportion to the product of the
// numbers of segments of pattern and name.
type pattern struct {
	alternatives [][]string
}

// parsePattern reads a glob:
//
//	pattern := segment { "/" segment }
//	segment := "**" | any mix of text, "*", "?", "[set]", "{a,b}", "\" char
//
// Sets are those of path.Match; braces may hold slashes and further braces.
func parsePattern(s string) (*pattern, error) {
	if len(s) > maxPattern {
		return nil, fmt.Errorf("has %d bytes, allowed: %d", len(s), maxPattern)
	}
	texts, err := expand(s)
	if err != nil {
		return nil, fmt.Errorf("%q: %w", s, err)
	}
	p := &pattern{}
	for _, text := range texts {
		segments := strings.Split(strings.TrimPrefix(text, "./"), "/")
		for i, seg := range segments {
			switch {
			case seg == "" || seg == "." || seg == "..":
				return nil, fmt.Errorf("%q: it is relative to the folder, so it has no empty name, \".\" or \"..\" between slashes", s)
			case seg == anyDirs && i == len(segments)-1:
				// A pattern that ends with ** means all files below.
				segments = append(segments, "*")
			case seg != anyDirs && strings.Contains(seg, anyDirs):
				return nil, fmt.Errorf("%q: ** stands for folders and must be a whole name between slashes; write * inside a name", s)
			}
			if _, err := path.Match(seg, ""); err != nil {
				return nil, fmt.Errorf("%q: %q is malformed; a set is written [a-z] or [^a-z], and \\ needs a character behind it", s, seg)
			}
		}
		p.alternatives = append(p.alternatives, segments)
	}
	return p, nil
}

// expand replaces the first pair of braces by each of its alternatives, until
// none is left.
func expand(s string) ([]string, error) {
	out := []string{}
	todo := []string{s}
	for len(todo) > 0 {
		text := todo[0]
		todo = todo[1:]
		first, last, commas, err := braces(text)
		if err != nil {
			return nil, err
		}
		if first < 0 {
			out = append(out, text)
			continue
		}
		from := first + 1
		for _, end := range append(commas, last) {
			todo = append(todo, text[:first]+text[from:end]+text[last+1:])
			from = end + 1
		}
		if len(todo)+len(out) > maxAlternatives {
			return nil, fmt.Errorf("its braces stand for more than %d patterns", maxAlternatives)
		}
	}
	return out, nil
}

// braces finds the first pair of braces and the commas directly inside it; first
// is -1 when there is none. Sets and escaped characters are passed over.
func braces(s string) (first, last int, commas []int, err error) {
	first = -1
	depth := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '[':
			i = setEnd(s, i)
		case '{':
			if depth == 0 {
				first = i
			}
			depth++
		case ',':
			if depth == 1 {
				commas = append(commas, i)
			}
		case '}':
			if depth == 0 {
				return 0, 0, nil, errors.New("it has a } without a { in front; write \\} for the character")
			}
			if depth--; depth == 0 {
				return first, i, commas, nil
			}
		}
	}
	if depth > 0 {
		return 0, 0, nil, errors.New("it has a { without its }; write \\{ for the character")
	}
	return -1, 0, nil, nil
}

// setEnd returns the position of the ] that ends the set at i, or the end of
// the text: path.Match then says that the set is malformed.
func setEnd(s string, i int) int {
	for i++; i < len(s) && s[i] != ']'; i++ {
		if s[i] == '\\' {
			i++
		}
	}
	return min(i, len(s))
}

// match reports whether a slash-separated name matches.
func (p *pattern) match(name string) bool {
	names := strings.Split(name, "/")
	for _, segments := range p.alternatives {
		if reach(segments, names)[len(segments)] {
			return true
		}
	}
	return false
}

// below reports whether a name below this folder may match.
func (p *pattern) below(folder string) bool {
	names := strings.Split(folder, "/")
	for _, segments := range p.alternatives {
		for _, ok := range reach(segments, names)[:len(segments)] {
			if ok {
				return true
			}
		}
	}
	return false
}

// reach returns for every number of segments whether that many of them can
// match exactly the given names.
func reach(segments, names []string) []bool {
	state := make([]bool, len(segments)+1)
	state[0] = true
	skipEmpty(segments, state)
	for _, name := range names {
		next := make([]bool, len(state))
		for i, seg := range segments {
			switch {
			case !state[i]:
			case seg == anyDirs:
				next[i] = next[i] || !hidden(name)
			case matchName(seg, name):
				next[i+1] = true
			}
		}
		state = next
		skipEmpty(segments, state)
	}
	return state
}

// skipEmpty lets ** stand for no folder at all.
func skipEmpty(segments []string, state []bool) {
	for i, seg := range segments {
		if seg == anyDirs && state[i] {
			state[i+1] = true
		}
	}
}

func hidden(name string) bool { return strings.HasPrefix(name, ".") }

func matchName(segment, name string) bool {
	if hidden(name) && !hidden(segment) && !strings.HasPrefix(segment, `\.`) {
		return false
	}
	ok, _ := path.Match(segment, name)
	return ok
}
