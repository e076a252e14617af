package file

import (
	"path"
	"regexp"
	"strings"
	"testing"
	"time"
)

// oracle matches with the regular expressions of the standard library instead.
// Names with a leading dot are left out, since RE2 has no look-ahead.
func oracle(segments []string) *regexp.Regexp {
	var b strings.Builder
	b.WriteString("^")
	for i, seg := range segments {
		last := i == len(segments)-1
		if seg == anyDirs {
			b.WriteString("(?:[^./][^/]*/)*")
			continue
		}
		for k := 0; k < len(seg); k++ {
			switch seg[k] {
			case '*':
				b.WriteString("[^/]*")
			case '?':
				b.WriteString("[^/]")
			case '\\':
				k++
				b.WriteString(regexp.QuoteMeta(seg[k : k+1]))
			default:
				b.WriteString(regexp.QuoteMeta(seg[k : k+1]))
			}
		}
		if !last {
			b.WriteString("/")
		}
	}
	b.WriteString("$")
	return regexp.MustCompile(b.String())
}

func FuzzPattern(f *testing.F) {
	for _, seed := range [][2]string{
		{"**/*", "a/b/c"}, {"**/*.md", "x.md"}, {"a/**/b", "a/b"}, {"a/**/b", "a/x/y/b"}, {"{a,b}/*.{md,txt}", "a/x.txt"},
		{"**/**/x", "x"}, {"[a-z]?", "ab"}, {`\{a\}`, "{a}"}, {"*.*", ".x"}, {"**", "a/.b/c"}, {"{{a,b},c}", "c"}, {"a{,b}", "a"}, {"?", "é"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, pat, name string) {
		p, err := parsePattern(pat)
		if err != nil {
			if !strings.Contains(err.Error(), "\"") && !strings.Contains(err.Error(), "allowed") {
				t.Errorf("an error that shows nothing: %v", err)
			}
			return
		}
		if name == "" || path.Clean("/"+name) != "/"+name || len(name) > 200 {
			return
		}
		got := p.match(name)
		plain := true
		want := false
		for _, segments := range p.alternatives {
			for _, s := range segments {
				for _, r := range s {
					if r == '[' || r >= 0x80 || r == 0xFFFD {
						plain = false
					}
				}
			}
		}
		for _, r := range name {
			if r >= 0x80 {
				plain = false
			}
		}
		// Every folder above a match must be one that walk enters.
		if got {
			for dir := path.Dir(name); dir != "."; dir = path.Dir(dir) {
				if !p.below(dir) {
					t.Errorf("%q matches %q, but %q is not entered", pat, name, dir)
				}
			}
		}
		if !plain || strings.Contains("/"+name, "/.") || strings.Contains(name, "\n") {
			return
		}
		for _, segments := range p.alternatives {
			want = want || oracle(segments).MatchString(name)
		}
		if got != want {
			t.Errorf("%q on %q: got %v, want %v", pat, name, got, want)
		}
	})
}

// A pattern that makes backtracking matchers run for ever.
func TestPatternIsNotExponential(t *testing.T) {
	p, err := parsePattern(strings.Repeat("**/", 100) + strings.Repeat("a*", 100) + "b")
	if err != nil {
		t.Fatal(err)
	}
	name := strings.Repeat("aaaa/", 50) + strings.Repeat("a", 200)
	start := time.Now()
	if p.match(name) {
		t.Error("it matches")
	}
	if d := time.Since(start); d > 2*time.Second {
		t.Errorf("it took %v", d)
	}
}
