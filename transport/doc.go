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
// The package never judges a status code; its callers do.
package transport
