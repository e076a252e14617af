// Package nodes is what people import who write a node: the declaration of a
// node ([Spec]), what it is given ([Call], [Env]) and what it gives back
// ([Output]).
//
// A node is a value, [Node]: a Spec and a function. The Spec is the only place
// where a parameter or an output is described. Parsing, validation, the error
// texts, `ironflow nodes`, the reference pages, the JSON Schema and the editor
// definitions are all made from it, so none of them can drift from the others.
//
// The host (package flow) checks literal parameters when a flow loads ([Check]),
// and for each attempt of a step calls [Invoke], which resolves templates
// against what the step sees, parses and range-checks the parameters, runs the
// node and names its outputs.
//
// A [Registry] is a plain value; nothing registers itself.
package nodes
