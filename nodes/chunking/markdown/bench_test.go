//go:build unix

package markdown

import (
	"math"
	"strings"
	"syscall"
	"testing"
	"time"
)

// hostile are documents of about size bytes that hold one thing many times.
var hostile = []struct {
	name string
	make func(size int) string
}{
	{"prose", func(n int) string {
		return strings.Repeat("The keeper lit the lantern, and waited by the narrow bridge. Nobody came; the storm did.\n\n", n/90)
	}},
	{"prose-in-one-line", func(n int) string { return strings.Repeat("The keeper lit the lantern, and waited. ", n/40) }},
	{"blanks", func(n int) string { return "a" + strings.Repeat(" ", n) + "b" }},
	{"no-space", func(n int) string { return strings.Repeat("abcdefghijklmnop", n/16) }},
	{"chinese", func(n int) string { return strings.Repeat("天地玄黄宇宙洪荒。", n/27) }},
	{"headings", func(n int) string { return strings.Repeat("## A heading\n\nwith text below it\n\n", n/34) }},
	{"headings-alone", func(n int) string { return strings.Repeat("# h\n", n/4) }},
	{"list", func(n int) string { return strings.Repeat("- an item of a list\n", n/20) }},
	{"list-of-nothing", func(n int) string { return strings.Repeat("- a\n", n/4) }},
	{"table", func(n int) string { return "| a | b |\n|---|---|\n" + strings.Repeat("| cell | cell |\n", n/16) }},
	{"wide-table", func(n int) string {
		return strings.Repeat("|a", n/8) + "|\n" + strings.Repeat("|-", n/8) + "|\n" + strings.Repeat("|b\n", n/6)
	}},
	{"fence", func(n int) string { return "```\n" + strings.Repeat("x := f(y)\n", n/10) }},
	{"quotes-in-one-line", func(n int) string { return strings.Repeat(">", n) }},
	{"quotes-deep", func(n int) string { return strings.Repeat(strings.Repeat(">", 10_000)+"x\n", n/10_000) }},
	{"lists-in-one-line", func(n int) string { return strings.Repeat("- ", n/2) + "x" }},
	{"lists-by-indentation", func(n int) string {
		var b strings.Builder
		for i := 0; b.Len() < n; i++ {
			b.WriteString(strings.Repeat(" ", 2*(i%10_000)) + "- x\n")
		}
		return b.String()
	}},
	{"brackets", func(n int) string { return strings.Repeat("[", n) }},
	{"emphasis", func(n int) string { return strings.Repeat("*a_ ", n/4) }},
	{"html", func(n int) string { return strings.Repeat("<a href=\"x\">\n\n", n/14) }},
	{"open-comment", func(n int) string { return strings.Repeat("<!-- a\n\n", n/8) }},
	{"references", func(n int) string { return strings.Repeat("[a]: b\n", n/7) }},
	{"paragraph-of-lines", func(n int) string { return strings.Repeat("a\n", n/2) }},
	{"delimiter-rows", func(n int) string { return strings.Repeat("a\n-|-\n", n/6) }},
	{"setext", func(n int) string { return strings.Repeat("a\n=\n", n/4) }},
	{"list-deep-then-blank-lines", func(n int) string { return strings.Repeat("- ", 99) + "x\n" + strings.Repeat("\n", n) + "  y" }},
}

// cpuTime is the processor time that the process has used; other processes do not
// change it as they do the time on the wall.
func cpuTime() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// BenchmarkLinear reports how much longer a byte takes at 25 MB than at 1 MB, in
// processor time.
func BenchmarkLinear(b *testing.B) {
	for _, h := range hostile {
		b.Run(h.name, func(b *testing.B) {
			small, large := h.make(1_000_000), h.make(25_000_000)
			o := Options{Size: 800, Unit: charsUnit}
			perByte := func(text string, times int) float64 {
				best := math.Inf(1)
				for range times {
					start := cpuTime()
					mustSplit(b, text, o)
					best = min(best, (cpuTime()-start).Seconds()/float64(len(text)))
				}
				return best
			}
			for b.Loop() {
				one, many := perByte(small, 5), perByte(large, 2)
				b.ReportMetric(many/one, "ratio")
				b.ReportMetric(1e-6/many, "MB/s")
			}
		})
	}
}
