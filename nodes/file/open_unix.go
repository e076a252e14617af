//go:build unix

package file

import "syscall"

// nonBlocking keeps an open from waiting for the other end of a named pipe or
// for a device.
const nonBlocking = syscall.O_NONBLOCK | syscall.O_NOCTTY
