package unit

import (
	"fmt"
	"strings"
	"testing"
)

func benchTexts(size int) map[string]string {
	fill := func(unit string) string { return strings.Repeat(unit, size/len(unit)) }
	return map[string]string{
		"english":     fill("The keeper lit the lantern before the storm came in. Nobody asked why! "),
		"code":        fill("\tif err != nil {\n\t\treturn fmt.Errorf(\"read %q: %w\", name, err)\n\t}\n"),
		"chinese":     fill("守夜人在风暴来临之前点亮了灯。没有人问为什么！"),
		"same-letter": fill("a"),
		"capitals":    fill("A"),
		"blanks":      fill(" ") + "x",
		"blank-lines": fill(" \n"),
		"breaks":      fill("\n"),
		"dots":        fill("."),
		"digits":      fill("1"),
		"no-space":    fill("天地玄黄宇宙洪荒"),
		"marks":       fill("\u0301"),
		"camel":       fill("日A"),
		"base64":      fill("aGVsbG8gd29ybGQgdGhpcyBpcyBiYXNlNjQgZW5jb2RlZCBkYXRh"),
	}
}

func BenchmarkCount(b *testing.B) {
	for _, encoding := range []string{"cl100k_base", "o200k_base"} {
		c := tokens(b, encoding)
		for _, size := range []int{1_000_000, 4_000_000} {
			for name, text := range benchTexts(size) {
				b.Run(fmt.Sprintf("%s/%s/%dMB", encoding, name, size/1_000_000), func(b *testing.B) {
					b.SetBytes(int64(len(text)))
					for b.Loop() {
						c.Count(text)
					}
				})
			}
		}
	}
}

// BenchmarkFit cuts a text into pieces of at most 512 units.
func BenchmarkFit(b *testing.B) {
	for _, c := range counters(b)[:4] {
		name := c.Unit()
		if tk, ok := c.(*Tokens); ok {
			name = tk.Encoding()
		}
		for kind, text := range benchTexts(1_000_000) {
			b.Run(name+"/"+kind, func(b *testing.B) {
				b.SetBytes(int64(len(text)))
				for b.Loop() {
					for i := 0; i < len(text); {
						i += c.Fit(text[i:], 512)
					}
				}
			})
		}
	}
}

func BenchmarkLoad(b *testing.B) {
	for _, encoding := range []string{"cl100k_base", "o200k_base"} {
		b.Run(encoding, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				tokens(b, encoding).Count("x1y")
			}
		})
	}
}
