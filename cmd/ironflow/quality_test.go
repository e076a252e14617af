package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestQualityPage wants every promise of docs/design/quality.md measured and kept,
// and the figures that take a few seconds to be those of this program.
func TestQualityPage(t *testing.T) {
	root := filepath.Join("..", "..")
	data, err := os.ReadFile(filepath.Join(root, "docs", "design", "quality.md"))
	if err != nil {
		t.Fatal(err)
	}
	page := string(data)
	if kept := strings.Count(page, "| yes |\n"); kept < 13 {
		t.Errorf("%d promises kept, want 13", kept)
	}
	for _, bad := range []string{"| no |", "ot measured"} {
		if strings.Contains(page, bad) {
			t.Errorf("the page says %q; make it with all sets: make quality DATA=folder", bad)
		}
	}
	cmd := exec.Command("ironflow", "eval", "seg", "testdata/corpora/wiki300", "--max-sentences", "0", "--markdown",
		"--quiet", "--resamples", "1", "--chunker", "detector=topic", "--chunker", "scatter")
	cmd.Dir = root
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	_, wiki, _ := strings.Cut(page, "## Articles of an encyclopedia")
	rows := 0
	for line := range strings.Lines(string(out)) {
		if strings.HasPrefix(line, "| ") && strings.Contains(line, "±") {
			rows++
			if !strings.Contains(wiki, line) {
				t.Errorf("the page does not have the row %s", line)
			}
		}
	}
	if rows != 6 {
		t.Errorf("%d rows, want 6:\n%s", rows, out)
	}
}
