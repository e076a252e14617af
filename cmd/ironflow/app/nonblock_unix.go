//go:build unix

package app

import "syscall"

const nonBlocking = syscall.O_NONBLOCK
