// Package peers measures our chunkers beside those of langchaingo, on the same
// text in the same run. It is a module of its own, so that the product never
// depends on a peer.
package peers

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/tmc/langchaingo/textsplitter"

	"github.com/ironflow/ironflow/nodes/chunking"
	"github.com/ironflow/ironflow/nodes/chunking/markdown"
	"github.com/ironflow/ironflow/nodes/chunking/pack"
	"github.com/ironflow/ironflow/nodes/chunking/sentence"
	"github.com/ironflow/ironflow/nodes/chunking/unit"
)

// size is the limit in characters.
const size = 800

// corpora returns the five Chroma corpora joined (1.45 MB).
func corpora(b *testing.B) string {
	b.Helper()
	files, err := filepath.Glob("../corpora/chroma/*.md")
	if err != nil {
		b.Fatal(err)
	}
	var all strings.Builder
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			b.Fatal(err)
		}
		all.Write(text)
	}
	if all.Len() < 1_000_000 {
		b.Fatalf("the corpora have %d bytes only", all.Len())
	}
	return all.String()
}

// ours and theirs return the chunks of a text.
func ours(b *testing.B, mode string) func(string) []string {
	chars, err := unit.New("chars", "")
	if err != nil {
		b.Fatal(err)
	}
	return func(text string) []string {
		var spans []chunking.Span
		var err error
		switch mode {
		case "recursive":
			spans, err = pack.Recursive(text, pack.RecursiveOptions{Size: size, Unit: chars})
		case "sentences":
			spans, err = pack.Sentences(text, pack.SentencesOptions{Size: size, Unit: chars, Sentences: sentence.ASCII})
		case "sentences-unicode":
			spans, err = pack.Sentences(text, pack.SentencesOptions{Size: size, Unit: chars})
		case "markdown":
			var chunks []markdown.Chunk
			chunks, err = markdown.Split(text, markdown.Options{Size: size, Unit: chars})
			for _, c := range chunks {
				spans = append(spans, c.Span)
			}
		}
		if err != nil {
			b.Fatal(err)
		}
		return chunking.Slices(text, spans)
	}
}

func theirs(b *testing.B, s textsplitter.TextSplitter) func(string) []string {
	return func(text string) []string {
		chunks, err := s.SplitText(text)
		if err != nil {
			b.Fatal(err)
		}
		return chunks
	}
}

// BenchmarkBesidePeers reports our speed, the ratio to the peer's, the chunks
// over the limit, and the characters other than white space that were lost.
func BenchmarkBesidePeers(b *testing.B) {
	text := corpora(b)
	options := []textsplitter.Option{textsplitter.WithChunkSize(size), textsplitter.WithChunkOverlap(0)}
	recursive := theirs(b, textsplitter.NewRecursiveCharacter(options...))
	for _, bb := range []struct {
		name string
		ours func(string) []string
		peer func(string) []string
	}{
		{"recursive", ours(b, "recursive"), recursive},
		{"markdown", ours(b, "markdown"), theirs(b, textsplitter.NewMarkdownTextSplitter(options...))},
		{"sentences", ours(b, "sentences"), recursive},
		{"sentences-unicode", ours(b, "sentences-unicode"), recursive},
	} {
		b.Run(bb.name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			var mine, peer []string
			for b.Loop() {
				mine = bb.ours(text)
			}
			own := b.Elapsed().Seconds() / float64(b.N)
			b.StopTimer()
			start := time.Now()
			peer = bb.peer(text)
			b.ReportMetric(time.Since(start).Seconds()/own, "x-peer")
			report(b, "our", text, mine)
			report(b, "peer", text, peer)
		})
	}
}

func report(b *testing.B, who, text string, chunks []string) {
	over, kept := 0, 0
	for _, c := range chunks {
		if utf8.RuneCountInString(c) > size {
			over++
		}
		kept += ink(c)
	}
	b.ReportMetric(float64(over), who+"-over")
	b.ReportMetric(float64(max(0, ink(text)-kept)), who+"-lost")
}

// ink counts the bytes that are not white space.
func ink(s string) int {
	n := len(s)
	for _, blank := range []string{" ", "\n", "\t", "\r"} {
		n -= strings.Count(s, blank)
	}
	return n
}
