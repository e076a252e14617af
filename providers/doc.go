// Package providers is the neutral layer between the nodes and the services
// that turn text into vectors and answer questions.
//
// A [Vendor] is one folder below this package. It declares its settings (the
// AI nodes build their parameters from that declaration) and opens a
// [Provider], which does one thing per ability: send one batch of texts, or one
// question, and return what the answer holds, or say in an [*Error] what went
// wrong. Abilities are separate interfaces ([Embedder], [Chatter]); a vendor
// implements those it has.
//
// Everything vendors would otherwise repeat lives here: resolving settings and
// the rule that keeps a credential away from an address picked up unasked
// ([Resolve]), greedy batches, checks of all inputs before the first request,
// retries with Retry-After, order under concurrency, the strict decoders,
// streams that nobody asked for, forms of answer that a server refuses, the
// cache, and error texts from a closed list. Nothing a server wrote is ever part of an
// error: a status, a code from a fixed set and a request id of plain letters
// and digits are all that passes.
//
// A [Set] is built once by the command and holds the vendors, the HTTP client,
// the clock and the limits. The package reads no environment: values come
// through a [Lookup] that the command supplies.
package providers
