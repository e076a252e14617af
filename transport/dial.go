package transport

import (
	"context"
	"net"
	"net/netip"
	"strings"
	"syscall"
	"time"
)

// route is what the dialler must know about the request it dials for. Two
// requests that may share a connection always have the same proxy, so the proxy
// part holds for the connection as well.
type route struct {
	origin string
	proxy  proxyChoice
	strict bool // a token request; decides only which advice an error gives
}

type routeKey struct{}

func withRoute(ctx context.Context, r *route) context.Context {
	return context.WithValue(ctx, routeKey{}, r)
}

func routeOf(ctx context.Context) *route {
	if r, ok := ctx.Value(routeKey{}).(*route); ok {
		return r
	}
	return &route{}
}

type dialer struct {
	policy      Policy
	privateOnly bool
}

const keepAlive = 30 * time.Second

// dial connects to addr. The check runs on the address that the name resolved
// to, between creating the socket and connecting it, so that no second
// resolution can change the result.
func (d *dialer) dial(ctx context.Context, network, addr string) (net.Conn, error) {
	if to, ok := d.policy.Hosts[strings.ToLower(addr)]; ok {
		addr = to
	}
	r := routeOf(ctx)
	nd := net.Dialer{
		Timeout:   d.policy.DialTimeout,
		KeepAlive: keepAlive,
		ControlContext: func(_ context.Context, _, address string, _ syscall.RawConn) error {
			ap, err := netip.ParseAddrPort(address)
			if err != nil {
				return &Error{Kind: KindAddressRefused, Origin: r.origin}
			}
			if e := d.check(ap.Addr(), r); e != nil {
				return e
			}
			return nil
		},
	}
	return nd.DialContext(ctx, network, addr)
}

// check applies the address rules to the address that is about to be dialled:
// the target's, or the proxy's when there is one.
func (d *dialer) check(a netip.Addr, r *route) *Error {
	// The operator chose the proxy, so it may be in a private network even when
	// targets may not.
	if e := d.policy.checkAddress(a, r.origin, d.policy.BlockPrivateNetwork && r.proxy.url == nil); e != nil {
		return e
	}
	if d.privateOnly && !nearby(a) {
		return insecureError(a, r.origin, r.strict)
	}
	return nil
}

const (
	refusedAlways  detail = "link-local, multicast, unspecified and metadata addresses are never contacted; set the address to the real server"
	refusedPrivate detail = "IRONFLOW_BLOCK_PRIVATE_NETWORK=true refuses loopback and private addresses; use a public address or switch it off"
)

func (p Policy) checkAddress(a netip.Addr, origin string, blockPrivate bool) *Error {
	if neverContacted(a) {
		return &Error{Kind: KindAddressRefused, Origin: origin, Address: showAddr(a), detail: refusedAlways}
	}
	if blockPrivate && notPublic(a) {
		return &Error{Kind: KindAddressRefused, Origin: origin, Address: showAddr(a), detail: refusedPrivate}
	}
	return nil
}

// showAddr leaves out the zone, which is free text.
func showAddr(a netip.Addr) string { return a.WithZone("").String() }
