package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// block is a fenced code block of a page, with the test mark before it:
//
//	<!-- test: run {context} -->       run the flow with this context
//	<!-- test: validate -->            only validate it
//	<!-- test: run-exec PROG {ctx} --> run it with --allow-exec PROG
//	<!-- test: sh DIR -->              run the lines in a copy of DIR
//	<!-- test: try DIR... -->          run the lines beside copies of these folders
//	<!-- test: output -->              what the lines of the last try print, "..." for a gap
//	<!-- test: same-as FILE -->        the text stands in this file
//	<!-- test: skip-shell, WHY -->     commands on files that the reader makes
//
// A Lua block without a mark is run with an empty context.
type block struct {
	page, lang, mark, text string
	line                   int
}

func (b block) String() string { return fmt.Sprintf("%s:%d", b.page, b.line) }

var markLine = regexp.MustCompile(`^<!-- test: (.*) -->$`)

// codeBlocks reads all fenced blocks of the README and the guides.
func codeBlocks(t *testing.T, root string) []block {
	t.Helper()
	pages := []string{filepath.Join(root, "README.md")}
	err := filepath.WalkDir(filepath.Join(root, "docs"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && strings.HasSuffix(path, ".md") && !strings.Contains(path, filepath.Join("docs", "reference")) {
			pages = append(pages, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	var out []block
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		rel, _ := filepath.Rel(root, page)
		out = append(out, pageBlocks(rel, string(text))...)
	}
	return out
}

func pageBlocks(page, text string) []block {
	var out []block
	var open *block
	mark := ""
	for i, line := range strings.Split(text, "\n") {
		switch {
		case open != nil && line == "```":
			out = append(out, *open)
			open, mark = nil, ""
		case open != nil:
			open.text += line + "\n"
		case strings.HasPrefix(line, "```"):
			open = &block{page: page, lang: line[3:], mark: mark, line: i + 1}
		case markLine.MatchString(line):
			mark = markLine.FindStringSubmatch(line)[1]
		case strings.TrimSpace(line) != "":
			mark = ""
		}
	}
	return out
}

func TestCodeBlocksOfTheDocs(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	p := newProvider("halves")
	defer p.Close()
	blocks := codeBlocks(t, root)
	if len(blocks) < 10 {
		t.Fatalf("only %d code blocks found", len(blocks))
	}
	printed := ""
	for _, b := range blocks {
		t.Run(b.String(), func(t *testing.T) {
			kind, rest, _ := strings.Cut(b.mark, " ")
			switch {
			case b.lang == "lua":
				runLuaBlock(t, b, kind, rest, p.URL)
			case kind == "same-as":
				text, err := os.ReadFile(filepath.Join(root, rest))
				if err != nil {
					t.Fatal(err)
				}
				if !strings.Contains(string(text), b.text) {
					t.Errorf("the block is not in %s", rest)
				}
			case kind == "sh":
				runShell(t, root, rest, b.text)
			case kind == "try":
				printed = tryShell(t, root, strings.Fields(rest), b.text)
			case kind == "output":
				checkOutput(t, printed, b.text)
			case strings.HasPrefix(b.mark, "skip-shell,") && b.lang == "sh":
				checkCommands(t, b.text)
			case b.lang == "sh" && onlyMake(b.text):
				checkTargets(t, root, b.text)
			case b.lang == "json":
				if !json.Valid([]byte(b.text)) {
					t.Error("not JSON")
				}
			case b.lang == "text" || b.lang == "mermaid":
			default:
				t.Errorf("a %s block without a test mark", b.lang)
			}
		})
	}
}

func runLuaBlock(t *testing.T, b block, kind, rest, address string) {
	t.Helper()
	if !strings.Contains(b.text, "return flow") {
		b.text = "local flow = Flow.new(\"fragment\")\n" + b.text + "\nreturn flow\n"
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "block.lua")
	if err := os.WriteFile(file, []byte(b.text), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"run", "--quiet"}
	switch kind {
	case "validate":
		args = []string{"validate", "--quiet"}
	case "run-exec":
		program, context, _ := strings.Cut(rest, " ")
		if _, err := exec.LookPath(program); err != nil {
			t.Fatalf("the example needs %s: install it (apt-get install %s)", program, program)
		}
		args = append(args, "--allow-exec", program, "-c", context)
	case "run":
		args = append(args, "-c", rest)
	}
	ironflow(t, dir, address, append(args, file)...)
}

// ironflow runs the command with a loopback provider for every vendor that
// needs one.
func ironflow(t *testing.T, dir, address string, args ...string) string {
	t.Helper()
	cmd := exec.Command("ironflow", args...)
	cmd.Dir = dir
	cmd.Env = []string{
		"PATH=" + os.Getenv("PATH"), "HOME=" + dir, "OPENAI_API_KEY=sk-test-0123456789",
		"OPENAI_BASE_URL=" + address + "/v1", "OLLAMA_HOST=" + address,
	}
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		t.Fatalf("ironflow %s: %v\n%s%s", strings.Join(args, " "), err, &stdout, &stderr)
	}
	return stdout.String()
}

// runShell runs the lines of a block in a folder of the repository; what they
// build is removed again.
func runShell(t *testing.T, root, dir, text string) {
	t.Helper()
	work := filepath.Join(root, dir)
	before, err := os.ReadDir(work)
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]bool{}
	for _, e := range before {
		known[e.Name()] = true
	}
	defer func() {
		after, _ := os.ReadDir(work)
		for _, e := range after {
			if !known[e.Name()] {
				os.RemoveAll(filepath.Join(work, e.Name()))
			}
		}
	}()
	cmd := exec.Command("sh", "-ec", text)
	cmd.Dir = work
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}

// checkCommands wants that every line is a command with flags that exist.
func checkCommands(t *testing.T, text string) {
	t.Helper()
	for line := range strings.Lines(text) {
		words := strings.Fields(line)
		if len(words) < 2 || filepath.Base(words[0]) != "ironflow" {
			t.Errorf("%q is no ironflow command", line)
			continue
		}
		// The words before the first flag: the command, perhaps one below it.
		args := words[1:]
		if i := slices.IndexFunc(args, func(w string) bool { return strings.HasPrefix(w, "-") }); i >= 0 {
			args = args[:i]
		}
		help, err := exec.Command("ironflow", append(slices.Clone(args), "--help")...).CombinedOutput()
		if err != nil {
			t.Errorf("%q: %v", line, err)
		}
		for _, w := range words[2:] {
			if strings.HasPrefix(w, "-") && !strings.Contains(string(help), w) {
				t.Errorf("%q: there is no flag %s", line, w)
			}
		}
	}
}

func onlyMake(text string) bool {
	for line := range strings.Lines(text) {
		if !strings.HasPrefix(line, "make ") {
			return false
		}
	}
	return true
}

func checkTargets(t *testing.T, root, text string) {
	t.Helper()
	makefile, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(text) {
		target := strings.Fields(line)[1]
		if !regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(target) + `:`).Match(makefile) {
			t.Errorf("the Makefile has no target %q", target)
		}
	}
}
