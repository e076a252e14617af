package providers

import (
	"fmt"
	"math/rand"
	"strconv"
	"strings"
	"testing"
	"time"
)

// largeAnswer is an OpenAI answer of rows x dim numbers with at least 17
// significant digits, and the number texts in it.
func largeAnswer(rows, dim int) (body string, numbers []string) {
	rng := rand.New(rand.NewSource(1))
	var b strings.Builder
	numbers = make([]string, 0, rows*dim)
	b.WriteString(`{"object":"list","data":[`)
	for r := range rows {
		if r > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`{"object":"embedding","index":` + strconv.Itoa(r) + `,"embedding":[`)
		for c := range dim {
			if c > 0 {
				b.WriteByte(',')
			}
			start := b.Len()
			fmt.Fprintf(&b, "%.17g", rng.NormFloat64()/40)
			numbers = append(numbers, b.String()[start:])
		}
		b.WriteString("]}")
	}
	b.WriteString(`],"model":"m","usage":{"prompt_tokens":8,"total_tokens":8}}`)
	return b.String(), numbers
}

// BenchmarkDecodeOpenAI reads an answer of 2,000 x 1,536 numbers and reports
// the time relative to strconv.ParseFloat over the same number texts.
func BenchmarkDecodeOpenAI(b *testing.B) {
	const rows, dim = 2000, 1536
	body, numbers := largeAnswer(rows, dim)
	req := &EmbedRequest{Texts: make([]string, rows)}
	b.SetBytes(int64(len(body)))
	var decode, parse time.Duration
	for b.Loop() {
		start := time.Now()
		if _, err := DecodeOpenAI(body, req); err != nil {
			b.Fatal(err)
		}
		decode += time.Since(start)
		start = time.Now()
		for _, n := range numbers {
			if _, err := strconv.ParseFloat(n, 64); err != nil {
				b.Fatal(err)
			}
		}
		parse += time.Since(start)
	}
	b.ReportMetric(float64(decode)/float64(parse), "x-ParseFloat")
	b.ReportMetric(float64(decode.Milliseconds())/float64(b.N), "ms-decode")
}
