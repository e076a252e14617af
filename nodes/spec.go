package nodes

import (
	"fmt"
	"math"
)

// Type is the type of a parameter or an output, in JSON's words.
type Type string

// The types a parameter or an output may have. Function is a Lua function (see
// [Func]); Any accepts every value but a function.
const (
	String   Type = "string"
	Number   Type = "number"
	Integer  Type = "integer"
	Boolean  Type = "boolean"
	Array    Type = "array"
	Object   Type = "object"
	Function Type = "function"
	Any      Type = "any"
)

// Role says what a parameter's text stands for, so that the host can check and
// resolve it.
type Role int

const (
	// Plain parameters hold their value themselves.
	Plain Role = iota
	// Source parameters name a value of the context: a key or a path such as
	// "http_data.items[0].text". In an array or object parameter every string
	// leaf is such a name.
	Source
	// OutputKey is the role of `output_key`: the start of every published key.
	OutputKey
	// Condition parameters hold a test such as "ctx.n > 3" when they are text
	// (see package condition). It is parsed when the flow loads.
	Condition
)

// Spec declares a node: the one place where its parameters and outputs are
// described.
type Spec struct {
	// Name is what flows write after "nodes.": `ai_chunk`, or with a prefix and
	// a dot for nodes that are not built in (`acme.shout`).
	Name string
	// Summary is one sentence without a full stop at the end.
	Summary string
	// Doc is Markdown for the node's reference page, after the summary: what a
	// user must know that no parameter says.
	Doc string
	// Params in the order in which the documentation shows them. A name may
	// occur more than once when the declarations belong to different groups.
	Params []Param
	// Outputs in the order in which the documentation shows them. `_success`
	// and, for a list, `_count` are added by the host and not declared here.
	Outputs []OutputSpec
	// OpenOutputs marks a node whose published keys cannot be known before it
	// runs (`code`, `subworkflow`): keys that are not declared are published
	// under their own names.
	OpenOutputs bool
	// Choices are sets of parameters that exclude one another.
	Choices []Choice
	// Examples are runnable; a test runs each.
	Examples []Example
}

// Choice is a set of parameters of which a flow gives at most one.
type Choice struct {
	Params []string
	// Required asks for exactly one of them.
	Required bool
}

// Param declares one parameter.
type Param struct {
	Name string
	Type Type
	// Or lists further types that are accepted, such as Function beside String.
	Or []Type
	// Elem declares the elements of an Array, or the members of an Object
	// without Fields (its Name is unused).
	Elem *Param
	// Fields declare the members of an Object; without them any member is
	// accepted. Unknown members of a declared object are errors.
	Fields []Param
	// Enum lists the accepted values of a String.
	Enum []string
	// Default is used when the parameter is absent; nil means there is none.
	Default any
	// Required parameters must be given (a Default makes no sense then).
	Required bool
	// Range bounds a Number or Integer.
	Range *Range
	// Unit is the unit of a number, for the documentation ("bytes", "s").
	Unit string
	// Env is the variable read when the parameter is absent.
	Env string
	// Secret parameters are never printed. Read them with [Call.Secret].
	Secret bool
	// Interpolate lets the text hold ${ctx...} placeholders; in an Array or
	// Object parameter every string leaf may.
	Interpolate bool
	// Role says what the text stands for.
	Role Role
	// NonEmpty refuses an empty string, array or object.
	NonEmpty bool
	// Alias is an earlier name of the same parameter; giving both is an error.
	Alias string
	// Needs lists parameters that must be given when this one is.
	Needs []string
	// NoRetries marks a parameter that must be false, or absent, on a step with
	// retries, because a repetition would do its work twice.
	NoRetries bool
	// When limits the parameter to some values of an enum parameter.
	When *When
	// Lenient belongs to an enum parameter that others are grouped by: giving a
	// parameter of another group is then a warning instead of an error.
	Lenient bool
	// Help is one line, without a full stop at the end.
	Help string
}

// When ties a parameter or an output to values of an enum parameter: a group.
type When struct {
	Param string
	In    []string
}

// Only is the group of one parameter's values.
func Only(param string, values ...string) *When { return &When{Param: param, In: values} }

// Range bounds a number; both ends are included unless Open.
type Range struct {
	Min, Max float64 // math.Inf for no bound
	OpenMin  bool    // Min itself is excluded
}

// Between is the closed range lo..hi.
func Between(lo, hi float64) *Range { return &Range{Min: lo, Max: hi} }

// AtLeast is the range lo and above.
func AtLeast(lo float64) *Range { return &Range{Min: lo, Max: math.Inf(1)} }

// Above is the range above lo, lo excluded.
func Above(lo float64) *Range { return &Range{Min: lo, Max: math.Inf(1), OpenMin: true} }

// Contains reports whether f lies in the range; NaN never does.
func (r *Range) Contains(f float64) bool {
	if r.OpenMin && f == r.Min {
		return false
	}
	return f >= r.Min && f <= r.Max
}

// String gives the range in words: "1..2048", "above 0", "at least 1".
func (r *Range) String() string {
	lo, hi := formatNumber(r.Min), formatNumber(r.Max)
	switch {
	case math.IsInf(r.Max, 1) && r.OpenMin:
		return "above " + lo
	case math.IsInf(r.Max, 1):
		return "at least " + lo
	case math.IsInf(r.Min, -1):
		return "at most " + hi
	case r.OpenMin:
		return "above " + lo + ", at most " + hi
	}
	return lo + ".." + hi
}

func formatNumber(f float64) string {
	if f == math.Trunc(f) && math.Abs(f) < 1e15 {
		return fmt.Sprintf("%d", int64(f))
	}
	return fmt.Sprintf("%g", f)
}

// OutputSpec declares one published key.
type OutputSpec struct {
	// Suffix is put behind `output_key`; the main output has the empty suffix.
	Suffix string
	// Name is a fixed key for nodes that publish under a name of their own
	// ("log_message"); "<step>" in it stands for the step's name.
	Name string
	Type Type
	// Help is one line, without a full stop at the end.
	Help string
	// When limits the output to some values of an enum parameter.
	When *When
	// OnFailure marks an output that only a structured failure carries: it is
	// in the record and in what a recovery step sees, and is never published.
	OnFailure bool
	// Twin marks a second name of the main value, kept for earlier flows; it
	// shares memory with it and is left out of printed contexts and records.
	Twin bool
}

// Key is how [Output] names this output: the fixed name, or else the suffix.
func (o OutputSpec) Key() string {
	if o.Name != "" {
		return o.Name
	}
	return o.Suffix
}

// Example is one call of the node that a test runs.
type Example struct {
	Title string
	// Lua is the call: `nodes.ai_chunk{ source_key = "document" }`.
	Lua string
	// Context is the initial context as JSON; empty means {}.
	Context string
	// Needs says what the example needs besides the binary: "" (nothing),
	// "provider" (a server: an embedding or chat service, an HTTP service),
	// "files" (writes files), "exec" (a grant to start programs).
	Needs string
}
