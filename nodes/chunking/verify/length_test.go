package verify

import (
	"strings"
	"testing"
)

// TestLength: what is much longer than its sentences is refused for that alone.
func TestLength(t *testing.T) {
	c := checker(t, "en", "The weir at Holm was built in 1921.")
	for _, k := range []struct {
		times int
		on    []int
		want  bool
	}{{20, []int{0}, false}, {200000, []int{0}, true}, {200000, nil, true}} {
		v := c.Check(Statement{Text: strings.Repeat("The weir at Holm. ", k.times), Sentences: k.on})
		if got := len(v.Reasons) == 1 && v.Reasons[0].Rule == "length"; got != k.want {
			t.Errorf("%d times on %v: %d reasons, length %v, want %v", k.times, k.on, len(v.Reasons), got, k.want)
		}
	}
}
