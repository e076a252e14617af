//go:build !unix

package live

import "os"

// Supported reports whether this operating system's terminals are.
const Supported = false

type signals struct{ resized, resumed chan os.Signal }

func newSignals() signals { return signals{} }

func (signals) close() {}
