package lua

import (
	"errors"
	"strconv"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/flow"
)

func TestMistakes(t *testing.T) {
	cases := []struct {
		name, body string
		want       []string // one part of each problem, in order
	}{
		{"duplicate", "flow:step('a', nodes.log{message='x'})\nflow:step('a', nodes.log{message='y'})", []string{`f.lua:3: step "a": is declared twice, first in f.lua:2`}},
		{"name rule", "flow:step('bad name', nodes.log{message='x'})", []string{`f.lua:2: step "bad name": step name "bad name" is not allowed: use 1 to 128`}},
		{"our name", "flow:step('_x', nodes.log{message='x'})", []string{`leading _ are ours`}},
		{"no name", "flow:step(nil, nodes.log{message='x'})", []string{`the name of the step is nil, want a string`}},
		{"number name", "flow:step(5, nodes.log{message='x'})", []string{`the name of the step is 5, want a string`}},
		{"no handler", "flow:step('a')", []string{`step "a": the handler is nil, want nodes.<type>{...} or function(ctx)`}},
		{"handler text", "flow:step('a', 'b')", []string{`the handler is "b"`}},
		{"type uncalled", "flow:step('a', nodes.log)", []string{`the node type nodes.log itself; call it`}},
		{"builder handler", "local b = flow:step('a', nodes.log{message='x'})\nflow:step('c', b)", []string{`f.lua:3: step "c": the handler is what flow:step returned`}},
		{"three arguments", "flow:step('a', nodes.log{message='x'}, {retries=3})", []string{`takes a name and a handler, got 3 arguments`}},
		{"dot", "flow.step('a', nodes.log{message='x'})\nflow:step('b', nodes.log{message='x'}):depends_on('a')", []string{`f.lua:2: step "a": call step with a colon: flow:step(...)`}},
		{"unknown flow method", "flow:setp('a', nodes.log{message='x'}):depends_on('q')\nflow:step('b', nodes.log{message='x'}):depends_on('a')",
			[]string{`f.lua:2: step "a": a flow has no method "setp"; did you mean "step"`, `depends on "q"`}},
		{"a node in a rejected call", "flow:setp('a', nodes.log{mesage='x', message='y'})\nflow.step('b', nodes.lgo{})", []string{
			`has no method "setp"`, `f.lua:2: step "a": log: mesage: unknown parameter`, `call step with a colon`, `f.lua:3: step "b": there is no node "lgo"`}},
		{"unknown builder method", "flow:step('a', nodes.log{message='x'}):retrys(3):timeout(1)", []string{`step "a": a step builder has no method "retrys"; did you mean "retries"`}},
		{"builder method on flow", "flow:depends_on('a')", []string{`a flow has no method "depends_on"`}},
		{"field", "flow.name = 'x'", []string{`a flow has no fields to set`}},
		{"unknown node", "flow:step('a', nodes.lgo{message='x'})\nflow:step('b', nodes.log{message='x'}):depends_on('a')", []string{`f.lua:2: step "a": there is no node "lgo"; did you mean "log"?`}},
		{"unknown prefixed node", "flow:step('a', nodes.acme.shout{})", []string{`there is no node "acme.shout"`}},
		{"unknown parameter", "flow:step('a', nodes.log{mesage='x', message='y'})", []string{`f.lua:2: step "a": log: mesage: unknown parameter; did you mean "message"?`}},
		{"wrong parameter", "flow:step('a', nodes.embed{source_key='x', provider='openai', batch_size=0})", []string{`step "a": embed: batch_size: got 0, allowed: 1..2048`}},
		{"missing parameter", "flow:step('a', nodes.log())", []string{`log: message: is required`}},
		{"parameter of a rejected step", "flow:step('a b', nodes.log{mesage='x', message='y'})", []string{`step name "a b" is not allowed`, `step "a b": log: mesage: unknown parameter`}},
		{"parameter of an unused node", "local unused = nodes.log{mesage='x', message='y'}", []string{`f.lua:2: log: mesage: unknown parameter`}},
		{"config no table", "flow:step('a', nodes.log('hi'))", []string{`step "a": log: takes one table of parameters, nodes.log{ name = value }, got "hi"`}},
		{"positional", "flow:step('a', nodes.log{'hi'})", []string{`$.steps["a"].config[1]: parameters are given by name`}},
		{"colon on nodes", "flow:step('a', nodes:log{message='x'})", []string{`write nodes.log{...} with a dot`}},
		{"function inside", "flow:step('x', nodes.log{message='m', data={1, 2, {a=function() end}}})", []string{`f.lua:2: step "x": log: $.steps["x"].config.data[3].a: a function`}},
		{"mixed keys", "flow:step('x', nodes.log{message='m', data={1, a=2}})", []string{`$.steps["x"].config.data: the table has both`}},
		{"hole", "flow:step('x', nodes.log{message='m', data={a={1, nil, 3}}})", []string{`$.steps["x"].config.data.a:`}},
		{"cycle", "local t = {}\nt.t = t\nflow:step('x', nodes.log{message='m', data=t})", []string{`$.steps["x"].config.data.t: the table contains itself`}},
		{"nan", "flow:step('x', nodes.log{message='m', data=0/0})", []string{`$.steps["x"].config.data: NaN`}},
		{"flow inside", "flow:step('x', nodes.log{message='m', data={flow}})", []string{`$.steps["x"].config.data[1]: a flow is not`}},
		{"bad parameter hides no other", "flow:step('x', nodes.log{message=function() end, data=0/0, level='loud'})",
			[]string{`config.data: NaN`, `message: got a function`, `level: got "loud"`}},
		{"depends on nothing", "flow:step('a', nodes.log{message='x'}):depends_on()", []string{`depends_on: want the names of steps`}},
		{"depends on number", "flow:step('a', nodes.log{message='x'}):depends_on(5):route('r')", []string{`step "a": depends_on: got 5, want names of steps`}},
		{"depends on list of numbers", "flow:step('a', nodes.log{message='x'}):depends_on({'a0', 5})", []string{`depends_on: element 2 is 5`, `depends on "a0", which is no step`}},
		{"depends on builder", "local a = flow:step('a', nodes.log{message='x'})\nflow:step('b', nodes.log{message='x'}):depends_on(a)", []string{`write the step's name in quotes: "a"`}},
		{"retries text", "flow:step('a', nodes.log{message='x'}):retries('3')", []string{`retries: got "3", want the number of extra attempts`}},
		{"retries fraction", "flow:step('a', nodes.log{message='x'}):retries(1.5)", []string{`retries: got 1.5, want a whole number`}},
		{"retries range", "flow:step('a', nodes.log{message='x'}):retries(101)", []string{`retries is 101, allowed: 0..100`}},
		{"backoff text", "flow:step('a', nodes.log{message='x'}):retries(1, 'x')", []string{`retries: the second argument is "x"`}},
		{"backoff range", "flow:step('a', nodes.log{message='x'}):retries(1, 301)", []string{`backoff is 301, allowed: 0..300`}},
		{"timeout text", "flow:step('a', nodes.log{message='x'}):timeout({})", []string{`timeout: got a table, want seconds above 0`}},
		{"timeout zero", "flow:step('a', nodes.log{message='x'}):timeout(0)", []string{`timeout is 0`}},
		{"route", "flow:step('a', nodes.log{message='x'}):depends_on('a1'):route(1)\nflow:step('a1', nodes.log{message='x'})", []string{`route: got 1, want the name of a route`}},
		{"on_error", "flow:step('a', nodes.log{message='x'}):on_error(print)", []string{`on_error: got a function, want the name of a step`}},
		{"too many", "flow:step('a', nodes.log{message='x'}):timeout(1, 2)", []string{`timeout: got 2 arguments, want at most 1`}},
		{"broken timeouts count", "flow:step('a b', nodes.log{message='x'}):timeout(-1):depends_on('nope')", []string{`step name "a b"`, `timeout is -1`, `depends on "nope"`}},
		{"step_if condition", "flow:step_if(5, 'a', nodes.log{message='x'})", []string{`step "a": the condition of flow:step_if is 5`}},
		{"step_if text", "flow:step_if('n > 0', 'a', nodes.log{message='x'})", []string{`if_node: condition:`}},
		{"step_if name", "flow:step_if('ctx.n', nil, nodes.log{message='x'})", []string{`flow:step_if: the name of the step is nil`}},
		{"step_if handler", "flow:step_if('ctx.n', 'a', 5)", []string{`step "a": the handler is 5`}},
		{"step_if all wrong", "flow:step_if('x y', 'a b', nodes.log{})", []string{`step name "a b"`, `if_node: condition:`, `log: message: is required`}},
		{"Flow.new name", "Flow.new()", []string{`Flow.new takes the name of the flow as a string, got nil`}},
		{"Flow:new", "Flow:new('x')", []string{`write Flow.new("name") with a dot`}},
		{"nodes assigned", "nodes.mine = function() end", []string{`nodes cannot be assigned ("mine")`}},
		{"chain over lines", "local s = 1\n\nflow:step('a',\n  nodes.log{\n    message='x',\n    level='loud' })\n  :depends_on('b')\n  :retries(\n    -1)", []string{
			`f.lua:4: step "a": retries is -1`, `f.lua:4: step "a": depends on "b"`, `f.lua:4: step "a": log: level: got "loud"`}},
		{"unknown node over lines", "flow:step('a',\n\n  nodes.lgo{})", []string{`f.lua:2: step "a": there is no node "lgo"`}},
		{"in a helper", "local function add(n)\n  return flow:step(n, nodes.log{message='x'})\nend\nadd('a')\nadd('a')", []string{`f.lua:3: step "a": is declared twice`}},
		{"tail call", "local function mk() return nodes.lgo{} end\nflow:step('a', mk())", []string{`f.lua:2: step "a": there is no node "lgo"`}},
		{"through pcall", "pcall(flow.step, flow, 'a b', nodes.log{message='x'})", []string{`f.lua:2: step "a b"`}},
		{"through a coroutine", "coroutine.wrap(function()\n  flow:step('a b', nodes.log{message='x'})\nend)()", []string{`f.lua:3: step "a b"`}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			f := mustLoad(t, "local flow = Flow.new('demo')\n"+c.body+"\nreturn flow")
			plan, problems := flow.NewPlan(f)
			if plan != nil {
				t.Error("the flow can be run")
			}
			if len(problems) != len(c.want) {
				t.Fatalf("got %d problems, want %d:\n%s", len(problems), len(c.want), listing(problems))
			}
			for i, want := range c.want {
				found := false
				for _, p := range problems {
					found = found || strings.Contains(p.String(), want)
				}
				if !found {
					t.Errorf("problem %d %q is missing in\n%s", i, want, listing(problems))
				}
			}
			for _, p := range problems {
				if p.File != "f.lua" || p.Line < 2 {
					t.Errorf("no place: %s", p)
				}
			}
		})
	}
}

func TestLoadErrors(t *testing.T) {
	cases := []struct {
		name, source string
		kind         Kind
		line         int
		want         string
	}{
		{"syntax", "local flow = Flow.new('x')\nflow:step(('a'\nreturn flow", KindSyntax, 3, "syntax error near"},
		{"missing end", "local f = function()\nreturn 1\n", KindSyntax, 2, "at the end of the file"},
		{"unterminated", "local s = \"abc\nreturn s", KindSyntax, 0, "unterminated string"},
		{"goto", "goto nowhere", KindSyntax, 0, "no visible label"},
		{"raised", "local x = 1\nerror('no luck')", KindScript, 2, "no luck"},
		{"raised table", "error({code = 7})", KindScript, 1, `{"code":7}`},
		{"raised empty table", "error({})", KindScript, 1, "table"},
		{"raised nil", "error()", KindScript, 1, "nil"},
		{"index nil", "local x\nlocal y = x.y", KindScript, 2, "attempt to index"},
		{"nothing returned", "local flow = Flow.new('x')", KindReturn, 0, "returns nothing; end the file with `return flow`"},
		{"number returned", "return 5", KindReturn, 0, "returns 5, want the flow"},
		{"builder returned", "local flow = Flow.new('x')\nreturn flow:step('a', nodes.log{message='x'})", KindReturn, 0, "returns what flow:step returned"},
		{"endless recursion", "local function f() return 1 + f() end\nf()", KindScript, 1, "stack overflow"},
		{"yield outside", "coroutine.yield(1)", KindScript, 1, "yield"},
		{"too deep", "return " + strings.Repeat("(", 300) + "1" + strings.Repeat(")", 300), KindSyntax, 1, "more than 200 levels"},
		{"too deep chain", "return " + strings.Repeat("not ", 20000) + "1", KindSyntax, 1, "more than 10000 levels"},
		{"too many labels", strings.Repeat("do ::a:: end\n", 1001), KindSyntax, 1001, "labels and gotos"},
		{"too many constants", "local function f(...)\n" + numbered(25000, "g('N', ...)") + "end", KindSyntax, 1, "more than 20000 different constants"},
		{"not UTF-8", "local a = 1\nlocal b = '\xff'\nreturn 1", KindSource, 2, "byte 0xff is not valid UTF-8"},
		{"too long", "-- " + strings.Repeat("x", DefaultMaxSourceBytes), KindSource, 0, "IRONFLOW_MAX_FLOW_SOURCE_BYTES"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			limits := DefaultLimits()
			limits.MaxCallDepth = 2000
			_, err := load(t, NewHost(Options{Limits: limits}), c.source, nil)
			var e *LoadError
			if !errors.As(err, &e) {
				t.Fatalf("got %v, want a LoadError", err)
			}
			if e.Kind != c.kind || c.line != 0 && e.Line != c.line || e.File != "f.lua" || !strings.Contains(e.Msg, c.want) {
				t.Errorf("got %s at line %d: %v", e.Kind, e.Line, err)
			}
		})
	}
}

// A load that ends early still tells what it had found.
func TestLoadErrorKeepsRecordedProblems(t *testing.T) {
	_, err := load(t, NewHost(Options{}), "local flow = Flow.new('x')\nflow:setp('a', nodes.log{message='x'})\nerror('stop')", nil)
	var e *LoadError
	if !errors.As(err, &e) {
		t.Fatal(err)
	}
	if got := listing(e.Problems()); !strings.Contains(got, "f.lua:2:") || !strings.Contains(got, "f.lua:3: stop") {
		t.Errorf("got\n%s", got)
	}
}

// numbered repeats a line with its number in the place of N.
func numbered(n int, line string) string {
	var b strings.Builder
	for i := 1; i <= n; i++ {
		b.WriteString(strings.ReplaceAll(line, "N", strconv.Itoa(i)) + "\n")
	}
	return b.String()
}
