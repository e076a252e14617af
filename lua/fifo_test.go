//go:build unix

package lua

import (
	"syscall"
	"testing"
)

// mkfifo makes a named pipe that nobody writes to.
func mkfifo(t *testing.T, path string) {
	t.Helper()
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
}
