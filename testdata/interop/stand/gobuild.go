package stand

import (
	"path/filepath"
	"testing"
)

// GoBuild builds the command in the module at dir once and returns the binary.
func GoBuild(t testing.TB, name, dir string) string {
	t.Helper()
	to := once(t, filepath.Join(Cache(t), name), func(fresh string) {
		run(t, name+" (Go proxy)", dir, nil, "go", "build", "-o", filepath.Join(fresh, "server"), ".")
	})
	return filepath.Join(to, "server")
}
