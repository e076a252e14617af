package lua

import (
	"context"
	"reflect"
	"strings"
	"testing"

	"github.com/ironflow/ironflow/flow"
	"github.com/ironflow/ironflow/nodes"
	"github.com/ironflow/ironflow/nodes/value"
)

func TestCode(t *testing.T) {
	h := NewHost(Options{})
	reg := testRegistry(t, h)
	n, _ := reg.Lookup("code")
	ctx := value.Map{"n": int64(20), "list": []any{"a", "b"}}
	cases := []struct {
		params map[string]any
		want   map[string]any
		err    string
	}{
		{map[string]any{"source": "ctx.n * 2 + 2", "output_key": "x"}, map[string]any{"x": int64(42), "x_success": true}, ""},
		{map[string]any{"source": "ctx.n * 2 -- twice"}, map[string]any{"result": int64(40)}, ""},
		{map[string]any{"source": "local a = ctx.n\nreturn { a = a, b = #ctx.list }"}, map[string]any{"a": int64(20), "b": int64(2)}, ""},
		{map[string]any{"source": "{ a = 1 }", "output_key": "x"}, map[string]any{"x": map[string]any{"a": int64(1)}, "x_success": true}, ""},
		{map[string]any{"source": "return nil"}, map[string]any{}, ""},
		{map[string]any{"source": "{1, 2}"}, map[string]any{"result": []any{int64(1), int64(2)}}, ""},
		{map[string]any{"source": "function f( return"}, nil, `step "s":1: syntax error near "return"`},
		{map[string]any{"source": "local x\nreturn x.y"}, nil, `step "s":2: attempt to index`},
		{map[string]any{"source": "os.exit(1)"}, nil, "attempt to index"},
		{map[string]any{"source": "Flow.new('x')"}, nil, "attempt to index"},
		{map[string]any{"source": "require('lib.m')"}, map[string]any{"result": "module"}, ""},
		{map[string]any{"source": "require('nope')"}, nil, `module "nope"`},
	}
	dir := files(t, map[string]string{"lib/m.lua": "return 'module'"})
	for _, c := range cases {
		out, err := nodes.Invoke(context.Background(), n, c.params, nodes.Host{View: ctx, Step: "s", Attempt: 1, Env: &nodes.Env{FlowDir: dir}})
		if c.err != "" {
			if err == nil || !contains(err.Error(), c.err) {
				t.Errorf("%v: got %v, %v, want %q", c.params, out, err, c.err)
			}
			continue
		}
		if err != nil || !reflect.DeepEqual(out, c.want) {
			t.Errorf("%v: got %v, %v, want %v", c.params, out, err, c.want)
		}
	}
	keys, complete := nodes.PublishedKeys(&n.Spec, map[string]any{"source": "1"}, "s")
	if complete {
		t.Errorf("without output_key the keys are not known before it runs, got %v", keys)
	}
}

// A text that is no Lua, and globals that it reads and nothing defines, are
// found while the file loads.
func TestCodeIsCheckedBeforeItRuns(t *testing.T) {
	f := mustLoad(t, `
local flow = Flow.new("x")
config = 1
flow:step("syntax", nodes.code{ source = "local a = 1\nreturn a +" })
flow:step("misspelt", nodes.code{ source = "local a = 1\nreturn strng.upper(ctx.a)" })
flow:step("foreign", nodes.code{ source = "config" })
flow:step("good", nodes.code{ source = "later = 1 return { l = later, u = uuid4(), c = ctx.x, r = require }" })
return flow`)
	_, problems := flow.NewPlan(f)
	want := []string{
		`f.lua:4: step "syntax": code: source: line 2 of the text: syntax error at the end of the `,
		`f.lua:5: warning: step "misspelt": code: source: line 2 of the text: reads the global "strng", which nothing defines, so it is nil; did you mean "string"?`,
		`f.lua:6: warning: step "foreign": code: source: line 1 of the text: reads the global "config", which nothing defines`,
	}
	if len(problems) != len(want) {
		t.Fatalf("got\n%s", listing(problems))
	}
	for i := range want {
		if !strings.HasPrefix(problems[i].String(), want[i]) {
			t.Errorf("got  %s\nwant %s", problems[i], want[i])
		}
	}
}
