package markdown

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/ironflow/ironflow/nodes/chunking"
)

// readmes returns Markdown files of the modules in the module cache and, where these
// are too few, of the Go distribution, each text once. There have to be a hundred of
// them and a megabyte.
func readmes(t *testing.T) map[string]string {
	t.Helper()
	out, err := exec.Command("go", "env", "GOMODCACHE", "GOROOT").Output()
	if err != nil {
		t.Fatalf("go env GOMODCACHE GOROOT: %v; the corpus of this test is the Markdown in these folders", err)
	}
	root, goroot, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	texts := map[string]string{}
	seen := map[string]bool{}
	size := 0
	take := func(name func(string) bool) {
		_ = filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
			if err != nil || d.IsDir() || !name(strings.ToLower(d.Name())) {
				return nil
			}
			data, err := os.ReadFile(path)
			if text := string(data); err == nil && len(text) > 200 && utf8.ValidString(text) && !seen[text] {
				seen[text] = true
				texts[path] = text
				size += len(text)
			}
			return nil
		})
	}
	enough := func() bool { return len(texts) >= 100 && size >= 1_000_000 }
	take(func(name string) bool { return strings.HasPrefix(name, "readme") && strings.HasSuffix(name, ".md") })
	if !enough() { // the other documents of the same modules
		take(func(name string) bool { return strings.HasSuffix(name, ".md") })
	}
	if !enough() {
		root = goroot
		take(func(name string) bool { return strings.HasSuffix(name, ".md") })
	}
	if !enough() {
		t.Fatalf("the module cache and %s hold %d different Markdown files with %d bytes; this test wants 100 and 1,000,000: run `go mod download` here and in examples/* and testdata/peers", root, len(texts), size)
	}
	t.Logf("%d files, %d bytes", len(texts), size)
	return texts
}

func TestReadmesOfTheModuleCache(t *testing.T) {
	o := Options{Size: 800, Unit: charsUnit}
	fences, tables, files := 0, 0, readmes(t)
	paths := make([]string, 0, len(files))
	for path := range files {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	for _, path := range paths {
		text := files[path]
		chunks := mustSplit(t, text, o)
		checkSizes(t, text, chunks, o.Unit, o.Size)
		if joined := strings.Join(texts(text, chunks), ""); joined != text && strings.TrimRight(text, " \t\r\n") != joined {
			t.Errorf("%s: the chunks joined are not the source", path)
		}
		f, b := units(text)
		for name, list := range map[string][]chunking.Span{"fence": f, "table": b} {
			fit, cut := cutUnits(text, list, chunks, o)
			if name == "fence" {
				fences += fit
			} else {
				tables += fit
			}
			for _, c := range cut {
				t.Errorf("%s: %s cut: %q", path, name, c.Slice(text))
			}
		}
	}
	t.Logf("%d fences and %d tables fit and are whole", fences, tables)
	if fences < 100 || tables < 5 {
		t.Errorf("only %d fences and %d tables in the corpus", fences, tables)
	}
}
