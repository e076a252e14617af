//go:build !unix

package app

const nonBlocking = 0
