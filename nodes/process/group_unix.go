//go:build unix

package process

import (
	"os"
	"os/exec"
	"syscall"
)

// ownGroup makes the program the leader of a process group, so that everything
// it starts can be reached by one signal.
func ownGroup(cmd *exec.Cmd) {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
}

// terminate asks the whole group to end.
func terminate(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGTERM) }

// kill ends the whole group at once. It may be called after the leader ended:
// the number of a group stays taken while it has a member.
func kill(p *os.Process) { _ = syscall.Kill(-p.Pid, syscall.SIGKILL) }

// exitCode is the code of an ended program: its own, or 128 plus the number of
// the signal that ended it, as shells count.
func exitCode(s *os.ProcessState) int {
	if ws, ok := s.Sys().(syscall.WaitStatus); ok && ws.Signaled() {
		return 128 + int(ws.Signal())
	}
	return s.ExitCode()
}
