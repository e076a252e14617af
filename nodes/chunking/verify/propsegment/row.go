package propsegment

import (
	"math"
	"slices"
	"strings"

	"github.com/ironflow/ironflow/nodes/chunking/verify"
)

// Row is a figure: how many of the cases came out so.
type Row struct {
	Name, Words string
	// Least and Most are the bars, 0 and 1 where there is none.
	Least, Most float64
	Hits, Cases int
	// Error is the standard error of the share, with documents as clusters: cases of
	// one document are not independent. It is NaN with fewer than two documents.
	Error float64
	// Misses are the cases that came out otherwise than wanted.
	Misses []Miss
	counts map[int]*[2]int
}

// Miss is a statement that was judged otherwise than wanted.
type Miss struct{ Sentence, Original, Statement, Reason string }

// Share is the share of hits; that of no cases is NaN.
func (r *Row) Share() float64 { return float64(r.Hits) / float64(r.Cases) }

// Barred reports whether there is a bar.
func (r *Row) Barred() bool { return r.Least > 0 || r.Most < 1 }

// Kept reports whether the share is within its bars. A bar without cases is missed.
func (r *Row) Kept() bool {
	return !r.Barred() || r.Cases > 0 && r.Share() >= r.Least && r.Share() <= r.Most
}

func (r *Row) count(document int, hit bool) {
	if r.counts == nil {
		r.counts = map[int]*[2]int{}
	}
	c := r.counts[document]
	if c == nil {
		c = &[2]int{}
		r.counts[document] = c
	}
	c[1]++
	r.Cases++
	if hit {
		c[0]++
		r.Hits++
	}
}

func (r *Row) miss(s statement, text string, reasons []verify.Reason) {
	var why []string
	for _, q := range reasons {
		why = append(why, q.Rule+": "+q.Detail)
	}
	r.Misses = append(r.Misses, Miss{s.sentence, s.text, text, strings.Join(why, "; ")})
}

// close computes the standard error: the linearised variance of a ratio of sums
// over clusters (Cochran, Sampling Techniques, 1977, section 3.12).
func (r *Row) close() {
	k := float64(len(r.counts))
	if k < 2 {
		r.Error = math.NaN()
		return
	}
	var squares []float64
	for _, c := range r.counts {
		e := float64(c[0]) - r.Share()*float64(c[1])
		squares = append(squares, e*e)
	}
	slices.Sort(squares) // so that the sum is the same each time
	sum := 0.0
	for _, q := range squares {
		sum += q
	}
	r.Error = math.Sqrt(sum*k/(k-1)) / float64(r.Cases)
}
