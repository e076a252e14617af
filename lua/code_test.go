package lua

import (
	"context"
	"reflect"
	"testing"

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
