// Package transporttest holds the tests that everything which sends requests
// over package transport must pass: the redirect matrix with its positive
// control, hostile servers, and markers that show whether text chosen by a
// server reaches an error or a log. Only tests import it.
package transporttest

import (
	"context"
	"net/http"

	"github.com/ironflow/ironflow/transport"
)

// Send makes one call, of whatever kind is under test, to the server at baseURL
// through c, and returns the error of the call.
type Send func(ctx context.Context, c *transport.Client, baseURL string) error

// SendHTTP is a Send for a library that takes an http.Client.
type SendHTTP func(ctx context.Context, c *http.Client, baseURL string) error

// Over turns s into a Send that gives the library the client's http.Client.
func (s SendHTTP) Over() Send {
	return func(ctx context.Context, c *transport.Client, baseURL string) error {
		return s(ctx, c.HTTP(), baseURL)
	}
}

// OverTransportOnly turns s into a Send that gives the library a foreign
// http.Client, which has only the transport.
func (s SendHTTP) OverTransportOnly() Send {
	return func(ctx context.Context, c *transport.Client, baseURL string) error {
		return s(ctx, &http.Client{Transport: c.Transport()}, baseURL)
	}
}
