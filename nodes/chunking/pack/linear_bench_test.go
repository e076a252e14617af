package pack_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/ironflow/ironflow/nodes/chunking/pack"
	"github.com/ironflow/ironflow/nodes/chunking/sentence"
	"github.com/ironflow/ironflow/nodes/chunking/unit"
)

// BenchmarkLinear reports how many times longer a byte takes in 25 MB than in
// 1 MB (at most 1.5 is wanted), for texts that make other chunkers quadratic.
func BenchmarkLinear(b *testing.B) {
	count, err := unit.New("chars", "")
	if err != nil {
		b.Fatal(err)
	}
	texts := []struct{ name, piece string }{
		{"prose in one line", "The pilot waits at the outer buoy until the tide has turned. "},
		{"blanks", "                "},
		{"no space", "abcdefghijklmnop"},
		{"chinese", "潮水退了，港口很安静。"},
		{"no punctuation", "one two three four "},
		{"full stops", ". . . . "},
	}
	modes := []struct {
		name string
		run  func(text string) error
	}{
		{"recursive", func(text string) error {
			_, err := pack.Recursive(text, pack.RecursiveOptions{Size: 800, Unit: count})
			return err
		}},
		{"recursive with overlap", func(text string) error {
			_, err := pack.Recursive(text, pack.RecursiveOptions{Size: 800, Overlap: 200, Unit: count})
			return err
		}},
		{"sentences", func(text string) error {
			_, err := pack.Sentences(text, pack.SentencesOptions{Size: 800, Unit: count})
			return err
		}},
		{"sentences ascii", func(text string) error {
			_, err := pack.Sentences(text, pack.SentencesOptions{Size: 800, Unit: count, Sentences: sentence.ASCII})
			return err
		}},
	}
	for _, m := range modes {
		for _, x := range texts {
			b.Run(m.name+"/"+x.name, func(b *testing.B) {
				small, large := strings.Repeat(x.piece, 1_000_000/len(x.piece)), strings.Repeat(x.piece, 25_000_000/len(x.piece))
				perByte := func(text string, times int) float64 {
					best := math.Inf(1)
					for range times {
						start := time.Now()
						if err := m.run("x" + text); err != nil {
							b.Fatal(err)
						}
						best = min(best, time.Since(start).Seconds()/float64(len(text)))
					}
					return best
				}
				b.SetBytes(int64(len(large)))
				ratio := 0.0
				for b.Loop() {
					ratio = perByte(large, 1) / perByte(small, 5)
				}
				b.ReportMetric(ratio, "x-per-byte")
			})
		}
	}
}
