package lua

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/flow"
	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
)

func contains(s, part string) bool { return strings.Contains(s, part) }

const shout = `
local mark = "!"
nodes.define("acme.shout", {
  summary = "Makes text loud",
  doc = "Longer text.",
  params = {
    text = { type = "string", required = true, interpolate = true, help = "the text" },
    times = { type = "integer", default = 1, min = 1, max = 9, unit = "times" },
    mode = { enum = {"loud", "quiet"}, default = "loud" },
    prefix = { type = "string", when = { mode = "loud" } },
    key = { type = "string", secret = true, env = "ACME_KEY" },
    from = { type = "string", source = true },
    tags = { type = "array", items = "string", default = json_array({}) },
    map = { type = "function" },
    opts = { type = "object", fields = { deep = { type = "boolean", default = true } } },
  },
  outputs = { [""] = { type = "string", help = "loud text" }, _length = "integer", _parts = "array", shouted = { type = "boolean" } },
  run = function(config, ctx)
    local s = string.upper(config.text) .. string.rep(mark, config.times)
    if config.map then s = config.map(s) end
    if config.key then s = s .. "/" .. config.key end
    if ctx.fail then error("cannot shout") end
    if ctx.odd then return { wrong = 1 } end
    if ctx.plain then return s end
    return { [""] = s, _length = #s, shouted = true, _parts = {} }
  end,
})
local flow = Flow.new("x")
`

func TestDefine(t *testing.T) {
	f := good(t, shout+`
flow:step("a", nodes.acme.shout{ text = "hi ${ctx.name}", times = 2, map = function(s) return "<" .. s .. ">" end })
flow:step("b", nodes["acme.shout"]{ text = "yo", output_key = "loud", key = "k1", mode = "quiet" })
return flow`)
	a, b := step(t, f, "a"), step(t, f, "b")
	invoke := func(s *flow.Step, ctx map[string]any) (map[string]any, error) {
		return nodes.Invoke(context.Background(), s.Node, s.Params, nodes.Host{View: value.Map(ctx), Step: s.Name, Attempt: 1})
	}
	out, err := invoke(a, map[string]any{"name": "bo"})
	want := map[string]any{"shout": "<HI BO!!>", "shout_length": int64(9), "shout_success": true, "shouted": true, "shout_parts": []any{}}
	if err != nil || !value.Equal(out, want) {
		t.Errorf("a: %v, %v", out, err)
	}
	out, err = invoke(b, map[string]any{"plain": true})
	if err != nil || !reflect.DeepEqual(out, map[string]any{"loud": "YO!/k1", "loud_success": true}) {
		t.Errorf("b: %v, %v", out, err)
	}
	if _, err = invoke(b, map[string]any{"fail": true}); err == nil || !contains(err.Error(), "acme.shout: f.lua:22: cannot shout") {
		t.Errorf("failing: %v", err)
	}
	if _, err = invoke(b, map[string]any{"odd": true}); err == nil || !contains(err.Error(), `acme.shout: returned the key "wrong", which its outputs do not declare`) {
		t.Errorf("undeclared output: %v", err)
	}
	n, ok := f.Registry.Lookup("acme.shout")
	if !ok || n.Spec.Summary != "Makes text loud" || n.Spec.Params[1].Range.String() != "1..9" || n.Spec.Params[0].Help != "the text" {
		t.Errorf("spec: %+v", n)
	}
	if strings.Join(n.Spec.ParamNames(), " ") != "text times mode prefix key from tags map opts output_key" {
		t.Errorf("parameters out of order: %v", n.Spec.ParamNames())
	}
	if contains(listing(f.Problems)+nodes.Describe(b.Params["key"]), "***") {
		t.Error("unexpected")
	}
}

func TestDefinedNodesAreChecked(t *testing.T) {
	f := mustLoad(t, shout+`
flow:step("a", nodes.acme.shout{ txt = "hi", times = 10 })
flow:step("b", nodes.acme.shuot{ text = "hi" })
flow:step("c", nodes.acme.shout{ text = "hi", mode = "quiet", prefix = "x" })
return flow`)
	_, problems := flow.NewPlan(f)
	got := listing(problems)
	for _, want := range []string{
		`step "a": acme.shout: times: got 10, allowed: 1..9 (times)`,
		`step "a": acme.shout: txt: unknown parameter; did you mean "text"?`, `there is no node "acme.shuot"; did you mean "acme.shout"?`,
		`step "c": acme.shout: prefix: has no effect with mode="quiet"`,
	} {
		if !contains(got, want) {
			t.Errorf("%q is missing in\n%s", want, got)
		}
	}
	// That `text` is missing only follows from `txt`.
	if len(problems) != 4 {
		t.Errorf("got %d problems:\n%s", len(problems), got)
	}
}

// goFunc is a nodes.Func that is no Lua function.
type goFunc func(args ...any) (any, error)

func (f goFunc) Call(_ context.Context, args ...any) (any, error) { return f(args...) }

// A function parameter may be any nodes.Func, and the error of one keeps its
// identity on the way through Lua.
func TestDefineCallsGoFunctions(t *testing.T) {
	f := good(t, shout+`
flow:step("a", nodes.acme.shout{ text = "hi" })
return flow`)
	sentinel := errors.New("the quota is spent")
	fail := false
	fn := goFunc(func(args ...any) (any, error) {
		if fail {
			return nil, fmt.Errorf("mapping: %w", sentinel)
		}
		return "<" + args[0].(string) + ">", nil
	})
	a := step(t, f, "a")
	params := map[string]any{"text": "hi", "map": fn}
	host := nodes.Host{View: value.Map(nil), Step: "a", Attempt: 1}
	out, err := nodes.Invoke(context.Background(), a.Node, params, host)
	if err != nil || out["shout"] != "<HI!>" {
		t.Errorf("got %v, %v", out, err)
	}
	fail = true
	if _, err = nodes.Invoke(context.Background(), a.Node, params, host); !errors.Is(err, sentinel) {
		t.Errorf("got %v, want the error of the function", err)
	}
}

func TestDefineInAModule(t *testing.T) {
	f, err := load(t, NewHost(Options{}), `require("lib.nodes") local flow = Flow.new("x")
flow:step("a", nodes.acme.one{}) return flow`, map[string]string{
		"lib/nodes.lua": `local base = 40 nodes.define("acme.one", { run = function() return base + 2 end })`})
	if err != nil || len(f.Problems) > 0 {
		t.Fatal(err, f)
	}
	a := step(t, f, "a")
	out, err := nodes.Invoke(context.Background(), a.Node, a.Params, nodes.Host{View: value.Map(nil), Step: "a", Attempt: 1})
	if err != nil || out["one"] != int64(42) {
		t.Errorf("got %v, %v", out, err)
	}
}

func TestDefineMistakes(t *testing.T) {
	const run = "run = function() end"
	for body, want := range map[string][]string{
		"nodes.define()":                                                                 {`nodes.define: the name is nil`},
		"nodes:define('acme.x', {" + run + "})":                                          {`with a dot, not a colon`},
		"nodes.define('acme.x')":                                                         {`the declaration is nil`},
		"nodes.define('shout', {" + run + "})":                                           {`names without a prefix are reserved`, `"acme.shout"`},
		"nodes.define('Acme.X', {" + run + "})":                                          {`lower-case letters`},
		"nodes.define('acme.x', {})":                                                     {`run: got nil, want function(config, ctx)`},
		"nodes.define('acme.x', {run=5})":                                                {`run: got 5`},
		"nodes.define('acme.x', {rum=1," + run + "})":                                    {`there is no field "rum" here; did you mean "run"?`},
		"nodes.define('acme.x', {summary=5," + run + "})":                                {`summary: got 5, want a string`},
		"nodes.define('acme.x', {params={a={type='text'}}," + run + "})":                 {`params.a.type: there is no type "text"`},
		"nodes.define('acme.x', {params={a={tpye='string'}}," + run + "})":               {`params.a: there is no field "tpye" here; did you mean "type"?`},
		"nodes.define('acme.x', {params={a={type='string', default=5}}," + run + "})":    {`parameter "a": default: got 5`},
		"nodes.define('acme.x', {params={a={required=1}}," + run + "})":                  {`params.a.required: got 1, want true or false`},
		"nodes.define('acme.x', {params={a={min=3, max=1, type='number'}}," + run + "})": {`params.a.min: is above max`},
		"nodes.define('acme.x', {params={a={when={b='x'}}}," + run + "})":                {`is grouped by "b", which is no enum`},
		"nodes.define('acme.x', {params={a=5}," + run + "})":                             {`params.a: got 5`},
		"nodes.define('acme.x', {params='a'," + run + "})":                               {`params: got "a"`},
		"nodes.define('acme.x', {outputs=5," + run + "})":                                {`outputs: got 5`},
		"nodes.define('acme.x', {outputs={_a='strin'}," + run + "})":                     {`outputs["_a"]: there is no type "strin"; did you mean "string"?`},
		"nodes.define('acme.x', {outputs={_a={tipe='x'}}," + run + "})":                  {`outputs["_a"]: there is no field "tipe"`},
		"nodes.define('acme.x', {timeout=5," + run + "})":                                {`timeout: belongs to exec`},
		"nodes.define('acme.x', {exec={'true'}," + run + "})":                            {`has both run and exec`},
	} {
		f := mustLoad(t, "local flow = Flow.new('x')\n"+body+"\nflow:step('a', nodes.acme.x{ q = 1 })\nreturn flow")
		got := listing(f.Problems)
		for _, part := range want {
			if !contains(got, part) {
				t.Errorf("%s: %q is missing in\n%s", body, part, got)
			}
		}
		if f.Problems[0].Line != 2 || f.Problems[0].File != "f.lua" {
			t.Errorf("%s: no place: %s", body, got)
		}
		// What only follows is not reported.
		if strings.HasPrefix(body, "nodes.define('acme.x', {") && len(f.Problems) != 1 {
			t.Errorf("%s: got %d problems:\n%s", body, len(f.Problems), got)
		}
	}
}
