// Package stand is what the tests below testdata/interop share: a cache of
// servers and models from the package registries, processes that stop with the
// test, a proxy that records what went past, the ironflow command, and the
// table that the runs write.
//
// Nothing here skips. A server or a model that cannot be had fails the test and
// says by name what is missing.
package stand
