package nodes

import (
	"slices"
	"strconv"
	"strings"
)

// Nearest returns the names closest to a mistyped one, best first, at most
// three: those within a third of its length in edits (insert, delete, replace,
// swap of two side by side), or that contain it, or lie inside it.
func Nearest(name string, names []string) []string {
	type hit struct {
		name string
		d    int
	}
	limit := max(2, len(name)/3)
	low := strings.ToLower(name)
	var hits []hit
	for _, n := range names {
		d := editDistance(low, strings.ToLower(n))
		inside := len(low) >= 3 && len(n) >= 3 && (strings.Contains(n, low) || strings.Contains(low, n))
		if d <= limit && d < len(name) || inside {
			hits = append(hits, hit{n, d})
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int {
		if a.d != b.d {
			return a.d - b.d
		}
		return strings.Compare(a.name, b.name)
	})
	var out []string
	for _, h := range hits {
		if h.d > 0 && hits[0].d == 0 {
			break // only the case differs
		}
		if len(out) < 3 && !slices.Contains(out, h.name) {
			out = append(out, h.name)
		}
	}
	return out
}

// DidYouMean gives the nearest names as the end of a sentence, or all names
// when there are few and none is near: `; did you mean "size"?`.
func DidYouMean(name string, names []string) string {
	near := Nearest(name, names)
	if len(near) > 0 {
		return "; did you mean " + QuoteList(near, "or") + "?"
	}
	if len(names) > 0 && len(names) <= 40 {
		sorted := slices.Clone(names)
		slices.Sort(sorted)
		return "; allowed: " + strings.Join(sorted, ", ")
	}
	return ""
}

// QuoteList joins quoted names: `"a", "b" or "c"`.
func QuoteList(names []string, last string) string {
	all := quoted(names)
	if len(all) < 2 {
		return strings.Join(all, "")
	}
	return strings.Join(all[:len(all)-1], ", ") + " " + last + " " + all[len(all)-1]
}

func quoted(names []string) []string {
	out := make([]string, len(names))
	for i, n := range names {
		out[i] = strconv.Quote(n)
	}
	return out
}

// editDistance is the optimal string alignment distance over bytes.
func editDistance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		if a == b {
			return 0
		}
		return 64
	}
	prev2, prev, cur := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range prev {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], prev2[j-2]+1)
			}
		}
		prev2, prev, cur = prev, cur, prev2
	}
	return prev[len(b)]
}
