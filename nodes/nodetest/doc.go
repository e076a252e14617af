// Package nodetest runs nodes in tests, the way a flow would run them, without
// a flow: parameters are checked as they are when a flow loads, placeholders
// are filled in, and the outputs come back under their full keys.
//
//	func TestShout(t *testing.T) {
//		out, err := nodetest.Run(t, acme.Shout(), map[string]any{"text": "${ctx.name}"}, map[string]any{"name": "ada"})
//		...
//	}
//
// The environment of a test reaches loopback servers only, has a clock that
// never waits, keeps what is logged, and works in a temporary directory. Change
// it through [Bench.Env] before running.
package nodetest
