package stand

import (
	"os"
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

// Cargo builds a crate's command of the same name once and returns the binary.
// One job at a time: the machine has other work to do.
func Cargo(t testing.TB, crate, version string) string {
	t.Helper()
	dir := filepath.Join(Cache(t), crate+"-"+version)
	binary := filepath.Join(dir, "bin", crate)
	if _, err := os.Stat(binary); err != nil {
		cargo := Need(t, "cargo", "see https://rustup.rs")
		run(t, crate+" (crates.io)", Cache(t), []string{"CARGO_BUILD_JOBS=1"}, cargo, "install", "--locked", crate+"@"+version, "--root", dir)
	}
	return binary
}
