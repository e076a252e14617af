package stand

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// killGroup ends the processes of a group whose command line holds the text.
func killGroup(group int, text string) int {
	entries, _ := filepath.Glob("/proc/[0-9]*")
	killed := 0
	for _, e := range entries {
		pid, err := strconv.Atoi(filepath.Base(e))
		if err != nil || pid == group {
			continue
		}
		if g, err := syscall.Getpgid(pid); err != nil || g != group {
			continue
		}
		line, _ := os.ReadFile(filepath.Join(e, "cmdline"))
		if strings.Contains(strings.ReplaceAll(string(line), "\x00", " "), text) && syscall.Kill(pid, syscall.SIGKILL) == nil {
			killed++
		}
	}
	return killed
}
