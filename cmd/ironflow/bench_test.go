//go:build unix

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"
)

// child runs the command as a process of its own, with its output thrown away,
// and returns its peak resident memory in bytes.
func child(b *testing.B, dir string, args ...string) float64 {
	b.Helper()
	cmd := exec.Command("ironflow", args...)
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	if err := cmd.Run(); err != nil {
		b.Fatalf("ironflow %v: %v", args, err)
	}
	rss := float64(cmd.ProcessState.SysUsage().(*syscall.Rusage).Maxrss)
	if runtime.GOOS != "darwin" {
		rss *= 1024 // kilobytes everywhere else
	}
	return rss
}

// BenchmarkVersion is the start-up of the process: at most 10 ms and 25 MB.
// The binary under test is that of the tests, which is larger than the real one.
func BenchmarkVersion(b *testing.B) {
	peak := 0.0
	for b.Loop() {
		peak = max(peak, child(b, ".", "version"))
	}
	b.ReportMetric(peak/1e6, "peak-MB")
}

// BenchmarkFirstRun is the first run of the README, process included: a document
// cut by topic with vectors of the model inside the binary, in under a second.
func BenchmarkFirstRun(b *testing.B) {
	peak := 0.0
	for b.Loop() {
		peak = max(peak, child(b, filepath.Join("..", ".."), "run", "--quiet", "examples/semantic_document.lua"))
	}
	b.ReportMetric(peak/1e6, "peak-MB")
}

// BenchmarkMemory is the peak memory of `ironflow run --quiet` over 25 MB of
// English prose, minus that of an empty flow, in multiples of the input: at
// most 6.
func BenchmarkMemory(b *testing.B) {
	dir := b.TempDir()
	const sentence = "The pilot waits at the outer buoy until the tide has turned. "
	text := strings.Repeat(sentence, 25_000_000/len(sentence))
	write := func(name, content string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(content), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	write("big.txt", text)
	write("empty.lua", `local flow = Flow.new("empty") flow:step("a", function() end) return flow`)
	base := child(b, dir, "run", "--quiet", "empty.lua")
	for _, mode := range []string{"fixed", "split"} {
		b.Run(mode, func(b *testing.B) {
			write("flow.lua", fmt.Sprintf(`local flow = Flow.new("f") flow:step("a", nodes.ai_chunk{ source_key = "document", mode = %q }) return flow`, mode))
			b.SetBytes(int64(len(text)))
			peak := 0.0
			for b.Loop() {
				peak = max(peak, child(b, dir, "run", "--quiet", "--set-file", "document=big.txt", "flow.lua"))
			}
			b.ReportMetric((peak-base)/float64(len(text)), "peak/input")
		})
	}
}

// BenchmarkValidate50 is `ironflow validate` of a flow of 50 steps, start-up
// included (Rust IronFlow: 8 ms).
func BenchmarkValidate50(b *testing.B) {
	dir := b.TempDir()
	var flow strings.Builder
	flow.WriteString("local flow = Flow.new(\"fifty\")\n")
	for i := range 50 {
		fmt.Fprintf(&flow, "flow:step(\"s%d\", nodes.ai_chunk({ source_key = \"document\", output_key = \"k%d\", size = %d }))", i, i, i+10)
		if i > 0 {
			fmt.Fprintf(&flow, ":depends_on(\"s%d\")", i-1)
		}
		flow.WriteString("\n")
	}
	flow.WriteString("return flow\n")
	if err := os.WriteFile(filepath.Join(dir, "flow.lua"), []byte(flow.String()), 0o644); err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		child(b, dir, "validate", "--quiet", "flow.lua")
	}
}
