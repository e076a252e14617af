package transport

import "net/http"

// NewOnlyClientCheck builds a Client whose round tripper does not look at
// redirects, so that only the client's check is left.
func NewOnlyClientCheck(p Policy) (*Client, error) {
	c, err := New(p)
	if err == nil {
		c.rt.noRedirectCheck = true
	}
	return c, err
}

// NewOnlyRoundTripperCheck builds a Client whose http.Client has net/http's own
// redirect check, so that only the round tripper's is left.
func NewOnlyRoundTripperCheck(p Policy) (*Client, error) {
	c, err := New(p)
	if err == nil {
		c.http.CheckRedirect = nil
	}
	return c, err
}

// Pools returns the two connection pools.
func (c *Client) Pools() []*http.Transport { return []*http.Transport{c.rt.open, c.rt.nearby} }
