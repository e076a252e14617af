package group

import (
	"slices"
	"strings"

	"github.com/ironflow/ironflow/nodes/chunking/agentic/parse"
	"github.com/ironflow/ironflow/nodes/chunking/agentic/plan"
)

// None is the theme of what belongs to none yet.
const None = -1

// Themes is a division of things into themes.
type Themes struct {
	// Labels are the themes' labels, made fit by [Label]; blank where there is none.
	Labels []string
	// Of is the theme of each thing, or None.
	Of []int
}

// Counts says what was wrong with the ids of an answer.
type Counts struct {
	// Unknown ids name nothing, Repeated ones a thing that has its theme.
	Unknown, Repeated int
}

// Read applies an answer to the things that labels name. Groups of one label are
// one theme; a group without a known id is none.
func Read(answer parse.Grouping, labels plan.Labels) (Themes, Counts) {
	t := Themes{Of: make([]int, labels.Len())}
	for i := range t.Of {
		t.Of[i] = None
	}
	var counts Counts
	byLabel := map[string]int{}
	for _, g := range answer.Groups {
		at, unknown := labels.InOrder(g.IDs)
		counts.Unknown += unknown
		label := Label(g.Label)
		theme, known := byLabel[strings.ToLower(label)]
		if !known || label == "" {
			theme = None
		}
		for _, i := range at {
			if t.Of[i] != None {
				counts.Repeated++
				continue
			}
			if theme == None {
				theme = len(t.Labels)
				t.Labels = append(t.Labels, label)
				byLabel[strings.ToLower(label)] = theme
			}
			t.Of[i] = theme
		}
	}
	return t, counts
}

// Complete gives every thing without a theme the one it is most like, and returns
// how many these were. Equally like themes are told apart by the nearest thing
// before, else behind. It needs at least one theme.
func (t *Themes) Complete(s *Space) int {
	missing := 0
	var sums [][]float64
	before := nearest(t.Of)
	for i, theme := range t.Of {
		if theme != None {
			continue
		}
		if sums == nil {
			sums = s.sums(t.Of, len(t.Labels))
		}
		missing++
		best, most := before[i], s.like(i, sums[before[i]])
		for k := range sums {
			if l := s.like(i, sums[k]); l > most+tie {
				best, most = k, l
			}
		}
		t.Of[i] = best
	}
	return missing
}

// tie is the difference of two cosines that does not count.
const tie = 1e-9

// nearest returns for each thing the theme of the nearest one before that has a
// theme, else behind.
func nearest(of []int) []int {
	out := make([]int, len(of))
	last := None
	for i, theme := range of {
		if theme != None {
			last = theme
		}
		out[i] = last
	}
	last = None
	for i := len(of) - 1; i >= 0; i-- {
		if out[i] != None {
			last = of[i]
			if last == None {
				last = out[i]
			}
			continue
		}
		out[i] = last
	}
	return out
}

// Windows divides things of given sizes into runs of at most maxItems and
// maxBytes, as even as their number allows; it returns where each run ends.
func Windows(sizes []int, maxItems, maxBytes int) []int {
	total := 0
	for _, n := range sizes {
		total += n
	}
	k := max(1, (len(sizes)+maxItems-1)/maxItems, (total+maxBytes-1)/maxBytes)
	items := (len(sizes) + k - 1) / k
	var ends []int
	n, bytes := 0, 0
	for i, size := range sizes {
		if n > 0 && (n == items || bytes+size > maxBytes) {
			ends = append(ends, i)
			n, bytes = 0, 0
		}
		n, bytes = n+1, bytes+size
	}
	if n > 0 {
		ends = append(ends, len(sizes))
	}
	return ends
}

// Missing reports whether anything has no theme.
func (t *Themes) Missing() bool { return slices.Contains(t.Of, None) }

// Append adds the things of another division, with themes of their own.
func (t *Themes) Append(u Themes) {
	for _, k := range u.Of {
		t.Of = append(t.Of, k+len(t.Labels))
	}
	t.Labels = append(t.Labels, u.Labels...)
}

// Unite makes one theme of those whose labels differ in case alone.
func (t *Themes) Unite() {
	of := Themes{Of: make([]int, len(t.Labels))}
	first := map[string]int{}
	for k, l := range t.Labels {
		i, known := first[strings.ToLower(l)]
		if !known {
			i = len(of.Labels)
			first[strings.ToLower(l)] = i
			of.Labels = append(of.Labels, l)
		}
		of.Of[k] = i
	}
	t.Merge(of)
}

// Merge makes one theme of those that of puts together. Themes that it says
// nothing of stay; those that get no new label keep the first of theirs.
func (t *Themes) Merge(of Themes) {
	number := make([]int, len(t.Labels))
	into := make([]int, len(of.Labels))
	var labels []string
	for k, l := range t.Labels {
		if k >= len(of.Of) || of.Of[k] == None {
			number[k] = len(labels)
			labels = append(labels, l)
			continue
		}
		theme := of.Of[k]
		if into[theme] == 0 {
			if of.Labels[theme] != "" {
				l = of.Labels[theme]
			}
			labels = append(labels, l)
			into[theme] = len(labels)
		}
		number[k] = into[theme] - 1
	}
	for i, k := range t.Of {
		if k != None {
			t.Of[i] = number[k]
		}
	}
	t.Labels = labels
}
