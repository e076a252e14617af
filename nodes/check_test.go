package nodes_test

import (
	"context"
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
)

// goFunc stands for a function of a flow.
type goFunc func(ctx context.Context, args ...any) (any, error)

func (f goFunc) Call(ctx context.Context, args ...any) (any, error) { return f(ctx, args...) }

var someFunc = goFunc(func(context.Context, ...any) (any, error) { return nil, nil })

// sample is a Spec with one parameter of each kind.
func sample() *nodes.Spec {
	return &nodes.Spec{
		Name: "sample", Summary: "A node for tests",
		Params: []nodes.Param{
			{Name: "source_key", Type: nodes.String, Required: true, Role: nodes.Source, Help: "what to read"},
			{Name: "mode", Type: nodes.String, Enum: []string{"fixed", "split", "cues"}, Default: "fixed", Interpolate: true, Help: "how"},
			{Name: "size", Type: nodes.Integer, Default: 10, Range: nodes.Between(1, 2048), Unit: "bytes", When: nodes.Only("mode", "fixed"), Help: "largest piece"},
			{Name: "size", Type: nodes.Integer, Default: 1200, Range: nodes.AtLeast(1), Unit: "characters", When: nodes.Only("mode", "cues"), Help: "largest passage"},
			{Name: "pattern", Type: nodes.String, Required: true, When: nodes.Only("mode", "split"), Help: "where to cut"},
			{Name: "ratio", Type: nodes.Number, Range: nodes.Above(0), Help: "a ratio", Alias: "proportion"},
			{Name: "deep", Type: nodes.Boolean, Default: false, NoRetries: true, Help: "look deeper"},
			{Name: "title", Type: nodes.String, Interpolate: true, NonEmpty: true, Help: "a text"},
			{Name: "plain", Type: nodes.String, Help: "a text as it is"},
			{Name: "words", Type: nodes.Array, Elem: &nodes.Param{Type: nodes.String}, NonEmpty: true, Help: "texts"},
			{Name: "labels", Type: nodes.Object, Elem: &nodes.Param{Type: nodes.String}, Help: "texts by name"},
			{Name: "data", Type: nodes.Object, Or: []nodes.Type{nodes.Array}, Interpolate: true, Help: "any data"},
			{Name: "anything", Type: nodes.Any, Interpolate: true, Help: "any value"},
			{Name: "test", Type: nodes.String, Or: []nodes.Type{nodes.Function}, Role: nodes.Condition, Help: "a condition"},
			{Name: "each", Type: nodes.Function, Help: "a function"},
			{Name: "options", Type: nodes.Object, Help: "members", Fields: []nodes.Param{
				{Name: "depth", Type: nodes.Integer, Required: true, Range: nodes.Between(0, 9), Help: "how deep"},
				{Name: "unit", Type: nodes.String, Default: "bytes", Help: "of what"},
				{Name: "most", Type: nodes.Integer, Default: 3, Help: "how many"},
			}},
			{Name: "api_key", Type: nodes.String, Secret: true, Env: "SAMPLE_KEY", Help: "a key"},
			{Name: "headers", Type: nodes.Object, Secret: true, Help: "secret headers"},
			{Name: "region", Type: nodes.String, Needs: []string{"api_key"}, Help: "where"},
			{Name: "provider", Type: nodes.String, Enum: []string{"near", "far"}, Env: "SAMPLE_PROVIDER", Default: "near", Lenient: true, Help: "who"},
			{Name: "far_url", Type: nodes.String, When: nodes.Only("provider", "far"), Required: true, Env: "FAR_URL", Help: "where far is"},
			{Name: "left", Type: nodes.String, Help: "one side"},
			{Name: "right", Type: nodes.String, Help: "the other side"},
			{Name: "output_key", Type: nodes.String, Default: "out", Role: nodes.OutputKey, Help: "start of the published keys"},
		},
		Choices: []nodes.Choice{{Params: []string{"left", "right"}}},
		Outputs: []nodes.OutputSpec{
			{Type: nodes.Array, Help: "the pieces"},
			{Suffix: "_title", Type: nodes.String, Help: "the title"},
			{Suffix: "_size", Type: nodes.Integer, Help: "the size", When: nodes.Only("mode", "fixed", "cues")},
			{Name: "_mark_<step>", Type: nodes.String, Help: "a fixed name"},
			{Suffix: "_code", Type: nodes.Integer, Help: "why it failed", OnFailure: true},
		},
	}
}

func problemTexts(list []nodes.Problem) string {
	var lines []string
	for _, p := range list {
		lines = append(lines, p.String())
	}
	return strings.Join(lines, "\n")
}

// checkCase is one set of parameters and every line that Check has about it.
type checkCase struct {
	name string
	give map[string]any // added to {source_key = "doc"}
	want string
}

func (c checkCase) raw() map[string]any {
	raw := map[string]any{"source_key": "doc"}
	maps.Copy(raw, c.give)
	return raw
}

func checkCases() []checkCase {
	return []checkCase{
		{"nothing", nil, ""},
		{"near name", map[string]any{"sise": int64(1)}, `sample: sise: unknown parameter; did you mean "size"?`},
		{"no near name", map[string]any{"zzzzzzzzzz": int64(1)}, `sample: zzzzzzzzzz: unknown parameter; allowed: anything, api_key, data, deep, each, far_url, headers, labels, left, mode, options, output_key, pattern, plain, provider, ratio, region, right, size, source_key, test, title, words`},
		{"integer as text", map[string]any{"size": "12"}, ""},
		{"integer with a fraction", map[string]any{"size": 1.5}, `sample: size: got 1.5, want a whole number`},
		{"whole float", map[string]any{"size": 15.0}, ""},
		{"below the range", map[string]any{"size": int64(0)}, `sample: size: got 0, allowed: 1..2048 (bytes)`},
		{"above the range, as text", map[string]any{"size": "4096"}, `sample: size: got "4096", allowed: 1..2048 (bytes)`},
		{"the other group's range", map[string]any{"mode": "cues", "size": int64(4096)}, ""},
		{"not a number", map[string]any{"size": "big"}, `sample: size: got "big", want an integer`},
		{"hexadecimal", map[string]any{"size": "0x10"}, `sample: size: got "0x10", want an integer`},
		{"boolean for integer", map[string]any{"size": true}, `sample: size: got true, want an integer`},
		{"too large for exactness", map[string]any{"mode": "cues", "size": 1e17}, `sample: size: got 1e+17, want a whole number`},
		{"open range", map[string]any{"ratio": 0.0}, `sample: ratio: got 0, allowed: above 0`},
		{"null", map[string]any{"title": nil}, `sample: title: got null, want a string`},
		{"boolean words", map[string]any{"deep": "yes"}, `sample: deep: got "yes", want a boolean`},
		{"boolean text", map[string]any{"deep": "true"}, ""},
		{"blank", map[string]any{"title": "  "}, `sample: title: is empty`},
		{"blank output key", map[string]any{"output_key": ""}, `sample: output_key: is empty`},
		{"enum", map[string]any{"mode": "fixd"}, `sample: mode: got "fixd", want one of "fixed", "split" or "cues"; did you mean "fixed"?`},
		{"another group", map[string]any{"mode": "split", "pattern": ",", "size": int64(1)}, `sample: size: has no effect with mode="split"; it belongs to mode="fixed" or mode="cues"`},
		{"another group by default", map[string]any{"pattern": ","}, `sample: pattern: has no effect with mode="fixed"; it belongs to mode="split"`},
		{"required in its group", map[string]any{"mode": "split"}, `sample: pattern: is required: where to cut`},
		{"group not known yet", map[string]any{"mode": "${ctx.mode}", "pattern": ","}, ""},
		{"lenient group", map[string]any{"provider": "near", "far_url": "x"}, `warning: sample: far_url: has no effect with provider="near"; it belongs to provider="far"`},
		{"group known by variable", map[string]any{"far_url": "x"}, ""},
		{"alias", map[string]any{"proportion": 0.5}, ""},
		{"alias and name", map[string]any{"proportion": 0.5, "ratio": 0.5}, `sample: proportion: is the earlier name of ratio; give only one of them`},
		{"alias out of range", map[string]any{"proportion": -1.0}, `sample: proportion: got -1, allowed: above 0`},
		{"array", map[string]any{"words": []any{"a", int64(1)}}, `sample: words: element 2: got 1, want a string`},
		{"empty array", map[string]any{"words": []any{}}, `sample: words: is empty`},
		{"empty object as array", map[string]any{"words": map[string]any{}}, `sample: words: is empty`},
		{"text for array", map[string]any{"words": "a"}, `sample: words: got "a", want an array of strings`},
		{"array for object", map[string]any{"labels": []any{"x"}}, `sample: labels: got an array of 1, want an object`},
		{"empty array as object", map[string]any{"labels": []any{}}, ""},
		{"member type", map[string]any{"labels": map[string]any{"a": true}}, `sample: labels: member "a": got true, want a string`},
		{"text for object is not shown", map[string]any{"labels": "X-Key: hunter22hunter22"}, `sample: labels: got a string, want an object`},
		{"member missing", map[string]any{"options": map[string]any{}}, `sample: options: member "depth" is missing: how deep`},
		{"member unknown", map[string]any{"options": map[string]any{"depth": int64(1), "units": "x"}}, `sample: options: unknown member "units"; did you mean "unit"?`},
		{"member range", map[string]any{"options": map[string]any{"depth": int64(10)}}, `sample: options: member "depth": got 10, allowed: 0..9`},
		{"function", map[string]any{"each": someFunc}, ""},
		{"function wanted", map[string]any{"each": "x"}, `sample: each: got "x", want a function`},
		{"function not wanted", map[string]any{"title": someFunc}, `sample: title: got a function, want a string`},
		{"function for any", map[string]any{"anything": someFunc}, `sample: anything: got a function, want any value`},
		{"null for any", map[string]any{"anything": nil}, ""},
		{"malformed placeholder", map[string]any{"title": "a ${ctx.a or 1}"}, `sample: title: malformed placeholder ${ctx.a or 1} at character 3: at character 8 of it: unexpected ' '; a placeholder holds a path and nothing else (no operators, defaults or blanks); write ${ctx.name}, ${ctx.list[0]} or ${ctx["any key"]}, or put a backslash in front to keep it as text`},
		{"malformed in a leaf", map[string]any{"data": map[string]any{"a": []any{"${ctx}"}}}, `sample: data: $.a[1]: malformed placeholder ${ctx} at character 1: at character 6 of it: expected a selector such as .name; write ${ctx.name}, ${ctx.list[0]} or ${ctx["any key"]}, or put a backslash in front to keep it as text`},
		{"placeholder for a number", map[string]any{"size": "${ctx.n}"}, ""},
		{"placeholder for an object", map[string]any{"data": "${ctx.n}"}, `sample: data: got a string, want an object or an array`},
		{"placeholder that stays", map[string]any{"plain": "${ctx.n}"}, `warning: sample: plain: is never interpolated: ${ctx...} stays as it is written`},
		{"placeholder that stays in a tree", map[string]any{"words": []any{"${ctx.n}"}}, `warning: sample: words: is never interpolated: ${ctx...} stays as it is written`},
		{"placeholder in a secret", map[string]any{"api_key": "${ctx.n}"}, `warning: sample: api_key: is never interpolated: ${ctx...} stays as it is written`},
		{"escaped placeholder", map[string]any{"title": `\${ctx.a b}`}, ""},
		{"condition", map[string]any{"test": "ctx.n > 3"}, ""},
		{"condition as function", map[string]any{"test": someFunc}, ""},
		{"malformed condition", map[string]any{"test": "n > 3"}, `sample: test: malformed condition "n > 3": it must start with a path such as ctx.name; did you mean ctx.n?; for anything more use a function: function(ctx) return ... end`},
		{"needs", map[string]any{"region": "eu"}, `sample: region: needs api_key as well`},
		{"needs, given", map[string]any{"region": "eu", "api_key": "k"}, ""},
		{"choice", map[string]any{"left": "a", "right": "b"}, `sample: right: cannot be combined with left; give only one of left, right`},
		{"several at once", map[string]any{"sise": int64(1), "ratio": "x", "title": ""},
			"sample: ratio: got \"x\", want a number\nsample: sise: unknown parameter; did you mean \"size\"?\nsample: title: is empty"},
	}
}

func TestCheckSaysWhatIsWrong(t *testing.T) {
	for _, tt := range checkCases() {
		t.Run(tt.name, func(t *testing.T) {
			if got := problemTexts(nodes.Check(sample(), tt.raw())); got != tt.want {
				t.Errorf("got  %s\nwant %s", got, tt.want)
			}
		})
	}
}

func TestCheckRequired(t *testing.T) {
	if got, want := problemTexts(nodes.Check(sample(), nil)), "sample: source_key: is required: what to read"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	// One mistake, one message.
	if got, want := problemTexts(nodes.Check(sample(), map[string]any{"souce_key": "x"})), `sample: souce_key: unknown parameter; did you mean "source_key"?`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	spec := &nodes.Spec{Name: "s", Params: []nodes.Param{{Name: "a", Type: nodes.String, Help: "x"}, {Name: "b", Type: nodes.String, Help: "x", Alias: "c"}},
		Choices: []nodes.Choice{{Params: []string{"a", "b"}, Required: true}}}
	for _, tt := range []struct {
		raw  map[string]any
		want string
	}{
		{nil, "s: a: is required, or else b"},
		{map[string]any{"a": "x"}, ""},
		{map[string]any{"c": "x"}, ""},
		{map[string]any{"a": "x", "c": "x"}, "s: b: cannot be combined with a; give only one of a, b"},
	} {
		if got := problemTexts(nodes.Check(spec, tt.raw)); got != tt.want {
			t.Errorf("%v: got %s, want %s", tt.raw, got, tt.want)
		}
	}
}

func TestCheckRetries(t *testing.T) {
	for _, tt := range []struct {
		deep    any
		retries int
		want    bool
	}{{true, 1, true}, {"true", 2, true}, {true, 0, false}, {false, 3, false}, {nil, 3, false}, {"${ctx.x}", 1, false}} {
		got := nodes.CheckRetries(sample(), map[string]any{"deep": tt.deep}, tt.retries)
		if (len(got) > 0) != tt.want {
			t.Errorf("deep=%v retries=%d: %v", tt.deep, tt.retries, got)
		}
	}
}

// A group whose enum parameter itself belongs to a group that is not active is
// not active either.
func TestCheckNestedGroups(t *testing.T) {
	spec := &nodes.Spec{Name: "s", Params: []nodes.Param{
		{Name: "mode", Type: nodes.String, Enum: []string{"plain", "smart"}, Default: "plain", Help: "x"},
		{Name: "detector", Type: nodes.String, Enum: []string{"a", "b"}, Default: "a", When: nodes.Only("mode", "smart"), Help: "x"},
		{Name: "window", Type: nodes.Integer, Required: true, When: nodes.Only("detector", "a"), Help: "x"},
	}}
	for _, tt := range []struct {
		raw  map[string]any
		want string
	}{
		{nil, ""},
		{map[string]any{"mode": "smart"}, "s: window: is required: x"},
		{map[string]any{"mode": "smart", "detector": "b"}, ""},
		{map[string]any{"mode": "smart", "window": int64(1)}, ""},
	} {
		if got := problemTexts(nodes.Check(spec, tt.raw)); got != tt.want {
			t.Errorf("%v: got %q, want %q", tt.raw, got, tt.want)
		}
	}
}

// No text that Check or NewCall makes shows a secret, whatever is wrong.
func TestNoErrorShowsASecret(t *testing.T) {
	const marker = "sk-live-0123456789abcdef"
	values := []any{marker, []any{marker}, map[string]any{"x": marker}, map[string]any{"X-Key": []any{marker}}, int64(9182736455), map[string]any{"X-Key": int64(9182736455)}, nil, true}
	for _, param := range []string{"api_key", "headers"} {
		for _, v := range values {
			raw := map[string]any{"source_key": "doc", param: v}
			text := fmt.Sprintf("%v %+v", nodes.Check(sample(), raw), problemTexts(nodes.Check(sample(), raw)))
			call, err := nodes.NewCall(sample(), raw, nodes.Host{View: value.Map{"doc": "x"}})
			text += fmt.Sprintf(" %v %+v %#v", err, err, err)
			if call != nil {
				text += fmt.Sprintf(" %v %+v %#v %v", call.Value(param), call.Value(param), call.Value(param), call.Params(param))
			}
			if strings.Contains(text, marker) || strings.Contains(text, "9182736455") {
				t.Errorf("%s = %v shows the secret: %s", param, v, text)
			}
		}
	}
}
