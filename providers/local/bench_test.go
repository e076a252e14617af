package local

import (
	"strings"
	"testing"
)

// benchSentences have 18 words each.
var benchSentences = []string{
	"The committee of engineers reviewed the damaged turbine blades before it approved another long season of careful testing.",
	"Patients who received the new vaccine reported fewer symptoms than those in the control group during the winter.",
	"Our grandmother kept a wooden box of letters under her bed and never spoke about them to anyone.",
	"Interest rates rose again in March because the central bank feared that inflation would not fall by itself.",
	"A narrow path follows the river through birch woods until it reaches an abandoned mill with broken windows.",
	"The encoder stores every integer in little endian order so that files can be mapped without any copying.",
	"Fresh basil, ripe tomatoes and a good olive oil are all that this simple summer dish really needs.",
	"Astronomers measured the faint light of distant galaxies and compared its spectrum with models of the early universe.",
}

func BenchmarkSentences(b *testing.B) {
	for _, model := range []string{Static, Hybrid} {
		b.Run(model, func(b *testing.B) {
			e := testEncoder(b)
			dst := make([]float64, HybridDimensions)
			n := 0
			for b.Loop() {
				e.read(benchSentences[n%len(benchSentences)])
				if model == Static {
					e.writeStatic(dst[:StaticDimensions])
				} else {
					e.writeHybrid(dst)
				}
				n++
			}
			b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "sentences/s")
		})
	}
	// What hashing every word of the same sentences costs, for comparison.
	b.Run("hash only", func(b *testing.B) {
		n, sum := 0, uint64(0)
		for b.Loop() {
			for word := range strings.FieldsSeq(benchSentences[n%len(benchSentences)]) {
				sum += mix(fnv(kindWord, word))
			}
			n++
		}
		b.ReportMetric(float64(n)/b.Elapsed().Seconds(), "sentences/s")
		if sum == 0 {
			b.Fatal("no words")
		}
	})
}

// BenchmarkLong shows that time grows with the text alone: ns/byte must not
// depend on the size.
func BenchmarkLong(b *testing.B) {
	for _, c := range []struct{ name, part string }{
		{"one word", "ab"},
		{"words", "the turbine blades were damaged "},
		{"different words", ""},
		{"one Cyrillic word", "жук"},
		{"one Han run", "中山大学"},
		{"one Thai run", "กขค"},
	} {
		for _, size := range []int{1 << 18, 1 << 20} {
			b.Run(c.name+"/"+sizeName(size), func(b *testing.B) {
				text := strings.Repeat(c.part, size/max(len(c.part), 1))
				if c.part == "" {
					text = differentWords(size)
				}
				e := testEncoder(b)
				dst := make([]float64, HybridDimensions)
				for b.Loop() {
					e.read(text)
					e.writeHybrid(dst)
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(text)), "ns/byte")
			})
		}
	}
}

func sizeName(size int) string {
	if size < 1<<20 {
		return "256K"
	}
	return "1M"
}

// differentWords are words that share few features.
func differentWords(size int) string {
	var b strings.Builder
	for n := uint64(1); b.Len() < size; n++ {
		h := mix(n * fnvPrime)
		for range 7 {
			b.WriteByte('a' + byte(h%26))
			h /= 26
		}
		b.WriteByte(' ')
	}
	return b.String()
}

// BenchmarkFirstUse is the cost of indexing the weights.
func BenchmarkFirstUse(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := newTable(weights); err != nil {
			b.Fatal(err)
		}
	}
}
