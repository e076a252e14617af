// Command report writes docs/design/servers.md from the results of the tests
// below testdata/interop. With -check it only says whether the page is current.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/ironflow/ironflow/testdata/interop/stand"
)

const head = `# Servers tried

This page is written by ` + "`make interop`, `make interop-ollama` and `make interop-types`" + `: each row comes from a run of the named test
against the real server, what the server did and what IronFlow did are taken from that run. Ports are replaced by PORT.

`

func main() {
	check := flag.Bool("check", false, "fail when the page is not what the results say")
	flag.Parse()
	page, err := render()
	file := filepath.Join(stand.Root(), "docs", "design", "servers.md")
	if err == nil && *check {
		var old []byte
		if old, err = os.ReadFile(file); err == nil && string(old) != page {
			err = fmt.Errorf("%s is not what testdata/interop/results say: run go run ./testdata/interop/report", file)
		}
	} else if err == nil {
		err = os.WriteFile(file, []byte(page), 0o644)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// table is what there is to say of one server in one version.
type table struct {
	name string
	rows []string
}

func render() (string, error) {
	files, err := filepath.Glob(filepath.Join(stand.Here(), "results", "*.json"))
	if err != nil {
		return "", err
	}
	sort.Strings(files)
	var tables []*table
	byName := map[string]*table{}
	for _, file := range files {
		var rows []stand.Row
		text, err := os.ReadFile(file)
		if err != nil {
			return "", err
		}
		if err := json.Unmarshal(text, &rows); err != nil {
			return "", fmt.Errorf("%s: %w", file, err)
		}
		pkg := strings.TrimSuffix(filepath.Base(file), ".json")
		for _, r := range rows {
			name := r.Server + " " + r.Version
			if byName[name] == nil {
				byName[name] = &table{name: name}
				tables = append(tables, byName[name])
			}
			byName[name].rows = append(byName[name].rows, fmt.Sprintf("| %s | %s | %s | %s in testdata/interop/%s |\n",
				plain(r.Case), plain(r.Said), plain(r.IronFlow), r.Test, pkg))
		}
	}
	var b strings.Builder
	b.WriteString(head + "| server | cases |\n|---|---|\n")
	for _, t := range tables {
		fmt.Fprintf(&b, "| %s | %d |\n", t.name, len(t.rows))
	}
	for _, t := range tables {
		fmt.Fprintf(&b, "\n## %s\n\n| case | what the server did | what IronFlow did | test |\n|---|---|---|---|\n%s", t.name, strings.Join(t.rows, ""))
	}
	return b.String(), nil
}

// plain keeps text from ending a cell or opening a tag.
func plain(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return strings.NewReplacer("|", "\\|", "<", "&lt;").Replace(s)
}
