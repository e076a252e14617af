// Package transport is the only place that builds HTTP clients. Every request
// of every node goes through one [Client], which enforces one [Policy]:
//
//   - Redirects are followed only to the origin (scheme, host, effective port)
//     of the first request. The rule is enforced twice, in the redirect check
//     of the client and in the round tripper, so that a library that was only
//     given [Client.Transport] is as safe as one that was given [Client.HTTP].
//   - Addresses are checked after name resolution, immediately before the
//     connection is made.
//   - Credentials do not travel in clear text to public addresses.
//   - Response bodies are capped on their decoded bytes, and a body that was
//     cut or is too long is an error, never a shorter body.
//   - Errors are [Error] values whose text comes from a closed list of our own
//     sentences plus normalised origins and numbers. Text chosen by a server
//     (status reason, headers, Location, body) and text that may hold a secret
//     (path, query, header values) never appear in them.
//
// Two things are left to the command, because they belong to the whole process:
// reading the proxy settings (see [ProxyFromSettings]), and discarding the output
// of the standard log package, to which net/http writes, with the bytes
// themselves, when a server sends more than its answer.
//
// A Client keeps two sets of connections. Requests that carry a credential over
// plain http have their own, whose dialler connects to loopback and private
// addresses only; a connection made without that check is never reused for them.
// HTTP/2 connections are kept alive by pings and close after the idle time as far
// as net/http lets them.
//
// A body without a declared length on a connection that ends with it (HTTP/1.0
// style) cannot be told from a cut one; its decoder has to notice.
//
// The package never judges a status code; its callers do.
package transport
