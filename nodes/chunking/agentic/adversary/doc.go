// Package adversary plays models that lie, forget, repeat and break their
// answers, against agentic chunking. Only tests use it: those of the pipeline
// (package agentic) and those of the node, through a server on loopback.
//
// An [Attack] distorts what an honest model would have said; an [Oracle] looks
// at the chunks afterwards with code of its own.
package adversary
