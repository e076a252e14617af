package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// tryShell runs the lines of a block in a new folder with copies of folders of the
// repository, and returns what they print.
func tryShell(t *testing.T, root string, dirs []string, text string) string {
	t.Helper()
	work := t.TempDir()
	for _, dir := range dirs {
		if err := os.CopyFS(filepath.Join(work, dir), os.DirFS(filepath.Join(root, dir))); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("sh", "-ec", text)
	cmd.Dir = work
	cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "HOME=" + work}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s%s", err, &stdout, &stderr)
	}
	return stdout.String()
}

// checkOutput wants the lines of a page in what was printed, in the same order;
// lines may be left out between them.
func checkOutput(t *testing.T, printed, text string) {
	t.Helper()
	rest := "\n" + printed
	for line := range strings.Lines(text) {
		if line = strings.TrimSuffix(line, "\n"); line == "..." {
			continue
		}
		_, after, ok := strings.Cut(rest, "\n"+line+"\n")
		if !ok {
			t.Fatalf("the page has the line\n%s\nbut printed was\n%s", line, printed)
		}
		rest = "\n" + after
	}
}
