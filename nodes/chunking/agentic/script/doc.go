// Package script plays the model in the suite and in tests: it reads the prompts
// of agentic chunking, knows what an honest editor would answer, and writes
// that, or something worse, in the form that the prompt asks for.
package script
