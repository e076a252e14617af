package transport

import (
	"net/netip"
	"testing"
)

func TestAddressClasses(t *testing.T) {
	type class struct{ never, notPublic, nearby bool }
	open := class{}
	never := class{never: true}
	private := class{notPublic: true, nearby: true}
	inside := class{notPublic: true}
	for in, want := range map[string]class{
		"93.184.216.34":          open,
		"2606:4700::1111":        open,
		"172.32.0.1":             open,
		"64:ff9b::808:808":       open,
		"127.0.0.1":              private,
		"127.9.9.9":              private,
		"::1":                    private,
		"10.1.2.3":               private,
		"172.16.0.1":             private,
		"172.31.255.255":         private,
		"192.168.0.1":            private,
		"fd12::1":                private,
		"::ffff:10.0.0.1":        private,
		"::ffff:127.0.0.1":       private,
		"64:ff9b::a00:1":         inside, // 10.0.0.1
		"64:ff9b::7f00:1":        inside,
		"64:ff9b:1::a00:1":       inside,
		"2002:a00:1::":           inside,
		"::10.0.0.1":             inside,
		"100.64.0.1":             inside,
		"198.18.0.1":             inside,
		"240.0.0.1":              inside,
		"fec0::1":                inside,
		"169.254.169.254":        never,
		"169.254.0.1":            never,
		"fe80::1":                never,
		"fe80::1%eth0":           never,
		"0.0.0.0":                never,
		"0.1.2.3":                never,
		"::":                     never,
		"224.0.0.1":              never,
		"239.255.255.255":        never,
		"255.255.255.255":        {never: true, notPublic: true},
		"ff02::1":                never,
		"ff0e::1":                never,
		"100.100.100.200":        {never: true, notPublic: true},
		"168.63.129.16":          never,
		"192.0.0.192":            {never: true, notPublic: true},
		"fd00:ec2::254":          {never: true, notPublic: true, nearby: true},
		"::ffff:169.254.1.1":     never,
		"::ffff:0.0.0.0":         never,
		"::ffff:168.63.129.16%x": never,
		"64:ff9b::a9fe:a9fe":     never, // 169.254.169.254
		"64:ff9b::6464:64c8":     {never: true, notPublic: true},
		"64:ff9b:1::a9fe:a9fe":   never,
		"64:ff9b::":              never, // 0.0.0.0
		"64:ff9b::e000:1":        never, // 224.0.0.1
		"2002:a9fe:a9fe::1":      never,
		"::169.254.169.254":      never,
	} {
		a, err := netip.ParseAddr(in)
		if err != nil {
			// netip accepts a zone only for IPv6 proper.
			t.Errorf("%s: %v", in, err)
			continue
		}
		got := class{neverContacted(a), notPublic(a), nearby(a)}
		if got != want {
			t.Errorf("%s: %+v, want %+v", in, got, want)
		}
	}
	if !neverContacted(netip.Addr{}) {
		t.Error("an invalid address may be contacted")
	}
}
