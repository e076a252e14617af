package app

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

// TestReferenceIsFresh compares the generated pages with those in the
// repository, in both directions.
func TestReferenceIsFresh(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", "..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	a, g := New(), &globals{process: Process{Dir: root, Stderr: os.Stderr}}
	pages, err := a.referencePages(g)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range pages {
		got, err := os.ReadFile(filepath.Join(root, "docs", "reference", filepath.FromSlash(name)))
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("docs/reference/%s is stale; run `make generate`", name)
		}
	}
	err = filepath.WalkDir(filepath.Join(root, "docs", "reference"), func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(filepath.Join(root, "docs", "reference"), path)
			if _, ok := pages[filepath.ToSlash(rel)]; !ok {
				t.Errorf("docs/reference/%s is not generated; remove it", rel)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	want, err := a.readmeWithNodes(g)
	if err != nil {
		t.Fatal(err)
	}
	if got, _ := os.ReadFile(filepath.Join(root, "README.md")); !bytes.Equal(got, want) {
		t.Error("the table of nodes in README.md is stale; run `make generate`")
	}
}
