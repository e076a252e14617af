package stand

import (
	"os"
	"path/filepath"
	"testing"
)

// Npm installs the packages that dir/package-lock.json pins, with their
// checksums, into the cache, copies the scripts beside them and returns that
// folder.
func Npm(t testing.TB, name, dir string, scripts ...string) string {
	t.Helper()
	Need(t, "node", "apt-get install nodejs npm")
	npm := Need(t, "npm", "apt-get install nodejs npm")
	to := once(t, filepath.Join(Cache(t), name), func(fresh string) {
		for _, f := range []string{"package.json", "package-lock.json"} {
			copyFile(t, filepath.Join(dir, f), filepath.Join(fresh, f))
		}
		run(t, name+" (npm)", fresh, nil, npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	})
	for _, f := range scripts {
		copyFile(t, filepath.Join(dir, f), filepath.Join(to, f))
	}
	return to
}

func copyFile(t testing.TB, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(to, text, 0o644); err != nil {
		t.Fatal(err)
	}
}
