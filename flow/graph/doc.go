// Package graph draws the steps of a flow and what they wait for, as a Mermaid
// flowchart or in the DOT language of Graphviz.
//
// An arrow leads from a step to one that depends on it. Conditions of step_if
// are diamonds, a route stands on the arrows that it may come along, and a
// dashed arrow leads from a step to the one that recovers it. A drawing needs
// no valid flow: names that no step has are drawn as unknown steps, so that a
// mistake can be seen.
package graph
