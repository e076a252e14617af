package transport

import "net/netip"

// prefix is netip.MustParsePrefix under a short name; every argument is a
// literal below.
func prefix(s string) netip.Prefix { return netip.MustParsePrefix(s) }

// carried returns a itself, without zone and unmapped, followed by the IPv4
// addresses that an IPv6 address may stand for: IPv4-mapped, NAT64
// (64:ff9b::/96, RFC 6052; 64:ff9b:1::/48, RFC 8215), IPv4-compatible
// (RFC 4291) and 6to4 (RFC 3056).
func carried(a netip.Addr) []netip.Addr {
	a = a.WithZone("").Unmap()
	out := []netip.Addr{a}
	if !a.Is6() {
		return out
	}
	b := a.As16()
	low := netip.AddrFrom4([4]byte(b[12:16]))
	switch {
	case prefix("64:ff9b::/96").Contains(a), prefix("64:ff9b:1::/48").Contains(a):
		out = append(out, low)
	case prefix("::/96").Contains(a) && !a.IsUnspecified() && !a.IsLoopback():
		out = append(out, low)
	case prefix("2002::/16").Contains(a):
		out = append(out, netip.AddrFrom4([4]byte(b[2:6])))
	}
	return out
}

// neverContacted reports whether no request may go to a: link-local, multicast,
// unspecified and broadcast addresses, and the addresses at which cloud
// machines find their credentials.
func neverContacted(a netip.Addr) bool {
	for _, c := range carried(a) {
		if !c.IsValid() || c.IsUnspecified() || c.IsMulticast() || c.IsLinkLocalUnicast() ||
			prefix("0.0.0.0/8").Contains(c) || c == netip.AddrFrom4([4]byte{255, 255, 255, 255}) {
			return true
		}
		switch c.String() {
		case "100.100.100.200", "168.63.129.16", "192.0.0.192", "fd00:ec2::254":
			return true
		}
	}
	return false
}

// notPublic reports whether a is loopback, private or otherwise not reachable
// from the public network: what BlockPrivateNetwork refuses.
func notPublic(a netip.Addr) bool {
	for _, c := range carried(a) {
		if c.IsLoopback() || c.IsPrivate() {
			return true
		}
		for _, p := range []netip.Prefix{
			prefix("100.64.0.0/10"), // shared address space, RFC 6598
			prefix("192.0.0.0/24"),  // protocol assignments, RFC 6890
			prefix("198.18.0.0/15"), // benchmarking, RFC 2544
			prefix("240.0.0.0/4"),   // reserved, RFC 1112
			prefix("fec0::/10"),     // site-local, RFC 3879
		} {
			if p.Contains(c) {
				return true
			}
		}
	}
	return false
}

// nearby reports whether a credential may go to a in clear text: loopback
// and private addresses proper. Transition forms do not count, since the path
// of their packets is not known.
func nearby(a netip.Addr) bool {
	a = a.WithZone("").Unmap()
	return a.IsLoopback() || a.IsPrivate()
}
