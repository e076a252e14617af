//go:build !unix

package file

// nonBlocking is not needed where opening a file never waits.
const nonBlocking = 0
