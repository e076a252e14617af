package semantic

import (
	"fmt"
	"math/rand"
	"testing"

	"github.com/ironflow/ironflow/nodes/chunking"
)

// BenchmarkGrowth runs dp and topic on 10,000 and on 100,000 sentences of 256
// numbers: time and memory grow with the number of sentences (times the band of
// chunk lengths), never with its square.
func BenchmarkGrowth(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		rng := rand.New(rand.NewSource(1))
		m := NewMatrix(n, 256)
		spans := make([]chunking.Span, n)
		terms := make([][]int32, n)
		for i := range n {
			row := m.Row(i)
			for k := range row {
				row[k] = rng.NormFloat64() + float64(i/20%7*k%5)
			}
			spans[i] = chunking.Span{Start: 80 * i, Stop: 80*i + 79}
			for range 10 {
				terms[i] = append(terms[i], int32(i/20%50*20+rng.Intn(40)))
			}
		}
		b.Run(fmt.Sprintf("dp/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := DP(m, spans, DPOptions{Target: 400, Max: 800}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/sentence")
		})
		b.Run(fmt.Sprintf("topic/%d", n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Topic(m, terms, TopicOptions{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(n), "ns/sentence")
		})
	}
}
