//go:build !unix

package process

import (
	"os"
	"os/exec"
)

// Without process groups only the program itself can be ended.
func ownGroup(*exec.Cmd) {}

func terminate(p *os.Process) { _ = p.Kill() }

func kill(p *os.Process) { _ = p.Kill() }

func exitCode(s *os.ProcessState) int { return s.ExitCode() }
