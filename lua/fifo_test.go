//go:build unix

package lua

import (
	"syscall"
	"testing"
)

// A pipe that nobody writes to is refused at once.
func TestPipeIsRefused(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := syscall.Mkfifo("pipe.lua", 0o600); err != nil {
		t.Fatal(err)
	}
	refused(t, "pipe.lua", "is a named pipe, want a regular file")
}
