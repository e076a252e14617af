package stand

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// Row is one line of the table: what a server did, and what IronFlow made of
// it. Both are taken from the run.
type Row struct {
	Server, Version string // the server and its version
	Case            string
	Said            string // what the server did
	IronFlow        string // what IronFlow did
	Test            string // the name of the test
}

// Report collects the rows of one package.
type Report struct {
	pkg string

	mu   sync.Mutex
	rows []Row
}

// NewReport starts the report of the package in testdata/interop/pkg.
func NewReport(pkg string) *Report { return &Report{pkg: pkg} }

// Add adds a row for the running test, unless it has failed.
func (r *Report) Add(t testing.TB, server, version, what, said, ironflow string) {
	t.Helper()
	if t.Failed() {
		return
	}
	name, _, _ := strings.Cut(t.Name(), "/")
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rows = append(r.rows, Row{
		Server: server, Version: version, Case: what, Said: Plain(said), IronFlow: Plain(ironflow), Test: name,
	})
}

// Main runs the tests of a package, and after a complete run without failures
// writes their rows to testdata/interop/results. The table is that of the default
// models.
func (r *Report) Main(m *testing.M) int {
	code := m.Run()
	if code != 0 || os.Getenv(ChatModelVariable) != "" || flag.Lookup("test.run").Value.String() != "" || len(r.rows) == 0 {
		return code
	}
	if err := r.write(); err != nil {
		fmt.Fprintln(os.Stderr, "the results cannot be written:", err)
		return 1
	}
	return 0
}

func (r *Report) write() error {
	text, err := json.MarshalIndent(r.rows, "", "  ")
	if err != nil {
		return err
	}
	dir := filepath.Join(Here(), "results")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, r.pkg+".json"), append(text, '\n'), 0o644)
}
