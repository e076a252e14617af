// Command verification measures the checks of statements on PropSegmEnt and writes
// the tables of docs/design/verification.md.
//
//	IRONFLOW_PROPSEGMENT=folder go run ./testdata/verification [-misses file]
//
// The folder holds v1/ of github.com/google-research-datasets/PropSegmEnt. The exit
// code is 1 when a bar is missed on the test part. Misses are written for the dev part
// only: the test part is not to be looked into.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/ironflow/ironflow/nodes/chunking/verify/propsegment"
)

const page = "docs/design/verification.md"

func main() {
	misses := flag.String("misses", "", "write what was judged otherwise on the dev part to this file")
	flag.Parse()
	if err := run(os.Getenv("IRONFLOW_PROPSEGMENT"), *misses); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(folder, misses string) error {
	if folder == "" {
		return errors.New("no data: set IRONFLOW_PROPSEGMENT, or DATA of make, to the folder that holds v1/ of PropSegmEnt")
	}
	if _, err := os.Stat(filepath.Join(folder, "v1")); err == nil {
		folder = filepath.Join(folder, "v1")
	}
	english, err := measure(folder, propsegment.English())
	if err != nil {
		return err
	}
	fmt.Println(propsegment.Table(english, true))
	german, err := measure("nodes/chunking/verify/propsegment/testdata/de", propsegment.German())
	if err != nil {
		return err
	}
	fmt.Println(propsegment.Table(german, false))
	if misses != "" {
		text := "# English\n\n" + list(english[0]) + "# German\n\n" + list(german[0])
		if err := os.WriteFile(misses, []byte(text), 0o600); err != nil {
			return err
		}
	}
	if err := write(map[string]string{
		"english": propsegment.Table(english, true), "german": propsegment.Table(german, false), "kinds": propsegment.Definitions(english[0].Rows),
	}); err != nil {
		return err
	}
	var missed []string
	for _, r := range english[1].Rows {
		if !r.Kept() {
			missed = append(missed, r.Name)
		}
	}
	if missed != nil {
		return fmt.Errorf("bars missed on the test part: %s", strings.Join(missed, ", "))
	}
	return nil
}

func measure(folder string, language propsegment.Language) ([]propsegment.Column, error) {
	var out []propsegment.Column
	for _, name := range []string{"dev", "test"} {
		set, err := propsegment.Read(os.DirFS(folder), name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", folder, err)
		}
		rows, err := propsegment.Measure(set, language)
		if err != nil {
			return nil, err
		}
		out = append(out, propsegment.Column{Name: name, Rows: rows})
	}
	return out, nil
}

// write replaces the parts of the page between their marks.
func write(parts map[string]string) error {
	data, err := os.ReadFile(page)
	if err != nil {
		return fmt.Errorf("run this in the root of the repository: %w", err)
	}
	text := string(data)
	for name, part := range parts {
		from, to := "<!-- "+name+": written by `make bench-verify DATA=folder` -->\n", "<!-- end of "+name+" -->"
		head, rest, ok := strings.Cut(text, from)
		_, tail, closed := strings.Cut(rest, to)
		if !ok || !closed {
			return fmt.Errorf("%s has no part between %q and %q", page, strings.TrimSpace(from), to)
		}
		text = head + from + "\n" + part + "\n" + to + tail
	}
	return os.WriteFile(page, []byte(text), 0o644)
}

// list writes the misses of a part.
func list(c propsegment.Column) string {
	var b strings.Builder
	for _, r := range c.Rows {
		if len(r.Misses) == 0 {
			continue
		}
		fmt.Fprintf(&b, "## %s: %d of %d (%s)\n\n", r.Name, len(r.Misses), r.Cases, r.Words)
		for i, m := range r.Misses {
			if i == 80 {
				break
			}
			fmt.Fprintf(&b, "- SENTENCE  %s\n  STATEMENT %s\n", m.Sentence, m.Statement)
			if m.Original != m.Statement && m.Original != "" {
				fmt.Fprintf(&b, "  MADE FROM %s\n", m.Original)
			}
			if m.Reason != "" {
				fmt.Fprintf(&b, "  REASON    %s\n", m.Reason)
			}
		}
		b.WriteString("\n")
	}
	return b.String()
}
