package nodes

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
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
			var broken error
			if failure.Published, broken = call.publish(failure.Output, false); broken != nil {
				call.host.Env.Log.Error("the output of a failed node is lost", "node", n.Spec.Name, "error", broken)
			}
		}
		return nil, err
	}
	return call.publish(result, true)
}

// PanicError is a node that panicked: a defect in its code.
type PanicError struct {
	Node  string
	Value any
}

// Error names the node and what it panicked with.
func (e *PanicError) Error() string {
	return fmt.Sprintf("%s: internal error of the node: %v", e.Node, e.Value)
}

func run(ctx context.Context, n *Node, call *Call) (out Output, err error) {
	defer func() {
		if r := recover(); r != nil {
			call.host.Env.Log.Error("a node panicked", "node", n.Spec.Name, "panic", fmt.Sprint(r), "stack", string(debug.Stack()))
			out, err = nil, &PanicError{Node: n.Spec.Name, Value: r}
		}
	}()
	return n.Run(ctx, call)
}

// publish puts the declared keys in front of an output and adds `_count` and
// `_success`.
func (c *Call) publish(out Output, success bool) (map[string]any, error) {
	prefix, hasKey := "", false
	if p, ok := c.spec.OutputKeyParam(); ok && c.Has(p.Name) {
		prefix, hasKey = c.String(p.Name), true
	}
	published := make(map[string]any, len(out)+2)
	for _, key := range slices.Sorted(maps.Keys(out)) {
		spec, ok := c.output(key, hasKey)
		added := hasKey && (key == "_success" || key == "_count")
		open := c.spec.OpenOutputs && !hasKey
		if !ok && !added && !open || spec.OnFailure && success {
			return nil, fmt.Errorf("%s: internal error of the node: it returned %q, which its Spec does not declare as an output", c.spec.Name, key)
		}
		v, err := value.Normalize(out[key])
		if err != nil {
			return nil, fmt.Errorf("%s: output %q: %w", c.spec.Name, key, err)
		}
		if ok && !fits(spec.Type, v) {
			return nil, fmt.Errorf("%s: internal error of the node: its output %q is %s, but its Spec declares %s", c.spec.Name, key, Describe(v), withArticle(string(spec.Type)))
		}
		published[c.fullKey(spec, prefix, key)] = v
	}
	if !hasKey {
		return published, nil
	}
	main, isMain := c.output("", hasKey)
	if v, ok := published[prefix]; ok && isMain && main.Type == Array {
		n, _ := value.Len(v)
		if _, own := published[prefix+"_count"]; !own {
			published[prefix+"_count"] = int64(n)
		}
	}
	if _, own := published[prefix+"_success"]; !own {
		published[prefix+"_success"] = success
	}
	return published, nil
}

// output finds the declaration of a key in the active groups. Without
// output_key, suffixes name nothing.
func (c *Call) output(key string, hasKey bool) (OutputSpec, bool) {
	for _, o := range c.spec.Outputs {
		if o.Key() == key && (o.Name != "" || hasKey) && groupOf(c.spec, c.known, o.When) != inactive {
			return o, true
		}
	}
	return OutputSpec{}, false
}

// fits reports whether a published value has the declared type. Null fits
// every type: it stands for an output that this run has no value for.
func fits(t Type, v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case string:
		return t == String || t == Any
	case bool:
		return t == Boolean || t == Any
	case int64:
		return t == Integer || t == Number || t == Any
	case float64:
		return t == Number || t == Any || t == Integer && v == math.Trunc(v)
	case map[string]any:
		return t == Object || t == Any
	}
	return t == Array || t == Any
}

func (c *Call) fullKey(spec OutputSpec, prefix, key string) string {
	if spec.Name != "" {
		return strings.ReplaceAll(spec.Name, "<step>", c.host.Step)
	}
	return prefix + key
}
