package nodes

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Registry holds the nodes that a flow can use, by name. It is a value without
// global state. It is not safe for use while it changes.
type Registry struct {
	nodes map[string]*Node
}

// NewRegistry returns an empty registry.
func NewRegistry() *Registry { return &Registry{nodes: map[string]*Node{}} }

// Register adds nodes of your own. Their names carry a prefix and a dot
// (`acme.shout`); a name that is taken, or a Spec with a mistake, is an error.
func (r *Registry) Register(list ...Node) error {
	for _, n := range list {
		if !strings.Contains(n.Spec.Name, ".") {
			return fmt.Errorf("node name %q: names without a prefix are reserved for built-in nodes; call it %q, with your own prefix", n.Spec.Name, "acme."+n.Spec.Name)
		}
		if err := r.add(n); err != nil {
			return err
		}
	}
	return nil
}

// RegisterBuiltin adds nodes of IronFlow itself, whose names have no prefix.
func (r *Registry) RegisterBuiltin(list ...Node) error {
	for _, n := range list {
		if err := r.add(n); err != nil {
			return err
		}
	}
	return nil
}

func (r *Registry) add(n Node) error {
	if err := n.Spec.validate(); err != nil {
		return err
	}
	if n.Run == nil {
		return fmt.Errorf("node %q has no Run function", n.Spec.Name)
	}
	if _, ok := r.nodes[n.Spec.Name]; ok {
		return fmt.Errorf("node %q is registered twice", n.Spec.Name)
	}
	r.nodes[n.Spec.Name] = &n
	return nil
}

// Lookup returns the node with the given name.
func (r *Registry) Lookup(name string) (*Node, bool) {
	n, ok := r.nodes[name]
	return n, ok
}

// Names returns all names in byte order.
func (r *Registry) Names() []string { return slices.Sorted(maps.Keys(r.nodes)) }

// List returns all nodes in the order of their names.
func (r *Registry) List() []*Node {
	out := make([]*Node, 0, len(r.nodes))
	for _, name := range r.Names() {
		out = append(out, r.nodes[name])
	}
	return out
}

// Clone returns a registry with the same nodes, to which more can be added
// without changing this one.
func (r *Registry) Clone() *Registry { return &Registry{nodes: maps.Clone(r.nodes)} }
