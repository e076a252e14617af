package nodes

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"runtime/debug"
	"slices"
	"strings"

	"github.com/ironflow/ironflow/nodes/value"
)

// Invoke runs one attempt of a node and returns what it publishes under full
// keys. A *Failure comes back with Published filled in. A panic of the node
// becomes an error that names the node.
func Invoke(ctx context.Context, n *Node, raw map[string]any, host Host) (out map[string]any, err error) {
	call, err := NewCall(&n.Spec, raw, host)
	if err != nil {
		return nil, err
	}
	result, err := run(ctx, n, call)
	if err != nil {
		var failure *Failure
		if errors.As(err, &failure) {
			failure.Published, _ = call.publish(failure.Output, false)
		}
		return nil, err
	}
	return call.publish(result, true)
}

func run(ctx context.Context, n *Node, call *Call) (out Output, err error) {
	defer func() {
		if r := recover(); r != nil {
			if call.host.Env != nil && call.host.Env.Log != nil {
				call.host.Env.Log.Error("a node panicked", "node", n.Spec.Name, "panic", fmt.Sprint(r), "stack", string(debug.Stack()))
			}
			out, err = nil, fmt.Errorf("%s: internal error of the node: %v", n.Spec.Name, r)
		}
	}()
	return n.Run(ctx, call)
}

// publish puts the declared keys in front of an output and adds `_count` and
// `_success`.
func (c *Call) publish(out Output, success bool) (map[string]any, error) {
	prefix, hasKey := "", false
	if p, ok := c.spec.OutputKeyParam(); ok {
		prefix, hasKey = c.String(p.Name), true
	}
	published := make(map[string]any, len(out)+2)
	for _, key := range slices.Sorted(maps.Keys(out)) {
		spec, ok := c.output(key)
		if !ok && !(hasKey && (key == "_success" || key == "_count")) {
			return nil, fmt.Errorf("%s: internal error of the node: it returned %q, which its Spec does not declare as an output", c.spec.Name, key)
		}
		v, err := value.Normalize(out[key])
		if err != nil {
			return nil, fmt.Errorf("%s: output %q: %w", c.spec.Name, key, err)
		}
		published[c.fullKey(spec, prefix, key)] = v
	}
	if !hasKey {
		return published, nil
	}
	main, isMain := c.spec.mainOutput()
	if v, ok := published[prefix]; ok && isMain && main.Type == Array {
		n, isList := value.Len(v)
		if !isList {
			return nil, fmt.Errorf("%s: internal error of the node: its main output is %s, but its Spec declares a list", c.spec.Name, Describe(v))
		}
		if _, own := published[prefix+"_count"]; !own {
			published[prefix+"_count"] = int64(n)
		}
	}
	if _, own := published[prefix+"_success"]; !own {
		published[prefix+"_success"] = success
	}
	return published, nil
}

func (c *Call) output(key string) (OutputSpec, bool) {
	for _, o := range c.spec.Outputs {
		if o.Key() == key {
			return o, true
		}
	}
	return OutputSpec{}, false
}

func (c *Call) fullKey(spec OutputSpec, prefix, key string) string {
	if spec.Name != "" {
		return strings.ReplaceAll(spec.Name, "<step>", c.host.Step)
	}
	return prefix + key
}
