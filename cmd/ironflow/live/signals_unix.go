//go:build unix

package live

import (
	"os"
	"os/signal"
	"syscall"
)

// Supported reports whether this operating system's terminals are.
const Supported = true

// signals are those that concern the terminal.
type signals struct{ resized, resumed chan os.Signal }

func newSignals() signals {
	s := signals{resized: make(chan os.Signal, 1), resumed: make(chan os.Signal, 1)}
	signal.Notify(s.resized, syscall.SIGWINCH)
	signal.Notify(s.resumed, syscall.SIGCONT)
	return s
}

func (s signals) close() {
	signal.Stop(s.resized)
	signal.Stop(s.resumed)
}
