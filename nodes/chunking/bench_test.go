package chunking

import (
	"math/rand/v2"
	"strings"
	"testing"
)

// prose makes text of about size bytes: words with spaces, a full stop after a
// sentence, a line end after a paragraph.
func prose(words []string, space, stop, line string, size int) string {
	rng := rand.New(rand.NewPCG(11, 12))
	var b strings.Builder
	b.Grow(size + 200)
	for b.Len() < size {
		for range 3 + rng.IntN(5) {
			for i := range 6 + rng.IntN(18) {
				if i > 0 {
					b.WriteString(space)
				}
				b.WriteString(words[rng.IntN(len(words))])
			}
			b.WriteString(stop)
		}
		b.WriteString(line)
	}
	return b.String()
}

func english(size int) string {
	return prose(strings.Fields(`the of and a harbour lantern to in keeper was water that it his
		storm morning with narrow for as bridge on be stone at by had which under across weather
		they letter nobody remembered although captain wooden between evening, slowly; quietly`), " ", ". ", "\n", size)
}

func chinese(size int) string {
	return prose(strings.Fields("港口 灯塔 守夜 的 在 水 风暴 早晨 桥 石头 木船 信 没有人 记得 虽然 船长 慢慢 安静 天气 之间"), "", "。", "\n", size)
}

const corpusSize = 25_000_000

func BenchmarkFixed(b *testing.B) {
	unbroken := strings.Repeat("abcdefghijklmnop", corpusSize/16)
	for _, c := range []struct {
		name, text string
		o          FixedOptions
	}{
		{"english-prose-25MB/size=4096/delims=LF.?", english(corpusSize), FixedOptions{Size: 4096, Delimiters: "\n.?"}},
		{"english-prose-25MB/size=4096/no-delims", english(corpusSize), FixedOptions{Size: 4096}},
		{"no-delimiter-in-25MB/size=4096/delims=LF.?", unbroken, FixedOptions{Size: 4096, Delimiters: "\n.?"}},
		{"no-delimiter-in-25MB/size=4096/delims=LF。", unbroken, FixedOptions{Size: 4096, Delimiters: "\n。"}},
		{"no-delimiter-in-25MB/size=4096/overlap=4000/delims=LF.?", unbroken, FixedOptions{Size: 4096, Overlap: 4000, Delimiters: "\n.?"}},
		{"no-delimiter-in-25MB/size=30MB-minus/delims=LF.?", unbroken, FixedOptions{Size: corpusSize - 20, Delimiters: "\n.?"}},
		{"english-prose-25MB/size=4096/delims=LF。", english(corpusSize), FixedOptions{Size: 4096, Delimiters: "\n。"}},
		{"chinese-prose-25MB/size=4096/delims=LF。", chinese(corpusSize), FixedOptions{Size: 4096, Delimiters: "\n。"}},
		{"chinese-prose-25MB/size=4096/delims=LF.?", chinese(corpusSize), FixedOptions{Size: 4096, Delimiters: "\n.?"}},
		{"chinese-without-stop-25MB/size=4096/delims=LF。", strings.Repeat("天地玄黄宇宙洪荒", corpusSize/24), FixedOptions{Size: 4096, Delimiters: "\n。"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Fixed(c.text, c.o); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkSplit(b *testing.B) {
	for _, c := range []struct {
		name, text string
		o          SplitOptions
	}{
		{"english-prose-25MB/delims=LF.?", english(corpusSize), SplitOptions{Delimiters: "\n.?"}},
		{"english-prose-25MB/delims=LF.?/min_chars=200", english(corpusSize), SplitOptions{Delimiters: "\n.?", MinChars: 200}},
		{"chinese-prose-25MB/delims=LF。", chinese(corpusSize), SplitOptions{Delimiters: "\n。"}},
		{"million-blank-lines/delims=LF.?", strings.Repeat("\n", 1_000_000), SplitOptions{Delimiters: "\n.?"}},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := Split(c.text, c.o); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkPositions(b *testing.B) {
	for name, text := range map[string]string{"english-prose-25MB": english(corpusSize), "chinese-prose-25MB": chinese(corpusSize)} {
		spans, err := Split(text, SplitOptions{Delimiters: "\n.?。"})
		if err != nil {
			b.Fatal(err)
		}
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				Positions(text, spans)
			}
		})
	}
}
