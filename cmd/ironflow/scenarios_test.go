package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestScenariosNameTests reads docs/design/*.md and looks up every test that a
// page names as "TestName in package", or "TestScripts/script in cmd/ironflow".
func TestScenariosNameTests(t *testing.T) {
	root := filepath.Join("..", "..")
	pages, err := filepath.Glob(filepath.Join(root, "docs", "design", "*.md"))
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile(`((?:Test|Fuzz|Benchmark)\w+)(?:/(\w+))? in ([a-z/]+)`)
	found := 0
	for _, page := range pages {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range named.FindAllStringSubmatch(string(text), -1) {
			found++
			name, script, dir := m[1], m[2], m[3]
			if script != "" && name == "TestScripts" {
				if _, err := os.Stat(filepath.Join(root, "testdata", "script", script+".txtar")); err != nil {
					t.Errorf("%s names the script %s, which does not exist", filepath.Base(page), script)
				}
			}
			if !declares(t, filepath.Join(root, dir), name) {
				t.Errorf("%s names %s in %s, which does not exist", filepath.Base(page), name, dir)
			}
		}
	}
	if found < 40 {
		t.Errorf("only %d tests are named; the pattern is broken", found)
	}
}

// declares reports whether a test file of the folder declares the function.
func declares(t *testing.T, dir, name string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		text, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(text), "\nfunc "+name+"(") {
			return true
		}
	}
	return false
}
